import { Clock } from '../../lib/core/time/clock.js';

/**
 * Pauses up to this long, in milliseconds, are cut short; what is longer is a limit, and lasts as
 * long as it says.
 */
const LONGEST_PAUSE = 1_000;

/** In the time of another clock, with pauses that take a hundredth of theirs. */
export class HurriedClock extends Clock {
  constructor(private readonly clock: Pick<Clock, 'now' | 'sleep'>) {
    super();
  }

  now(): Date {
    return this.clock.now();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.clock.sleep(ms > LONGEST_PAUSE ? ms : ms / 100, signal);
  }
}
