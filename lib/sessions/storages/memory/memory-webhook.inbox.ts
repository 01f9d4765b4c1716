import { randomUUID } from 'node:crypto';
import type { LRUCache } from 'lru-cache';

import type { Clock } from '../../../core/time/clock.js';
import { recentlyUsed } from '../../../core/cache/ttl-cache.js';
import { DONE_FOR, WebhookInbox } from '../../coordination/webhook.inbox.js';
import type { Claim, DeliveryKey } from '../../coordination/webhook.inbox.js';

const DEFAULT_CAPACITY = 100_000;

interface Entry {
  readonly state: 'busy' | 'done';
  /** Of who holds or has finished the delivery; none once it is released. */
  readonly token?: string;
  /** Epoch milliseconds; afterwards the delivery may be claimed. */
  readonly until: number;
  readonly handled: readonly string[];
}

/**
 * Remembers deliveries in this process, the most recent ones when there are too many. Another
 * process knows nothing of them.
 */
export class MemoryWebhookInbox extends WebhookInbox {
  readonly #entries: LRUCache<string, Entry>;

  /** @param capacity how many deliveries are remembered at most; default 100,000 */
  constructor(
    private readonly clock: Clock,
    capacity: number = DEFAULT_CAPACITY,
  ) {
    super();
    this.#entries = recentlyUsed(capacity);
  }

  async claim(key: DeliveryKey, leaseMs: number): Promise<Claim> {
    const id = idOf(key);
    const entry = this.#entries.get(id);
    if (entry && entry.until > this.#now()) return { state: entry.state };
    const token = randomUUID();
    const handled = entry?.handled ?? [];
    this.#entries.set(id, { state: 'busy', token, until: this.#now() + leaseMs, handled });
    return { state: 'claimed', token, handled };
  }

  async renew(key: DeliveryKey, token: string, leaseMs: number): Promise<boolean> {
    const entry = this.#entries.peek(idOf(key));
    if (entry?.state !== 'busy' || entry.token !== token) return false;
    this.#entries.set(idOf(key), { ...entry, until: this.#now() + leaseMs });
    return true;
  }

  async complete(key: DeliveryKey, token: string): Promise<void> {
    if (this.#holds(key, token))
      this.#entries.set(idOf(key), {
        state: 'done',
        token,
        until: this.#now() + DONE_FOR,
        handled: [],
      });
  }

  async release(key: DeliveryKey, token: string, handled: readonly string[]): Promise<void> {
    if (this.#holds(key, token))
      this.#entries.set(idOf(key), { state: 'busy', until: this.#now(), handled: [...handled] });
  }

  /**
   * Also true when the entry was forgotten for want of room: then nobody else has claimed it since.
   */
  #holds(key: DeliveryKey, token: string): boolean {
    const entry = this.#entries.peek(idOf(key));
    return !entry || (entry.state === 'busy' && entry.token === token);
  }

  #now(): number {
    return this.clock.now().getTime();
  }
}

function idOf({ app, shop, webhookId }: DeliveryKey): string {
  return JSON.stringify([app, shop, webhookId]);
}
