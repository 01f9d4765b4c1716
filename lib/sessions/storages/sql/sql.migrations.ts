import { SESSION_TABLES } from '../../../core/vendor.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { MIGRATIONS_TABLE, applyPending, pendingIn } from '../connection/pending-migrations.js';
import type { MigrationNotes, NotedMigrations } from '../connection/pending-migrations.js';
import { SESSION_COLUMNS, SESSION_COLUMN_TYPES } from './session-row.js';
import type { SessionColumn } from './session-row.js';
import { VALUE, cellsIn, statements } from './sql.dialect.js';
import type { SqlDatabase, SqlDialect, SqlRun } from './sql.dialect.js';

/** What the official storages of SQLite and MySQL do to a table. */
const OFFICIAL_MIGRATIONS = [
  'migrateScopeFieldToVarchar1024',
  'addRefreshTokenFields',
  'addUserInfoColumns',
];

/** What a column holds: a text that is compared exactly, other texts, short or long, and so on. */
type ColumnType = 'key' | 'text' | 'longText' | 'flag' | 'number';

/** Types in SQL; `found` is what that of an official table looks like. @default it may be any */
export type ColumnTypes = Readonly<Record<ColumnType, readonly [type: string, found?: RegExp]>>;

/** A table: its columns by their names, and those of its key. */
interface TableShape {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Those that are never null, beside the key's. */
  readonly required?: readonly string[];
  readonly key: readonly string[];
}

/** A column as a table is to have it, in SQL. */
interface ColumnChange {
  readonly column: string;
  readonly type: string;
  /** Both, and that it is required, if it is. */
  readonly definition: string;
  /** False when it is to be added. */
  readonly exists: boolean;
}

interface TableIndex {
  readonly columns: readonly string[];
  /** Of the rows in it, where the engine has such indexes. @default all */
  readonly condition?: string;
}

/** Where the engines' tables differ, and how those of one database are read and changed. */
interface TableEditor {
  readonly dialect: SqlDialect;
  readonly run: SqlRun;
  readonly types: ColumnTypes;
  /** What the official storage has done to a table. @default {@link OFFICIAL_MIGRATIONS} */
  readonly officialMigrations?: readonly string[];
  /** What expired sessions are found by; none where an index would cost more. */
  readonly expiryIndex?: TableIndex;
  /** A table's name as SQL takes it. */
  nameOf(table: string): string;
  /** A name that the official storage was told, as it has written it. @default as it is */
  officialName?(name: string): string;
  /** Types of a table's columns by name; none when there is no such table. */
  columnsOf(table: string): Promise<ReadonlyMap<string, string>>;
  /** Ends a CREATE TABLE. @default nothing */
  optionsOf?(table: TableShape): string;
  /** Changes a table; in one statement where the engine can, so that it is rewritten once. */
  alter(table: string, changes: readonly ColumnChange[]): readonly string[];
  /** Adds an index, where the engine can tell: unless it exists. */
  index(table: string, name: 'shop' | 'expires', index: TableIndex): Promise<void>;
  /** The number in a text, as an expression; null when there is none. */
  numberIn(expression: string): string;
  /** What is wrong with the ids of a table of sessions, in words. */
  faultsOfIds?(table: string): Promise<readonly string[]>;
  /** What layouts of this engine alone need before, and after, the table has its shape. */
  beforeUpgrade?(table: string): Promise<void>;
  afterUpgrade?(table: string): Promise<void>;
}

/** @param isChanged false when the tables are only looked at */
export type EditTables = (run: SqlRun, table: string, isChanged: boolean) => Promise<TableEditor>;

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
const NOTES: TableShape = { name: MIGRATIONS_TABLE, columns: { name: 'key' }, key: ['name'] };

/**
 * Without the locks of crashed processes: they are few, and an index with locks in it would cost
 * each lock a third of its time.
 */
const EXPIRED_RECORDS = { columns: ['expires'], condition: 'expires > lease_end' };

/** In the shape of the official storages. */
function sessionTable(name: string): TableShape {
  return { name, columns: SESSION_COLUMN_TYPES, required: REQUIRED, key: ['id'] };
}

/** The table of records beside a table of sessions. */
function recordTable(sessions: string): TableShape {
  return {
    name: recordTableName(sessions),
    columns: {
      kind: 'key',
      id: 'key',
      owner: 'key',
      lease_end: 'number',
      state: 'key',
      data: 'longText',
      version: 'number',
      changed_at: 'number',
      expires: 'number',
    },
    required: ['lease_end', 'data', 'version', 'changed_at', 'expires'],
    key: ['kind', 'id'],
  };
}

/** The table of records beside one of sessions. */
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
  const pending = await pendingIn(...migrationsOf(editor, table, official));
  if (pending.length === 0) return;
  await database.migrate(async (run) => {
    const editor = await edit(run, table, true);
    await create(editor, NOTES);
    await applyPending(...migrationsOf(editor, table, official));
  });
}

/** Names what keeps the tables from being used: pending migrations, missing columns and keys. */
export async function missingIn(editor: TableEditor, table: string): Promise<readonly string[]> {
  const pending = await pendingIn(...migrationsOf(editor, table, {}));
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

/** May each be interrupted anywhere, and begun again: not every server undoes it then. */
function migrationsOf(
  editor: TableEditor,
  table: string,
  official: OfficialRecord,
): NotedMigrations {
  const { expiryIndex } = editor;
  const records = recordTable(table);
  const makeRecords = async (): Promise<void> => {
    await create(editor, records);
    await editor.index(records.name, 'expires', EXPIRED_RECORDS);
  };
  const indexExpiry = async (): Promise<unknown> =>
    expiryIndex && editor.index(table, 'expires', expiryIndex);
  return [
    namesIn(editor, MIGRATIONS_TABLE, 'name'),
    [
      [`${table}/sessions`, () => createOrUpgrade(editor, table)],
      [`${table}/official-record`, () => recordOfficialMigrations(editor, official)],
      [`${table}/shop-index`, () => editor.index(table, 'shop', { columns: ['shop'] })],
      [`${table}/expiry-index`, indexExpiry],
      [`${table}/records`, makeRecords],
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
  await create(editor, { name: table, columns: { [column]: 'key' }, key: [column] });
  const names = (editor.officialMigrations ?? OFFICIAL_MIGRATIONS).map(
    (name) => [name, async () => {}] as const,
  );
  await applyPending(namesIn(editor, table, column), names);
}

async function create(editor: TableEditor, shape: TableShape): Promise<void> {
  const required = [...shape.key, ...(shape.required ?? [])];
  const columns = Object.entries(shape.columns).map(
    ([name, type]) => columnOf(editor, name, type, required.includes(name)).definition,
  );
  const key = `PRIMARY KEY (${shape.key.map(editor.dialect.quote).join(', ')})`;
  await editor.run(
    `CREATE TABLE IF NOT EXISTS ${editor.nameOf(shape.name)} (${[...columns, key].join(', ')})
      ${editor.optionsOf?.(shape) ?? ''}`,
  );
}

function columnOf(editor: TableEditor, name: string, kind: ColumnType, isRequired: boolean) {
  const [column, type] = [editor.dialect.quote(name), editor.types[kind][0]];
  return { column, type, definition: `${column} ${type}${isRequired ? ' NOT NULL' : ''}` };
}

function noSessionTable(table: string, reason: string): SessionStorageError {
  return new SessionStorageError(`The table ${table} is no table of sessions: ${reason}.`);
}
