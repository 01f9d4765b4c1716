import type { Clock } from '../../../core/time/clock.js';
import { redactedText } from '../../../core/redaction.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { InFlightCalls } from '../connection/in-flight-calls.js';
import { retryOnDeadlock } from '../connection/retry-on-deadlock.js';
import { LazyPromise } from '../../../core/concurrency/lazy-promise.js';
import { PATIENCE, patient, whileOut } from './timeout-pool.js';
import type { PostgreSQLSource } from './timeout-pool.js';
import { codeOf, constructorOf, loadDriver } from './postgresql.driver.js';
import type {
  PostgreSQLClient,
  PostgreSQLPoolLike,
  PostgreSQLQuery,
  PostgreSQLResult,
} from './postgresql.driver.js';

/**
 * A server that cannot be reached, or does not answer, is waited for as long, in milliseconds; what
 * the app says comes first.
 */
const DEFAULTS = {
  ...PATIENCE,
  max: 10,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  allowExitOnIdle: true,
};
/**
 * For the one connection that holds locks. It is closed when none has been held for a while, and
 * keeps no process alive until then.
 */
const DEDICATED = { max: 1, min: 0, idleTimeoutMillis: 10_000, allowExitOnIdle: true };
/**
 * What a pooler in between answers when the statement was prepared on a connection of another of
 * its clients.
 */
const NOT_PREPARED = /^(?:26000|42P05)$/;
const DEADLOCK = '40P01';

/** A URL opens a pool of our own; a pool is used as it is, and left open. */
export type PostgreSQLTarget =
  | { readonly url: URL; readonly poolOptions: Readonly<Record<string, unknown>> }
  | { readonly pool: PostgreSQLPoolLike };

/**
 * The way to one database: connects when it is first needed. What is lost is made anew by the next
 * call.
 */
export class PostgreSQLConnection {
  readonly #place: string;
  /** The app's. */
  readonly #given: PostgreSQLSource | undefined;
  readonly #own = new LazyPromise(() => this.#make());
  readonly #dedicated = new LazyPromise(() => this.#make(DEDICATED));
  readonly #calls = new InFlightCalls();
  #prepares = true;

  constructor(
    private readonly target: PostgreSQLTarget,
    clock: Clock,
  ) {
    this.#place =
      'url' in target
        ? `PostgreSQL at ${target.url.host}${target.url.pathname}`
        : 'PostgreSQL of the given pool';
    this.#given = 'pool' in target ? patient(listenedTo(target.pool), clock) : undefined;
  }

  /**
   * @param what it is for, such as `load a session` @throws {SessionStorageError} that says so, and
   * where
   */
  query(
    what: string,
    statement: PostgreSQLQuery,
    values: readonly unknown[] = [],
  ): Promise<PostgreSQLResult> {
    return this.#call(what, (pool) =>
      retryOnDeadlock(isDeadlock, () => this.#send(pool, { ...statement, values })),
    );
  }

  /** Does `work` as a whole or not at all. @throws {SessionStorageError} */
  transaction<T>(what: string, work: (client: PostgreSQLClient) => Promise<T>): Promise<T> {
    return this.#call(what, async (pool) => {
      const client = await pool.connect();
      return inTransaction(client, () => work(client));
    });
  }

  /**
   * A connection beside the pool, so that who waits for a lock never keeps its holder from a
   * connection. One at a time.
   */
  async dedicated(): Promise<PostgreSQLClient> {
    return (await this.#dedicated.get()).connect();
  }

  /**
   * Closes what was opened here, after the calls that are under way. A later call opens it again.
   */
  async close(): Promise<void> {
    const pools = [this.#dedicated.forget(), this.#own.forget()];
    // A pool that is ended forgets those who wait for a connection.
    await this.#calls.over();
    await Promise.all(pools.map(async (pool) => (await pool)?.end()));
  }

  /** Without what was stored: the driver's error may quote a whole row. */
  errorFor(what: string, error: unknown): SessionStorageError {
    if (error instanceof SessionStorageError) return error;
    if (typeof error === 'object' && error !== null)
      for (const quote of ['detail', 'where']) Reflect.deleteProperty(error, quote);
    return new SessionStorageError(`${this.#place} could not ${what}: ${reasonOf(error)}.`, {
      cause: error,
    });
  }

  #call<T>(what: string, work: (pool: PostgreSQLSource) => Promise<T>): Promise<T> {
    const call = (this.#given ? Promise.resolve(this.#given) : this.#own.get()).then(work);
    return this.#calls.add(
      call.catch((error: unknown) => Promise.reject(this.errorFor(what, error))),
    );
  }

  async #send(pool: PostgreSQLSource, query: PostgreSQLQuery): Promise<PostgreSQLResult> {
    const { name, ...unnamed } = query;
    if (name === undefined || !this.#prepares) return pool.query(unnamed);
    try {
      return await pool.query(query);
    } catch (error) {
      if (!NOT_PREPARED.test(codeOf(error))) throw error;
      this.#prepares = false;
      return pool.query(unnamed);
    }
  }

  /** A pool of our own, of the kind that was given if one was. */
  async #make(more: object = {}): Promise<PostgreSQLPoolLike> {
    const Pool = 'pool' in this.target ? constructorOf(this.target.pool) : await loadDriver();
    return listenedTo(new Pool({ ...DEFAULTS, ...optionsOf(this.target), ...more }));
  }
}

function isDeadlock(error: unknown): boolean {
  return codeOf(error) === DEADLOCK;
}

function optionsOf(target: PostgreSQLTarget): object {
  if ('url' in target)
    return { ...target.poolOptions, connectionString: connectionStringOf(target.url) };
  const { options } = target.pool;
  // The pool hides its password from those who list what it has.
  return 'password' in options ? { ...options, password: options.password } : options;
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

/** To end the connection is to roll back, also where there is no connection any more. */
function inTransaction<T>(client: PostgreSQLClient, work: () => Promise<T>): Promise<T> {
  return whileOut(client, async () => {
    await client.query({ text: 'BEGIN' });
    const result = await work();
    await client.query({ text: 'COMMIT' });
    return result;
  });
}

function reasonOf(error: unknown): string {
  if (
    !(error instanceof Error) &&
    !(typeof error === 'object' && error !== null && 'message' in error)
  )
    return String(error);
  // Of several addresses that were tried the driver has no message, but a code.
  const reason = String(error.message) || codeOf(error) || 'unknown error';
  return redactedText(reason).replace(/\.$/, '');
}
