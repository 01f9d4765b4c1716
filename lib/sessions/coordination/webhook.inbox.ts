import { createHash } from 'node:crypto';

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
  /**
   * Names of the handlers that were done with the delivery when it was released: they must not run
   * again.
   */
  readonly handled: readonly string[];
}

/** Who may handle a delivery: the caller, someone else at the moment, or nobody any more. */
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
   * @returns false, and changes nothing, when the delivery is done, released, or held by someone
   * else by now
   */
  abstract renew(key: DeliveryKey, token: string, leaseMs: number): Promise<boolean>;
  /**
   * Marks the delivery as done for seven days. Without effect when someone else holds it by now.
   */
  abstract complete(key: DeliveryKey, token: string): Promise<void>;
  /**
   * Gives the delivery back, so that the platform's next attempt may claim it. Without effect when
   * someone else holds it.
   * @param handled names of all handlers that are done with it, earlier attempts included
   */
  abstract release(key: DeliveryKey, token: string, handled: readonly string[]): Promise<void>;
}

/** How long a delivery that is done is remembered, in milliseconds: seven days. */
export const DONE_FOR = 7 * 24 * 60 * 60 * 1000;

/**
 * One text of 43 characters for a delivery, for engines that compare keys in their own ways or
 * limit their length.
 */
export function digestOf({ app, shop, webhookId }: DeliveryKey): string {
  return createHash('sha256')
    .update(JSON.stringify([app, shop, webhookId]))
    .digest('base64url');
}
