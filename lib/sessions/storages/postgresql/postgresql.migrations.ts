import { LEGACY_USER_COLUMN } from '../sql/sql.migrations.js';
import type { ColumnChange, TableEditor, TableIndex } from '../sql/table-editor.js';
import { cellsIn } from '../sql/sql.dialect.js';
import type { SqlRun } from '../sql/sql.dialect.js';
import { POSTGRESQL_TYPES, postgresqlDialect } from './postgresql.dialect.js';

const { quote, cells } = postgresqlDialect;

const TEXT = /^(?:text|character varying(?:\(\d+\))?)$/;
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
export async function editPostgreSQL(run: SqlRun, table: string): Promise<TableEditor> {
  const name = `coalesce((SELECT nspname FROM pg_namespace JOIN pg_class
      ON relnamespace = pg_namespace.oid WHERE pg_class.oid = to_regclass($1)),
    current_schema())`;
  const schema = cellsIn(await run(`SELECT ${cells([name])}`, [quote(table)]))[0]?.[0];
  if (typeof schema !== 'string') throw new Error('no schema of its search path exists');
  return new PostgreSQLTableEditor(run, schema);
}

class PostgreSQLTableEditor implements TableEditor {
  readonly dialect = postgresqlDialect;
  readonly types = POSTGRESQL_TYPES;
  readonly convertible = {
    key: TEXT,
    text: TEXT,
    longText: TEXT,
    number: /^(?:bigint|integer)$/,
    flag: /^boolean$/,
  };
  readonly officialMigrations = [
    'migrateScopeFieldToVarchar1024',
    'migrateToCaseSensitivity',
    'migrateToRefreshTokens',
    'addUserInfoColumns',
  ];
  /** Names without quotes are folded. */
  readonly officialName = foldedName;
  // There is no index over `expires` of sessions, which changes with each token: without one the
  // server puts the new row beside the old and leaves the other indexes alone.

  constructor(
    readonly run: SqlRun,
    private readonly schema: string,
  ) {}

  nameOf(table: string): string {
    return `${quote(this.schema)}.${quote(table)}`;
  }

  async columnsOf(table: string): Promise<ReadonlyMap<string, string>> {
    const found = await this.run(
      `SELECT ${cells(['attname', 'format_type(atttypid, atttypmod)'])} FROM pg_attribute
        WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
      [this.nameOf(table)],
    );
    return new Map(cellsIn(found) as [string, string][]);
  }

  optionsOf(): string {
    return '';
  }

  async index(table: string, _: string, { columns, condition }: TableIndex): Promise<void> {
    const where = condition === undefined ? '' : `WHERE ${condition}`;
    await this.run(
      `CREATE INDEX ON ${this.nameOf(table)} (${columns.map(quote).join(', ')}) ${where}`,
    );
  }

  alter(table: string, changes: readonly ColumnChange[]): string[] {
    const parts = changes.map(({ column, type, isRequired, exists }) =>
      exists
        ? `ALTER COLUMN ${quote(column)} TYPE ${type}`
        : `ADD COLUMN ${quote(column)} ${type}${isRequired ? ' NOT NULL' : ''}`,
    );
    return [`ALTER TABLE ${this.nameOf(table)} ${parts.join(', ')}`];
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

  async beforeUpgrade(table: string): Promise<void> {
    const columns = await this.columnsOf(table);
    const name = this.nameOf(table);
    for (const [found, column] of FOLDED)
      if (columns.has(found) && !columns.has(column))
        await this.run(`ALTER TABLE ${name} RENAME COLUMN ${found} TO ${quote(column)}`);
  }

  /**
   * The oldest official storage wrote a table name with capitals without quotes, so that PostgreSQL
   * folded it: its rows move here, and that table goes, as that storage's successors did it.
   */
  async afterUpgrade(table: string): Promise<void> {
    const name = this.nameOf(table);
    // Rows are rewritten with each new token: beside the old one if the page has space for it, and
    // then no index is touched.
    await this.run(`ALTER TABLE ${name} SET (fillfactor = 60)`);
    const folded = foldedName(table);
    if (folded === table) return;
    const columns = [...(await this.columnsOf(folded)).keys()].sort().join(',');
    if (columns !== OLDEST_COLUMNS) return;
    await this.run(
      `INSERT INTO ${name} (id, shop, state, "isOnline", scope, expires, "accessToken", "userId")
        SELECT id, shop, state, isonline, scope, expires, accesstoken,
          ${this.numberIn('onlineaccessinfo')} FROM ${this.nameOf(folded)}
        ON CONFLICT (id) DO NOTHING`,
    );
    await this.run(`DROP TABLE ${this.nameOf(folded)}`);
  }
}

/** As PostgreSQL folds a name without quotes. */
function foldedName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
