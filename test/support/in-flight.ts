import type { Clock } from '../../lib/core/time/clock.js';
import { InFlight } from '../../lib/core/concurrency/in-flight.js';
import type { PlatformLogger } from '../../lib/core/logger.js';

/**
 * What an app without a resolver has in flight; a shutdown waits 25 s for it unless `limit` says
 * otherwise.
 */
export function inFlightOf(clock: Clock, logger: PlatformLogger, limit: number = 25_000): InFlight {
  return new InFlight({ clock, logger, limit });
}
