import { recentlyUsed } from '../core/cache/ttl-cache.js';
import type { BillingRequest } from './billing-params.js';
import type { Charge } from './billing-state.js';

const CAPACITY = 5_000;

interface Entry {
  readonly request: Promise<BillingRequest>;
  isMade: boolean;
}

/** How it is found out whether a charge is open, and how another is made. */
export interface ConfirmationSource {
  /**
   * Charges as they were a moment ago; one that is not among them is looked for in what `read`
   * answers.
   */
  readonly charges: readonly Charge[];
  readonly read: () => Promise<readonly Charge[]>;
  readonly ask: () => Promise<BillingRequest>;
}

/**
 * Charges that wait for approval: whoever is to pay for the same again meanwhile is sent to the
 * same one, not asked for another.
 */
export class OpenConfirmations {
  readonly #entries = recentlyUsed<Entry>(CAPACITY);

  /**
   * The charge that is still open, or is just being made; else the one that `ask` makes. @throws
   * what `ask` throws to all who wait for it
   */
  async get(key: string, source: ConfirmationSource): Promise<BillingRequest> {
    const entry = this.#entries.get(key);
    if (!entry) return this.#ask(key, source.ask);
    const isNew = !entry.isMade;
    const request = await entry.request;
    if (isNew || (await isOpen(request, source))) return request;
    // Others may have waited for the same, and the first of them has asked anew.
    return this.#entries.get(key) === entry ? this.#ask(key, source.ask) : this.get(key, source);
  }

  async #ask(key: string, ask: () => Promise<BillingRequest>): Promise<BillingRequest> {
    const entry: Entry = { request: ask(), isMade: false };
    this.#entries.set(key, entry);
    try {
      return await entry.request;
    } catch (error) {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      throw error;
    } finally {
      entry.isMade = true;
    }
  }
}

/**
 * A charge that the platform no longer names, although it was asked after the charge was made, is
 * taken for closed.
 */
async function isOpen(
  { appSubscription, oneTimePurchase }: BillingRequest,
  { charges, read }: ConfirmationSource,
): Promise<boolean> {
  const id = appSubscription?.id ?? oneTimePurchase?.id;
  const isAsked = (charge: Charge): boolean => charge.id === id;
  const charge = charges.find(isAsked) ?? (await read()).find(isAsked);
  return charge?.status === 'PENDING';
}
