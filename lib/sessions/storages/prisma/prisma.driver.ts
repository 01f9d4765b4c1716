import { SessionStorageError } from '../../sessions.errors.js';
import { codeOf } from '../connection/optional-driver.js';
import type { Row, RowTable } from '../table/table-sessions.js';

/** The part of a model's delegate that we use, of any version of Prisma. */
export interface PrismaModel extends RowTable {
  /** As the schema names the model. */
  readonly name?: string;
  findMany(args: { where?: Row; orderBy?: Row; take?: number; select?: Row }): Promise<Row[]>;
}

/** Rejects when a column cannot be read. With a call that test doubles of a client have, too. */
export async function readColumns(model: PrismaModel, columns: readonly string[]): Promise<void> {
  const select = Object.fromEntries(columns.map((column) => [column, true]));
  await model.findMany({ select, take: 1 });
}

/** Undefined when the client's schema has no such model. */
export function modelOf(client: object, name: string): PrismaModel | undefined {
  const model = (client as Readonly<Record<string, PrismaModel | undefined>>)[name];
  return typeof model?.findMany === 'function' ? model : undefined;
}

/** The database behind a client, as Prisma names it; '' when the client does not say. */
export function databaseOf(client: object): string {
  const { _activeProvider: name } = client as { readonly _activeProvider?: unknown };
  return typeof name === 'string' ? name.replace(/^postgres$/, 'postgresql') : '';
}

/** True when a row of the same id is there already. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === 'P2002';
}

/**
 * True when the call does not fit the schema. The client's message then shows all it was given,
 * tokens included.
 */
export function isMisfit(error: unknown): error is Error {
  return error instanceof Error && error.name === 'PrismaClientValidationError';
}

/** What a failure is told as, without what was stored. */
export function errorFor(what: string, cause: unknown): SessionStorageError {
  // The last line names the argument that does not fit.
  if (isMisfit(cause))
    return new SessionStorageError(
      `Prisma could not ${what}: ${cause.message.trim().split('\n').at(-1)}`,
    );
  return new SessionStorageError(
    `Prisma could not ${what} (${codeOf(cause) ?? (cause as Error).name}).`,
    { cause },
  );
}
