import type { RedisClientLike } from '../../../core/redis/redis.driver.js';
import { EngineSessionStorage } from '../connection/engine-session.storage.js';
import { serverUrl } from '../connection/given-server.js';
import { redisEngine } from './redis-engine.js';
import type { RedisSessionStorageOptions } from './redis-engine.js';

export type { RedisSessionStorageOptions };

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
export class RedisSessionStorage extends EngineSessionStorage {
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
    const url = serverUrl('redis', host, String(db), username, password);
    return new RedisSessionStorage(url, options);
  }

  /**
   * @param server `redis://…` or `rediss://…`; or a client of the driver, connected or not, which
   * is left open
   * @throws {MissingRequiredArgument} when it is no such thing, or a client with options of the
   * driver
   */
  constructor(server: string | URL | RedisClientLike, options: RedisSessionStorageOptions = {}) {
    super(redisEngine(server, options));
  }
}
