import type { Clock } from '../clock.js';
import type { PlatformLogger } from '../logger.js';
import { MemoryPacer } from './memory.pacer.js';
import { unpaced } from './pacer.js';
import type { Pacer } from './pacer.js';
import { RedisPacer } from './redis.pacer.js';
import type { RedisLike } from './redis.link.js';

/**
 * Who shares a bucket: the calls of this process (`'memory'`), of every process that uses the same Redis (a URL, or a client of the
 * `redis` package, which stays the app's own), or nobody (`false`: calls are sent at once).
 */
export type PacingOption = 'memory' | { readonly redis: string | RedisLike } | false;

export function isPacingOption(value: unknown): value is PacingOption {
  if (value === 'memory' || value === false) return true;
  if (typeof value !== 'object' || value === null || !('redis' in value)) return false;
  const { redis } = value;
  if (typeof redis === 'string') return URL.canParse(redis) && /^rediss?:$/.test(new URL(redis).protocol);
  return typeof redis === 'object' && redis !== null && 'evalSha' in redis && typeof redis.evalSha === 'function';
}

/** Makes the pacer an option asks for. Opens nothing before its first use. */
export function createPacer(option: PacingOption, clock: Clock, logger?: PlatformLogger): Pacer {
  if (option === false) return unpaced;
  return option === 'memory' ? new MemoryPacer(clock) : new RedisPacer({ redis: option.redis, clock, logger });
}
