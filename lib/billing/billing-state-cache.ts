import { TtlCache } from '../core/cache/ttl-cache.js';
import type { Clock } from '../core/time/clock.js';
import type { BillingState } from './billing-state.js';

const CAPACITY = 5_000;
/**
 * In milliseconds: how long another process may go on with a state that has changed, when no
 * webhook reports the change.
 */
const LIFETIME = 60_000;

/**
 * What shops pay, for a minute at most. A state that is being read is kept from the beginning, so
 * that a change in the meantime is not overwritten by what was read before it.
 */
export class BillingStateCache {
  readonly #states: TtlCache<Promise<BillingState>>;

  constructor(clock: Clock) {
    this.#states = new TtlCache({ clock, lifetime: LIFETIME, capacity: CAPACITY });
  }

  /** The state as it is kept, or is being read; `undefined` when neither. */
  get(shop: string): Promise<BillingState> | undefined {
    return this.#states.get(shop);
  }

  /** Reads the state anew and keeps it, unless that fails. */
  refresh(shop: string, read: () => Promise<BillingState>): Promise<BillingState> {
    const state = read();
    this.#states.set(shop, state);
    state.catch(() => this.#states.delete(shop, state));
    return state;
  }

  /** To be called when something about a shop's payments has changed, or may have. */
  forget(shop: string): void {
    this.#states.delete(shop);
  }
}
