import { Clock } from '../../lib/core/time/clock.js';

/**
 * Stands still until someone sleeps. A sleep is over at once and moves the time on, except for one
 * that is longer than `patience`: that never ends by itself, like the deadline of a call that is
 * answered in time.
 */
export class ManualClock extends Clock {
  /** What was slept to the end, in milliseconds. */
  readonly slept: number[] = [];
  time = Date.UTC(2026, 0, 1);

  constructor(private readonly patience = 29_999) {
    super();
  }

  now(): Date {
    return new Date(this.time);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (ms > this.patience) {
      return new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
      );
    }
    this.slept.push(ms);
    this.time += ms;
    return Promise.resolve();
  }
}
