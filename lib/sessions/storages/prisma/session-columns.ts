import { MissingSessionTableError } from '../../sessions.errors.js';
import { SESSION_COLUMNS, SESSION_COLUMN_TYPES } from '../sql/session-row.js';
import type { SessionColumn } from '../sql/session-row.js';
import type { PrismaModel } from './prisma.driver.js';

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
  const failureOf = (columns: readonly SessionColumn[]): Promise<unknown> => {
    const select = Object.fromEntries(columns.map((column) => [column, true]));
    return model.findFirst({ select }).then(
      () => undefined,
      (error: unknown) => error,
    );
  };
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
