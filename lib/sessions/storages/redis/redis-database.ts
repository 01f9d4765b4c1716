import { RedisConnection, RedisConnectionError } from '../../../core/redis/redis.connection.js';
import type { RedisServer, RedisTarget } from '../../../core/redis/redis.connection.js';
import { reasonOf } from '../../../core/redis/redis.driver.js';
import type { Clock } from '../../../core/time/clock.js';
import { MissingDriverError, SessionStorageError } from '../../sessions.errors.js';
import { ServerConnection } from '../connection/server.connection.js';

/** Milliseconds. */
const TIMEOUTS = { connection: 5_000, answer: 5_000 };

/** The Redis that a storage keeps its keys in. */
export class RedisDatabase extends ServerConnection<RedisServer> {
  readonly #place: string;
  readonly #connection: RedisConnection;

  /** @param prepare runs once per connection, before anything else */
  constructor(target: RedisTarget, clock: Clock, prepare: (server: RedisServer) => Promise<void>) {
    super(clock);
    this.#place = placeOf(target);
    this.#connection = new RedisConnection(target, {
      clock,
      timeouts: TIMEOUTS,
      reopensClient: true,
      prepare: (server) => this.explained('be prepared', () => prepare(server)),
    });
  }

  protected connected(): RedisServer | Promise<RedisServer> {
    return this.#connection.current ?? this.#connection.open();
  }

  protected connectedFor<T>(work: (server: RedisServer) => Promise<T>): Promise<T> {
    return this.#connection.inspect(work);
  }

  protected detach(): () => Promise<void> {
    return this.#connection.detach();
  }

  protected errorFor(what: string, cause: unknown): SessionStorageError {
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
