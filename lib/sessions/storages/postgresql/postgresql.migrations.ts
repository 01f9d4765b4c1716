import type { PostgreSQLConnection } from './postgresql.connection.js';
import { SESSION_TYPES, createOrUpgrade, recordOfficialMigrations } from './official-layouts.js';
import {
  STEPS_TABLE,
  missingColumns,
  pendingSteps,
  recordOf,
  shapesOf,
} from '../sql/table-steps.js';
import type { MigrationOptions, Step } from '../sql/table-steps.js';
import { advisoryKey } from './postgresql.driver.js';
import { PATIENCE, TableEditor } from './table-editor.js';
import type { Runner } from './table-editor.js';

/** The tables beside a table of sessions: what their names end with, and their columns. */
const COMPANION_TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  installations: {
    app: 'text COLLATE "C" NOT NULL',
    shop: 'text COLLATE "C" NOT NULL',
    version: 'bigint NOT NULL',
    record: 'text NOT NULL, PRIMARY KEY (app, shop)',
  },
  webhooks: {
    id: 'text COLLATE "C" NOT NULL PRIMARY KEY',
    token: 'text',
    isDone: 'boolean NOT NULL',
    until: 'timestamptz NOT NULL',
    handled: 'text NOT NULL',
  },
};
/** Bytes of the longest name: the server cuts off what is longer. */
const LONGEST_NAME = 63;
/** Room for what the names of the tables beside it end with. */
export const LONGEST_TABLE_NAME = LONGEST_NAME - '_installations'.length;

/**
 * In order, each run once per table. A released step is never changed: add another. There is no
 * index over `expires`, which changes with each token: without one the server puts the new row
 * beside the old and leaves the other indexes alone.
 */
const STEPS: readonly Step<(editor: TableEditor, options: MigrationOptions) => Promise<unknown>>[] =
  [
    ['sessions', (editor, { table }) => createOrUpgrade(editor, table)],
    ['official-record', (editor, { official }) => recordOfficialMigrations(editor, official)],
    [
      'shop-index',
      (editor, { table }) => editor.run(`CREATE INDEX ON ${editor.nameOf(table)} (shop)`),
    ],
    ['companions', createCompanions],
  ];

/**
 * In the whole database. Who stands still, or would wait for somebody's long transaction on a
 * table, gives up its turn.
 */
const ONE_AT_A_TIME = `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = '30s';
  SELECT pg_advisory_xact_lock(${advisoryKey(STEPS_TABLE)}); SET LOCAL lock_timeout = '10s'`;

/**
 * Brings the table, and those beside it, to the current shape, whatever version, ours or official,
 * it was left in. Safe beside other processes that do the same.
 */
export async function migrate(
  connection: PostgreSQLConnection,
  options: MigrationOptions,
): Promise<void> {
  const what = `set up the table ${options.table}`;
  // What is there already needs neither a lock nor the right to change tables.
  if (
    (await pendingIn(await editorOver(connection, what, options.table), options.table)).length === 0
  )
    return;
  await connection.transaction(what, async (client) => {
    await client.query({ text: ONE_AT_A_TIME, query_timeout: PATIENCE });
    const editor = await TableEditor.around(client, options.table);
    if ((await editor.columnsOf(STEPS_TABLE)).size === 0)
      await editor.create(STEPS_TABLE, { name: 'text NOT NULL PRIMARY KEY' });
    for (const step of await pendingIn(editor, options.table)) {
      const [, run] = step;
      await run(editor, options);
      await editor.run(`INSERT INTO ${editor.nameOf(STEPS_TABLE)} (name) VALUES ($1)`, [
        recordOf(options.table, step),
      ]);
    }
  });
}

/**
 * Names what keeps the table, and those beside it, from being used: migrations {@link migrate} has
 * yet to do, and columns and keys that are gone.
 */
export async function missingIn(
  connection: PostgreSQLConnection,
  table: string,
): Promise<string[]> {
  const editor = await editorOver(connection, 'be verified', table);
  const pending = await pendingIn(editor, table);
  if (pending.length > 0) return pending.map((step) => `migration ${recordOf(table, step)}`);
  const missing = (await editor.isUnique(table, 'id')) ? [] : [`key ${table}.id`];
  for (const shape of shapesOf(table, SESSION_TYPES, COMPANION_TABLES))
    missing.push(...missingColumns(shape, await editor.columnsOf(shape.name)));
  return missing;
}

function editorOver(
  connection: PostgreSQLConnection,
  what: string,
  table: string,
): Promise<TableEditor> {
  const runner: Runner = { query: (query) => connection.query(what, query, query.values) };
  return TableEditor.around(runner, table);
}

async function pendingIn(editor: TableEditor, table: string): Promise<typeof STEPS> {
  if ((await editor.columnsOf(STEPS_TABLE)).size === 0) return STEPS;
  const { rows } = await editor.read(`SELECT name FROM ${editor.nameOf(STEPS_TABLE)}`);
  const taken = rows.map(({ name }) => name);
  return pendingSteps(STEPS, table, taken);
}

async function createCompanions(editor: TableEditor, { table }: MigrationOptions): Promise<void> {
  for (const [suffix, columns] of Object.entries(COMPANION_TABLES))
    await editor.create(`${table}_${suffix}`, columns);
  await editor.run(`CREATE INDEX ON ${editor.nameOf(`${table}_webhooks`)} (until)`);
}
