import {
  LEGACY_USER_COLUMN,
  createOrUpgrade,
  createRecordTable,
  recordOfficialMigrations,
} from '../sql/sql.migrations.js';
import type { TableEditor, TableMigration, TableShape } from '../sql/sql.migrations.js';
import type { SqlResult, SqlRun } from '../sql/sql.dialect.js';
import { postgresqlDialect } from './postgresql.dialect.js';

const { quote } = postgresqlDialect;

const TEXT = /^(?:text|character varying(?:\(\d+\))?)$/;

/**
 * Edits the tables of one schema: the one that holds the table of sessions, or that is to hold it.
 */
export class PostgreSQLTableEditor implements TableEditor {
  /**
   * Looks for the table through the connection's search path, as an unqualified name in a statement
   * is looked for.
   */
  static async around(run: SqlRun, table: string): Promise<PostgreSQLTableEditor> {
    const { rows } = await run(
      `SELECT coalesce((SELECT nspname FROM pg_namespace JOIN pg_class
         ON relnamespace = pg_namespace.oid WHERE pg_class.oid = to_regclass($1)),
       current_schema()) AS schema`,
      [quote(table)],
    );
    const schema = rows[0]?.['schema'];
    if (typeof schema !== 'string') throw new Error('no schema of its search path exists');
    return new PostgreSQLTableEditor(run, schema);
  }

  readonly dialect = postgresqlDialect;
  readonly tableOptions = [];
  readonly convertible = {
    key: TEXT,
    text: TEXT,
    longText: TEXT,
    number: /^(?:bigint|integer)$/,
    flag: /^boolean$/,
  };

  private constructor(
    readonly run: SqlRun,
    private readonly schema: string,
  ) {}

  nameOf(table: string): string {
    return `${quote(this.schema)}.${quote(table)}`;
  }

  async columnsOf(table: string): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.run(
      `SELECT attname, format_type(atttypid, atttypmod) AS type FROM pg_attribute
       WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
      [this.nameOf(table)],
    );
    return new Map(rows.map(({ attname, type }) => [String(attname), String(type)]));
  }

  create({ name, columns, key }: TableShape): Promise<SqlResult> {
    const definitions = Object.entries(columns).map(([name, type]) => `${quote(name)} ${type}`);
    return this.run(
      `CREATE TABLE IF NOT EXISTS ${this.nameOf(name)}
       (${definitions.join(', ')}, PRIMARY KEY (${key.map(quote).join(', ')}))`,
    );
  }

  index(table: string, _: string, columns: readonly string[]): Promise<SqlResult> {
    return this.run(`CREATE INDEX ON ${this.nameOf(table)} (${columns.map(quote).join(', ')})`);
  }

  alteration(column: string, definition: string, exists: boolean): string {
    if (!exists) return `ADD COLUMN ${quote(column)} ${definition}`;
    return `ALTER COLUMN ${quote(column)} TYPE ${definition.replace(' NOT NULL', '')}`;
  }

  numberIn(expression: string): string {
    return `CASE WHEN ${expression}::text ~ '^[0-9]{1,18}$' THEN ${expression}::text::bigint END`;
  }

  async faultsOfIds(table: string): Promise<string[]> {
    const { rows } = await this.run(
      `SELECT FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
       WHERE indrelid = to_regclass($1) AND attname = 'id' AND indisunique AND indisvalid
       AND indnkeyatts = 1 AND indpred IS NULL`,
      [this.nameOf(table)],
    );
    return rows.length > 0 ? [] : [`key ${table}.id`];
  }
}

/** What the official storage has done to a table of this shape. */
const OFFICIAL_MIGRATIONS = [
  'migrateScopeFieldToVarchar1024',
  'migrateToCaseSensitivity',
  'migrateToRefreshTokens',
  'addUserInfoColumns',
];

/**
 * There is no index over `expires` of sessions, which changes with each token: without one the
 * server puts the new row beside the old and leaves the other indexes alone.
 */
export const MIGRATIONS: readonly TableMigration[] = [
  ['sessions', (editor, { table }) => migrateSessions(editor, table)],
  [
    'official-record',
    (editor, { official: { migrationDBIdentifier: table, migrationNameColumnName: column } }) => {
      // Its names are unquoted, and therefore folded.
      const names = {
        migrationDBIdentifier: table && foldedName(table),
        migrationNameColumnName: column && foldedName(column),
      };
      return recordOfficialMigrations(editor, names, OFFICIAL_MIGRATIONS);
    },
  ],
  ['shop-index', (editor, { table }) => editor.index(table, 'shopwright_shop', ['shop'])],
  ['records', (editor, { table }) => createRecordTable(editor, table)],
];

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

async function migrateSessions(editor: TableEditor, table: string): Promise<void> {
  const name = editor.nameOf(table);
  const columns = await editor.columnsOf(table);
  for (const [found, column] of FOLDED) {
    if (columns.has(found) && !columns.has(column))
      await editor.run(`ALTER TABLE ${name} RENAME COLUMN ${found} TO ${quote(column)}`);
  }
  await createOrUpgrade(editor, table);
  // Rows are rewritten with each new token: beside the old one if the page has space for it, and
  // then no index is touched.
  await editor.run(`ALTER TABLE ${name} SET (fillfactor = 60)`);
  const folded = foldedName(table);
  if (folded !== table) await takeOver(editor, folded, table);
}

/**
 * The oldest official storage wrote a table name with capitals without quotes, so that PostgreSQL
 * folded it: its rows move here, and that table goes, as that storage's successors did it.
 */
async function takeOver(editor: TableEditor, folded: string, table: string): Promise<void> {
  const columns = [...(await editor.columnsOf(folded)).keys()].sort().join(',');
  if (columns !== OLDEST_COLUMNS) return;
  await editor.run(
    `INSERT INTO ${editor.nameOf(table)}
       (id, shop, state, "isOnline", scope, expires, "accessToken", "userId")
     SELECT id, shop, state, isonline, scope, expires, accesstoken,
       ${editor.numberIn('onlineaccessinfo')} FROM ${editor.nameOf(folded)}
     ON CONFLICT (id) DO NOTHING`,
  );
  await editor.run(`DROP TABLE ${editor.nameOf(folded)}`);
}

/** As PostgreSQL folds a name without quotes. */
function foldedName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
