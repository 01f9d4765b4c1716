import { setTimer } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';

/** How long who closes waits, in milliseconds. */
const PATIENCE = 5_000;

/** Calls that need what is to be closed. */
export class InFlightCalls {
  readonly #calls = new Set<Promise<unknown>>();

  /** Settles as the call does. */
  add<T>(call: Promise<T>): Promise<T> {
    const added = call.finally(() => this.#calls.delete(added));
    this.#calls.add(added);
    return added;
  }

  /** Resolves when those are over that are under way now. */
  async over(): Promise<void> {
    await Promise.allSettled(this.#calls);
  }
}

/**
 * Lets go of something when what is under way is over, after five seconds at the latest. Nobody
 * waits longer than those five seconds for both: what is left of them goes on by itself.
 * @param underWay never rejects
 * @throws what `release` rejects with in time
 */
export async function closeAfter(
  underWay: Promise<unknown>,
  release: () => Promise<unknown>,
  clock: Clock,
): Promise<void> {
  let cancel = (): void => {};
  const deadline = new Promise<void>((resolve) => (cancel = setTimer(clock, PATIENCE, resolve)));
  try {
    await Promise.race([underWay, deadline]);
    await Promise.race([release(), deadline]);
  } finally {
    cancel();
  }
}
