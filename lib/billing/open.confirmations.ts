import { LRUCache } from 'lru-cache';

import type { Clock } from '../core/clock.js';
import type { BillingRequest } from './billing.params.js';
import type { Charge } from './billing.state.js';

const CAPACITY = 5_000;
/** In milliseconds. The platform itself gives up on a charge after two days. */
const LIFETIME = 3_600_000;

interface Entry {
  /** Epoch milliseconds. */
  readonly until: number;
  readonly request: Promise<BillingRequest>;
}

/** Charges that wait for approval: whoever is turned away again meanwhile is sent to the same one, not asked for another. */
export class OpenConfirmations {
  readonly #entries = new LRUCache<string, Entry>({ max: CAPACITY });

  constructor(private readonly clock: Clock) {}

  /**
   * The confirmation page of a charge that is still open, else of the one that `ask` makes.
   * @param charges as they stand; one that is not among them is newer
   */
  async get(key: string, charges: readonly Charge[], ask: () => Promise<BillingRequest>): Promise<string> {
    const entry = this.#entries.get(key);
    if (entry && entry.until > this.clock.now().getTime()) {
      const request = await entry.request.catch(() => undefined);
      if (request && isOpen(request, charges)) return request.confirmationUrl;
      // Others may have waited for the same, and the first of them has asked anew.
      if (this.#entries.get(key) !== entry && this.#entries.has(key)) return this.get(key, charges, ask);
    }
    return this.#ask(key, ask);
  }

  async #ask(key: string, ask: () => Promise<BillingRequest>): Promise<string> {
    const entry = { until: this.clock.now().getTime() + LIFETIME, request: ask() };
    this.#entries.set(key, entry);
    try {
      return (await entry.request).confirmationUrl;
    } catch (error) {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      throw error;
    }
  }
}

function isOpen({ appSubscription, oneTimePurchase }: BillingRequest, charges: readonly Charge[]): boolean {
  const id = appSubscription?.id ?? oneTimePurchase?.id;
  return id !== undefined && (charges.find((charge) => charge.id === id)?.status ?? 'PENDING') === 'PENDING';
}
