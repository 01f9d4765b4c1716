import { SESSION_TABLES } from '../../../core/vendor.js';
import {
  MIGRATIONS_TABLE,
  migrationId,
  pendingMigrations,
} from '../connection/pending-migrations.js';
import type { Migration } from '../connection/pending-migrations.js';
import {
  LEGACY_USER_COLUMN,
  missingColumns,
  recordTable,
  sessionTable,
} from '../sql/sql.migrations.js';
import type { TableShape } from '../sql/sql.migrations.js';
import { inTransaction } from './sqlite.connection.js';
import { sqliteDialect } from './sqlite.dialect.js';
import type { SqliteDatabase } from './sqlite.driver.js';

const { quote } = sqliteDialect;

/** What the official storage has done to a table of this shape: it would do it again. */
const OFFICIAL_MIGRATIONS = [
  'migrateScopeFieldToVarchar1024',
  'addRefreshTokenFields',
  'addUserInfoColumns',
];

const MIGRATIONS: readonly Migration<(database: SqliteDatabase, table: string) => void>[] = [
  ['sessions', createOrUpgrade],
  ['official-record', recordOfficialMigrations],
  ['shop-index', (database, table) => index(database, table, 'shop', 'shop')],
  [
    'expiry-index',
    (database, table) => index(database, table, 'expires', 'expires', 'isOnline = 1'),
  ],
  ['records', createRecordTable],
];

/**
 * Brings the table, and the one beside it, to the current shape, whatever version, ours or
 * official, it was left in. Safe beside other processes that do the same.
 */
export function migrate(database: SqliteDatabase, table: string): void {
  // The file remembers it: reads wait for no writer.
  database.exec('PRAGMA journal_mode = WAL');
  inTransaction(database, () => {
    database.exec(
      `CREATE TABLE IF NOT EXISTS ${MIGRATIONS_TABLE} (name text NOT NULL PRIMARY KEY)`,
    );
    const applied = database.prepare(`INSERT INTO ${MIGRATIONS_TABLE} (name) VALUES (?)`);
    for (const migration of pendingIn(database, table)) {
      migration[1](database, table);
      applied.run([migrationId(table, migration)]);
    }
  });
}

/** Names what keeps the tables from being used: pending migrations, and missing columns. */
export function missingIn(database: SqliteDatabase, table: string): string[] {
  const pending = pendingIn(database, table);
  if (pending.length > 0) return pending.map((one) => `migration ${migrationId(table, one)}`);
  return [sessionTable(table, sqliteDialect), recordTable(table, sqliteDialect)].flatMap((shape) =>
    missingColumns(shape, columnsOf(database, shape.name)),
  );
}

function pendingIn(database: SqliteDatabase, table: string): typeof MIGRATIONS {
  const isThere = columnsOf(database, MIGRATIONS_TABLE).size > 0;
  const applied = isThere ? namesIn(database, `SELECT name FROM ${MIGRATIONS_TABLE}`) : [];
  return pendingMigrations(MIGRATIONS, table, applied);
}

function createOrUpgrade(database: SqliteDatabase, table: string): void {
  const shape = sessionTable(table, sqliteDialect);
  create(database, shape);
  const existing = columnsOf(database, table);
  for (const [column, definition] of Object.entries(shape.columns)) {
    if (!existing.has(column))
      database.exec(`ALTER TABLE ${quote(table)} ADD COLUMN ${quote(column)} ${definition}`);
  }
  if (!existing.has(LEGACY_USER_COLUMN)) return;
  database.exec(
    `UPDATE ${quote(table)} SET userId = CAST(${LEGACY_USER_COLUMN} AS integer)
     WHERE ${LEGACY_USER_COLUMN} IS NOT NULL`,
  );
  database.exec(`ALTER TABLE ${quote(table)} DROP COLUMN ${LEGACY_USER_COLUMN}`);
}

function recordOfficialMigrations(database: SqliteDatabase): void {
  const table = SESSION_TABLES.migrations;
  create(database, {
    name: table,
    columns: { migration_name: 'varchar(255) NOT NULL' },
    key: ['migration_name'],
  });
  const record = database.prepare(`INSERT OR IGNORE INTO ${table} (migration_name) VALUES (?)`);
  for (const name of OFFICIAL_MIGRATIONS) record.run([name]);
}

function createRecordTable(database: SqliteDatabase, table: string): void {
  const shape = recordTable(table, sqliteDialect);
  create(database, shape, 'WITHOUT ROWID');
  index(database, shape.name, 'expires', 'expires', 'expires > lease_end');
}

function create(database: SqliteDatabase, { name, columns, key }: TableShape, options = ''): void {
  const definitions = Object.entries(columns).map(([name, type]) => `${quote(name)} ${type}`);
  database.exec(
    `CREATE TABLE IF NOT EXISTS ${quote(name)}
     (${definitions.join(', ')}, PRIMARY KEY (${key.join(', ')})) ${options}`,
  );
}

function index(
  database: SqliteDatabase,
  table: string,
  name: string,
  column: string,
  condition?: string,
): void {
  database.exec(
    `CREATE INDEX IF NOT EXISTS ${quote(`${table}_${name}`)} ON ${quote(table)} (${column})
     ${condition === undefined ? '' : `WHERE ${condition}`}`,
  );
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
