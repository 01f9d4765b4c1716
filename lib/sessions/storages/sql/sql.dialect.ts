import type { RowFormat } from './session-row.js';

/** A value that is bound to a placeholder. Lists are for engines that take them. */
export type SqlValue = string | number | boolean | null | readonly string[];

/** What the server answers to a statement. */
export interface SqlResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** How many rows a statement that changes some has found. */
  readonly changes: number;
}

/** Sends a statement. @throws what the driver does */
export type SqlRun = (sql: string, values?: readonly SqlValue[]) => Promise<SqlResult>;

/** The way to one database. */
export interface SqlConnection {
  /**
   * Sends a statement.
   * @param what it is for, such as `load a session`
   * @throws {SessionStorageError} that says so, and where
   */
  run(what: string, sql: string, values: readonly SqlValue[]): Promise<SqlResult>;
  /** The same for statements that follow one another: they are over before it is closed. */
  series<T>(what: string, work: (run: SqlRun) => Promise<T>): Promise<T>;
}

/** What a column holds: a text that is compared exactly, other texts, short or long, and so on. */
export type ColumnType = 'key' | 'text' | 'longText' | 'flag' | 'number';

/** Where the engines' SQL differs. */
export interface SqlDialect {
  readonly types: Readonly<Record<ColumnType, string>>;
  readonly format: RowFormat;
  /** The engine's clock in epoch milliseconds, as an expression. */
  readonly now: string;
  /** Ends an INSERT of a session that is to replace the one of the same id. */
  orReplace(columns: readonly string[]): string;
  /** Ends an INSERT that is to do nothing when the key exists; empty where that is an error. */
  readonly orIgnore: string;
  /** Whether an INSERT failed because the key exists. */
  isDuplicate(error: unknown): boolean;
  /** A name as SQL takes it, whatever characters it has. */
  quote(name: string): string;
  /** @param index from 1 */
  placeholder(index: number): string;
  /**
   * Selects columns as one text, a JSON list named `cells`: drivers describe and decode seventeen
   * columns of a row more slowly than JSON is parsed.
   */
  cells(columns: readonly string[]): string;
  /** Deletes at most `limit` of the rows that meet a condition. */
  deleteSome(
    table: { readonly name: string; readonly key: readonly string[] },
    condition: string,
    limit: number,
  ): string;
  /**
   * Leases a record in one statement, where the server can. Its parameters are kind, id, owner,
   * milliseconds until the lease ends, and until the record expires; it selects owner, state and
   * data of the record, if it is another's too.
   */
  lease?(table: string): string;
}

/** Writes a statement with placeholders that are numbered in the order they are asked for. */
export function statement(
  { placeholder }: SqlDialect,
  write: (parameter: () => string) => string,
): string {
  let count = 0;
  return write(() => placeholder(++count));
}

/** The rows that {@link SqlDialect.cells} has selected. */
export function cellsIn({ rows }: SqlResult): unknown[][] {
  return rows.map(({ cells }) => JSON.parse(String(cells)) as unknown[]);
}
