import { SESSION_TABLES } from '../../../core/vendor.js';
import { inTransaction } from './sqlite.connection.js';
import type { SqliteDatabase } from './sqlite.driver.js';

/** Columns and types of the official SQLite storage. SQLite does not enforce the lengths. */
const SESSION_TYPES = {
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

/** The tables beside a table of sessions: what their names end with, and their columns. Times are epoch milliseconds. */
const COMPANION_TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  locks: { name: 'text NOT NULL PRIMARY KEY', holder: 'text NOT NULL', until: 'integer NOT NULL' },
  installations: {
    app: 'text NOT NULL',
    shop: 'text NOT NULL',
    version: 'integer NOT NULL',
    record: 'text NOT NULL, PRIMARY KEY (app, shop)',
  },
  webhooks: {
    id: 'text NOT NULL PRIMARY KEY',
    token: 'text',
    isDone: 'integer NOT NULL',
    until: 'integer NOT NULL',
    handled: 'text NOT NULL',
  },
};

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
  ['expiry-index', indexExpiry],
  ['companions', createCompanions],
];

/** Brings the table, and those beside it, to the current shape, whatever version, ours or official, it was left in. Safe beside other processes that do the same. */
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

/** Names what keeps the table, and those beside it, from being used: migrations {@link migrate} has yet to do, and columns that are gone. */
export function missingIn(database: SqliteDatabase, table: string): string[] {
  const done =
    columnsOf(database, OWN_MIGRATIONS_TABLE).size > 0 ? namesIn(database, `SELECT name FROM ${OWN_MIGRATIONS_TABLE}`) : new Set();
  const migrations = STEPS.map(([step]) => `${table}/${step}`).filter((name) => !done.has(name));
  if (migrations.length > 0) return migrations.map((name) => `migration ${name}`);
  const tables = [
    { name: table, columns: SESSION_TYPES },
    ...Object.entries(COMPANION_TABLES).map(([name, columns]) => ({ name: `${table}_${name}`, columns })),
  ];
  return tables.flatMap(({ name, columns }) => {
    const existing = columnsOf(database, name);
    return Object.keys(columns).flatMap((column) => (existing.has(column) ? [] : [`column ${name}.${column}`]));
  });
}

function createOrComplete(database: SqliteDatabase, table: string): void {
  createTable(database, table, SESSION_TYPES);
  const existing = columnsOf(database, table);
  for (const [name, type] of Object.entries(SESSION_TYPES)) {
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

function indexExpiry(database: SqliteDatabase, table: string): void {
  database.exec(`CREATE INDEX IF NOT EXISTS ${quoted(`${table}_expires`)} ON ${quoted(table)} (expires) WHERE isOnline = 1`);
}

function createCompanions(database: SqliteDatabase, table: string): void {
  for (const [name, columns] of Object.entries(COMPANION_TABLES)) createTable(database, `${table}_${name}`, columns);
  database.exec(`CREATE INDEX IF NOT EXISTS ${quoted(`${table}_webhooks_until`)} ON ${quoted(`${table}_webhooks`)} (until)`);
}

function createTable(database: SqliteDatabase, table: string, columns: Readonly<Record<string, string>>): void {
  const definitions = Object.entries(columns).map(([name, type]) => `${quoted(name)} ${type}`);
  database.exec(`CREATE TABLE IF NOT EXISTS ${quoted(table)} (${definitions.join(', ')})`);
}

/** None when there is no such table. */
function columnsOf(database: SqliteDatabase, table: string): Set<unknown> {
  return namesIn(database, 'SELECT name FROM pragma_table_info(?)', [table]);
}

function namesIn(database: SqliteDatabase, sql: string, parameters: readonly string[] = []): Set<unknown> {
  const rows = database.prepare(sql).all(parameters);
  return new Set(rows.map(([name]) => name));
}

/** A name as SQL takes it, whatever characters it has. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
