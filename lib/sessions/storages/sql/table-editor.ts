import type { SqlDialect, SqlRun } from './sql.dialect.js';

/** What the official storages of SQLite and MySQL do to a table. */
export const OFFICIAL_MIGRATIONS = [
  'migrateScopeFieldToVarchar1024',
  'addRefreshTokenFields',
  'addUserInfoColumns',
];

/** What a column holds: a text that is compared exactly, other texts, short or long, and so on. */
export type ColumnType = 'key' | 'text' | 'longText' | 'flag' | 'number';

/** Types in SQL, and as which one of an official table is found. @default as any */
export type ColumnTypes = Readonly<Record<ColumnType, readonly [type: string, found?: RegExp]>>;

/** A table: its columns by their names, and those of its key. */
export interface TableShape {
  readonly name: string;
  readonly columns: Readonly<Record<string, readonly [type: ColumnType, required?: boolean]>>;
  readonly key: readonly string[];
}

/** A column as a table is to have it, in SQL. */
export interface ColumnChange {
  readonly column: string;
  readonly type: string;
  /** Both, and that it is required, if it is. */
  readonly definition: string;
  /** False when it is to be added. */
  readonly exists: boolean;
}

export interface TableIndex {
  readonly columns: readonly string[];
  /** Of the rows in it, where the engine has such indexes. @default all */
  readonly condition?: string;
}

/** Where the engines' tables differ, and how those of one database are read and changed. */
export interface TableEditor {
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
