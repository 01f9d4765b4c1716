import { createHash } from 'node:crypto';

import { SessionStorageError } from '../../sessions.errors.js';
import { codeOf } from '../connection/optional-driver.js';
import { MIGRATIONS_TABLE } from '../connection/pending-migrations.js';
import { cellsIn } from '../sql/sql.dialect.js';
import type { SqlSteps } from '../sql/sql.dialect.js';
import type { ColumnChange, ColumnType, TableEditor, TableIndex } from '../sql/table-editor.js';
import { mysqlDialect } from './mysql.dialect.js';

const { quote, cells } = mysqlDialect;

/**
 * Texts are compared to the byte, spaces at the end included. MySQL and MariaDB each have such a
 * collation; old servers of both have the last alone.
 */
const COLLATIONS = ['utf8mb4_0900_bin', 'utf8mb4_nopad_bin', 'utf8mb4_bin'];
const TEXTS_FOUND = /^(?:(?:var)?char\b|(?:tiny|medium)?text$)/;
/** Old row formats have no space for keys of four bytes a character. */
const TABLE_OPTIONS = ['ENGINE=InnoDB', 'ROW_FORMAT=DYNAMIC'];
const OF_TABLE = 'WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?';

/** Edits the tables of the database of a connection. */
class MySQLTableEditor implements TableEditor {
  readonly dialect = mysqlDialect;
  readonly types: Readonly<Record<ColumnType, string>>;
  readonly convertible = {
    key: /^(?:var)?char\b/,
    text: TEXTS_FOUND,
    longText: TEXTS_FOUND,
    number: /^(?:big)?int\b/,
    flag: /^tinyint\b/,
  };
  readonly officialMigrations = [
    'migrateScopeFieldToVarchar1024',
    'addRefreshTokenFields',
    'addUserInfoColumns',
  ];
  readonly expiryIndex = { columns: ['isOnline', 'expires'] };
  readonly nameOf = quote;

  constructor(collation: string) {
    const exact = `CHARACTER SET utf8mb4 COLLATE ${collation}`;
    this.types = {
      key: `varchar(255) ${exact}`,
      text: `text ${exact}`,
      longText: `mediumtext ${exact}`,
      flag: 'tinyint',
      number: 'bigint',
    };
  }

  officialName(name: string): string {
    return name;
  }

  isNoTable(error: unknown): boolean {
    return codeOf(error) === 'ER_NO_SUCH_TABLE';
  }

  *columnsOf(table: string): SqlSteps<ReadonlyMap<string, string>> {
    const found = yield {
      sql: `SELECT ${cells(['COLUMN_NAME', 'COLUMN_TYPE'])} FROM information_schema.COLUMNS ${OF_TABLE}`,
      values: [table],
    };
    return new Map(cellsIn(found) as [string, string][]);
  }

  optionsOf(): string {
    return TABLE_OPTIONS.join(' ');
  }

  *index(table: string, kind: string, { columns }: TableIndex): SqlSteps<void> {
    const name = `shopwright_${kind}`;
    const indexes = yield* this.#indexesOf(table);
    if (indexes.some(([existing]) => existing === name)) return;
    const list = columns.map(quote).join(', ');
    yield { sql: `ALTER TABLE ${quote(table)} ADD INDEX ${quote(name)} (${list})` };
  }

  alter(table: string, changes: readonly ColumnChange[]): string[] {
    const parts = changes.map(({ column, type, isRequired, exists }) => {
      const definition = `${quote(column)} ${type}${isRequired ? ' NOT NULL' : ''}`;
      return `${exists ? 'MODIFY' : 'ADD'} COLUMN ${definition}`;
    });
    return [`ALTER TABLE ${quote(table)} ${[...parts, ...TABLE_OPTIONS].join(', ')}`];
  }

  numberIn(expression: string): string {
    return `CASE WHEN ${expression} REGEXP '^[0-9]{1,18}$' THEN CAST(${expression} AS UNSIGNED) END`;
  }

  *faultsOfIds(table: string): SqlSteps<string[]> {
    const key = (yield* this.#indexesOf(table)).filter(([name]) => name === 'PRIMARY');
    const collations = yield {
      sql: `SELECT ${cells(['COLLATION_NAME'])} FROM information_schema.COLUMNS ${OF_TABLE}
        AND COLUMN_NAME = 'id'`,
      values: [table],
    };
    const [collation] = cellsIn(collations)[0] ?? [];
    const isExact = typeof collation !== 'string' || collation.endsWith('_bin');
    return [
      ...(key.length === 1 && key[0]![1] === 'id' ? [] : [`key ${table}.id`]),
      ...(isExact ? [] : [`case-sensitive ids in ${table}`]),
    ];
  }

  /** Names of its indexes, each with one of its columns. */
  *#indexesOf(table: string): SqlSteps<unknown[][]> {
    const found = yield {
      sql: `SELECT ${cells(['INDEX_NAME', 'COLUMN_NAME'])} FROM information_schema.STATISTICS ${OF_TABLE}`,
      values: [table],
    };
    return cellsIn(found);
  }
}

/** Asks the server what texts can be compared by, unless the tables are only looked at. */
export function* editMySQL(_: string, isChanged: boolean): SqlSteps<TableEditor> {
  if (!isChanged) return new MySQLTableEditor('');
  const found = yield {
    sql: `SELECT ${cells(['COLLATION_NAME'])} FROM information_schema.COLLATIONS
      WHERE COLLATION_NAME LIKE 'utf8mb4%bin'`,
  };
  const known = new Set(cellsIn(found).map(([name]) => name));
  return new MySQLTableEditor(COLLATIONS.find((name) => known.has(name)) ?? 'utf8mb4_bin');
}

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
export function* takeTurn(): SqlSteps<void> {
  yield { sql: `SET SESSION lock_wait_timeout = ${TABLE_LIMIT}` };
  const { rows } = yield { sql: `SELECT GET_LOCK(${LOCK_NAME}, ${TURN_LIMIT}) AS taken` };
  if (Number(rows[0]?.['taken']) === 1) return;
  throw new SessionStorageError(
    `Another process has been setting up tables of this database for ${TURN_LIMIT} seconds.`,
  );
}
