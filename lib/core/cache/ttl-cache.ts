import { LRUCache } from 'lru-cache';

import { stopwatch } from '../time/clock.js';
import type { Clock } from '../time/clock.js';

/** The number of keys that a {@link TtlSet} holds. */
const SET_CAPACITY = 10_000;

/**
 * A map of the `capacity` most recently used entries. Unlike a cache with `max`, it allocates
 * memory only for the entries it has.
 */
export function recentlyUsed<Value extends object>(capacity: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: capacity, sizeCalculation: () => 1 });
}

/** How much a {@link TtlCache} keeps, and for how long. */
interface TtlCacheOptions {
  readonly clock: Clock;
  /** In milliseconds. */
  readonly lifetime: number;
  /** The number of entries; beyond it the least recently used one is dropped. */
  readonly capacity: number;
}

interface Entry<Value> {
  /** On the stopwatch. */
  readonly until: number;
  readonly value: Value;
}

/** Values of this process that expire, by key. */
export class TtlCache<Value> {
  readonly #entries: LRUCache<string, Entry<Value>>;
  readonly #elapsed: () => number;
  readonly #lifetime: number;

  constructor({ clock, lifetime, capacity }: TtlCacheOptions) {
    this.#entries = recentlyUsed(capacity);
    this.#elapsed = stopwatch(clock);
    this.#lifetime = lifetime;
  }

  /** The value, unless it has expired. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.until > this.#elapsed() ? entry.value : undefined;
  }

  /** Stores a value; its lifetime begins now. */
  set(key: string, value: Value): void {
    this.#entries.set(key, { until: this.#elapsed() + this.#lifetime, value });
  }

  /** Removes a value; with `value`, only while that one is stored. */
  delete(key: string, value?: Value): void {
    if (value === undefined || this.#entries.get(key)?.value === value) this.#entries.delete(key);
  }
}

/** Keys that expire after a lifetime. When there are too many, the oldest are dropped. */
export class TtlSet {
  readonly #facts: TtlCache<string>;

  /** @param lifetime how long a key is kept, in milliseconds */
  constructor(clock: Clock, lifetime: number) {
    this.#facts = new TtlCache({ clock, lifetime, capacity: SET_CAPACITY });
  }

  /**
   * Adds a key with the latest fact about it. Returns false when the set contains exactly that
   * already.
   * @param fact default none
   */
  add(key: string, fact = ''): boolean {
    if (this.has(key, fact)) return false;
    this.#facts.set(key, fact);
    return true;
  }

  /** True when the key was added within its lifetime, and this is the latest fact about it. */
  has(key: string, fact = ''): boolean {
    return this.#facts.get(key) === fact;
  }
}
