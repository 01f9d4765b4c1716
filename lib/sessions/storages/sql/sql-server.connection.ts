import { LazyPromise } from '../../../core/concurrency/lazy-promise.js';
import type { SessionStorageError } from '../../sessions.errors.js';
import { InFlightCalls } from '../connection/in-flight-calls.js';
import type { SqlConnection, SqlResult, SqlRun, SqlValue } from './sql.dialect.js';

/** How often a statement is sent that the server has rolled back in favour of another. */
const ATTEMPTS = 5;

/**
 * The way to one database on a server, over a pool: connects when it is first needed. A lost
 * connection is replaced by the next call.
 */
export abstract class SqlServerConnection<Pool> implements SqlConnection {
  readonly #pool = new LazyPromise(() => this.open());
  readonly #calls = new InFlightCalls();

  run(what: string, sql: string, values?: readonly SqlValue[]): Promise<SqlResult> {
    return this.call(what, (pool) => this.#sent(pool, sql, values));
  }

  series<T>(what: string, work: (run: SqlRun) => Promise<T>): Promise<T> {
    return this.call(what, (pool) => work((sql, values) => this.#sent(pool, sql, values)));
  }

  /** Closes what was opened here, after the calls in progress. A later call opens it again. */
  async close(): Promise<void> {
    const opened = this.#pool.forget();
    await this.#calls.over();
    const pool = await opened;
    if (pool) await this.end(pool);
  }

  /**
   * Works with the pool.
   * @throws {SessionStorageError} that says what it could not do, and where
   */
  protected call<T>(what: string, work: (pool: Pool) => Promise<T>): Promise<T> {
    const call = this.#pool.get().then(work);
    return this.#calls.add(
      call.catch((error: unknown) => Promise.reject(this.errorFor(what, error))),
    );
  }

  protected abstract open(): Promise<Pool>;
  /** Ends a pool that was opened here; nothing else. */
  protected abstract end(pool: Pool): Promise<unknown>;
  protected abstract send(
    pool: Pool,
    sql: string,
    values: readonly SqlValue[] | undefined,
  ): Promise<SqlResult>;
  /**
   * Whether the server has rolled back a statement in favour of another, so that it may succeed
   * when sent again: each is a transaction of its own.
   */
  protected abstract isConflict(error: unknown): boolean;
  protected abstract errorFor(what: string, error: unknown): SessionStorageError;

  async #sent(
    pool: Pool,
    sql: string,
    values: readonly SqlValue[] | undefined,
  ): Promise<SqlResult> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.send(pool, sql, values);
      } catch (error) {
        if (attempt === ATTEMPTS || !this.isConflict(error)) throw error;
      }
    }
  }
}
