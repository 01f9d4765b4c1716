import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import type { Session } from '../../session.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { Batcher } from '../connection/batcher.js';
import { codeOf } from '../connection/optional-driver.js';
import { SESSION_COLUMNS, SESSION_COLUMN_TYPES, sessionsFor } from '../sql/session-row.js';
import type { Cell } from '../sql/session-row.js';
import { SqlSessionStorage, checkedTableName } from '../sql/sql-session.storage.js';
import { cellsIn } from '../sql/sql.dialect.js';
import type { SqlRun } from '../sql/sql.dialect.js';
import { applyMigrations, missingIn, pendingIn } from '../sql/sql.migrations.js';
import type { OfficialRecord } from '../sql/sql.migrations.js';
import { PostgreSQLConnection } from './postgresql.connection.js';
import type { PostgreSQLTarget } from './postgresql.connection.js';
import { postgresqlDialect } from './postgresql.dialect.js';
import type { PostgreSQLPoolLike } from './postgresql.driver.js';
import { MIGRATIONS, PostgreSQLTableEditor } from './postgresql.migrations.js';

export interface PostgreSQLSessionStorageOptions {
  /**
   * Looked for through the connection's search path. @default the name the official storage uses,
   * whose data is read as it is
   */
  readonly sessionTableName?: string | undefined;
  /** Where the URL has none. @default the driver's: `PGPORT`, else 5432 */
  readonly port?: number | undefined;
  /** Where the official storage has noted what it did to the table. */
  readonly migratorOptions?: OfficialRecord | undefined;
  /**
   * Options of the driver's `Pool`, such as `max` (default 10) or `ssl`. What the URL says comes
   * before them. Without effect beside a pool.
   */
  readonly pool?: Readonly<Record<string, unknown>> | undefined;
  /** @default the system's clock */
  readonly clock?: Clock | undefined;
}

/**
 * Keeps sessions in a PostgreSQL database, for any number of processes. Needs the optional
 * dependency `pg`.
 *
 * It connects, and brings its tables to the current shape, on first use; what fails then is tried
 * again by the next call. A lost connection is replaced. Calls that meet are sent together.
 * `expires` is kept in whole seconds. Every method throws {@link SessionStorageError} when the
 * server cannot be used, within seconds unless a pool that is given has longer limits, and
 * {@link MissingDriverError} without `pg`.
 * @example new PostgreSQLSessionStorage('postgres://user:password@db.example.com/my-app?sslmode=verify-full')
 *
 */
export class PostgreSQLSessionStorage extends SqlSessionStorage<PostgreSQLConnection> {
  /** The same for a server whose parts are known. `host` may have a port. */
  static withCredentials(
    host: string,
    dbName: string,
    username: string,
    password: string,
    options: PostgreSQLSessionStorageOptions = {},
  ): PostgreSQLSessionStorage {
    const [database, user, secret] = [dbName, username, password].map(encodeURIComponent);
    return new PostgreSQLSessionStorage(
      `postgres://${user}:${secret}@${host}/${database}`,
      options,
    );
  }

  readonly #connection: PostgreSQLConnection;
  readonly #official: OfficialRecord;
  readonly #statements: ReturnType<typeof batchStatements>;
  readonly #loads = new Batcher((ids: readonly string[]) => this.#load(ids), {
    isFaultOfOne: isRejected,
  });
  /**
   * Of two sessions with one id the later stays. A store takes the server longer than a load: more
   * lanes keep it busy.
   */
  readonly #stores = new Batcher((rows: readonly Cell[][]) => this.#store(rows), {
    lanes: 4,
    keyOf: ([id]) => id,
    isFaultOfOne: isRejected,
  });

  /**
   * @param server `postgres://…`, with the driver's parameters if need be; or a `Pool` of the
   * driver, which is left open
   * @throws {MissingRequiredArgument} when it is no such thing, or the name of the table is too
   * long
   */
  constructor(
    server: string | URL | PostgreSQLPoolLike,
    options: PostgreSQLSessionStorageOptions = {},
  ) {
    const {
      sessionTableName = SESSION_TABLES.sessions,
      migratorOptions = {},
      clock = systemClock,
    } = options;
    const table = checkedTableName('PostgreSQL', sessionTableName, { longest: 63, unit: 'bytes' });
    super(postgresqlDialect, table, clock);
    this.#official = migratorOptions;
    this.#connection = new PostgreSQLConnection(targetOf(server, options), clock);
    this.#statements = batchStatements(postgresqlDialect.quote(table), this.sql.select);
  }

  override async storeSession(session: Session): Promise<boolean> {
    return this.#stores.ask(this.cellsOf(session));
  }

  loadSession(id: string): Promise<Session | undefined> {
    return this.#loads.ask(String(id));
  }

  async deleteSessions(ids: string[]): Promise<boolean> {
    await this.run('delete sessions', this.#statements.delete, [ids.map(String)]);
    return true;
  }

  protected override async migrate(): Promise<PostgreSQLConnection> {
    const { table } = this;
    const options = { table, official: this.#official };
    const what = `set up the table ${table}`;
    // What is there already needs neither a lock nor the right to change tables.
    if ((await pendingIn(await this.#editor(what), MIGRATIONS, table)).length > 0)
      await this.#connection.migrate(what, async (run) =>
        applyMigrations(await PostgreSQLTableEditor.around(run, table), MIGRATIONS, options),
      );
    return this.#connection;
  }

  protected override async missing(): Promise<string[]> {
    return missingIn(await this.#editor('be verified'), MIGRATIONS, this.table);
  }

  protected override async settled(): Promise<void> {
    await Promise.all([this.#loads.settled(), this.#stores.settled()]);
  }

  protected override release(): Promise<void> {
    return this.#connection.close();
  }

  async #store(rows: readonly Cell[][]): Promise<true[]> {
    await this.run('store a session', this.#statements.store, [recordsOf(rows)]);
    return rows.map(() => true);
  }

  async #load(ids: readonly string[]): Promise<(Session | undefined)[]> {
    const [statement, value] =
      ids.length === 1
        ? [this.#statements.loadOne, ids[0]!]
        : [this.#statements.load, [...new Set(ids)]];
    const rows = cellsIn(await this.run('load a session', statement, [value]));
    return sessionsFor(ids, rows, this.sessionIn);
  }

  #editor(what: string): Promise<PostgreSQLTableEditor> {
    const run: SqlRun = (sql, values) => this.#connection.run(what, sql, values);
    return PostgreSQLTableEditor.around(run, this.table);
  }
}

/** The statements over many sessions at once. */
function batchStatements(table: string, select: string) {
  const { quote, types, orReplace } = postgresqlDialect;
  const columns = SESSION_COLUMNS.map(quote);
  const record = SESSION_COLUMNS.map((column) => {
    const [type] = types[SESSION_COLUMN_TYPES[column]].split(' ', 1);
    return `${quote(column)} ${type}`;
  });
  return {
    loadOne: `${select} WHERE id = $1`,
    load: `${select} WHERE id = ANY($1::text[])`,
    /**
     * Takes any number of sessions, of different ids. As lists, one per column, the server would
     * plan the statement anew each time.
     */
    store: `INSERT INTO ${table} (${columns.join(', ')})
      SELECT * FROM json_to_recordset($1) AS session (${record.join(', ')})
      ${orReplace(columns.slice(1))}`,
    /**
     * Locks rows in the order in which sessions are stored, so that neither waits for the other.
     */
    delete: `DELETE FROM ${table} WHERE id = ANY(ARRAY(
      SELECT id FROM ${table} WHERE id = ANY($1::text[]) ORDER BY id COLLATE "C" FOR UPDATE))`,
  };
}

/**
 * Sessions as one parameter. Of those with one id the last; ordered by id, so that two processes
 * that store the same never wait for each other.
 */
function recordsOf(rows: readonly Cell[][]): string {
  const ordered = [...new Map(rows.map((row) => [row[0], row])).values()].sort(([a], [b]) =>
    String(a) < String(b) ? -1 : 1,
  );
  // What is not there is null to the server, which need not read it then.
  const entries = ordered.map((row) =>
    SESSION_COLUMNS.map((column, index) => [column, row[index]]).filter(
      ([, cell]) => cell !== null,
    ),
  );
  return JSON.stringify(entries.map((entries) => Object.fromEntries(entries) as unknown));
}

/** The server rejects a value that it was sent: one of many may have sent it. */
function isRejected(error: unknown): boolean {
  return error instanceof SessionStorageError && /^2[23]/.test(String(codeOf(error.cause)));
}

function targetOf(
  server: string | URL | PostgreSQLPoolLike,
  { port, pool = {} }: PostgreSQLSessionStorageOptions,
): PostgreSQLTarget {
  if (typeof server === 'object' && !(server instanceof URL)) {
    if (
      typeof server?.query === 'function' &&
      typeof server.connect === 'function' &&
      server.options
    )
      return { kind: 'pool', pool: server };
  } else if (URL.canParse(server)) {
    const url = new URL(server);
    if (port !== undefined && url.port === '') url.port = String(port);
    if (/^postgres(?:ql)?:$/.test(url.protocol)) return { kind: 'url', url, poolOptions: pool };
  }
  throw new MissingRequiredArgument(
    'PostgreSQL storage needs a URL, such as "postgres://localhost/my-app", or a pool of the driver.',
  );
}
