import { MissingSessionTableError } from './prisma.errors.js';
import type { PrismaModel } from './prisma.driver.js';

type ColumnType = 'String' | 'Boolean' | 'BigInt' | 'DateTime';

/** The official model, with the types of Prisma's schema. */
const COLUMNS: Readonly<Record<string, ColumnType>> = {
  ...{ id: 'String', shop: 'String', state: 'String', isOnline: 'Boolean', scope: 'String' },
  ...{ expires: 'DateTime', accessToken: 'String', userId: 'BigInt' },
  ...{ firstName: 'String', lastName: 'String', email: 'String', accountOwner: 'Boolean' },
  ...{ locale: 'String', collaborator: 'Boolean', emailVerified: 'Boolean' },
  ...{ refreshToken: 'String', refreshTokenExpires: 'DateTime' },
};
const ALL = Object.fromEntries(Object.keys(COLUMNS).map((column) => [column, true]));

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
  const failure = await failureOf(model, ALL);
  if (failure === undefined) return;
  const missing: string[] = [];
  for (const column of Object.keys(COLUMNS))
    if (await failureOf(model, { [column]: true })) missing.push(column);
  // Every table has ids: the database failed in between.
  if (missing.length === 0 || missing.includes('id')) throw failure;
  const table = quoted(model.name ?? 'Session', database);
  const types = { ...STANDARD, ...SQL_TYPES[database] };
  const statements = missing.map(
    (column) => `ALTER TABLE ${table} ADD ${quoted(column, database)} ${types[COLUMNS[column]!]};`,
  );
  const fields = missing.map((column) => `${column} ${COLUMNS[column]}?`);
  throw new MissingSessionTableError(
    `The table of the sessions lacks ${missing.join(', ')}. Its model in schema.prisma needs: ${fields.join(', ')}. Migrate, or run: ${statements.join(' ')}`,
  );
}

/**
 * Why these columns cannot be read. Each driver has a code of its own for a column that is not
 * there.
 */
async function failureOf(
  model: PrismaModel,
  select: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  try {
    await model.findFirst({ select });
    return undefined;
  } catch (error) {
    return error;
  }
}

function quoted(name: string, database: string): string {
  return database === 'mysql' ? `\`${name}\`` : `"${name}"`;
}
