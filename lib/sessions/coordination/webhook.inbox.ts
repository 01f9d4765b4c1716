import { randomUUID } from 'node:crypto';

import { recordId } from './record.store.js';
import type { RecordKey, RecordStore } from './record.store.js';

/** Names one delivery of a webhook to one app. */
export interface DeliveryKey {
  /** Client id of the app. */
  readonly app: string;
  readonly shop: string;
  readonly webhookId: string;
}

/** The delivery is the caller's to handle. */
export interface GrantedClaim {
  readonly state: 'claimed';
  /** Proves the claim to the inbox. */
  readonly token: string;
  /** Names of the handlers that have finished the delivery: they must not run again. */
  readonly handled: readonly string[];
}

/** Whether the caller may handle a delivery, or it is being handled, or has been. */
export type Claim = GrantedClaim | { readonly state: 'busy' } | { readonly state: 'done' };

/**
 * Remembers which deliveries are being handled and which are done, so that each is handled once. A
 * port.
 */
export abstract class WebhookInbox {
  /**
   * Takes the delivery for `leaseMs` milliseconds. A claim that was neither completed nor released
   * by then may be taken again.
   */
  abstract claim(key: DeliveryKey, leaseMs: number): Promise<Claim>;
  /**
   * Extends the claim: it now ends `leaseMs` milliseconds from now.
   * @returns false, and changes nothing, when the delivery is done, released, or someone else's
   */
  abstract renew(key: DeliveryKey, token: string, leaseMs: number): Promise<boolean>;
  /** Marks the delivery as done for seven days. Without effect when it is someone else's. */
  abstract complete(key: DeliveryKey, token: string): Promise<void>;
  /**
   * Gives the delivery back, so that the platform's next attempt may claim it. Without effect when
   * it is someone else's.
   * @param handled names of all handlers that have finished it, in earlier attempts too
   */
  abstract release(key: DeliveryKey, token: string, handled: readonly string[]): Promise<void>;
}

/**
 * How long a delivery is remembered, in milliseconds: seven days. One that is not done too, for the
 * platform's next attempt has to know which handlers have finished it.
 */
const REMEMBERED_MS = 7 * 24 * 60 * 60 * 1000;

/** Remembers deliveries as leased records. */
export class RecordWebhookInbox extends WebhookInbox {
  constructor(private readonly records: RecordStore) {
    super();
  }

  async claim(key: DeliveryKey, leaseMs: number): Promise<Claim> {
    const token = randomUUID();
    const terms = { leaseMs, keepMs: REMEMBERED_MS };
    const lease = await this.records.lease(keyOf(key), token, terms);
    if (lease.kind === 'held') return { state: 'busy' };
    if (lease.kind === 'ended') return { state: 'done' };
    const handled = lease.data ? (JSON.parse(lease.data) as string[]) : [];
    return { state: 'claimed', token, handled };
  }

  renew(key: DeliveryKey, token: string, leaseMs: number): Promise<boolean> {
    return this.records.renew(keyOf(key), token, { leaseMs, keepMs: REMEMBERED_MS });
  }

  complete(key: DeliveryKey, token: string): Promise<void> {
    const outcome = { state: 'done', data: '', keepMs: REMEMBERED_MS };
    return this.records.end(keyOf(key), token, outcome);
  }

  release(key: DeliveryKey, token: string, handled: readonly string[]): Promise<void> {
    const outcome = { data: JSON.stringify(handled), keepMs: REMEMBERED_MS };
    return this.records.end(keyOf(key), token, outcome);
  }
}

function keyOf({ app, shop, webhookId }: DeliveryKey): RecordKey {
  return { kind: 'delivery', id: recordId(app, shop, webhookId) };
}
