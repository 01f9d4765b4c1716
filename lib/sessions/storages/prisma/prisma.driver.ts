import { SessionStorageError } from '../../sessions.errors.js';
import { codeOf } from '../connection/optional-driver.js';

type Values = Readonly<Record<string, unknown>>;

/** The part of a model's delegate that we use, of any version of Prisma. */
export interface PrismaModel {
  create(args: { data: Values }): Promise<unknown>;
  upsert(args: { where: Values; create: Values; update: Values }): Promise<unknown>;
  findUnique(args: { where: Values }): Promise<Values | null>;
  findFirst(args: { select: Values }): Promise<unknown>;
  findMany(args: { where: Values; orderBy?: Values; take?: number }): Promise<Values[]>;
  updateMany(args: { where: Values; data: Values }): Promise<{ count: number }>;
  deleteMany(args: { where: Values }): Promise<{ count: number }>;
}

/** Undefined when the client's schema has no such model. */
export function modelOf(client: object, name: string): PrismaModel | undefined {
  const model = (client as Readonly<Record<string, PrismaModel | undefined>>)[name];
  return typeof model?.findMany === 'function' ? model : undefined;
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

/**
 * Does `work`. @throws {SessionStorageError} that says what could not be done, without what was
 * stored
 */
export async function explained<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SessionStorageError) throw error;
    // The last line names the argument that does not fit.
    if (isMisfit(error))
      throw new SessionStorageError(
        `Prisma could not ${what}: ${error.message.trim().split('\n').at(-1)}`,
      );
    throw new SessionStorageError(
      `Prisma could not ${what} (${codeOf(error) ?? (error as Error).name}).`,
      { cause: error },
    );
  }
}
