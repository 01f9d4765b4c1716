import { SESSION_TABLES } from '../../../core/vendor.js';
import { inTransaction } from './sqlite.connection.js';
import type { SqliteDatabase } from './sqlite.driver.js';

/** Columns and types of the official SQLite storage. SQLite does not enforce the lengths. */
export const COLUMNS = {
  id: 'varchar(255) NOT NULL PRIMARY KEY',
  shop: 'varchar(255) NOT NULL',
  state: 'varchar(255) NOT NULL',
  isOnline: 'integer NOT NULL',
  expires: 'integer',
  scope: 'varchar(1024)',
  accessToken: 'varchar(255)',
  userId: 'integer',
  firstName: 'varchar(255)',
  lastName: 'varchar(255)',
  email: 'varchar(255)',
  accountOwner: 'integer',
  locale: 'varchar(255)',
  collaborator: 'integer',
  emailVerified: 'integer',
  refreshToken: 'varchar(255)',
  refreshTokenExpires: 'integer',
} as const;

/** What the official storage has done to a table of this shape; where the names are missing it would do it again. */
const OFFICIAL_MIGRATIONS = ['migrateScopeFieldToVarchar1024', 'addRefreshTokenFields', 'addUserInfoColumns'];
/** Held the user's id alone, before there were columns for the user. */
const LEGACY_USER_COLUMN = 'onlineAccessInfo';
const OWN_MIGRATIONS_TABLE = 'shopwright_migrations';

/** In order, each run once per table. A released step is never changed: add another. */
const STEPS: readonly (readonly [name: string, run: (database: SqliteDatabase, table: string) => void])[] = [
  ['sessions', createOrComplete],
  ['official-record', recordOfficialMigrations],
  ['shop-index', (database, table) => database.exec(`CREATE INDEX IF NOT EXISTS ${quoted(`${table}_shop`)} ON ${quoted(table)} (shop)`)],
];

/** Brings the table to the current shape, whatever version, ours or official, it was left in. Safe beside other processes that do the same. */
export function migrate(database: SqliteDatabase, table: string): void {
  inTransaction(database, () => {
    database.exec(`CREATE TABLE IF NOT EXISTS ${OWN_MIGRATIONS_TABLE} (name text NOT NULL PRIMARY KEY)`);
    const isDone = database.prepare(`SELECT 1 FROM ${OWN_MIGRATIONS_TABLE} WHERE name = ?`);
    const done = database.prepare(`INSERT INTO ${OWN_MIGRATIONS_TABLE} (name) VALUES (?)`);
    for (const [step, run] of STEPS) {
      const name = `${table}/${step}`;
      if (isDone.get([name])) continue;
      run(database, table);
      done.run([name]);
    }
  });
}

function createOrComplete(database: SqliteDatabase, table: string): void {
  const columns = Object.entries(COLUMNS).map(([name, type]) => `${quoted(name)} ${type}`);
  database.exec(`CREATE TABLE IF NOT EXISTS ${quoted(table)} (${columns.join(', ')})`);
  const existing = new Set(
    database
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all([table])
      .map(({ name }) => name),
  );
  for (const [name, type] of Object.entries(COLUMNS)) {
    if (!existing.has(name)) database.exec(`ALTER TABLE ${quoted(table)} ADD COLUMN ${quoted(name)} ${type}`);
  }
  if (!existing.has(LEGACY_USER_COLUMN)) return;
  database.exec(`UPDATE ${quoted(table)} SET userId = CAST(${LEGACY_USER_COLUMN} AS integer) WHERE ${LEGACY_USER_COLUMN} IS NOT NULL`);
  database.exec(`ALTER TABLE ${quoted(table)} DROP COLUMN ${LEGACY_USER_COLUMN}`);
}

function recordOfficialMigrations(database: SqliteDatabase): void {
  database.exec(`CREATE TABLE IF NOT EXISTS ${SESSION_TABLES.migrations} (migration_name varchar(255) NOT NULL PRIMARY KEY)`);
  const record = database.prepare(`INSERT OR IGNORE INTO ${SESSION_TABLES.migrations} (migration_name) VALUES (?)`);
  for (const name of OFFICIAL_MIGRATIONS) record.run([name]);
}

/** A name as SQL takes it, whatever characters it has. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
