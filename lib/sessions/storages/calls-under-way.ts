import { setAlarm } from '../../core/clock.js';
import type { Clock } from '../../core/clock.js';

/** How long who closes waits for calls under way, in milliseconds. */
const PATIENCE = 5_000;

/** Calls that need what is to be closed. */
export class CallsUnderWay {
  readonly #calls = new Set<Promise<unknown>>();

  constructor(private readonly clock: Clock) {}

  /** Settles as the call does. */
  add<T>(call: Promise<T>): Promise<T> {
    const added = call.finally(() => this.#calls.delete(added));
    this.#calls.add(added);
    return added;
  }

  /** Resolves when those are over that are under way now, after five seconds at most. */
  async over(): Promise<void> {
    if (this.#calls.size === 0) return;
    await new Promise<void>((resolve) => {
      const cancel = setAlarm(this.clock, PATIENCE, resolve);
      void Promise.allSettled(this.#calls).then(() => {
        cancel();
        resolve();
      });
    });
  }
}
