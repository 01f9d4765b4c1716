import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { RedisConnection, RedisConnectionError } from '../../../core/redis/redis.connection.js';
import type { RedisServer, RedisTarget } from '../../../core/redis/redis.connection.js';
import { reasonOf } from '../../../core/redis/redis.driver.js';
import type { RedisClientLike } from '../../../core/redis/redis.driver.js';
import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import { MissingDriverError, SessionStorageError } from '../../sessions.errors.js';
import type { EngineTables, StorageEngine } from '../connection/engine-session.storage.js';
import type { Reached } from '../connection/engine.connection.js';
import { serverIn } from '../connection/given-server.js';
import type { GivenServer, ServerKind } from '../connection/given-server.js';
import { applyPending, pendingIn } from '../connection/pending-migrations.js';
import { RedisKeys } from './redis-keys.js';
import { redisRecords } from './redis-record.store.js';
import { migrationsOf, notesIn } from './redis.migrations.js';
import { RedisSessions } from './redis-sessions.js';

/** Milliseconds. */
const TIMEOUTS = { connection: 5_000, answer: 5_000 };
const SERVER: ServerKind<RedisClientLike> = {
  name: 'Redis',
  urls: /^rediss?:/,
  example: 'redis://localhost:6379',
  noun: 'client',
  clientIn: (given) =>
    typeof (given as RedisClientLike).sendCommand === 'function'
      ? (given as RedisClientLike)
      : undefined,
};

/**
 * Every option but these is one of the driver's `createClient`, such as `socket` or `name`; beside
 * a client there can be none.
 */
export interface RedisSessionStorageOptions {
  /** @default the one the official storage uses, whose data is read as it is */
  readonly sessionKeyPrefix?: string | undefined;
  /** Called when the connection fails. @default nothing: the calls fail with the reason */
  readonly onError?: ((error: Error) => void) | undefined;
  /** @default the system's clock */
  readonly clock?: Clock | undefined;
  readonly socket?: object | undefined;
  /** Taken, and without effect, as in the official storage. */
  readonly migratorOptions?: unknown;
  readonly [clientOption: string]: unknown;
}

/** The keys of one prefix in a Redis. */
export class RedisEngine implements StorageEngine<RedisServer> {
  readonly clock: Clock;
  readonly place = 'Redis';
  readonly #keys: RedisKeys;
  readonly #server: GivenServer<RedisClientLike>;
  readonly #target: RedisTarget;

  /**
   * @throws {MissingRequiredArgument} when `given` is neither a URL nor a client, or a client with
   * options of the driver
   */
  constructor(given: unknown, options: RedisSessionStorageOptions) {
    const { sessionKeyPrefix = SESSION_TABLES.sessions, clock = systemClock, ...rest } = options;
    const { onError, migratorOptions: _, ...clientOptions } = rest;
    const server = serverIn(given, SERVER);
    const [option] = Object.keys(clientOptions);
    if (server.client && option !== undefined)
      throw new MissingRequiredArgument(
        `Redis storage takes a client with its own options: "${option}" belongs in createClient().`,
      );
    this.clock = clock;
    this.#keys = new RedisKeys(sessionKeyPrefix);
    this.#server = server;
    this.#target = server.client
      ? { kind: 'client', client: server.client }
      : { kind: 'url', url: server.url!.href, clientOptions, onError };
  }

  async reach(): Promise<Reached<RedisServer>> {
    const connection = new RedisConnection(this.#target, {
      clock: this.clock,
      timeouts: TIMEOUTS,
      reopensClient: true,
    });
    return {
      server: await connection.open(),
      close: () => connection.close(),
      isLost: () => connection.current === undefined,
    };
  }

  async prepare(server: RedisServer): Promise<EngineTables> {
    const sessions = new RedisSessions(server, this.#keys);
    await applyPending(notesIn(server, this.#keys), migrationsOf(server, this.#keys, sessions));
    return { sessions, records: redisRecords(server, this.#keys, this.clock) };
  }

  async missing(server: RedisServer): Promise<string[]> {
    const migrations = migrationsOf(server, this.#keys, new RedisSessions(server, this.#keys));
    const pending = await pendingIn(notesIn(server, this.#keys), migrations);
    return pending.map(([id]) => `migration ${id}`);
  }

  errorFor(what: string, cause: unknown): SessionStorageError {
    const { place } = this.#server;
    if (!(cause instanceof RedisConnectionError))
      return new SessionStorageError(`${place} could not ${what}: ${reasonOf(cause)}.`, { cause });
    if (cause.step === 'driver')
      return new MissingDriverError(`Redis storage cannot be used: ${cause.message}`, { cause });
    const verb = cause.step === 'options' ? 'be used' : 'be reached';
    return new SessionStorageError(`${place} could not ${verb}: ${cause.message}.`, {
      cause: cause.cause,
    });
  }
}
