import { SESSION_TABLES } from '../../../core/vendor.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { MIGRATIONS_TABLE, applyPending, pendingIn } from '../connection/pending-migrations.js';
import type { Migration, MigrationNotes } from '../connection/pending-migrations.js';
import { SESSION_COLUMNS, SESSION_COLUMN_TYPES } from './session-row.js';
import type { SessionColumn } from './session-row.js';
import { VALUE, cellsIn, statements } from './sql.dialect.js';
import type { SqlDatabase } from './sql.dialect.js';
import { OFFICIAL_MIGRATIONS } from './table-editor.js';
import type { ColumnType, EditTables, TableEditor, TableShape } from './table-editor.js';

/** Where an official SQL storage has noted what it did to its table. */
export interface OfficialRecord {
  /** @default the name it has there */
  readonly migrationDBIdentifier?: string | undefined;
  /** @default migration_name */
  readonly migrationNameColumnName?: string | undefined;
}

/** Held the user's id alone, before there were columns for the user. */
export const LEGACY_USER_COLUMN = 'onlineAccessInfo';
/** Every official table of sessions has had these. */
const REQUIRED: readonly SessionColumn[] = ['id', 'shop', 'state', 'isOnline'];
const NOTES: TableShape = {
  name: MIGRATIONS_TABLE,
  columns: { name: ['key', true] },
  key: ['name'],
};

/**
 * Without the locks of crashed processes: they are few, and an index with locks in it would cost
 * each lock a third of its time.
 */
const EXPIRED_RECORDS = { columns: ['expires'], condition: 'expires > lease_end' };

/** In the shape of the official storages. */
function sessionTable(name: string): TableShape {
  const columns = SESSION_COLUMNS.map((column) => [
    column,
    [SESSION_COLUMN_TYPES[column], REQUIRED.includes(column)],
  ]);
  return { name, columns: Object.fromEntries(columns) as TableShape['columns'], key: ['id'] };
}

/** The table of records beside a table of sessions. */
function recordTable(sessions: string): TableShape {
  return {
    name: recordTableName(sessions),
    columns: {
      kind: ['key', true],
      id: ['key', true],
      owner: ['key'],
      lease_end: ['number', true],
      state: ['key'],
      data: ['longText', true],
      version: ['number', true],
      changed_at: ['number', true],
      expires: ['number', true],
    },
    key: ['kind', 'id'],
  };
}

export function recordTableName(sessions: string): string {
  return `${sessions}_records`;
}

/**
 * Applies what is pending, if anything is: what is there already needs neither a lock nor the right
 * to change tables.
 */
export async function migrate(
  database: SqlDatabase,
  edit: EditTables,
  table: string,
  official: OfficialRecord,
): Promise<void> {
  const editor = await edit(database.run, table, false);
  const pending = await pendingIn(notesIn(editor), migrationsOf(editor, table, official));
  if (pending.length === 0) return;
  await database.migrate(async (run) => {
    const editor = await edit(run, table, true);
    await create(editor, NOTES);
    await applyPending(notesIn(editor), migrationsOf(editor, table, official));
  });
}

/** Names what keeps the tables from being used: pending migrations, missing columns and keys. */
export async function missingIn(editor: TableEditor, table: string): Promise<readonly string[]> {
  const pending = await pendingIn(notesIn(editor), migrationsOf(editor, table, {}));
  if (pending.length > 0) return pending.map(([id]) => `migration ${id}`);
  const missing = [...((await editor.faultsOfIds?.(table)) ?? [])];
  for (const { name, columns } of [sessionTable(table), recordTable(table)]) {
    const existing = await editor.columnsOf(name);
    const lacking = Object.keys(columns).filter((column) => !existing.has(column));
    missing.push(...lacking.map((column) => `column ${name}.${column}`));
  }
  return missing;
}

/** The names in a column of a table. */
function namesIn(editor: TableEditor, table: string, column: string): MigrationNotes {
  const [name, from] = [editor.dialect.quote(column), editor.nameOf(table)];
  const { read, add } = statements(editor.dialect, {
    read: `SELECT ${editor.dialect.cells([name])} FROM ${from}`,
    add: `INSERT INTO ${from} (${name}) VALUES (${VALUE})`,
  });
  return {
    read: async () =>
      (await editor.columnsOf(table)).size > 0 ? cellsIn(await editor.run(read)).flat() : [],
    add: (id) => editor.run(add, [id]),
  };
}

function notesIn(editor: TableEditor): MigrationNotes {
  return namesIn(editor, MIGRATIONS_TABLE, 'name');
}

/** May each be interrupted anywhere, and begun again: not every server undoes it then. */
function migrationsOf(
  editor: TableEditor,
  table: string,
  official: OfficialRecord,
): readonly Migration[] {
  const { expiryIndex } = editor;
  const records = recordTable(table);
  return [
    [`${table}/sessions`, () => createOrUpgrade(editor, table)],
    [`${table}/official-record`, () => recordOfficialMigrations(editor, official)],
    [`${table}/shop-index`, () => editor.index(table, 'shop', { columns: ['shop'] })],
    [
      `${table}/expiry-index`,
      async () => expiryIndex && editor.index(table, 'expires', expiryIndex),
    ],
    [
      `${table}/records`,
      async () => {
        await create(editor, records);
        await editor.index(records.name, 'expires', EXPIRED_RECORDS);
      },
    ],
  ];
}

/**
 * Creates the table of sessions, or brings one of any official layout to the current shape.
 * @throws {SessionStorageError} when the table is something else
 */
async function createOrUpgrade(editor: TableEditor, table: string): Promise<void> {
  await editor.beforeUpgrade?.(table);
  const found = await editor.columnsOf(table);
  if (found.size === 0) await create(editor, sessionTable(table));
  else await upgrade(editor, table, found);
  await editor.afterUpgrade?.(table);
}

async function upgrade(
  editor: TableEditor,
  table: string,
  found: ReadonlyMap<string, string>,
): Promise<void> {
  const missing = REQUIRED.filter((column) => !found.has(column));
  if (missing.length > 0) throw noSessionTable(table, `it has no column ${missing.join(', ')}`);
  const changes = SESSION_COLUMNS.map((column) => {
    const type = SESSION_COLUMN_TYPES[column];
    const existing = found.get(column);
    const [written, known] = editor.types[type];
    if (existing !== undefined && known?.test(existing) === false) {
      const [wanted] = /^\w+/.exec(written)!;
      throw noSessionTable(table, `its column ${column} is of type ${existing}, not ${wanted}`);
    }
    return {
      ...columnOf(editor, column, type, REQUIRED.includes(column)),
      exists: found.has(column),
    };
  });
  for (const sql of editor.alter(table, changes)) await editor.run(sql);
  if (!found.has(LEGACY_USER_COLUMN)) return;
  const name = editor.nameOf(table);
  const [legacy, userId] = [LEGACY_USER_COLUMN, 'userId'].map(editor.dialect.quote);
  await editor.run(
    `UPDATE ${name} SET ${userId} = coalesce(${userId}, ${editor.numberIn(legacy!)})
      WHERE ${legacy} IS NOT NULL`,
  );
  await editor.run(`ALTER TABLE ${name} DROP COLUMN ${legacy}`);
}

/** Notes the official storage's own migrations as applied: it would apply them again. */
async function recordOfficialMigrations(
  editor: TableEditor,
  { migrationDBIdentifier, migrationNameColumnName }: OfficialRecord,
): Promise<void> {
  const { officialName = (name) => name } = editor;
  const table = officialName(migrationDBIdentifier ?? SESSION_TABLES.migrations);
  const column = officialName(migrationNameColumnName ?? 'migration_name');
  await create(editor, { name: table, columns: { [column]: ['key', true] }, key: [column] });
  const names = (editor.officialMigrations ?? OFFICIAL_MIGRATIONS).map(
    (name) => [name, async () => {}] as const,
  );
  await applyPending(namesIn(editor, table, column), names);
}

async function create(editor: TableEditor, shape: TableShape): Promise<void> {
  const columns = Object.entries(shape.columns).map(
    ([name, [type, required]]) => columnOf(editor, name, type, required).definition,
  );
  const key = `PRIMARY KEY (${shape.key.map(editor.dialect.quote).join(', ')})`;
  await editor.run(
    `CREATE TABLE IF NOT EXISTS ${editor.nameOf(shape.name)} (${[...columns, key].join(', ')})
      ${editor.optionsOf?.(shape) ?? ''}`,
  );
}

function columnOf(editor: TableEditor, name: string, kind: ColumnType, isRequired = false) {
  const [column, type] = [editor.dialect.quote(name), editor.types[kind][0]];
  return { column, type, definition: `${column} ${type}${isRequired ? ' NOT NULL' : ''}` };
}

function noSessionTable(table: string, reason: string): SessionStorageError {
  return new SessionStorageError(`The table ${table} is no table of sessions: ${reason}.`);
}
