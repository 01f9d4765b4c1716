import { TtlCache } from '../core/cache/ttl-cache.js';
import type { Clock } from '../core/time/clock.js';
import type { BillingState } from './billing-state.js';

const CAPACITY = 5_000;
/**
 * In milliseconds: how long a state may be outdated that no webhook invalidates, as after a change
 * by another process.
 */
const LIFETIME = 60_000;

/**
 * Caches what shops pay for a minute. A state is cached while it is still being read, so that a
 * change in the meantime invalidates it.
 */
export class BillingStateCache {
  readonly #states: TtlCache<Promise<BillingState>>;

  constructor(clock: Clock) {
    this.#states = new TtlCache({ clock, lifetime: LIFETIME, capacity: CAPACITY });
  }

  /** The state that is cached or being read; `undefined` when neither. */
  get(shop: string): Promise<BillingState> | undefined {
    return this.#states.get(shop);
  }

  /** Reads the state and caches it, unless that fails. */
  refresh(shop: string, read: () => Promise<BillingState>): Promise<BillingState> {
    const state = read();
    this.#states.set(shop, state);
    state.catch(() => this.#states.delete(shop, state));
    return state;
  }

  /** Invalidates the state of a shop whose payments have changed, or may have. */
  forget(shop: string): void {
    this.#states.delete(shop);
  }
}
