import { stopwatch } from '../time/clock.js';
import type { Clock } from '../time/clock.js';
import { recentlyUsed } from './recently-used.js';

const CAPACITY = 10_000;

interface Remembered {
  /** On the stopwatch. */
  readonly until: number;
  readonly fact: string;
}

/**
 * Remembers in this process what has just happened, the most recent of it when there is too much.
 */
export class TtlSet {
  readonly #remembered = recentlyUsed<Remembered>(CAPACITY);
  readonly #elapsed: () => number;

  /** @param lifetime how long a key is remembered, in milliseconds */
  constructor(
    clock: Clock,
    private readonly lifetime: number,
  ) {
    this.#elapsed = stopwatch(clock);
  }

  /**
   * Remembers a key from now on, with the latest fact about it. False, and nothing else happens,
   * when that is remembered already.
   * @param fact default none
   */
  add(key: string, fact = ''): boolean {
    if (this.has(key, fact)) return false;
    this.#remembered.set(key, { until: this.#elapsed() + this.lifetime, fact });
    return true;
  }

  /** True when the latest that is known about the key is this fact. */
  has(key: string, fact = ''): boolean {
    const remembered = this.#remembered.get(key);
    return (
      remembered !== undefined && remembered.fact === fact && remembered.until > this.#elapsed()
    );
  }
}
