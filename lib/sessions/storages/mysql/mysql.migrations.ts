import { SessionStorageError } from '../../sessions.errors.js';
import { MIGRATIONS_TABLE } from '../connection/pending-migrations.js';
import { cellsIn } from '../sql/sql.dialect.js';
import type { SqlRun } from '../sql/sql.dialect.js';
import type { EditTables } from '../sql/sql.migrations.js';
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

/** What texts are compared by is asked unless the tables are only looked at. */
export const editMySQL: EditTables = async (run, _, isChanged) => {
  const exact = isChanged ? `CHARACTER SET utf8mb4 COLLATE ${await collationOf(run)}` : '';
  /** What the server's own tables say about a table. */
  const schemaOf = async (table: string, of: string, columns: string[]): Promise<unknown[][]> => {
    const sql = `SELECT ${cells(columns)} FROM information_schema.${of}
      WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?`;
    return cellsIn(await run(sql, [table]));
  };
  return {
    dialect: mysqlDialect,
    run,
    types: {
      key: [`varchar(255) ${exact}`, /^(?:var)?char\b/],
      text: [`text ${exact}`, TEXTS_FOUND],
      longText: [`mediumtext ${exact}`, TEXTS_FOUND],
      flag: ['tinyint', /^tinyint\b/],
      number: ['bigint', /^(?:big)?int\b/],
    },
    expiryIndex: { columns: ['isOnline', 'expires'] },
    nameOf: quote,
    columnsOf: async (table) =>
      new Map(
        (await schemaOf(table, 'COLUMNS', ['COLUMN_NAME', 'COLUMN_TYPE'])) as [string, string][],
      ),
    optionsOf: () => TABLE_OPTIONS.join(' '),
    index: async (table, kind, { columns }) => {
      const name = `shopwright_${kind}`;
      const indexes = await schemaOf(table, 'STATISTICS', ['INDEX_NAME']);
      if (indexes.some(([existing]) => existing === name)) return;
      const list = columns.map(quote).join(', ');
      await run(`ALTER TABLE ${quote(table)} ADD INDEX ${quote(name)} (${list})`);
    },
    alter: (table, changes) => {
      const parts = changes.map(({ exists, definition }) =>
        exists ? `MODIFY COLUMN ${definition}` : `ADD COLUMN ${definition}`,
      );
      return [`ALTER TABLE ${quote(table)} ${[...parts, ...TABLE_OPTIONS].join(', ')}`];
    },
    numberIn: (text) =>
      `CASE WHEN ${text} REGEXP '^[0-9]{1,18}$' THEN CAST(${text} AS UNSIGNED) END`,
    faultsOfIds: async (table) => {
      const indexes = await schemaOf(table, 'STATISTICS', ['COLUMN_NAME', 'INDEX_NAME']);
      const key = indexes.filter(([, index]) => index === 'PRIMARY').map(([column]) => column);
      const columns = await schemaOf(table, 'COLUMNS', ['COLUMN_NAME', 'COLLATION_NAME']);
      const collation = columns.find(([column]) => column === 'id')?.[1];
      const isExact = typeof collation !== 'string' || collation.endsWith('_bin');
      return [
        ...(key.join() === 'id' ? [] : [`key ${table}.id`]),
        ...(isExact ? [] : [`case-sensitive ids in ${table}`]),
      ];
    },
  };
};

async function collationOf(run: SqlRun): Promise<string> {
  const found = await run(
    `SELECT ${cells(['COLLATION_NAME'])} FROM information_schema.COLLATIONS
      WHERE COLLATION_NAME LIKE 'utf8mb4%bin'`,
  );
  const known = new Set(cellsIn(found).map(([name]) => name));
  return COLLATIONS.find((name) => known.has(name)) ?? 'utf8mb4_bin';
}

/** Seconds that a migration waits for another one, and for a table in a long transaction. */
const TURN_LIMIT = 60;
const TABLE_LIMIT = 10;
/**
 * The name of a lock: the server's names are common to its databases, at most 64 characters long,
 * and the same in either case.
 */
const LOCK_NAME = `SHA2(CONCAT(DATABASE(), ' ${MIGRATIONS_TABLE}'), 256)`;

/** Waits until no other process migrates in the whole database, and until the connection ends. */
export async function takeTurn(run: SqlRun): Promise<void> {
  await run(`SET SESSION lock_wait_timeout = ${TABLE_LIMIT}`);
  const { rows } = await run(`SELECT GET_LOCK(${LOCK_NAME}, ${TURN_LIMIT}) AS taken`);
  if (Number(rows[0]?.['taken']) === 1) return;
  throw new SessionStorageError(
    `Another process has been setting up tables of this database for ${TURN_LIMIT} seconds.`,
  );
}
