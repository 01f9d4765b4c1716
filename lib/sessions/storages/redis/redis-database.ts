import { RedisConnection, RedisConnectionError } from '../../../core/redis/redis.connection.js';
import type { RedisServer, RedisTarget } from '../../../core/redis/redis.connection.js';
import { reasonOf } from '../../../core/redis/redis.driver.js';
import type { Clock } from '../../../core/time/clock.js';
import { MissingDriverError, SessionStorageError } from '../../sessions.errors.js';
import { InFlightCalls, closeAfter } from '../connection/in-flight-calls.js';

/** Milliseconds. */
const TIMEOUTS = { connection: 5_000, answer: 5_000 };

/** The Redis that a storage keeps its keys in. It is connected to, and prepared, on first use. */
export class RedisDatabase {
  readonly #place: string;
  readonly #calls = new InFlightCalls();
  readonly #connection: RedisConnection;

  /** @param prepare runs once per connection, before anything else */
  constructor(
    target: RedisTarget,
    private readonly clock: Clock,
    prepare: (server: RedisServer) => Promise<void>,
  ) {
    this.#place = placeOf(target);
    this.#connection = new RedisConnection(target, {
      clock,
      timeouts: TIMEOUTS,
      reopensClient: true,
      prepare: (server) => this.#explained('be prepared', () => prepare(server)),
    });
  }

  /**
   * Runs `work` once the server is reached and prepared.
   * @throws {SessionStorageError} that says what could not be done, and where
   */
  run<T>(what: string, work: (server: RedisServer) => Promise<T>): Promise<T> {
    return this.#calls.add(
      this.#explained(what, async () =>
        work(this.#connection.current ?? (await this.#connection.open())),
      ),
    );
  }

  /** The same with nothing prepared: to look at what is there. */
  inspect<T>(what: string, work: (server: RedisServer) => Promise<T>): Promise<T> {
    return this.#calls.add(this.#explained(what, () => this.#connection.inspect(work)));
  }

  /** Resolves when the server is reached and prepared. */
  async open(): Promise<void> {
    await this.run('be opened', async () => {});
  }

  /**
   * Closes a client of our own after the calls in flight, and waits for that five seconds at most.
   * A later call opens another.
   */
  close(): Promise<void> {
    return closeAfter(this.#calls.over(), () => this.#connection.close(), this.clock);
  }

  async #explained<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof SessionStorageError) throw cause;
      throw this.#errorFor(what, cause);
    }
  }

  #errorFor(what: string, cause: unknown): SessionStorageError {
    if (!(cause instanceof RedisConnectionError))
      return new SessionStorageError(`${this.#place} could not ${what}: ${reasonOf(cause)}.`, {
        cause,
      });
    if (cause.step === 'driver')
      return new MissingDriverError(`Redis storage cannot be used: ${cause.message}`, { cause });
    const verb = cause.step === 'options' ? 'be used' : 'be reached';
    return new SessionStorageError(`${this.#place} could not ${verb}: ${cause.message}.`, {
      cause: cause.cause,
    });
  }
}

/** Where the server is, without credentials. */
function placeOf(target: RedisTarget): string {
  if (target.kind === 'client') return 'Redis of the given client';
  const { host, pathname } = new URL(target.url);
  return `Redis at ${host}${pathname}`;
}
