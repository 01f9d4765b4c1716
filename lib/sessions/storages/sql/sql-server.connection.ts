import { LazyPromise } from '../../../core/concurrency/lazy-promise.js';
import { setTimer } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { InFlightCalls } from '../connection/in-flight-calls.js';
import { runSteps } from './sql.dialect.js';
import type {
  SqlConnection,
  SqlResult,
  SqlRun,
  SqlStatement,
  SqlSteps,
  SqlValue,
} from './sql.dialect.js';
import type { SqlServer } from './sql-server.js';

/** How often a statement is sent that the server has rolled back in favour of another. */
const ATTEMPTS = 5;
/** Milliseconds: to change a large table takes long, and must not be given up half-way. */
const MIGRATION_TIMEOUT_MS = 10 * 60 * 1000;

/**
 * The way to one database on a server, over a pool: connects when it is first needed. A lost
 * connection is replaced by the next call.
 */
export abstract class SqlServerConnection<Pool, Client> implements SqlConnection {
  readonly #pool = new LazyPromise(async () => this.listenedTo(await this.server.pool()));
  readonly #calls = new InFlightCalls();

  constructor(
    protected readonly server: SqlServer<Pool>,
    protected readonly clock: Clock,
  ) {}

  run(what: string, sql: string, values?: readonly SqlValue[]): Promise<SqlResult> {
    return this.#call(what, (pool) => this.#sent(pool, { sql, values }));
  }

  series<T>(what: string, work: (run: SqlRun) => Promise<T>): Promise<T> {
    return this.#call(what, (pool) => work((sql, values) => this.#sent(pool, { sql, values })));
  }

  look<T>(what: string, steps: () => SqlSteps<T>): Promise<T> {
    return this.series(what, (run) => runSteps(steps(), run));
  }

  /** On one connection, which is ended afterwards with all it holds. */
  migrate(what: string, steps: () => SqlSteps<void>): Promise<void> {
    return this.#call(what, async (pool) => {
      const client = await this.#connected(pool);
      try {
        await runSteps(this.inTurn(steps()), (sql, values) =>
          this.exchange(client, { sql, values }, MIGRATION_TIMEOUT_MS),
        );
      } finally {
        this.destroy(client);
      }
    });
  }

  async close(): Promise<void> {
    const opened = this.#pool.forget();
    await this.#calls.over();
    const pool = await opened;
    if (pool && this.server.isOurs) await this.end(pool);
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
  /** The same steps, once no other process migrates, and until the connection ends. */
  protected abstract inTurn(steps: SqlSteps<void>): SqlSteps<void>;
  /**
   * Whether the server has rolled back a statement in favour of another, so that it may succeed
   * when sent again: each is a transaction of its own.
   */
  protected abstract isConflict(error: unknown): boolean;
  /** What an error says, without what was sent. */
  protected abstract reasonOf(error: unknown): string;

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

  /** @throws {SessionStorageError} that says what could not be done, and where */
  #call<T>(what: string, work: (pool: Pool) => Promise<T>): Promise<T> {
    const call = this.#pool.get().then(work);
    return this.#calls.add(
      call.catch((cause: unknown) => {
        if (cause instanceof SessionStorageError) throw cause;
        const message = `${this.server.place} could not ${what}: ${this.reasonOf(cause)}.`;
        throw new SessionStorageError(message, { cause });
      }),
    );
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

  /** A pool of the app may have no limit of its own. A connection that comes late is given back. */
  #connected(pool: Pool): Promise<Client> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const waitsMs = this.waitsFor(pool);
      const connecting = this.connect(pool);
      const cancel = setTimer(this.clock, waitsMs, () => {
        isLate = true;
        reject(new Error(`timeout: the pool had no connection within ${waitsMs} ms`));
      });
      connecting.then(
        (client) => {
          cancel();
          if (isLate) this.release(client);
          else resolve(client);
        },
        (error: unknown) => {
          cancel();
          reject(error);
        },
      );
    });
  }
}
