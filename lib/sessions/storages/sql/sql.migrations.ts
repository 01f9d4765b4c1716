import { SESSION_TABLES } from '../../../core/vendor.js';
import { SessionStorageError } from '../../sessions.errors.js';
import {
  MIGRATIONS_TABLE,
  migrationId,
  pendingMigrations,
} from '../connection/pending-migrations.js';
import type { Migration } from '../connection/pending-migrations.js';
import { SESSION_COLUMNS, SESSION_COLUMN_TYPES } from './session-row.js';
import type { SessionColumn } from './session-row.js';
import { cellsIn, statement } from './sql.dialect.js';
import type { SqlSteps } from './sql.dialect.js';
import type { TableEditor, TableShape } from './table-editor.js';

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

/** Whether there is something to migrate. */
export function* isPending(editor: TableEditor, table: string): SqlSteps<boolean> {
  return (yield* pendingIn(editor, migrationsOf(editor, table, {}), table)).length > 0;
}

/** Names what keeps the tables from being used: pending migrations, missing columns and keys. */
export function* missingIn(editor: TableEditor, table: string): SqlSteps<readonly string[]> {
  const pending = yield* pendingIn(editor, migrationsOf(editor, table, {}), table);
  if (pending.length > 0) return pending.map((one) => `migration ${migrationId(table, one)}`);
  const missing = editor.faultsOfIds ? [...(yield* editor.faultsOfIds(table))] : [];
  for (const { name, columns } of [sessionTable(table), recordTable(table)]) {
    const existing = yield* editor.columnsOf(name);
    const lacking = Object.keys(columns).filter((column) => !existing.has(column));
    missing.push(...lacking.map((column) => `column ${name}.${column}`));
  }
  return missing;
}

/** Applies what is pending. The caller sees to it that nobody else does. */
export function* applyMigrations(
  editor: TableEditor,
  table: string,
  official: OfficialRecord,
): SqlSteps<void> {
  yield* create(editor, NOTES);
  for (const migration of yield* pendingIn(editor, migrationsOf(editor, table, official), table)) {
    yield* migration[1]();
    yield* insertName(editor, MIGRATIONS_TABLE, 'name', migrationId(table, migration));
  }
}

type TableMigration = Migration<() => SqlSteps<void>>;

/** May each be interrupted anywhere, and begun again: not every server undoes it then. */
function migrationsOf(
  editor: TableEditor,
  table: string,
  official: OfficialRecord,
): readonly TableMigration[] {
  const { expiryIndex } = editor;
  const records = recordTable(table);
  return [
    ['sessions', () => createOrUpgrade(editor, table)],
    ['official-record', () => recordOfficialMigrations(editor, official)],
    ['shop-index', () => editor.index(table, 'shop', { columns: ['shop'] })],
    ...(expiryIndex
      ? [['expiry-index', () => editor.index(table, 'expires', expiryIndex)] as const]
      : []),
    [
      'records',
      function* () {
        yield* create(editor, records);
        yield* editor.index(records.name, 'expires', EXPIRED_RECORDS);
      },
    ],
  ];
}

function* pendingIn(
  editor: TableEditor,
  migrations: readonly TableMigration[],
  table: string,
): SqlSteps<readonly TableMigration[]> {
  try {
    return pendingMigrations(migrations, table, yield* namesIn(editor, MIGRATIONS_TABLE, 'name'));
  } catch (error) {
    if (editor.isNoTable(error)) return migrations;
    throw error;
  }
}

/**
 * Creates the table of sessions, or brings one of any official layout to the current shape.
 * @throws {SessionStorageError} when the table is something else
 */
function* createOrUpgrade(editor: TableEditor, table: string): SqlSteps<void> {
  if (editor.beforeUpgrade) yield* editor.beforeUpgrade(table);
  const found = yield* editor.columnsOf(table);
  if (found.size === 0) yield* create(editor, sessionTable(table));
  else yield* upgrade(editor, table, found);
  if (editor.afterUpgrade) yield* editor.afterUpgrade(table);
}

function* upgrade(
  editor: TableEditor,
  table: string,
  found: ReadonlyMap<string, string>,
): SqlSteps<void> {
  const missing = REQUIRED.filter((column) => !found.has(column));
  if (missing.length > 0) throw noSessionTable(table, `it has no column ${missing.join(', ')}`);
  const changes = SESSION_COLUMNS.map((column) => {
    const type = SESSION_COLUMN_TYPES[column];
    const existing = found.get(column);
    if (existing !== undefined && !editor.convertible[type].test(existing)) {
      const [wanted] = /^\w+/.exec(editor.types[type])!;
      throw noSessionTable(table, `its column ${column} is of type ${existing}, not ${wanted}`);
    }
    const isRequired = REQUIRED.includes(column);
    return { column, type: editor.types[type], isRequired, exists: existing !== undefined };
  });
  for (const sql of editor.alter(table, changes)) yield { sql };
  if (!found.has(LEGACY_USER_COLUMN)) return;
  const name = editor.nameOf(table);
  const [legacy, userId] = [LEGACY_USER_COLUMN, 'userId'].map(editor.dialect.quote);
  yield {
    sql: `UPDATE ${name} SET ${userId} = coalesce(${userId}, ${editor.numberIn(legacy!)})
      WHERE ${legacy} IS NOT NULL`,
  };
  yield { sql: `ALTER TABLE ${name} DROP COLUMN ${legacy}` };
}

/** Notes the official storage's own migrations as applied: it would apply them again. */
function* recordOfficialMigrations(
  editor: TableEditor,
  { migrationDBIdentifier, migrationNameColumnName }: OfficialRecord,
): SqlSteps<void> {
  const table = editor.officialName(migrationDBIdentifier ?? SESSION_TABLES.migrations);
  const column = editor.officialName(migrationNameColumnName ?? 'migration_name');
  yield* create(editor, { name: table, columns: { [column]: ['key', true] }, key: [column] });
  const noted = yield* namesIn(editor, table, column);
  for (const name of editor.officialMigrations)
    if (!noted.includes(name)) yield* insertName(editor, table, column, name);
}

function* create(editor: TableEditor, shape: TableShape): SqlSteps<void> {
  const { quote } = editor.dialect;
  const columns = Object.entries(shape.columns).map(
    ([name, [type, required]]) =>
      `${quote(name)} ${editor.types[type]}${required ? ' NOT NULL' : ''}`,
  );
  const key = `PRIMARY KEY (${shape.key.map(quote).join(', ')})`;
  yield {
    sql: `CREATE TABLE IF NOT EXISTS ${editor.nameOf(shape.name)} (${[...columns, key].join(', ')})
      ${editor.optionsOf(shape)}`,
  };
}

function* namesIn(editor: TableEditor, table: string, column: string): SqlSteps<unknown[]> {
  const { quote, cells } = editor.dialect;
  const result = yield { sql: `SELECT ${cells([quote(column)])} FROM ${editor.nameOf(table)}` };
  return cellsIn(result).map(([name]) => name);
}

function* insertName(
  editor: TableEditor,
  table: string,
  column: string,
  name: string,
): SqlSteps<void> {
  const into = `${editor.nameOf(table)} (${editor.dialect.quote(column)})`;
  const sql = statement(editor.dialect, (p) => `INSERT INTO ${into} VALUES (${p()})`);
  yield { sql, values: [name] };
}

function noSessionTable(table: string, reason: string): SessionStorageError {
  return new SessionStorageError(`The table ${table} is no table of sessions: ${reason}.`);
}
