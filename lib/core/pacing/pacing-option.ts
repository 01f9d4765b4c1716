import type { Clock } from '../time/clock.js';
import type { PlatformLogger } from '../logger.js';
import { MemoryPacer } from './memory-pacer.js';
import { unpaced } from './pacer.js';
import type { Pacer } from './pacer.js';
import { RedisPacer } from './redis-pacer.js';
import type { RedisClientLike } from '../redis/redis.driver.js';

/**
 * Who shares a bucket: the calls of this process (`'memory'`), of every process that uses the same
 * Redis (a URL, or a client of the `redis` package, which stays the app's own), or nobody (`false`:
 * calls are sent at once).
 */
export type PacingOption =
  | 'memory'
  | {
      readonly redis: string | RedisClientLike;
      /**
       * Names the app among those that use the same Redis: printable characters without spaces, no
       * secret.
       * @default the app's client id; for a client that stands alone, a hash of its access token
       */
      readonly app?: string | undefined;
    }
  | false;

const APP_NAME = /^[\x21-\x7e]{1,200}$/;

export function isPacingOption(value: unknown): value is PacingOption {
  if (value === 'memory' || value === false) return true;
  if (typeof value !== 'object' || value === null || !('redis' in value)) return false;
  const { redis, app } = value as { redis: unknown; app?: unknown };
  if (app !== undefined && !(typeof app === 'string' && APP_NAME.test(app))) return false;
  if (typeof redis === 'string')
    return URL.canParse(redis) && /^rediss?:$/.test(new URL(redis).protocol);
  return (
    typeof redis === 'object' &&
    redis !== null &&
    'sendCommand' in redis &&
    typeof redis.sendCommand === 'function'
  );
}

/**
 * Makes the pacer an option asks for. Opens nothing before its first use.
 * @param appName what the app is called when neither the option nor its calls say
 */
export function createPacer(
  option: PacingOption,
  clock: Clock,
  logger?: PlatformLogger,
  appName?: () => Promise<string>,
): Pacer {
  if (option === false) return unpaced;
  if (option === 'memory') return new MemoryPacer(clock);
  const { redis, app = appName } = option;
  return new RedisPacer({ redis, app, clock, logger });
}

/** Names an app by its access token, in a way that does not lead back to it. */
export async function nameByToken(accessToken: string): Promise<string> {
  // Loaded by those who use Redis alone: for a plain client it would cost more than all the rest.
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(`shopwright:pace:${accessToken}`).digest('hex').slice(0, 32);
}
