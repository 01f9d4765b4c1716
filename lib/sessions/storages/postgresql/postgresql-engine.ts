import { createHash } from 'node:crypto';

import { serverIn } from '../connection/given-server.js';
import type { ServerKind } from '../connection/given-server.js';
import { codeOf } from '../connection/optional-driver.js';
import { MIGRATIONS_TABLE } from '../connection/pending-migrations.js';
import { SqlServerEngine, TIMEOUT_MS } from '../sql/sql-server-engine.js';
import type { SqlServerOptions } from '../sql/sql-server-engine.js';
import type { SqlResult, SqlRun, SqlStatement } from '../sql/sql.dialect.js';
import { postgresqlDialect } from './postgresql.dialect.js';
import { loadDriver, poolIn } from './postgresql.driver.js';
import type {
  PostgreSQLClient,
  PostgreSQLPoolLike,
  PostgreSQLQuery,
  PostgreSQLResult,
} from './postgresql.driver.js';
import { editPostgreSQL } from './postgresql.migrations.js';

/**
 * In milliseconds, by the driver's names: how long a call waits for a free connection, and for an
 * answer.
 */
const TIMEOUTS = { connectionTimeoutMillis: 5_000, query_timeout: TIMEOUT_MS };
/** What the app says comes first. */
const DEFAULTS = {
  ...TIMEOUTS,
  max: 10,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  allowExitOnIdle: true,
};
/**
 * What a pooler in between answers when the statement was prepared on a connection of another of
 * its clients.
 */
const NOT_PREPARED = /^(?:26000|42P05)$/;
/** Of the server's advisory locks, which are numbers of 64 bits. */
const MIGRATION_LOCK = createHash('sha256').update(MIGRATIONS_TABLE).digest().readBigInt64BE();

const SERVER: Omit<ServerKind<PostgreSQLPoolLike>, 'port'> = {
  name: 'PostgreSQL',
  urls: /^postgres(?:ql)?:/,
  example: 'postgres://localhost/my-app',
  noun: 'pool',
  clientIn: poolIn,
};

/** A PostgreSQL database. Statements are prepared when they have values. */
export class PostgreSQLEngine extends SqlServerEngine<PostgreSQLPoolLike, PostgreSQLClient> {
  readonly #names = new Map<string, string>();
  readonly #pool: object;
  #prepares = true;
  #limit = {};

  /** @throws {MissingRequiredArgument} when `server` is no such thing, or the name too long */
  constructor(server: unknown, port: number | undefined, options: SqlServerOptions) {
    super(serverIn(server, { ...SERVER, port }), postgresqlDialect, editPostgreSQL, options);
    this.#pool = options.pool ?? {};
  }

  protected async open(url: URL): Promise<PostgreSQLPoolLike> {
    const Pool = await loadDriver();
    // The driver leaves the characters encoded that have a meaning elsewhere in a URL.
    const plain = new URL(url);
    plain.pathname = encodeURI(decodeURIComponent(url.pathname));
    return new Pool({ ...DEFAULTS, ...this.#pool, connectionString: plain.href });
  }

  protected listenTo(pool: PostgreSQLPoolLike): void {
    if (pool.listenerCount('error') === 0) pool.on('error', ignore);
    const { query_timeout = 0 }: Partial<typeof TIMEOUTS> = pool.options;
    // A pool of ours has been told.
    if (!this.isOurs) this.#limit = { query_timeout: query_timeout || TIMEOUTS.query_timeout };
  }

  protected end(pool: PostgreSQLPoolLike): Promise<void> {
    return pool.end();
  }

  protected override waitsFor({ options }: PostgreSQLPoolLike): number {
    const { connectionTimeoutMillis = 0 }: Partial<typeof TIMEOUTS> = options;
    return connectionTimeoutMillis || TIMEOUTS.connectionTimeoutMillis;
  }

  protected async connect(pool: PostgreSQLPoolLike): Promise<PostgreSQLClient> {
    const client = await pool.connect();
    // While it is out of its pool nobody else listens; the query in progress fails by itself.
    client.on('error', ignore);
    return client;
  }

  /** A pool of ours has our limits: its own way to a connection and back is the shortest. */
  protected override send(pool: PostgreSQLPoolLike, statement: SqlStatement): Promise<SqlResult> {
    return this.isOurs ? this.exchange(pool, statement) : super.send(pool, statement);
  }

  protected exchange(
    client: Pick<PostgreSQLClient, 'query'>,
    { sql: text, values }: SqlStatement,
    migrationMs?: number,
  ): Promise<SqlResult> {
    const limit = migrationMs ? { query_timeout: migrationMs } : this.#limit;
    const plain = { text, ...(values && { values }), ...limit };
    const sent = (query: PostgreSQLQuery): Promise<SqlResult> => client.query(query).then(resultOf);
    // A migration sends its statements once, and a failure would end its transaction.
    if (!values || migrationMs || !this.#prepares) return sent(plain);
    return sent({ ...plain, name: this.#nameOf(text) }).catch((error: unknown) => {
      if (!NOT_PREPARED.test(String(codeOf(error)))) throw error;
      this.#prepares = false;
      return sent(plain);
    });
  }

  /** The driver ends a connection over which a statement has failed as well. */
  protected release(client: PostgreSQLClient, reason?: 'failed' | 'ended'): void {
    client.off('error', ignore);
    client.release(reason !== undefined);
  }

  /** In a transaction: one that waits for a long transaction on a table gives up its turn. */
  protected async inTurn(run: SqlRun, work: () => Promise<void>): Promise<void> {
    // Whatever the default of the database: once it has its turn it must see what was done before.
    await run('BEGIN ISOLATION LEVEL READ COMMITTED');
    await run(
      `SET LOCAL statement_timeout = 0;
        SET LOCAL idle_in_transaction_session_timeout = '30s';
        SELECT pg_advisory_xact_lock(${MIGRATION_LOCK}); SET LOCAL lock_timeout = '10s'`,
    );
    await work();
    await run('COMMIT');
  }

  /** Takes from the driver's error what may quote a whole row. */
  protected reasonOf(error: { readonly message?: unknown }): unknown {
    for (const quote of ['detail', 'where']) Reflect.deleteProperty(error, quote);
    // Of several addresses that were tried the driver has no message, but a code.
    return error.message || codeOf(error) || 'unknown error';
  }

  /**
   * Names a statement that is parsed once per connection. The same text has the same name
   * everywhere, so that it is the same statement to those who share a connection.
   */
  #nameOf(text: string): string {
    let name = this.#names.get(text);
    if (!name) {
      const digest = createHash('sha256').update(text).digest('hex');
      this.#names.set(text, (name = `shopwright_${digest.slice(0, 24)}`));
    }
    return name;
  }
}

function resultOf({ rows, rowCount }: PostgreSQLResult): SqlResult {
  return { rows, changes: rowCount ?? 0 };
}

/** Without a listener an error of a connection would end the process; the pool makes another. */
function ignore(): void {}
