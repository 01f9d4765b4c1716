/** Names one delivery of a webhook to one app. */
export interface DeliveryKey {
  /** Client id of the app. */
  readonly app: string;
  readonly shop: string;
  readonly webhookId: string;
}

/** What an inbox remembers of a delivery. */
export interface RememberedDelivery extends DeliveryKey {
  readonly isDone: boolean;
  readonly changedAt: Date;
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

  /**
   * The deliveries to an app since a moment, of the last 1,000 of all apps, for people to look at.
   * @default none are known
   */
  since?(app: string, moment: Date): Promise<RememberedDelivery[]>;
}
