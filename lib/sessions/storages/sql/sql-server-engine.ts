import { redactedText } from '../../../core/redaction.js';
import { inTime } from '../../../core/time/clock.js';
import { SessionStorageError } from '../../sessions.errors.js';
import type { Reached } from '../connection/engine.connection.js';
import type { GivenServer } from '../connection/given-server.js';
import { SqlEngine } from './sql-engine.js';
import type { SqlStorageOptions } from './sql-engine.js';
import type { SqlDatabase, SqlDialect, SqlResult, SqlRun, SqlStatement } from './sql.dialect.js';
import type { EditTables } from './table-editor.js';

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

/** A database on a server, over a pool of connections. One that is lost is replaced. */
export abstract class SqlServerEngine<Pool, Client> extends SqlEngine {
  constructor(
    protected readonly server: GivenServer<Pool>,
    dialect: SqlDialect,
    edit: EditTables,
    options: SqlStorageOptions,
  ) {
    super(dialect, edit, options);
  }

  /** Opens a pool of our own. */
  protected abstract open(url: URL): Promise<Pool>;
  /** Takes care of errors of the pool's idle connections, which would end the process. */
  protected abstract listenTo(pool: Pool): void;
  protected abstract end(pool: Pool): Promise<unknown>;
  protected abstract connect(pool: Pool): Promise<Client>;
  /**
   * Sends a statement and waits for the result.
   * @param migrationMs how long, where it changes tables
   */
  protected abstract exchange(
    client: Client,
    statement: SqlStatement,
    migrationMs?: number,
  ): Promise<SqlResult>;
  /** Gives a connection back to its pool, over which a statement may have failed, or ends it. */
  protected abstract release(client: Client, reason?: 'failed' | 'ended'): void;
  /** Does the work once no other process migrates, and until the connection ends. */
  protected abstract inTurn(run: SqlRun, work: () => Promise<void>): Promise<void>;
  /** What an error says, without what was sent. */
  protected abstract reasonOf(error: { readonly message?: unknown }): unknown;

  /** Milliseconds that a call waits for a connection of the pool. */
  protected waitsFor(_: Pool): number {
    return TIMEOUT_MS;
  }

  /** False when the pool is the app's: it is used as it is, and left open. */
  protected get isOurs(): boolean {
    return this.server.client === undefined;
  }

  async reach(): Promise<Reached<SqlDatabase>> {
    const pool = this.server.client ?? (await this.open(this.server.url!));
    this.listenTo(pool);
    const database: SqlDatabase = {
      run: (sql, values) => this.#sent(pool, { sql, values }),
      migrate: (work) => this.#migrate(pool, work),
    };
    const close = async (callsOver: Promise<void>): Promise<void> => {
      // A pool that ends answers nobody who still waits for a connection of it.
      await callsOver;
      if (this.isOurs) await this.end(pool);
    };
    return { server: database, close };
  }

  errorFor(what: string, cause: unknown): SessionStorageError {
    const told = typeof cause === 'object' && cause !== null ? this.reasonOf(cause) : cause;
    const reason = redactedText(String(told)).replace(/\.$/, '');
    return new SessionStorageError(`${this.server.place} could not ${what}: ${reason}.`, { cause });
  }

  /** Sends a statement over any connection of the pool. */
  protected async send(pool: Pool, statement: SqlStatement): Promise<SqlResult> {
    const client = await this.#connected(pool);
    try {
      const result = await this.exchange(client, statement);
      this.release(client);
      return result;
    } catch (error) {
      this.release(client, 'failed');
      throw error;
    }
  }

  async #sent(pool: Pool, statement: SqlStatement): Promise<SqlResult> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.send(pool, statement);
      } catch (error) {
        if (attempt === ATTEMPTS || !this.dialect.isConflict?.(error)) throw error;
      }
    }
  }

  /** On one connection, which is ended afterwards with all it holds. */
  async #migrate(pool: Pool, work: (run: SqlRun) => Promise<void>): Promise<void> {
    const client = await this.#connected(pool);
    const run: SqlRun = (sql, values) =>
      this.exchange(client, { sql, values }, MIGRATION_TIMEOUT_MS);
    try {
      await this.inTurn(run, () => work(run));
    } finally {
      this.release(client, 'ended');
    }
  }

  /** A pool of the app may have no limit of its own. A connection that comes late is given back. */
  #connected(pool: Pool): Promise<Client> {
    const waitsMs = this.waitsFor(pool);
    const connecting = this.connect(pool);
    return inTime(this.clock, waitsMs, connecting, () => {
      connecting.then(
        (client) => this.release(client),
        () => {},
      );
      return new Error(`timeout: the pool had no connection within ${waitsMs} ms`);
    });
  }
}
