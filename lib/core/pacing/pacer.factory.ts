import type { PlatformLogger } from '../logger.js';
import type { Clock } from '../time/clock.js';
import { MemoryPacer } from './memory-pacer.js';
import { unpaced } from './pacer.js';
import type { Pacer } from './pacer.js';
import type { PacingOption } from './pacing-option.js';
import { RedisPacer } from './redis-pacer.js';

/**
 * Creates the pacer of an option. It opens no connection before its first use.
 * @param appName the name of the app when neither the option nor a call gives one
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

/** A name for an app that is derived from its access token and does not reveal it. */
export async function nameByToken(accessToken: string): Promise<string> {
  // Imported only with Redis: for a plain client this import costs more than everything else.
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(`shopwright:pace:${accessToken}`).digest('hex').slice(0, 32);
}
