import { SESSION_TABLES } from '../../../core/vendor.js';
import { LEGACY_USER_COLUMN } from '../sql/official-tables.js';
import {
  STEPS_TABLE,
  missingColumns,
  pendingSteps,
  recordOf,
  shapesOf,
} from '../sql/table-steps.js';
import type { Step } from '../sql/table-steps.js';
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

/**
 * The tables beside a table of sessions: what their names end with, and their columns. Times are
 * epoch milliseconds.
 */
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

/**
 * What the official storage has done to a table of this shape; where the names are missing it would
 * do it again.
 */
const OFFICIAL_MIGRATIONS = [
  'migrateScopeFieldToVarchar1024',
  'addRefreshTokenFields',
  'addUserInfoColumns',
];

/** In order, each run once per table. A released step is never changed: add another. */
const STEPS: readonly Step<(database: SqliteDatabase, table: string) => void>[] = [
  ['sessions', createOrComplete],
  ['official-record', recordOfficialMigrations],
  [
    'shop-index',
    (database, table) =>
      database.exec(
        `CREATE INDEX IF NOT EXISTS ${quoted(`${table}_shop`)} ON ${quoted(table)} (shop)`,
      ),
  ],
  ['expiry-index', indexExpiry],
  ['companions', createCompanions],
];

/**
 * Brings the table, and those beside it, to the current shape, whatever version, ours or official,
 * it was left in. Safe beside other processes that do the same.
 */
export function migrate(database: SqliteDatabase, table: string): void {
  // The file remembers it: who reads waits for no writer.
  database.exec('PRAGMA journal_mode = WAL');
  inTransaction(database, () => {
    database.exec(`CREATE TABLE IF NOT EXISTS ${STEPS_TABLE} (name text NOT NULL PRIMARY KEY)`);
    const taken = database.prepare(`INSERT INTO ${STEPS_TABLE} (name) VALUES (?)`);
    for (const step of pendingIn(database, table)) {
      const [, run] = step;
      run(database, table);
      taken.run([recordOf(table, step)]);
    }
  });
}

/**
 * Names what keeps the table, and those beside it, from being used: migrations {@link migrate} has
 * yet to do, and columns that are gone.
 */
export function missingIn(database: SqliteDatabase, table: string): string[] {
  const pending = pendingIn(database, table);
  if (pending.length > 0) return pending.map((step) => `migration ${recordOf(table, step)}`);
  return shapesOf(table, SESSION_TYPES, COMPANION_TABLES).flatMap((shape) =>
    missingColumns(shape, columnsOf(database, shape.name)),
  );
}

function pendingIn(database: SqliteDatabase, table: string): typeof STEPS {
  const isThere = columnsOf(database, STEPS_TABLE).size > 0;
  return pendingSteps(
    STEPS,
    table,
    isThere ? namesIn(database, `SELECT name FROM ${STEPS_TABLE}`) : [],
  );
}

function createOrComplete(database: SqliteDatabase, table: string): void {
  createTable(database, table, SESSION_TYPES);
  const existing = columnsOf(database, table);
  for (const [name, type] of Object.entries(SESSION_TYPES)) {
    if (!existing.has(name))
      database.exec(`ALTER TABLE ${quoted(table)} ADD COLUMN ${quoted(name)} ${type}`);
  }
  if (!existing.has(LEGACY_USER_COLUMN)) return;
  database.exec(
    `UPDATE ${quoted(table)} SET userId = CAST(${LEGACY_USER_COLUMN} AS integer) WHERE ${LEGACY_USER_COLUMN} IS NOT NULL`,
  );
  database.exec(`ALTER TABLE ${quoted(table)} DROP COLUMN ${LEGACY_USER_COLUMN}`);
}

function recordOfficialMigrations(database: SqliteDatabase): void {
  database.exec(
    `CREATE TABLE IF NOT EXISTS ${SESSION_TABLES.migrations} (migration_name varchar(255) NOT NULL PRIMARY KEY)`,
  );
  const record = database.prepare(
    `INSERT OR IGNORE INTO ${SESSION_TABLES.migrations} (migration_name) VALUES (?)`,
  );
  for (const name of OFFICIAL_MIGRATIONS) record.run([name]);
}

function indexExpiry(database: SqliteDatabase, table: string): void {
  database.exec(
    `CREATE INDEX IF NOT EXISTS ${quoted(`${table}_expires`)} ON ${quoted(table)} (expires) WHERE isOnline = 1`,
  );
}

function createCompanions(database: SqliteDatabase, table: string): void {
  for (const [name, columns] of Object.entries(COMPANION_TABLES))
    createTable(database, `${table}_${name}`, columns);
  database.exec(
    `CREATE INDEX IF NOT EXISTS ${quoted(`${table}_webhooks_until`)} ON ${quoted(`${table}_webhooks`)} (until)`,
  );
}

function createTable(
  database: SqliteDatabase,
  table: string,
  columns: Readonly<Record<string, string>>,
): void {
  const definitions = Object.entries(columns).map(([name, type]) => `${quoted(name)} ${type}`);
  database.exec(`CREATE TABLE IF NOT EXISTS ${quoted(table)} (${definitions.join(', ')})`);
}

/** None when there is no such table. */
function columnsOf(database: SqliteDatabase, table: string): Set<unknown> {
  return namesIn(database, 'SELECT name FROM pragma_table_info(?)', [table]);
}

function namesIn(
  database: SqliteDatabase,
  sql: string,
  parameters: readonly string[] = [],
): Set<unknown> {
  const rows = database.prepare(sql).all(parameters);
  return new Set(rows.map(([name]) => name));
}

/** A name as SQL takes it, whatever characters it has. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
