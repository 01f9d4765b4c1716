import { createHash } from 'node:crypto';

import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { serverIn } from '../connection/given-server.js';
import type { ServerKind } from '../connection/given-server.js';
import { codeOf, loadOptional } from '../connection/optional-driver.js';
import { MIGRATIONS_TABLE } from '../connection/pending-migrations.js';
import { TIMEOUT_MS } from '../sql/sql-server-engine.js';
import type { SqlServer, SqlServerOptions } from '../sql/sql-server-engine.js';
import type { SqlResult, SqlStatement } from '../sql/sql.dialect.js';
import { postgresqlDialect } from './postgresql.dialect.js';
import { editPostgreSQL } from './postgresql.migrations.js';

/** Milliseconds, by the driver's names, that a call waits for a connection and for an answer. */
const TIMEOUTS = { connectionTimeoutMillis: 5_000, query_timeout: TIMEOUT_MS };
/** What the app says comes first. */
const DEFAULTS = {
  ...TIMEOUTS,
  max: 10,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  allowExitOnIdle: true,
};
/** What a pooler answers when a statement was prepared on a connection of another client. */
const NOT_PREPARED = /^(?:26000|42P05)$/;
/** Of the server's advisory locks, which are numbers of 64 bits. */
const MIGRATION_LOCK = createHash('sha256').update(MIGRATIONS_TABLE).digest().readBigInt64BE();

const SERVER: Omit<ServerKind<Pool>, 'port'> = {
  name: 'PostgreSQL',
  urls: /^postgres(?:ql)?:/,
  example: 'postgres://localhost/my-app',
  noun: 'pool',
  clientIn(given) {
    const { query, connect, options } = given as Partial<Pool>;
    const isPool = typeof query === 'function' && typeof connect === 'function' && options;
    return isPool ? (given as Pool) : undefined;
  },
};

/** A PostgreSQL database. Statements are prepared when they have values. */
export function postgresqlServer(
  server: unknown,
  port: number | undefined,
  { pool: poolOptions }: SqlServerOptions,
): SqlServer<Pool, PoolClient> {
  const given = serverIn(server, { ...SERVER, port });
  const names = new Map<string, string>();
  let prepares = true;
  let limit = {};

  /**
   * Names a statement that is parsed once per connection. The same text has the same name
   * everywhere, so that it is the same statement to those who share a connection.
   */
  function nameOf(text: string): string {
    let name = names.get(text);
    if (!name) {
      const digest = createHash('sha256').update(text).digest('hex');
      names.set(text, (name = `shopwright_${digest.slice(0, 24)}`));
    }
    return name;
  }

  function exchange(
    client: Pool | PoolClient,
    { sql: text, values }: SqlStatement,
    migrationMs?: number,
  ): Promise<SqlResult> {
    const timeout = migrationMs ? { query_timeout: migrationMs } : limit;
    const plain = { text, ...(values && { values: values as unknown[] }), ...timeout };
    const sent = async (query: QueryConfig): Promise<SqlResult> =>
      resultOf(await client.query(query));
    // A migration sends its statements once, and a failure would end its transaction.
    if (!values || migrationMs || !prepares) return sent(plain);
    return sent({ ...plain, name: nameOf(text) }).catch((error: unknown) => {
      if (!NOT_PREPARED.test(String(codeOf(error)))) throw error;
      prepares = false;
      return sent(plain);
    });
  }

  return {
    given,
    dialect: postgresqlDialect,
    edit: editPostgreSQL,
    exchange,
    async open(url) {
      const load = (): Promise<typeof import('pg')> => import('pg');
      const { Pool } = await loadOptional('PostgreSQL', 'pg', load);
      // The driver leaves the characters encoded that have a meaning elsewhere in a URL.
      const plain = new URL(url);
      plain.pathname = encodeURI(decodeURIComponent(url.pathname));
      return new Pool({ ...DEFAULTS, ...poolOptions, connectionString: plain.href });
    },
    listenTo(pool) {
      if (pool.listenerCount('error') === 0) pool.on('error', ignore);
      // A pool of ours has been told.
      const { query_timeout } = TIMEOUTS;
      if (given.client) limit = { query_timeout: pool.options.query_timeout || query_timeout };
    },
    end: (pool) => pool.end(),
    waitsFor: ({ options }) => options.connectionTimeoutMillis || TIMEOUTS.connectionTimeoutMillis,
    async connect(pool) {
      const client = await pool.connect();
      // While it is out of its pool nobody else listens; the query in progress fails by itself.
      client.on('error', ignore);
      return client;
    },
    // It has our limits: its own way to a connection and back is the shortest.
    send: exchange,
    /** The driver ends a connection over which a statement has failed as well. */
    release(client, reason) {
      client.off('error', ignore);
      client.release(reason !== undefined);
    },
    /** In a transaction: one that waits for a long transaction on a table gives up its turn. */
    async inTurn(run, work) {
      // Whatever the database's default: once it has its turn it must see what was done before.
      await run('BEGIN ISOLATION LEVEL READ COMMITTED');
      await run(
        `SET LOCAL statement_timeout = 0;
          SET LOCAL idle_in_transaction_session_timeout = '30s';
          SELECT pg_advisory_xact_lock(${MIGRATION_LOCK}); SET LOCAL lock_timeout = '10s'`,
      );
      await work();
      await run('COMMIT');
    },
    /** Takes from the driver's error what may quote a whole row. */
    reasonOf(error) {
      for (const quote of ['detail', 'where']) Reflect.deleteProperty(error, quote);
      // Of several addresses that were tried the driver has no message, but a code.
      return error.message || codeOf(error) || 'unknown error';
    },
  };
}

function resultOf({ rows, rowCount }: QueryResult): SqlResult {
  return { rows, changes: rowCount ?? 0 };
}

/** Without a listener an error of a connection would end the process; the pool makes another. */
function ignore(): void {}
