import { createHash } from 'node:crypto';

import { SessionStorageError } from '../../sessions.errors.js';
import { MIGRATIONS_TABLE } from '../connection/pending-migrations.js';
import type { SqlResult, SqlRun } from '../sql/sql.dialect.js';
import {
  createOrUpgrade,
  createRecordTable,
  recordOfficialMigrations,
} from '../sql/sql.migrations.js';
import type { TableEditor, TableMigration, TableShape } from '../sql/sql.migrations.js';
import { mysqlDialect } from './mysql.dialect.js';
import { codeOf } from '../connection/optional-driver.js';

const { quote } = mysqlDialect;

/**
 * Texts are compared to the byte, spaces at the end included. MySQL and MariaDB each have such a
 * collation; old servers of both have the last alone.
 */
const COLLATIONS = ['utf8mb4_0900_bin', 'utf8mb4_nopad_bin', 'utf8mb4_bin'];
const TEXT = /^(?:varchar\(\d+\)|(?:medium)?text)/;
const TEXTS_FOUND = /^(?:(?:var)?char\b|(?:tiny|medium)?text$)/;
/** Old row formats have no space for keys of four bytes a character. */
const TABLE_OPTIONS = ['ENGINE=InnoDB', 'ROW_FORMAT=DYNAMIC'];

/** Edits the tables of the database of a connection. */
export class MySQLTableEditor implements TableEditor {
  static async around(run: SqlRun): Promise<MySQLTableEditor> {
    const { rows } = await run(
      `SELECT COLLATION_NAME AS name FROM information_schema.COLLATIONS
       WHERE COLLATION_NAME LIKE 'utf8mb4%bin'`,
    );
    const known = new Set(rows.map(({ name }) => name));
    return new MySQLTableEditor(run, COLLATIONS.find((name) => known.has(name)) ?? 'utf8mb4_bin');
  }

  readonly dialect = mysqlDialect;
  readonly tableOptions = TABLE_OPTIONS;
  readonly convertible = {
    key: /^(?:var)?char\b/,
    text: TEXTS_FOUND,
    longText: TEXTS_FOUND,
    number: /^(?:big)?int\b/,
    flag: /^tinyint\b/,
  };

  private constructor(
    readonly run: SqlRun,
    private readonly collation: string,
  ) {}

  readonly nameOf = quote;

  async columnsOf(table: string): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#rowsOf(`SHOW COLUMNS FROM ${quote(table)}`);
    return new Map(rows.map(({ Field, Type }) => [String(Field), String(Type)]));
  }

  create({ name, columns, key }: TableShape): Promise<SqlResult> {
    const definitions = Object.entries(columns).map(
      ([column, definition]) => `${quote(column)} ${this.#collated(definition)}`,
    );
    const primaryKey = `PRIMARY KEY (${key.map(quote).join(', ')})`;
    return this.run(
      `CREATE TABLE IF NOT EXISTS ${quote(name)} (${[...definitions, primaryKey].join(', ')})
       ${TABLE_OPTIONS.join(' ')}`,
    );
  }

  async index(table: string, name: string, columns: readonly string[]): Promise<void> {
    const indexes = await this.#rowsOf(`SHOW INDEX FROM ${quote(table)}`);
    if (indexes.some(({ Key_name }) => Key_name === name)) return;
    const list = columns.map(quote).join(', ');
    await this.run(`ALTER TABLE ${quote(table)} ADD INDEX ${quote(name)} (${list})`);
  }

  alteration(column: string, definition: string, exists: boolean): string {
    const verb = exists ? 'MODIFY' : 'ADD';
    return `${verb} COLUMN ${quote(column)} ${this.#collated(definition)}`;
  }

  numberIn(expression: string): string {
    return `CASE WHEN ${expression} REGEXP '^[0-9]{1,18}$' THEN CAST(${expression} AS UNSIGNED) END`;
  }

  async faultsOfIds(table: string): Promise<string[]> {
    const indexes = await this.#rowsOf(`SHOW INDEX FROM ${quote(table)}`);
    const key = indexes.filter(({ Key_name }) => Key_name === 'PRIMARY');
    const isKey = key.length === 1 && key[0]?.['Column_name'] === 'id';
    const columns = await this.#rowsOf(`SHOW FULL COLUMNS FROM ${quote(table)}`);
    const collation = columns.find(({ Field }) => Field === 'id')?.['Collation'];
    const isExact = typeof collation !== 'string' || collation.endsWith('_bin');
    return [
      ...(isKey ? [] : [`key ${table}.id`]),
      ...(isExact ? [] : [`case-sensitive ids in ${table}`]),
    ];
  }

  /** The definition of a column: of a text with how it is written and compared. */
  #collated(definition: string): string {
    return definition.replace(TEXT, `$& CHARACTER SET utf8mb4 COLLATE ${this.collation}`);
  }

  /** What a statement finds; nothing when its table is not there. */
  async #rowsOf(sql: string): Promise<SqlResult['rows']> {
    try {
      return (await this.run(sql)).rows;
    } catch (error) {
      const { cause } = error as { cause?: unknown };
      if ([error, cause].some((one) => codeOf(one) === 'ER_NO_SUCH_TABLE')) return [];
      throw error;
    }
  }
}

/** What the official storage has done to a table of this shape. */
const OFFICIAL_MIGRATIONS = [
  'migrateScopeFieldToVarchar1024',
  'addRefreshTokenFields',
  'addUserInfoColumns',
];

/** The server keeps what a migration that breaks off has done, so each may begin again. */
export const MIGRATIONS: readonly TableMigration[] = [
  ['sessions', (editor, { table }) => createOrUpgrade(editor, table)],
  [
    'official-record',
    (editor, { official }) => recordOfficialMigrations(editor, official, OFFICIAL_MIGRATIONS),
  ],
  ['shop-index', (editor, { table }) => editor.index(table, 'shopwright_shop', ['shop'])],
  [
    'expiry-index',
    (editor, { table }) => editor.index(table, 'shopwright_expires', ['isOnline', 'expires']),
  ],
  ['records', (editor, { table }) => createRecordTable(editor, table)],
];

/**
 * Seconds that a migration waits for another process that migrates, and for a table that somebody's
 * long transaction uses.
 */
const TURN_LIMIT = 60;
const TABLE_LIMIT = 10;
/**
 * The name of a lock: the server's names are common to its databases, at most 64 characters long,
 * and the same in either case.
 */
const LOCK_NAME = `SHA2(CONCAT(DATABASE(), ' ${createHash('sha256').update(MIGRATIONS_TABLE).digest('hex')}'), 256)`;

/** Waits until no other process migrates in the whole database, and until the connection ends. */
export async function takeTurn(run: SqlRun): Promise<void> {
  await run(`SET SESSION lock_wait_timeout = ${TABLE_LIMIT}`);
  const { rows } = await run(`SELECT GET_LOCK(${LOCK_NAME}, ${TURN_LIMIT}) AS taken`);
  if (Number(rows[0]?.['taken']) === 1) return;
  throw new SessionStorageError(
    `Another process has been setting up tables of this database for ${TURN_LIMIT} seconds.`,
  );
}
