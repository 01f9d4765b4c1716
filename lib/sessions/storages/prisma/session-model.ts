import type { Session } from '../../session.js';
import { MissingSessionTableError } from '../../sessions.errors.js';
import {
  SESSION_COLUMNS,
  SESSION_COLUMN_TYPES,
  cellsOf,
  sessionInCells,
} from '../sql/session-row.js';
import type { Cell, SessionColumn } from '../sql/session-row.js';
import type { Row } from '../table/table-sessions.js';
import { readColumns } from './prisma.driver.js';
import type { PrismaModel } from './prisma.driver.js';

/** The columns are those of the official SQL storages; times and flags are the client's own. */
const FORMAT = {
  timeUnits: { expires: 1, refreshTokenExpires: 1 },
  flag: (value: boolean): boolean => value,
};
/** Those of a user, whom not all sessions have. */
const FLAGS = ['accountOwner', 'collaborator', 'emailVerified'] as const;
/** Texts of a user. The official storage has turned null into "null", and stored them so. */
const NAMES: readonly string[] = ['firstName', 'lastName', 'email', 'locale'];

/**
 * The row of the official model: null for what is not set, '' for a missing token.
 * @param required flags that must not be null
 */
export function rowOf(session: Session, required: ReadonlySet<string>): Row {
  const cells = cellsOf(session, FORMAT);
  return Object.fromEntries(
    SESSION_COLUMNS.map((column, index) => [column, valueOf(column, cells[index]!, required)]),
  );
}

/** The way back. */
export function sessionIn(row: Row): Session {
  const cells = SESSION_COLUMNS.map((column) => {
    const value = row[column];
    if (value instanceof Date || typeof value === 'bigint') return Number(value);
    const none = column === 'accessToken' ? '' : NAMES.includes(column) ? 'null' : null;
    return value === none ? null : value;
  });
  return sessionInCells(cells, FORMAT);
}

/** Which flags a call was refused for having no value. */
export function requiredFlagsIn(message: string): string[] {
  return FLAGS.filter((flag) => new RegExp(`\\b${flag}\\b\`? must not be null`).test(message));
}

function valueOf(column: SessionColumn, cell: Cell, required: ReadonlySet<string>): unknown {
  if (column === 'accessToken') return cell ?? '';
  const isEmpty = cell === '' && (column === 'scope' || column === 'refreshToken');
  if (cell === null || isEmpty) return required.has(column) ? false : null;
  if (SESSION_COLUMN_TYPES[column] !== 'number') return cell;
  return column === 'userId' ? BigInt(cell) : new Date(Number(cell));
}

type ColumnType = 'String' | 'Boolean' | 'BigInt' | 'DateTime';

/** The type of a column of the official model, in Prisma's schema. */
function typeOf(column: SessionColumn): ColumnType {
  const type = SESSION_COLUMN_TYPES[column];
  if (type === 'number') return column === 'userId' ? 'BigInt' : 'DateTime';
  return type === 'flag' ? 'Boolean' : 'String';
}

/** What the types are in a database, where that is not standard. */
const SQL_TYPES: Readonly<Record<string, Partial<Record<ColumnType, string>>>> = {
  postgresql: { DateTime: 'TIMESTAMP(3)' },
  mysql: { DateTime: 'DATETIME(3)' },
  sqlite: { DateTime: 'DATETIME' },
  sqlserver: { String: 'NVARCHAR(1000)', Boolean: 'BIT', DateTime: 'DATETIME2' },
};
const STANDARD = { String: 'TEXT', Boolean: 'BOOLEAN', BigInt: 'BIGINT', DateTime: 'TIMESTAMP' };

/**
 * Reads every column of the model of sessions.
 * @param database as Prisma names it, such as `postgresql`
 * @throws {MissingSessionTableError} naming the columns that an older schema or table lacks, and
 * what adds them
 * @throws what Prisma throws when they cannot be read for another reason
 */
export async function checkColumns(model: PrismaModel, database: string): Promise<void> {
  // Each driver has a code of its own for a column that is not there.
  const failureOf = (columns: readonly SessionColumn[]): Promise<unknown> =>
    readColumns(model, columns).then(
      () => undefined,
      (error: unknown) => error,
    );
  const failure = await failureOf(SESSION_COLUMNS);
  if (failure === undefined) return;
  const missing: SessionColumn[] = [];
  for (const column of SESSION_COLUMNS) if (await failureOf([column])) missing.push(column);
  // Every table has ids: the database failed in between.
  if (missing.length === 0 || missing.includes('id')) throw failure;
  const table = quoted(model.name ?? 'Session', database);
  const types = { ...STANDARD, ...SQL_TYPES[database] };
  const statements = missing.map(
    (column) => `ALTER TABLE ${table} ADD ${quoted(column, database)} ${types[typeOf(column)]};`,
  );
  const fields = missing.map((column) => `${column} ${typeOf(column)}?`);
  throw new MissingSessionTableError(
    `The table of the sessions lacks ${missing.join(', ')}. Its model in schema.prisma needs: ${fields.join(', ')}. Migrate, or run: ${statements.join(' ')}`,
  );
}

function quoted(name: string, database: string): string {
  return database === 'mysql' ? `\`${name}\`` : `"${name}"`;
}
