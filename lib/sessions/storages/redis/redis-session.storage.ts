import type { RedisClientLike } from '../../../core/redis/redis.driver.js';
import { EngineSessionStorage } from '../connection/engine-session.storage.js';
import { serverUrl } from '../connection/given-server.js';
import type { Credentials } from '../connection/given-server.js';
import { redisEngine } from './redis-engine.js';
import type { RedisSessionStorageOptions } from './redis-engine.js';

export type { RedisSessionStorageOptions };

/**
 * Keeps sessions in Redis, for any number of processes. Needs the optional dependency `redis`. Not
 * for a cluster. Sessions never expire by themselves; to list them, or the records beside them, or
 * to delete expired ones, looks at every key of the server.
 * @example new RedisSessionStorage('rediss://user:password@redis.example.com/0')
 */
export class RedisSessionStorage extends EngineSessionStorage {
  /** The same for a server whose parts are known. `host` may have a port. */
  static withCredentials(
    ...parts: Credentials<RedisSessionStorageOptions, number>
  ): RedisSessionStorage {
    return new RedisSessionStorage(serverUrl('redis', parts), parts[4]);
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
