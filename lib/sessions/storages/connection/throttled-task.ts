import { stopwatch } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';

const HOUR = 60 * 60 * 1000;

/** Background work that calls start at most once an hour in a process. It opens no timer. */
export class ThrottledTask {
  readonly #elapsed: () => number;
  /** On the stopwatch. */
  #next = 0;

  constructor(clock: Clock) {
    this.#elapsed = stopwatch(clock);
  }

  /**
   * Starts the work when it is due. Never throws, and is not awaited: work that fails is tried
   * again an hour later.
   * @param work returns true when there is more to do: the next call then continues
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
