import { stopwatch } from '../time/clock.js';
import type { Clock } from '../time/clock.js';

const HOUR = 60 * 60 * 1000;

/**
 * Housekeeping that is triggered by calls, which do not wait for it: at most once an hour in a
 * process, without a timer.
 */
export class ThrottledTask {
  readonly #elapsed: () => number;
  /** On the stopwatch. */
  #next = 0;

  constructor(clock: Clock) {
    this.#elapsed = stopwatch(clock);
  }

  /**
   * Starts the work when it is due. Never throws; work that fails is due again in an hour.
   * @param work resolves to true when there is more to do: the next call then continues it
   */
  maybeRun(work: () => Promise<boolean>): void {
    const now = this.#elapsed();
    if (now < this.#next) return;
    this.#next = now + HOUR;
    work().then(
      (isMore) => {
        if (isMore) this.#next = now;
      },
      () => {},
    );
  }
}
