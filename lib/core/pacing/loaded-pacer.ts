import { textDigest } from '../crypto/text-digest.js';
import type { PlatformLogger } from '../logger.js';
import type { Clock } from '../time/clock.js';
import { MemoryPacer } from './memory-pacer.js';
import type { Pacer } from './pacer.js';
import type { PacingOption } from './pacing-option.js';

/**
 * Loads the pacer of an option; the one that shares buckets over Redis is a file of its own.
 * @param appName the name of the app when neither the option nor a call gives one
 */
export async function loadPacer(
  option: Exclude<PacingOption, false>,
  clock: Clock,
  logger?: PlatformLogger,
  appName?: () => Promise<string>,
): Promise<Pacer> {
  if (option === 'memory') return new MemoryPacer(clock);
  const { redis, app } = option;
  const { RedisPacer } = await import('./redis-pacer.js');
  return new RedisPacer({ redis, app: app ?? appName, clock, logger });
}

/** A name for an app that is derived from its access token and does not reveal it. */
export async function nameByToken(accessToken: string): Promise<string> {
  return (await textDigest('SHA-256', `shopwright:pace:${accessToken}`)).slice(0, 32);
}
