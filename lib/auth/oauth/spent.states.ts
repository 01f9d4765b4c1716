import { LRUCache } from 'lru-cache';

import type { Clock } from '../../core/clock.js';

const CAPACITY = 10_000;

/** Remembers in this process which states have ended a grant, the most recent ones when there are too many. */
export class SpentStates {
  /** Epoch milliseconds until which a state is remembered. */
  readonly #until = new LRUCache<string, number>({ max: CAPACITY });

  /** @param lifetime how long a state is of any use, in milliseconds */
  constructor(
    private readonly clock: Clock,
    private readonly lifetime: number,
  ) {}

  /** Uses a state up. False when it was used before. */
  spend(state: string): boolean {
    const now = this.clock.now().getTime();
    if ((this.#until.get(state) ?? 0) > now) return false;
    this.#until.set(state, now + this.lifetime);
    return true;
  }
}
