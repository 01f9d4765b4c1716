import type { PlatformLogger } from '../logger.js';
import type { Clock } from '../time/clock.js';
import { MemoryPacer } from './memory-pacer.js';
import { unpaced } from './pacer.js';
import type { Pacer } from './pacer.js';
import type { PacingOption } from './pacing-option.js';
import { RedisPacer } from './redis-pacer.js';

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
  // Loaded only with Redis: for a plain client it would cost more than all the rest.
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(`shopwright:pace:${accessToken}`).digest('hex').slice(0, 32);
}
