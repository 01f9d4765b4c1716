import type { PlatformLogger } from '../logger.js';
import type { Clock } from '../time/clock.js';
import { MemoryPacer } from './memory-pacer.js';
import { loadPacer } from './loaded-pacer.js';
import { PacerOnDemand, unpaced } from './pacer.js';
import type { Pacer } from './pacer.js';
import type { PacingOption } from './pacing-option.js';

/** Creates the pacer of an app. It opens no connection before its first use. */
export function createPacer(option: PacingOption, clock: Clock, logger?: PlatformLogger): Pacer {
  if (option === false) return unpaced;
  if (option === 'memory') return new MemoryPacer(clock);
  return new PacerOnDemand(() => loadPacer(option, clock, logger));
}
