import { SessionStorageError } from '../../sessions.errors.js';
import type { MySQLConnection, MySQLSession } from './mysql.connection.js';
import { quoted } from './mysql.driver.js';
import { lockKey } from './mysql.lock.js';
import { SESSION_TYPES, createOrUpgrade, recordOfficialMigrations } from './official-layouts.js';
import {
  STEPS_TABLE,
  missingColumns,
  pendingSteps,
  recordOf,
  shapesOf,
} from '../sql/table-steps.js';
import type { MigrationOptions, Step } from '../sql/table-steps.js';
import { TableEditor } from './table-editor.js';

/**
 * The tables beside a table of sessions: what their names end with, and their columns. Times are
 * epoch milliseconds of the server's clock.
 */
const COMPANION_TABLES = {
  installations: {
    app: 'varchar(255) NOT NULL',
    shop: 'varchar(255) NOT NULL',
    version: 'bigint NOT NULL',
    record: 'text NOT NULL',
  },
  webhooks: {
    id: 'varchar(64) NOT NULL',
    token: 'varchar(64)',
    isDone: 'tinyint NOT NULL',
    until: 'bigint NOT NULL',
    handled: 'text NOT NULL',
  },
};
/** Characters of the longest name. */
const LONGEST_NAME = 64;
/** Room for what the names of the tables beside it end with. */
export const LONGEST_TABLE_NAME = LONGEST_NAME - '_installations'.length;

/** Milliseconds: to change a large table takes long, and must not be given up half-way. */
const PATIENCE = 10 * 60 * 1000;
/**
 * Seconds that another process is waited for which does the same, and a table that somebody's long
 * transaction uses.
 */
const TURN_LIMIT = 60;
const TABLE_LIMIT = 10;

/**
 * In order, each run once per table; the server keeps what a step that breaks off has done, so each
 * may begin again. A released step is never changed: add another.
 */
const STEPS: readonly Step<(editor: TableEditor, options: MigrationOptions) => Promise<unknown>>[] =
  [
    ['sessions', (editor, { table }) => createOrUpgrade(editor, table)],
    ['official-record', (editor, { official }) => recordOfficialMigrations(editor, official)],
    ['shop-index', (editor, { table }) => editor.index(table, 'shopwright_shop', ['shop'])],
    [
      'expiry-index',
      (editor, { table }) => editor.index(table, 'shopwright_expires', ['isOnline', 'expires']),
    ],
    ['companions', createCompanions],
  ];

/**
 * Brings the table, and those beside it, to the current shape, whatever version, ours or official,
 * it was left in. Safe beside other processes that do the same.
 */
export async function migrate(
  connection: MySQLConnection,
  options: MigrationOptions,
): Promise<void> {
  const what = `set up the table ${options.table}`;
  // What is there already needs neither a lock nor the right to change tables.
  if ((await pendingIn(editorOver(connection, what), options.table)).length === 0) return;
  let session: MySQLSession | undefined;
  try {
    session = await connection.session();
    await takeTurn(session);
    await runSteps(new TableEditor((sql, values) => session!.run(sql, values, PATIENCE)), options);
  } catch (error) {
    throw connection.errorFor(what, error);
  } finally {
    session?.end();
  }
}

/**
 * Names what keeps the table, and those beside it, from being used: migrations {@link migrate} has
 * yet to do, and columns and keys that are gone.
 */
export async function missingIn(connection: MySQLConnection, table: string): Promise<string[]> {
  const editor = editorOver(connection, 'be verified');
  const pending = await pendingIn(editor, table);
  if (pending.length > 0) return pending.map((step) => `migration ${recordOf(table, step)}`);
  const missing =
    (await editor.keysOf(table)).get('PRIMARY')?.join() === 'id' ? [] : [`key ${table}.id`];
  for (const shape of shapesOf(table, SESSION_TYPES, COMPANION_TABLES))
    missing.push(...missingColumns(shape, await editor.columnsOf(shape.name)));
  const { collation } = (await editor.columnsOf(table)).get('id') ?? {};
  return collation?.endsWith('_bin') === false
    ? [...missing, `case-sensitive ids in ${table}`]
    : missing;
}

/** In the whole database, until the connection ends. */
async function takeTurn(session: MySQLSession): Promise<void> {
  await session.run(`SET SESSION lock_wait_timeout = ${TABLE_LIMIT}`);
  const { rows } = await session.run(
    `SELECT GET_LOCK(${lockKey(STEPS_TABLE)}, ${TURN_LIMIT}) AS taken`,
    undefined,
    PATIENCE,
  );
  if (Number(rows[0]?.['taken']) !== 1) {
    throw new SessionStorageError(
      `Another process has been setting up tables of this database for ${TURN_LIMIT} seconds.`,
    );
  }
}

async function runSteps(editor: TableEditor, options: MigrationOptions): Promise<void> {
  await editor.create(STEPS_TABLE, { name: 'varchar(255) NOT NULL PRIMARY KEY' });
  for (const step of await pendingIn(editor, options.table)) {
    const [, run] = step;
    await run(editor, options);
    await editor.run(`INSERT INTO ${STEPS_TABLE} (name) VALUES (?)`, [
      recordOf(options.table, step),
    ]);
  }
}

function editorOver(connection: MySQLConnection, what: string): TableEditor {
  return new TableEditor((sql, values) => connection.run(what, sql, values));
}

async function pendingIn(editor: TableEditor, table: string): Promise<typeof STEPS> {
  const rows = await editor.rowsOrNone(`SELECT name FROM ${quoted(STEPS_TABLE)}`);
  const taken = rows.map(({ name }) => name);
  return pendingSteps(STEPS, table, taken);
}

async function createCompanions(editor: TableEditor, { table }: MigrationOptions): Promise<void> {
  const { installations, webhooks } = COMPANION_TABLES;
  await editor.create(`${table}_installations`, installations, 'PRIMARY KEY (app, shop)');
  await editor.create(`${table}_webhooks`, webhooks, 'PRIMARY KEY (id)', 'INDEX (until)');
}
