import { textDigest } from '../crypto/text-digest.js';
import type { PlatformLogger } from '../logger.js';
import type { Clock } from '../time/clock.js';
import { MemoryPacer } from './memory-pacer.js';
import { PacerOnDemand, unpaced } from './pacer.js';
import type { Pacer } from './pacer.js';
import type { PacingOption, RedisPacing } from './pacing-option.js';

/** Creates the pacer of an option. It opens no connection before its first use. */
export function createPacer(option: PacingOption, clock: Clock, logger?: PlatformLogger): Pacer {
  if (option === false) return unpaced;
  if (option === 'memory') return new MemoryPacer(clock);
  return new PacerOnDemand(() => loadRedisPacer(option, clock, logger));
}

/**
 * Loads the pacer that shares buckets over Redis.
 * @param appName the name of the app when neither the option nor a call gives one
 */
export async function loadRedisPacer(
  { redis, app }: RedisPacing,
  clock: Clock,
  logger?: PlatformLogger,
  appName?: () => Promise<string>,
): Promise<Pacer> {
  const { RedisPacer } = await import('./redis-pacer.js');
  return new RedisPacer({ redis, app: app ?? appName, clock, logger });
}

/** A name for an app that is derived from its access token and does not reveal it. */
export async function nameByToken(accessToken: string): Promise<string> {
  return (await textDigest('SHA-256', `shopwright:pace:${accessToken}`)).slice(0, 32);
}
