import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import type { RedisServer, RedisTarget } from '../../../core/redis/redis.connection.js';
import type { RedisClientLike } from '../../../core/redis/redis.driver.js';
import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { coordinationOver } from '../../coordination/coordination-stores.js';
import type { CoordinationStores } from '../../coordination/coordination-stores.js';
import type { RecordStore } from '../../coordination/record.store.js';
import { RedisDatabase } from './redis-database.js';
import { RedisKeys } from './redis-keys.js';
import { RedisRecordStore } from './redis-record.store.js';
import { migrate, missingMigrations } from './redis.migrations.js';
import { RedisSessions } from './redis-sessions.js';

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

/**
 * Keeps sessions in Redis, for any number of processes. Needs the optional dependency `redis`. Not
 * for a cluster.
 *
 * It connects, and brings its keys to the current shape, on first use; what fails then, and a
 * connection that is lost, is tried again by the next call. Every method throws
 * {@link SessionStorageError} when the server cannot be used, within seconds, and
 * {@link MissingDriverError} without `redis`. Sessions never expire by themselves; to list them, or
 * delete expired ones, looks at every key of the server.
 * @example new RedisSessionStorage('rediss://user:password@redis.example.com/0')
 */
export class RedisSessionStorage extends RedisSessions {
  /**
   * The same for a server whose parts are known. `host` may have a port; `db` is the number of the
   * database.
   */
  static withCredentials(
    host: string,
    db: number,
    username: string,
    password: string,
    options: RedisSessionStorageOptions = {},
  ): RedisSessionStorage {
    const [user, secret] = [username, password].map(encodeURIComponent);
    return new RedisSessionStorage(`redis://${user}:${secret}@${host}/${db}`, options);
  }

  override readonly companions: CoordinationStores;
  /** What the companions are kept in. */
  readonly records: RecordStore;
  readonly #database: RedisDatabase;

  /**
   * @param server `redis://…` or `rediss://…`; or a client of the driver, connected or not, which
   * is left open
   * @throws {MissingRequiredArgument} when it is no such thing, or a client with options of the
   * driver
   */
  constructor(server: string | URL | RedisClientLike, options: RedisSessionStorageOptions = {}) {
    const { sessionKeyPrefix = SESSION_TABLES.sessions, clock = systemClock, ...rest } = options;
    super(new RedisKeys(sessionKeyPrefix));
    this.#database = new RedisDatabase(targetOf(server, rest), clock, (reached) =>
      migrate(reached, this.keys, () => this.listAll(reached)),
    );
    this.records = new RedisRecordStore(this.#database, this.keys, clock);
    this.companions = coordinationOver(this.records);
  }

  /** Resolves when the server is reached and the keys have their shape; connects if need be. */
  get ready(): Promise<void> {
    return this.#database.open();
  }

  override async verify(): Promise<void> {
    const missing = await this.#database.inspect('be verified', (server) =>
      missingMigrations(server, this.keys),
    );
    if (missing.length === 0) return;
    throw new SessionStorageError(
      `The sessions in Redis lack these migrations: ${missing.join(', ')}. The storage's first use runs them; await its "ready".`,
    );
  }

  /**
   * Closes the connection, unless a client was given, after the calls under way (five seconds at
   * most). A later call opens another.
   */
  override close(): Promise<void> {
    return this.#database.close();
  }

  /** The same as {@link close}, by the name the official storages have. */
  disconnect(): Promise<void> {
    return this.close();
  }

  protected run<T>(what: string, work: (server: RedisServer) => Promise<T>): Promise<T> {
    return this.#database.run(what, work);
  }
}

function targetOf(
  server: string | URL | RedisClientLike,
  options: RedisSessionStorageOptions,
): RedisTarget {
  const { onError, migratorOptions: _, ...clientOptions } = options;
  if (typeof server === 'string' || server instanceof URL) {
    if (URL.canParse(server) && /^rediss?:$/.test(new URL(server).protocol))
      return { kind: 'url', url: new URL(server).href, clientOptions, onError };
  } else if (typeof server?.sendCommand === 'function') {
    const [option] = Object.keys(clientOptions);
    if (option === undefined) return { kind: 'client', client: server };
    throw new MissingRequiredArgument(
      `Redis storage takes a client with its own options: "${option}" belongs in createClient().`,
    );
  }
  throw new MissingRequiredArgument(
    'Redis storage needs a URL, such as "redis://localhost:6379", or a client of the driver.',
  );
}
