import { stopwatch } from '../core/time/clock.js';
import type { Clock } from '../core/time/clock.js';
import { recentlyUsed } from '../core/cache/recently-used.js';
import type { BillingState } from './billing-state.js';

const CAPACITY = 5_000;
/** In milliseconds: how long another process may use an outdated state when no webhook tells it. */
const LIFETIME = 60_000;

interface Entry {
  /** On the stopwatch. */
  readonly until: number;
  readonly state: Promise<BillingState>;
}

/**
 * Caches what shops pay for a minute. A state is cached while it is still being read, so that a
 * change in the meantime invalidates it.
 */
export class BillingStateCache {
  readonly #entries = recentlyUsed<Entry>(CAPACITY);
  readonly #elapsed: () => number;

  constructor(clock: Clock) {
    this.#elapsed = stopwatch(clock);
  }

  /** The state that is cached or being read; `undefined` when neither. */
  get(shop: string): Promise<BillingState> | undefined {
    const entry = this.#entries.get(shop);
    return entry && entry.until > this.#elapsed() ? entry.state : undefined;
  }

  /** Reads the state and caches it, unless that fails. */
  refresh(shop: string, read: () => Promise<BillingState>): Promise<BillingState> {
    const entry: Entry = { until: this.#elapsed() + LIFETIME, state: read() };
    this.#entries.set(shop, entry);
    entry.state.catch(() => {
      if (this.#entries.get(shop) === entry) this.#entries.delete(shop);
    });
    return entry.state;
  }

  /** To be called when a shop's payments have changed, or may have. */
  forget(shop: string): void {
    this.#entries.delete(shop);
  }
}
