import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { isRecord } from '../../../core/json.js';
import { RedisConnection, RedisConnectionError } from '../../../core/redis/redis.connection.js';
import type { RedisServer, RedisTarget } from '../../../core/redis/redis.connection.js';
import { reasonOf } from '../../../core/redis/redis.driver.js';
import type { RedisClientLike } from '../../../core/redis/redis.driver.js';
import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import { MissingDriverError, SessionStorageError } from '../../sessions.errors.js';
import type { StorageEngine } from '../connection/engine-session.storage.js';
import { serverIn } from '../connection/given-server.js';
import type { ServerKind } from '../connection/given-server.js';
import { applyPending, pendingIn } from '../connection/pending-migrations.js';
import type { NotedMigrations } from '../connection/pending-migrations.js';
import { redisKeys } from './redis-keys.js';
import type { RedisKeys } from './redis-keys.js';
import { redisRecords } from './redis-record.store.js';
import { jsonIn, redisSessions } from './redis-sessions.js';
import type { RedisSessions } from './redis-sessions.js';

/**
 * What the official storage calls making the lists. It runs it on every key of the server unless
 * this is noted.
 */
const OFFICIAL = 'migrateToVersion1_0_1';
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
export function redisEngine(
  given: unknown,
  {
    sessionKeyPrefix = SESSION_TABLES.sessions,
    clock = systemClock,
    onError,
    migratorOptions: _,
    ...clientOptions
  }: RedisSessionStorageOptions,
): StorageEngine<RedisServer> {
  const { place, client, url } = serverIn(given, SERVER);
  const [option] = Object.keys(clientOptions);
  if (client && option !== undefined)
    throw new MissingRequiredArgument(
      `Redis storage takes a client with its own options: "${option}" belongs in createClient().`,
    );
  const keys = redisKeys(sessionKeyPrefix);
  const target: RedisTarget = client
    ? { kind: 'client', client }
    : { kind: 'url', url: url!.href, clientOptions, onError };

  return {
    clock,
    place: 'Redis',
    async reach() {
      const options = { clock, timeouts: TIMEOUTS, reopensClient: true };
      const connection = new RedisConnection(target, options);
      return {
        server: await connection.open(),
        close: () => connection.close(),
        isLost: () => connection.current === undefined,
      };
    },
    async prepare(server) {
      const sessions = redisSessions(server, keys);
      await applyPending(...migrationsOf(server, keys, sessions));
      return { sessions, records: redisRecords(server, keys) };
    },
    async missing(server) {
      const pending = await pendingIn(...migrationsOf(server, keys, redisSessions(server, keys)));
      return pending.map(([id]) => `migration ${id}`);
    },
    errorFor(what, cause) {
      if (!(cause instanceof RedisConnectionError))
        return new SessionStorageError(`${place} could not ${what}: ${reasonOf(cause)}.`, {
          cause,
        });
      const { message, step, cause: reason } = cause;
      if (step === 'driver')
        return new MissingDriverError(`Redis storage cannot be used: ${message}`, { cause });
      const verb = step === 'options' ? 'be used' : 'be reached';
      return new SessionStorageError(`${place} could not ${verb}: ${message}.`, { cause: reason });
    },
  };
}

/**
 * From the keys of any earlier version, ours or official, to the current layout. Each does no harm
 * when it is done twice or by several processes at once, so that none has to wait.
 */
function migrationsOf(
  server: RedisServer,
  keys: RedisKeys,
  sessions: RedisSessions,
): NotedMigrations {
  const { migrations, officialMigrations } = keys;
  const noted = async () => ((await server.send('SMEMBERS', migrations)) ?? []) as unknown[];
  const noteOfficial = async (): Promise<unknown> => {
    const record = jsonIn(await server.send('GET', officialMigrations));
    const text = JSON.stringify({ ...(isRecord(record) && record), [OFFICIAL]: true });
    return server.send('SET', officialMigrations, text);
  };
  return [
    { read: noted, add: (id) => server.send('SADD', migrations, id) },
    [
      ['shop-lists', () => sessions.listAll()],
      ['official-record', noteOfficial],
    ],
  ];
}
