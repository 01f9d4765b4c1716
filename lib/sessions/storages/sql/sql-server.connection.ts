import { setTimer } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { EngineConnection } from '../connection/engine.connection.js';
import type { Preparation, Reached } from '../connection/engine.connection.js';
import type { SqlDatabase, SqlResult, SqlRun, SqlStatement } from './sql.dialect.js';
import type { SqlServer } from './sql-server.js';

/** How often a statement is sent that the server has rolled back in favour of another. */
const ATTEMPTS = 5;
/** Milliseconds: to change a large table takes long, and must not be given up half-way. */
const MIGRATION_TIMEOUT_MS = 10 * 60 * 1000;

/** The way to one database on a server, over a pool. A lost connection is replaced. */
export abstract class SqlServerConnection<Pool, Client, Engine> extends EngineConnection<
  SqlDatabase,
  Engine
> {
  constructor(
    protected readonly server: SqlServer<Pool>,
    clock: Clock,
    preparation: Preparation<SqlDatabase, Engine>,
  ) {
    super(clock, preparation);
  }

  /** Takes care of errors of the pool's idle connections, which would end the process. */
  protected abstract listenedTo(pool: Pool): Pool;
  protected abstract end(pool: Pool): Promise<unknown>;
  protected abstract connect(pool: Pool): Promise<Client>;
  /** Milliseconds that a call waits for a connection of the pool. */
  protected abstract waitsFor(pool: Pool): number;
  /**
   * Sends a statement and waits for the result.
   * @param migrationMs how long, where it changes tables
   */
  protected abstract exchange(
    client: Client,
    statement: SqlStatement,
    migrationMs?: number,
  ): Promise<SqlResult>;
  /** Gives a connection back to its pool. @param error what a statement over it failed with */
  protected abstract release(client: Client, error?: unknown): void;
  protected abstract destroy(client: Client): void;
  /** Does the work once no other process migrates, and until the connection ends. */
  protected abstract inTurn(run: SqlRun, work: () => Promise<void>): Promise<void>;
  /**
   * Whether the server has rolled back a statement in favour of another, so that it may succeed
   * when sent again: each is a transaction of its own.
   */
  protected abstract isConflict(error: unknown): boolean;
  /** What an error says, without what was sent. */
  protected abstract reasonOf(error: unknown): string;

  protected async reach(): Promise<Reached<SqlDatabase>> {
    const pool = this.listenedTo(await this.server.pool());
    const database: SqlDatabase = {
      run: (sql, values) => this.#sent(pool, { sql, values }),
      migrate: (work) => this.#migrate(pool, work),
    };
    const close = async (callsOver: Promise<void>): Promise<void> => {
      // A pool that ends answers nobody who still waits for a connection of it.
      await callsOver;
      if (this.server.isOurs) await this.end(pool);
    };
    return { server: database, close };
  }

  protected errorFor(what: string, cause: unknown): SessionStorageError {
    const message = `${this.server.place} could not ${what}: ${this.reasonOf(cause)}.`;
    return new SessionStorageError(message, { cause });
  }

  /** Sends a statement over any connection of the pool. */
  protected async send(pool: Pool, statement: SqlStatement): Promise<SqlResult> {
    const client = await this.#connected(pool);
    try {
      const result = await this.exchange(client, statement);
      this.release(client);
      return result;
    } catch (error) {
      this.release(client, error);
      throw error;
    }
  }

  /** Settles as `work` does in time. @param onTimeout answers with what it rejects with else */
  protected inTime<T>(ms: number, work: Promise<T>, onTimeout: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = setTimer(this.clock, ms, () => reject(onTimeout()));
      work.then(
        (result) => {
          cancel();
          resolve(result);
        },
        (error: unknown) => {
          cancel();
          reject(error);
        },
      );
    });
  }

  async #sent(pool: Pool, statement: SqlStatement): Promise<SqlResult> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.send(pool, statement);
      } catch (error) {
        if (attempt === ATTEMPTS || !this.isConflict(error)) throw error;
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
      this.destroy(client);
    }
  }

  /** A pool of the app may have no limit of its own. A connection that comes late is given back. */
  #connected(pool: Pool): Promise<Client> {
    const waitsMs = this.waitsFor(pool);
    const connecting = this.connect(pool);
    return this.inTime(waitsMs, connecting, () => {
      connecting.then(
        (client) => this.release(client),
        () => {},
      );
      return new Error(`timeout: the pool had no connection within ${waitsMs} ms`);
    });
  }
}
