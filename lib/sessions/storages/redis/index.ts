/**
 * Sessions in Redis. Needs the optional dependency `redis`.
 * @module shopwright/sessions/redis
 */
export { MissingDriverError, SessionStorageError } from '../../sessions.errors.js';
export { RedisSessionStorage } from './redis-session.storage.js';
export type { RedisSessionStorageOptions } from './redis-session.storage.js';
export type { RedisClientLike } from '../../../core/redis/redis.driver.js';
