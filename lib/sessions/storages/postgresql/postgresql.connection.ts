import { createHash } from 'node:crypto';

import type { Clock } from '../../../core/time/clock.js';
import { redactedText } from '../../../core/redaction.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { codeOf } from '../connection/optional-driver.js';
import { MIGRATIONS_TABLE } from '../connection/pending-migrations.js';
import { SqlServerConnection } from '../sql/sql-server.connection.js';
import type { SqlResult, SqlRun, SqlValue } from '../sql/sql.dialect.js';
import { TIMEOUTS, whileOut, withTimeouts } from './timeout-pool.js';
import type { PostgreSQLSource } from './timeout-pool.js';
import { loadDriver } from './postgresql.driver.js';
import type { PostgreSQLPoolLike, PostgreSQLQuery, PostgreSQLResult } from './postgresql.driver.js';

/** What the app says comes first. */
const DEFAULTS = {
  ...TIMEOUTS,
  max: 10,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  allowExitOnIdle: true,
};
/** Milliseconds: to change a large table takes long, and must not be given up half-way. */
const MIGRATION_TIMEOUT_MS = 10 * 60 * 1000;
/**
 * What a pooler in between answers when the statement was prepared on a connection of another of
 * its clients.
 */
const NOT_PREPARED = /^(?:26000|42P05)$/;
/** A deadlock, and a serialization failure where transactions are serializable by default. */
const CONFLICT = /^(?:40P01|40001)$/;

/** A URL opens a pool of our own; a pool is used as it is, and left open. */
export type PostgreSQLTarget =
  | { readonly kind: 'url'; readonly url: URL; readonly poolOptions: object }
  | { readonly kind: 'pool'; readonly pool: PostgreSQLPoolLike };

/** The way to one PostgreSQL database. */
export class PostgreSQLConnection extends SqlServerConnection<PostgreSQLSource> {
  readonly #place: string;
  readonly #queries = new Map<string, PostgreSQLQuery>();
  #prepares = true;

  constructor(
    private readonly target: PostgreSQLTarget,
    private readonly clock: Clock,
  ) {
    super();
    this.#place =
      target.kind === 'url'
        ? `PostgreSQL at ${target.url.host}${target.url.pathname}`
        : 'PostgreSQL of the given pool';
  }

  /**
   * Changes tables, as a whole or not at all, while no other process does in the whole database. A
   * process that stops, or waits for a long transaction on a table, gives up its turn.
   * @throws {SessionStorageError}
   */
  migrate(what: string, work: (run: SqlRun) => Promise<void>): Promise<void> {
    return this.call(what, async (pool) => {
      const client = await pool.connect();
      const run: SqlRun = async (text, values) =>
        resultOf(
          await client.query({
            text,
            ...(values && { values }),
            query_timeout: MIGRATION_TIMEOUT_MS,
          }),
        );
      // To end the connection is to roll back, also where there is no connection any more.
      await whileOut(client, async () => {
        await client.query({ text: 'BEGIN' });
        await run(`SET LOCAL statement_timeout = 0;
          SET LOCAL idle_in_transaction_session_timeout = '30s';
          SELECT pg_advisory_xact_lock(${MIGRATION_LOCK}); SET LOCAL lock_timeout = '10s'`);
        await work(run);
        await client.query({ text: 'COMMIT' });
      });
    });
  }

  protected async open(): Promise<PostgreSQLSource> {
    if (this.target.kind === 'pool') return withTimeouts(listenedTo(this.target.pool), this.clock);
    const { url, poolOptions } = this.target;
    const Pool = await loadDriver();
    const connectionString = connectionStringOf(url);
    return listenedTo(new Pool({ ...DEFAULTS, ...poolOptions, connectionString }));
  }

  protected async end(pool: PostgreSQLSource): Promise<void> {
    if (this.target.kind === 'url') await (pool as PostgreSQLPoolLike).end();
  }

  protected async send(
    pool: PostgreSQLSource,
    text: string,
    values: readonly SqlValue[] = [],
  ): Promise<SqlResult> {
    if (!this.#prepares) return resultOf(await pool.query({ text, values }));
    try {
      return resultOf(await pool.query({ ...this.#prepared(text), values }));
    } catch (error) {
      if (!NOT_PREPARED.test(String(codeOf(error)))) throw error;
      this.#prepares = false;
      return resultOf(await pool.query({ text, values }));
    }
  }

  protected isConflict(error: unknown): boolean {
    return CONFLICT.test(String(codeOf(error)));
  }

  /** Without what was stored: the driver's error may quote a whole row. */
  protected errorFor(what: string, error: unknown): SessionStorageError {
    if (error instanceof SessionStorageError) return error;
    if (typeof error === 'object' && error !== null)
      for (const quote of ['detail', 'where']) Reflect.deleteProperty(error, quote);
    return new SessionStorageError(`${this.#place} could not ${what}: ${reasonOf(error)}.`, {
      cause: error,
    });
  }

  /**
   * A statement that is parsed once per connection. The same text has the same name everywhere, so
   * that it is the same statement to those who share a connection.
   */
  #prepared(text: string): PostgreSQLQuery {
    let query = this.#queries.get(text);
    if (!query) {
      const digest = createHash('sha256').update(text).digest('hex');
      query = { name: `shopwright_${digest.slice(0, 24)}`, text };
      this.#queries.set(text, query);
    }
    return query;
  }
}

/** Of the server's advisory locks, which are numbers of 64 bits. */
const MIGRATION_LOCK = createHash('sha256').update(MIGRATIONS_TABLE).digest().readBigInt64BE();

function resultOf({ rows, rowCount }: PostgreSQLResult): SqlResult {
  return { rows, changes: rowCount ?? 0 };
}

/**
 * Without a listener an idle connection that is cut would end the process; the pool makes another.
 */
function listenedTo(pool: PostgreSQLPoolLike): PostgreSQLPoolLike {
  if (pool.listenerCount('error') === 0) pool.on('error', () => {});
  return pool;
}

/** The driver leaves the characters encoded that have a meaning elsewhere in a URL. */
function connectionStringOf(url: URL): string {
  const plain = new URL(url);
  plain.pathname = encodeURI(decodeURIComponent(url.pathname));
  return plain.href;
}

function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error);
  // Of several addresses that were tried the driver has no message, but a code.
  const reason = String(error.message || codeOf(error) || 'unknown error');
  return redactedText(reason).replace(/\.$/, '');
}
