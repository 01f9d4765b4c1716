import type { Cell, RowFormat } from './session-row.js';

/** A value that is bound to a placeholder. Lists are for engines that take them. */
export type SqlValue = string | number | boolean | null | readonly string[];

/** A statement; one without values is sent as it is, without being prepared. */
export interface SqlStatement {
  readonly sql: string;
  readonly values?: readonly SqlValue[] | undefined;
}

/** What the server answers to a statement. */
export interface SqlResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** How many rows a statement that changes some has found. */
  readonly changes: number;
}

/** Sends a statement. @throws what the driver does */
export type SqlRun = (sql: string, values?: readonly SqlValue[]) => Promise<SqlResult>;

/** A database that has been reached. */
export interface SqlDatabase {
  readonly run: SqlRun;
  /**
   * The cells of the row that a statement finds for an id, of a database in this process: at once
   * where it can. @default rows are loaded together
   */
  readonly read?: (sql: string, id: string) => unknown;
  /**
   * Changes tables while no other process does in the whole database: as a whole or not at all,
   * where the engine can. Without effect on anything else, as `work` may begin anew.
   */
  migrate(work: (run: SqlRun) => Promise<void>): Promise<void>;
}

/** Where the engines' SQL differs. */
export interface SqlDialect {
  /** How long names of tables may be, where the engine has a limit. */
  readonly names?: {
    readonly engine: string;
    readonly longest: number;
    readonly unit: 'bytes' | 'characters';
  };
  readonly format: RowFormat;
  /** The engine's clock in epoch milliseconds, as an expression. */
  readonly now: string;
  /** Ends an INSERT of a session that is to replace the one of the same id. */
  orReplace(columns: readonly string[]): string;
  /** Ends an INSERT that is to do nothing when the key exists; empty where that is an error. */
  readonly orIgnore: string;
  /** Whether an INSERT failed because the key exists. @default none does */
  isDuplicate?(error: unknown): boolean;
  /**
   * Whether the server has rolled back a statement in favour of another, so that it may succeed
   * when sent again: each is a transaction of its own.
   */
  isConflict?(error: unknown): boolean;
  /** Whether a statement about many sessions failed because of one of them. @default none does */
  isRejected?(error: unknown): boolean;
  /** A name as SQL takes it, whatever characters it has. */
  quote(name: string): string;
  /** @param index from 1 */
  placeholder(index: number): string;
  /**
   * Selects columns as one text, a JSON list named `cells`: drivers describe and decode seventeen
   * columns of a row more slowly than JSON is parsed.
   */
  cells(columns: readonly string[]): string;
  /** Does with the sessions of some ids what `verb` says, such as `DELETE FROM sessions`. */
  overIds(verb: string): StatementOfIds;
  /**
   * Stores any number of sessions in one statement, of those with one id the last. @default one by
   * one
   * @param columns as SQL takes them
   */
  storeAll?(table: string, columns: readonly string[]): (rows: readonly Cell[][]) => SqlStatement;
  /** Deletes the sessions of any number of ids. @default over so many ids as one statement takes */
  deleteIds?(table: string): StatementOfIds;
  /** Deletes at most `limit` of the rows that meet a condition. */
  deleteSome(
    table: { readonly name: string; readonly key: readonly string[] },
    condition: string,
    limit: number,
  ): string;
  /**
   * Leases a record in one statement, where the server can. Its parameters are kind, id, owner,
   * milliseconds until the lease ends, and until the record expires; it answers with owner, state
   * and data of the record, or with nothing when it is not leased.
   */
  lease?(table: string): string;
}

/** What PostgreSQL and SQLite have in common. */
export const CONFLICT_CLAUSES = {
  orReplace: (columns: readonly string[]): string =>
    `ON CONFLICT (id) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`,
  orIgnore: 'ON CONFLICT DO NOTHING',
  quote: (name: string): string => `"${name.replaceAll('"', '""')}"`,
} satisfies Partial<SqlDialect>;

/** How many ids a statement takes at most. */
export const MOST_IDS = 100;

/** @param ids at most {@link MOST_IDS}, and at least one */
type StatementOfIds = (ids: readonly string[]) => SqlStatement;

/** Stands in the text of a statement for a value that is bound: no name has it in it. */
export const VALUE = '\0';

/** Statements with placeholders, numbered in the order of their values. */
export function statements<Texts extends Readonly<Record<string, string | undefined>>>(
  { placeholder }: SqlDialect,
  texts: Texts,
): Texts {
  const numbered = Object.entries(texts).map(([name, text]) => {
    let count = 0;
    return [name, text?.replaceAll(VALUE, () => placeholder(++count))];
  });
  return Object.fromEntries(numbered) as Texts;
}

/** The rows that {@link SqlDialect.cells} has selected. */
export function cellsIn({ rows }: SqlResult): unknown[][] {
  return rows.map(({ cells }) => JSON.parse(String(cells)) as unknown[]);
}
