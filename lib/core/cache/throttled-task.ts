import { stopwatch } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';

const HOUR = 60 * 60 * 1000;

/** Work that a call occasions at most once an hour in a process, beside it. It opens no timer. */
export class ThrottledTask {
  readonly #elapsed: () => number;
  /** On the stopwatch. */
  #next = 0;

  constructor(clock: Clock) {
    this.#elapsed = stopwatch(clock);
  }

  /**
   * Begins the work when it is time. Never throws, and is not to be waited for: what fails is left
   * until an hour later.
   * @param work answers with true when there is more to do: the next call then goes on with it
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
