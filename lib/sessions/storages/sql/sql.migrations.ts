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
import type { ColumnType, SqlDialect, SqlRun } from './sql.dialect.js';

/** Where an official SQL storage has noted what it did to its table. */
export interface OfficialRecord {
  /** @default the name it has there */
  readonly migrationDBIdentifier?: string | undefined;
  /** @default migration_name */
  readonly migrationNameColumnName?: string | undefined;
}

/** What is migrated, on a server that official storages have used as well. */
export interface MigrationOptions {
  readonly table: string;
  readonly official: OfficialRecord;
}

/** Held the user's id alone, before there were columns for the user. */
export const LEGACY_USER_COLUMN = 'onlineAccessInfo';
/** Every official table of sessions has had these. */
const REQUIRED: readonly SessionColumn[] = ['id', 'shop', 'state', 'isOnline'];

const RECORD_COLUMNS: Readonly<Record<string, readonly [type: ColumnType, required?: true]>> = {
  kind: ['key', true],
  id: ['key', true],
  owner: ['key'],
  lease_end: ['number', true],
  state: ['key'],
  data: ['longText', true],
  version: ['number', true],
  changed_at: ['number', true],
  expires: ['number', true],
};

/** A table: definitions of its columns by their names, and the columns of its key. */
export interface TableShape {
  readonly name: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly key: readonly string[];
}

/** The table of sessions, in the shape of the official storages. */
export function sessionTable(name: string, { types }: Pick<SqlDialect, 'types'>): TableShape {
  const columns = SESSION_COLUMNS.map((column) => [
    column,
    `${types[SESSION_COLUMN_TYPES[column]]}${REQUIRED.includes(column) ? ' NOT NULL' : ''}`,
  ]);
  return { name, columns: Object.fromEntries(columns) as TableShape['columns'], key: ['id'] };
}

/** The table of records beside a table of sessions. */
export function recordTable(sessions: string, { types }: Pick<SqlDialect, 'types'>): TableShape {
  const columns = Object.entries(RECORD_COLUMNS).map(([column, [type, required]]) => [
    column,
    `${types[type]}${required ? ' NOT NULL' : ''}`,
  ]);
  return {
    name: recordTableName(sessions),
    columns: Object.fromEntries(columns) as TableShape['columns'],
    key: ['kind', 'id'],
  };
}

export function recordTableName(sessions: string): string {
  return `${sessions}_records`;
}

/** Names the columns that a table lacks. */
export function missingColumns(
  { name, columns }: TableShape,
  existing: { has(column: string): boolean },
): string[] {
  return Object.keys(columns)
    .filter((column) => !existing.has(column))
    .map((column) => `column ${name}.${column}`);
}

/** Reads and changes the tables of one database over a connection. */
export interface TableEditor {
  readonly run: SqlRun;
  readonly dialect: SqlDialect;
  /** A table's name as SQL takes it. */
  nameOf(table: string): string;
  /** Types of a table's columns by name; none when there is no such table. */
  columnsOf(table: string): Promise<ReadonlyMap<string, string>>;
  /** Creates a table unless it exists. */
  create(table: TableShape): Promise<unknown>;
  /** Adds an index, where the engine can tell: unless it exists. */
  index(table: string, name: string, columns: readonly string[]): Promise<unknown>;
  /** The part of an ALTER TABLE that adds a column, or changes one that exists. */
  alteration(column: string, definition: string, exists: boolean): string;
  /** What else an upgraded table is given, as parts of an ALTER TABLE. */
  readonly tableOptions: readonly string[];
  /** The types a column is found as, by the type it is to have. */
  readonly convertible: Readonly<Record<ColumnType, RegExp>>;
  /** The number in a text, as an expression; null when there is none. */
  numberIn(expression: string): string;
  /** What is wrong with the ids of a table of sessions, in words. */
  faultsOfIds(table: string): Promise<readonly string[]>;
}

/** A migration of a server's tables. */
export type TableMigration = Migration<
  (editor: TableEditor, options: MigrationOptions) => Promise<unknown>
>;

/** Applies what is pending. The caller sees to it that nobody else does. */
export async function applyMigrations(
  editor: TableEditor,
  migrations: readonly TableMigration[],
  options: MigrationOptions,
): Promise<void> {
  const columns = { name: `${editor.dialect.types.key} NOT NULL` };
  await editor.create({ name: MIGRATIONS_TABLE, columns, key: ['name'] });
  for (const migration of await pendingIn(editor, migrations, options.table)) {
    await migration[1](editor, options);
    await insertName(editor, MIGRATIONS_TABLE, 'name', migrationId(options.table, migration));
  }
}

export async function pendingIn(
  editor: TableEditor,
  migrations: readonly TableMigration[],
  table: string,
): Promise<readonly TableMigration[]> {
  if ((await editor.columnsOf(MIGRATIONS_TABLE)).size === 0) return migrations;
  return pendingMigrations(migrations, table, await namesIn(editor, MIGRATIONS_TABLE, 'name'));
}

/** Names what keeps the tables from being used: pending migrations, missing columns and keys. */
export async function missingIn(
  editor: TableEditor,
  migrations: readonly TableMigration[],
  table: string,
): Promise<string[]> {
  const pending = await pendingIn(editor, migrations, table);
  if (pending.length > 0) return pending.map((one) => `migration ${migrationId(table, one)}`);
  const missing = [...(await editor.faultsOfIds(table))];
  for (const shape of [sessionTable(table, editor.dialect), recordTable(table, editor.dialect)])
    missing.push(...missingColumns(shape, await editor.columnsOf(shape.name)));
  return missing;
}

/**
 * Creates the table of sessions, or brings one of any official layout to the current shape. May be
 * interrupted anywhere, and begun again.
 * @throws {SessionStorageError} when the table is something else
 */
export async function createOrUpgrade(editor: TableEditor, table: string): Promise<void> {
  const found = await editor.columnsOf(table);
  const shape = sessionTable(table, editor.dialect);
  if (found.size === 0) return void (await editor.create(shape));
  const missing = REQUIRED.filter((column) => !found.has(column));
  if (missing.length > 0) throw noSessionTable(table, `it has no column ${missing.join(', ')}`);
  const changes = SESSION_COLUMNS.map((column) => {
    const definition = shape.columns[column]!;
    const type = found.get(column);
    if (type !== undefined && !editor.convertible[SESSION_COLUMN_TYPES[column]].test(type)) {
      const [wanted] = /^\w+/.exec(definition)!;
      throw noSessionTable(table, `its column ${column} is of type ${type}, not ${wanted}`);
    }
    return editor.alteration(column, definition, type !== undefined);
  });
  const name = editor.nameOf(table);
  // In one statement: the table is rewritten once.
  await editor.run(`ALTER TABLE ${name} ${[...changes, ...editor.tableOptions].join(', ')}`);
  if (!found.has(LEGACY_USER_COLUMN)) return;
  const [legacy, userId] = [LEGACY_USER_COLUMN, 'userId'].map(editor.dialect.quote);
  await editor.run(
    `UPDATE ${name} SET ${userId} = coalesce(${userId}, ${editor.numberIn(legacy!)})
     WHERE ${legacy} IS NOT NULL`,
  );
  await editor.run(`ALTER TABLE ${name} DROP COLUMN ${legacy}`);
}

/** Notes the official storage's own migrations as applied: it would apply them again. */
export async function recordOfficialMigrations(
  editor: TableEditor,
  { migrationDBIdentifier, migrationNameColumnName }: OfficialRecord,
  migrations: readonly string[],
): Promise<void> {
  const table = migrationDBIdentifier ?? SESSION_TABLES.migrations;
  const column = migrationNameColumnName ?? 'migration_name';
  await editor.create({
    name: table,
    columns: { [column]: 'varchar(255) NOT NULL' },
    key: [column],
  });
  const noted = await namesIn(editor, table, column);
  for (const name of migrations)
    if (!noted.includes(name)) await insertName(editor, table, column, name);
}

export async function createRecordTable(editor: TableEditor, sessions: string): Promise<void> {
  const table = recordTable(sessions, editor.dialect);
  await editor.create(table);
  await editor.index(table.name, 'shopwright_expires', ['expires']);
}

async function namesIn(editor: TableEditor, table: string, column: string): Promise<unknown[]> {
  const name = editor.dialect.quote(column);
  const { rows } = await editor.run(`SELECT ${name} AS name FROM ${editor.nameOf(table)}`);
  return rows.map(({ name }) => name);
}

async function insertName(
  editor: TableEditor,
  table: string,
  column: string,
  name: string,
): Promise<void> {
  const { quote, placeholder } = editor.dialect;
  await editor.run(
    `INSERT INTO ${editor.nameOf(table)} (${quote(column)}) VALUES (${placeholder(1)})`,
    [name],
  );
}

function noSessionTable(table: string, reason: string): SessionStorageError {
  return new SessionStorageError(`The table ${table} is no table of sessions: ${reason}.`);
}
