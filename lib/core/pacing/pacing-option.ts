import type { RedisClientLike } from '../redis/redis.driver.js';

/**
 * Which calls share a bucket: those of this process (`'memory'`), or those of every process that
 * uses the same Redis (a URL, or a client of the `redis` package, which the app closes itself).
 * `false` turns pacing off.
 */
export type PacingOption = 'memory' | RedisPacing | false;

/** Calls of every process that uses the same Redis share a bucket. */
interface RedisPacing {
  readonly redis: string | RedisClientLike;
  /**
   * Names the app among those that use the same Redis: printable characters without spaces, not a
   * secret.
   * @default the app's client id; for a standalone client, a hash of its access token
   */
  readonly app?: string | undefined;
}

const APP_NAME = /^[\x21-\x7e]{1,200}$/;

/** True for a value that the option `pacing` may have. */
export function isPacingOption(value: unknown): value is PacingOption {
  if (value === 'memory' || value === false) return true;
  if (typeof value !== 'object' || value === null || !('redis' in value)) return false;
  const { redis, app } = value as { redis: unknown; app?: unknown };
  if (app !== undefined && !(typeof app === 'string' && APP_NAME.test(app))) return false;
  if (typeof redis === 'string')
    return URL.canParse(redis) && /^rediss?:$/.test(new URL(redis).protocol);
  return isClient(redis);
}

/** True for a client of one server: a cluster's `sendCommand` takes other arguments. */
function isClient(value: unknown): value is RedisClientLike {
  if (typeof value !== 'object' || value === null || 'masters' in value) return false;
  const client = value as Readonly<Record<string, unknown>>;
  const methods = ['connect', 'sendCommand', 'on', 'listenerCount'];
  return (
    typeof client['isOpen'] === 'boolean' &&
    methods.every((method) => typeof client[method] === 'function')
  );
}
