import { Clock } from '../../../lib/core/time/clock.js';

/**
 * Time that passes only while everybody sleeps: the earliest sleeper wakes next, after all work
 * that was due has been done.
 */
export class VirtualClock extends Clock {
  #time = Date.UTC(2026, 0, 1);
  #sleepers: { at: number; readonly wake: () => void }[] = [];
  #isRunning = false;

  get time(): number {
    return this.#time;
  }

  get sleepers(): number {
    return this.#sleepers.length;
  }

  now(): Date {
    return new Date(this.#time);
  }

  /** Sets the clock, by milliseconds; who sleeps does not notice. */
  set(by: number): void {
    this.#time += by;
    for (const sleeper of this.#sleepers) sleeper.at += by;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const sleeper = { at: this.#time + ms, wake: resolve };
      const place = this.#sleepers.findIndex(({ at }) => at > sleeper.at);
      this.#sleepers.splice(place < 0 ? this.#sleepers.length : place, 0, sleeper);
      signal?.addEventListener(
        'abort',
        () => {
          this.#sleepers = this.#sleepers.filter((one) => one !== sleeper);
          reject(signal.reason);
        },
        { once: true },
      );
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#sleepers.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.#sleepers.shift();
      if (!next) break;
      this.#time = Math.max(this.#time, next.at);
      next.wake();
    }
    this.#isRunning = false;
  }
}
