import type { PostgreSQLConnection } from './postgresql.connection.js';
import { SESSION_TYPES, createOrUpgrade, recordOfficialMigrations } from './official.layouts.js';
import type { OfficialRecord } from '../official.record.js';
import { advisoryKey } from './postgresql.driver.js';
import { PATIENCE, TableEditor } from './table.editor.js';
import type { Runner } from './table.editor.js';

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
const OWN_MIGRATIONS_TABLE = 'shopwright_migrations';
/** Bytes of the longest name: the server cuts off what is longer. */
const LONGEST_NAME = 63;
/** Room for what the names of the tables beside it end with. */
export const LONGEST_TABLE_NAME = LONGEST_NAME - '_installations'.length;

/** What is migrated. */
export interface MigrationOptions {
  readonly table: string;
  readonly official: OfficialRecord;
}

type Step = (editor: TableEditor, options: MigrationOptions) => Promise<unknown>;

/**
 * In order, each run once per table. A released step is never changed: add another. There is no index over `expires`, which changes with each
 * token: without one the server puts the new row beside the old and leaves the other indexes alone.
 */
const STEPS: readonly (readonly [name: string, run: Step])[] = [
  ['sessions', (editor, { table }) => createOrUpgrade(editor, table)],
  ['official-record', (editor, { official }) => recordOfficialMigrations(editor, official)],
  ['shop-index', (editor, { table }) => editor.run(`CREATE INDEX ON ${editor.nameOf(table)} (shop)`)],
  ['companions', createCompanions],
];

/** In the whole database. Who stands still, or would wait for somebody's long transaction on a table, gives up its turn. */
const ONE_AT_A_TIME = `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = '30s';
  SELECT pg_advisory_xact_lock(${advisoryKey(OWN_MIGRATIONS_TABLE)}); SET LOCAL lock_timeout = '10s'`;

/** Brings the table, and those beside it, to the current shape, whatever version, ours or official, it was left in. Safe beside other processes that do the same. */
export async function migrate(connection: PostgreSQLConnection, options: MigrationOptions): Promise<void> {
  const what = `set up the table ${options.table}`;
  // What is there already needs neither a lock nor the right to change tables.
  if ((await pendingSteps(await editorOver(connection, what, options.table), options.table)).length === 0) return;
  await connection.transaction(what, async (client) => {
    await client.query({ text: ONE_AT_A_TIME, query_timeout: PATIENCE });
    const editor = await TableEditor.around(client, options.table);
    if ((await editor.columnsOf(OWN_MIGRATIONS_TABLE)).size === 0) {
      await editor.create(OWN_MIGRATIONS_TABLE, { name: 'text NOT NULL PRIMARY KEY' });
    }
    for (const [name, run] of await pendingSteps(editor, options.table)) {
      await run(editor, options);
      await editor.run(`INSERT INTO ${editor.nameOf(OWN_MIGRATIONS_TABLE)} (name) VALUES ($1)`, [recordOf(options.table, name)]);
    }
  });
}

/** Names what keeps the table, and those beside it, from being used: migrations {@link migrate} has yet to do, and columns and keys that are gone. */
export async function missingIn(connection: PostgreSQLConnection, table: string): Promise<string[]> {
  const editor = await editorOver(connection, 'be verified', table);
  const pending = await pendingSteps(editor, table);
  if (pending.length > 0) return pending.map(([name]) => `migration ${recordOf(table, name)}`);
  const missing = (await editor.isUnique(table, 'id')) ? [] : [`key ${table}.id`];
  const companions = Object.entries(COMPANION_TABLES).map(([suffix, columns]) => [`${table}_${suffix}`, columns] as const);
  for (const [name, columns] of [[table, SESSION_TYPES] as const, ...companions]) {
    const existing = await editor.columnsOf(name);
    missing.push(...Object.keys(columns).flatMap((column) => (existing.has(column) ? [] : [`column ${name}.${column}`])));
  }
  return missing;
}

function editorOver(connection: PostgreSQLConnection, what: string, table: string): Promise<TableEditor> {
  const runner: Runner = { query: (query) => connection.query(what, query, query.values) };
  return TableEditor.around(runner, table);
}

async function pendingSteps(editor: TableEditor, table: string): Promise<(typeof STEPS)[number][]> {
  if ((await editor.columnsOf(OWN_MIGRATIONS_TABLE)).size === 0) return [...STEPS];
  const { rows } = await editor.read(`SELECT name FROM ${editor.nameOf(OWN_MIGRATIONS_TABLE)}`);
  const done = new Set(rows.map(({ name }) => name));
  return STEPS.filter(([name]) => !done.has(recordOf(table, name)));
}

function recordOf(table: string, step: string): string {
  return `${table}/${step}`;
}

async function createCompanions(editor: TableEditor, { table }: MigrationOptions): Promise<void> {
  for (const [suffix, columns] of Object.entries(COMPANION_TABLES)) await editor.create(`${table}_${suffix}`, columns);
  await editor.run(`CREATE INDEX ON ${editor.nameOf(`${table}_webhooks`)} (until)`);
}
