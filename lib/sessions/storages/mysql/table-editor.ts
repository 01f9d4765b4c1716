import { codeOf, quoted } from './mysql.driver.js';
import type { MySQLValue } from './mysql.driver.js';
import type { MySQLResult } from './mysql-exchange.js';

export interface Column {
  /** Such as `varchar(255)`. */
  readonly type: string;
  /** How its texts are compared. */
  readonly collation: string | undefined;
}

/** What runs statements: prepared when there are values, else as they are. */
export type Runner = (sql: string, values?: readonly MySQLValue[]) => Promise<MySQLResult>;

/**
 * Texts are compared to the byte, spaces at the end included. MySQL and MariaDB each have such a
 * collation; old servers of both have the last alone.
 */
const COLLATIONS = ['utf8mb4_0900_bin', 'utf8mb4_nopad_bin', 'utf8mb4_bin'];
const TEXT = /^(?:varchar\(\d+\)|text)/;

/** Reads and changes the tables of the database of a connection. */
export class TableEditor {
  #collation: Promise<string> | undefined;

  constructor(readonly run: Runner) {}

  /** A table's columns by name; none when there is no such table. */
  async columnsOf(table: string): Promise<ReadonlyMap<string, Column>> {
    const rows = await this.rowsOrNone(`SHOW FULL COLUMNS FROM ${quoted(table)}`);
    const columns = rows.map(({ Field, Type, Collation }) => {
      return [
        String(Field),
        { type: String(Type), collation: Collation === null ? undefined : String(Collation) },
      ] as const;
    });
    return new Map(columns);
  }

  /** The columns of a table's keys and indexes by their names; none when there is no such table. */
  async keysOf(table: string): Promise<ReadonlyMap<string, readonly string[]>> {
    const keys = new Map<string, string[]>();
    for (const { Key_name: key, Column_name: column } of await this.rowsOrNone(
      `SHOW INDEX FROM ${quoted(table)}`,
    )) {
      keys.set(String(key), [...(keys.get(String(key)) ?? []), String(column)]);
    }
    return keys;
  }

  async create(
    table: string,
    columns: Readonly<Record<string, string>>,
    ...keys: readonly string[]
  ): Promise<void> {
    const definitions = await Promise.all(
      Object.entries(columns).map(
        async ([name, type]) => `${quoted(name)} ${await this.definitionOf(type)}`,
      ),
    );
    await this.run(
      `CREATE TABLE IF NOT EXISTS ${quoted(table)} (${[...definitions, ...keys].join(', ')}) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
    );
  }

  /** Adds an index unless there is one of this name. */
  async index(table: string, key: string, columns: readonly string[]): Promise<void> {
    if ((await this.keysOf(table)).has(key)) return;
    await this.run(
      `ALTER TABLE ${quoted(table)} ADD INDEX ${quoted(key)} (${columns.map(quoted).join(', ')})`,
    );
  }

  /** The definition of a column of this type: of a text with how it is written and compared. */
  async definitionOf(type: string): Promise<string> {
    if (!TEXT.test(type)) return type;
    this.#collation ??= this.#bestCollation();
    return type.replace(TEXT, `$& CHARACTER SET utf8mb4 COLLATE ${await this.#collation}`);
  }

  /** What a statement finds; nothing when its table is not there. */
  async rowsOrNone(sql: string): Promise<MySQLResult['rows']> {
    try {
      return (await this.run(sql)).rows;
    } catch (error) {
      if (
        [error, (error as { cause?: unknown }).cause].some(
          (one) => codeOf(one) === 'ER_NO_SUCH_TABLE',
        )
      )
        return [];
      throw error;
    }
  }

  async #bestCollation(): Promise<string> {
    const { rows } = await this.run(
      "SELECT COLLATION_NAME AS name FROM information_schema.COLLATIONS WHERE COLLATION_NAME LIKE 'utf8mb4%bin'",
    );
    const known = new Set(rows.map(({ name }) => name));
    return COLLATIONS.find((name) => known.has(name)) ?? 'utf8mb4_bin';
  }
}
