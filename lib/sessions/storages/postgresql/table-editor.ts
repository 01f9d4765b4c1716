import { quoted } from './postgresql.driver.js';
import type { PostgreSQLClient, PostgreSQLResult } from './postgresql.driver.js';

/** Milliseconds: to change a large table takes long, and must not be given up half-way. */
export const PATIENCE = 10 * 60 * 1000;

/** What runs statements: a connection in a transaction, or a pool. */
export type Runner = Pick<PostgreSQLClient, 'query'>;

/**
 * Reads and changes the tables of one schema: the one that holds the table of sessions, or that is
 * to hold it.
 */
export class TableEditor {
  /**
   * Looks for the table through the connection's search path, as an unqualified name in a statement
   * is looked for.
   */
  static async around(runner: Runner, table: string): Promise<TableEditor> {
    const text = `SELECT coalesce(
      (SELECT nspname FROM pg_namespace JOIN pg_class ON relnamespace = pg_namespace.oid WHERE pg_class.oid = to_regclass($1)),
      current_schema()) AS schema`;
    const { rows } = await runner.query({ text, values: [quoted(table)] });
    const schema = rows[0]?.['schema'];
    if (typeof schema !== 'string') throw new Error('no schema of its search path exists');
    return new TableEditor(runner, schema);
  }

  private constructor(
    private readonly runner: Runner,
    readonly schema: string,
  ) {}

  /** For what changes tables: it may take long. */
  run(text: string, values: readonly unknown[] = []): Promise<PostgreSQLResult> {
    return this.runner.query({ text, values, query_timeout: PATIENCE });
  }

  /** For what only looks: it may take as long as any other query. */
  read(text: string, values: readonly unknown[] = []): Promise<PostgreSQLResult> {
    return this.runner.query({ text, values });
  }

  /** A table's name with its schema, as SQL takes it. */
  nameOf(table: string): string {
    return `${quoted(this.schema)}.${quoted(table)}`;
  }

  /** Types of a table's columns by name; none when there is no such table. */
  async columnsOf(table: string): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.read(
      'SELECT attname, format_type(atttypid, atttypmod) AS type FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped',
      [this.nameOf(table)],
    );
    return new Map(rows.map(({ attname, type }) => [String(attname), String(type)]));
  }

  async create(table: string, columns: Readonly<Record<string, string>>): Promise<void> {
    const definitions = Object.entries(columns).map(([name, type]) => `${quoted(name)} ${type}`);
    await this.run(`CREATE TABLE IF NOT EXISTS ${this.nameOf(table)} (${definitions.join(', ')})`);
  }

  /** Whether no two rows can have the same value there. */
  async isUnique(table: string, column: string): Promise<boolean> {
    const { rows } = await this.read(
      `SELECT FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
       WHERE indrelid = to_regclass($1) AND attname = $2 AND indisunique AND indisvalid AND indnkeyatts = 1 AND indpred IS NULL`,
      [this.nameOf(table), column],
    );
    return rows.length > 0;
  }
}
