import { redactedText } from '../../../core/redaction.js';
import { inTime } from '../../../core/time/clock.js';
import { SessionStorageError } from '../../sessions.errors.js';
import type { StorageEngine } from '../connection/engine-session.storage.js';
import type { GivenServer } from '../connection/given-server.js';
import { sqlTables } from './sql-engine.js';
import type { SqlStorageOptions } from './sql-engine.js';
import type { SqlDatabase, SqlDialect, SqlResult, SqlRun, SqlStatement } from './sql.dialect.js';
import type { EditTables } from './sql.migrations.js';

/** How often a statement is sent that the server has rolled back in favour of another. */
const ATTEMPTS = 5;
/** How long the server may take to answer, in milliseconds. */
export const TIMEOUT_MS = 10_000;
/** Milliseconds: to change a large table takes long, and must not be given up half-way. */
const MIGRATION_TIMEOUT_MS = 10 * 60 * 1000;

/** Options of the storages that keep sessions on a server. */
export interface SqlServerOptions extends SqlStorageOptions {
  /**
   * Options of the driver's pool, such as `ssl`: on PostgreSQL what the URL says comes before them,
   * on MySQL they come first. Without effect beside a pool.
   */
  readonly pool?: Readonly<Record<string, unknown>> | undefined;
}

/** How a server is used over a pool of connections of its driver. One that is lost is replaced. */
export interface SqlServer<Pool, Client> {
  /** A pool of the app is used as it is, and left open. */
  readonly given: GivenServer<Pool>;
  readonly dialect: SqlDialect;
  readonly edit: EditTables;
  /** Opens a pool of our own. */
  open(url: URL): Promise<Pool>;
  /** Takes care of errors of the pool's idle connections, which would end the process. */
  listenTo(pool: Pool): void;
  end(pool: Pool): Promise<unknown>;
  connect(pool: Pool): Promise<Client>;
  /** Milliseconds that a call waits for a connection of the pool. @default ten seconds */
  waitsFor?(pool: Pool): number;
  /** Sends a statement over a pool of our own. @default over a connection that is asked for */
  send?(pool: Pool, statement: SqlStatement): Promise<SqlResult>;
  /**
   * Sends a statement and waits for the result.
   * @param migrationMs how long, where it changes tables
   */
  exchange(client: Client, statement: SqlStatement, migrationMs?: number): Promise<SqlResult>;
  /** Gives a connection back to its pool, over which a statement may have failed, or ends it. */
  release(client: Client, reason?: 'failed' | 'ended'): void;
  /** Does the work once no other process migrates, and until the connection ends. */
  inTurn(run: SqlRun, work: () => Promise<void>): Promise<void>;
  /** What an error says, without what was sent. */
  reasonOf(error: { readonly message?: unknown }): unknown;
}

/** The tables of a server, over the pool that was given or one of our own. */
export function sqlServerEngine<Pool, Client>(
  server: SqlServer<Pool, Client>,
  options: SqlStorageOptions,
): StorageEngine<SqlDatabase> {
  const { given, dialect } = server;
  const tables = sqlTables(dialect, server.edit, options);
  const isOurs = given.client === undefined;

  /** A pool of the app may have no limit of its own. A connection that comes late is given back. */
  function connected(pool: Pool): Promise<Client> {
    const waitsMs = server.waitsFor?.(pool) ?? TIMEOUT_MS;
    const connecting = server.connect(pool);
    return inTime(tables.clock, waitsMs, connecting, () => {
      connecting.then(
        (client) => server.release(client),
        () => {},
      );
      return new Error(`timeout: the pool had no connection within ${waitsMs} ms`);
    });
  }

  async function sentOver(pool: Pool, statement: SqlStatement): Promise<SqlResult> {
    const client = await connected(pool);
    try {
      const result = await server.exchange(client, statement);
      server.release(client);
      return result;
    } catch (error) {
      server.release(client, 'failed');
      throw error;
    }
  }

  async function sent(pool: Pool, statement: SqlStatement): Promise<SqlResult> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await (isOurs && server.send
          ? server.send(pool, statement)
          : sentOver(pool, statement));
      } catch (error) {
        if (attempt === ATTEMPTS || !dialect.isConflict?.(error)) throw error;
      }
    }
  }

  /** On one connection, which is ended afterwards with all it holds. */
  async function migrate(pool: Pool, work: (run: SqlRun) => Promise<void>): Promise<void> {
    const client = await connected(pool);
    const run: SqlRun = (sql, values) =>
      server.exchange(client, { sql, values }, MIGRATION_TIMEOUT_MS);
    try {
      await server.inTurn(run, () => work(run));
    } finally {
      server.release(client, 'ended');
    }
  }

  return {
    ...tables,
    async reach() {
      const pool = given.client ?? (await server.open(given.url!));
      server.listenTo(pool);
      return {
        server: {
          run: (sql, values) => sent(pool, { sql, values }),
          migrate: (work) => migrate(pool, work),
        },
        async close(callsOver) {
          // A pool that ends answers nobody who still waits for a connection of it.
          await callsOver;
          if (isOurs) await server.end(pool);
        },
      };
    },
    errorFor(what, cause) {
      const told = typeof cause === 'object' && cause !== null ? server.reasonOf(cause) : cause;
      const reason = redactedText(String(told)).replace(/\.$/, '');
      return new SessionStorageError(`${given.place} could not ${what}: ${reason}.`, { cause });
    },
  };
}
