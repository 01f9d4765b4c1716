import { LEGACY_USER_COLUMN } from '../sql/sql.migrations.js';
import type { EditTables } from '../sql/sql.migrations.js';
import { cellsIn } from '../sql/sql.dialect.js';
import { POSTGRESQL_TYPES, postgresqlDialect } from './postgresql.dialect.js';

const { quote, cells } = postgresqlDialect;

/**
 * Names of columns that the oldest official storage wrote without quotes, so that PostgreSQL folded
 * them.
 */
const FOLDED: readonly (readonly [found: string, name: string])[] = [
  ['isonline', 'isOnline'],
  ['accesstoken', 'accessToken'],
  ['onlineaccessinfo', LEGACY_USER_COLUMN],
];
/** The columns of its table, all of them: a table with one more or one less is somebody else's. */
const OLDEST_COLUMNS = 'accesstoken,expires,id,isonline,onlineaccessinfo,scope,shop,state';

/**
 * Edits the tables of one schema: the one that holds the table of sessions, or that is to hold it.
 * The table is looked for through the connection's search path, as an unqualified name in a
 * statement is.
 */
export const editPostgreSQL: EditTables = async (run, sessions) => {
  const found = `coalesce((SELECT nspname FROM pg_namespace JOIN pg_class
      ON relnamespace = pg_namespace.oid WHERE pg_class.oid = to_regclass($1)),
    current_schema())`;
  const schema = cellsIn(await run(`SELECT ${cells([found])}`, [quote(sessions)]))[0]?.[0];
  if (typeof schema !== 'string') throw new Error('no schema of its search path exists');
  const nameOf = (table: string): string => `${quote(schema)}.${quote(table)}`;
  const columnsOf = async (table: string): Promise<ReadonlyMap<string, string>> => {
    const sql = `SELECT ${cells(['attname', 'format_type(atttypid, atttypmod)'])} FROM pg_attribute
      WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`;
    return new Map(cellsIn(await run(sql, [nameOf(table)])) as [string, string][]);
  };
  // There is no index over `expires` of sessions, which changes with each token: without one the
  // server puts the new row beside the old and leaves the other indexes alone.
  return {
    dialect: postgresqlDialect,
    run,
    types: POSTGRESQL_TYPES,
    officialMigrations: [
      'migrateScopeFieldToVarchar1024',
      'migrateToCaseSensitivity',
      'migrateToRefreshTokens',
      'addUserInfoColumns',
    ],
    // Names without quotes are folded.
    officialName: foldedName,
    nameOf,
    columnsOf,
    index: async (table, _, { columns, condition }) => {
      const where = condition === undefined ? '' : `WHERE ${condition}`;
      await run(`CREATE INDEX ON ${nameOf(table)} (${columns.map(quote).join(', ')}) ${where}`);
    },
    alter: (table, changes) => {
      const parts = changes.map(({ column, type, exists, definition }) =>
        exists ? `ALTER COLUMN ${column} TYPE ${type}` : `ADD COLUMN ${definition}`,
      );
      return [`ALTER TABLE ${nameOf(table)} ${parts.join(', ')}`];
    },
    numberIn,
    faultsOfIds: async (table) => {
      const { rows } = await run(
        `SELECT FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
          WHERE indrelid = to_regclass($1) AND attname = 'id' AND indisunique AND indisvalid
          AND indnkeyatts = 1 AND indpred IS NULL`,
        [nameOf(table)],
      );
      return rows.length > 0 ? [] : [`key ${table}.id`];
    },
    beforeUpgrade: async (table) => {
      const columns = await columnsOf(table);
      for (const [found, column] of FOLDED)
        if (columns.has(found) && !columns.has(column))
          await run(`ALTER TABLE ${nameOf(table)} RENAME COLUMN ${found} TO ${quote(column)}`);
    },
    // The oldest official storage wrote a table name with capitals without quotes, so that
    // PostgreSQL folded it: its rows move here, and that table goes, as that storage's successors
    // did it.
    afterUpgrade: async (table) => {
      const name = nameOf(table);
      // Rows are rewritten with each new token: beside the old one if the page has space for it,
      // and then no index is touched.
      await run(`ALTER TABLE ${name} SET (fillfactor = 60)`);
      const folded = foldedName(table);
      if (folded === table) return;
      const columns = [...(await columnsOf(folded)).keys()].sort().join(',');
      if (columns !== OLDEST_COLUMNS) return;
      await run(
        `INSERT INTO ${name} (id, shop, state, "isOnline", scope, expires, "accessToken", "userId")
          SELECT id, shop, state, isonline, scope, expires, accesstoken,
            ${numberIn('onlineaccessinfo')} FROM ${nameOf(folded)}
          ON CONFLICT (id) DO NOTHING`,
      );
      await run(`DROP TABLE ${nameOf(folded)}`);
    },
  };
};

function numberIn(expression: string): string {
  return `CASE WHEN ${expression}::text ~ '^[0-9]{1,18}$' THEN ${expression}::text::bigint END`;
}

/** As PostgreSQL folds a name without quotes. */
function foldedName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
