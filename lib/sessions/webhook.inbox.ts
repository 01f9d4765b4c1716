/** Names one delivery of a webhook to one app. */
export interface DeliveryKey {
  /** Client id of the app. */
  readonly app: string;
  readonly shop: string;
  readonly webhookId: string;
}

/** Who may handle a delivery: the caller, someone else at the moment, or nobody any more. */
export type Claim = { readonly state: 'claimed'; readonly token: string } | { readonly state: 'busy' } | { readonly state: 'done' };

/** Remembers which deliveries are being handled and which are done, so that each is handled once. A port. */
export abstract class WebhookInbox {
  /** Takes the delivery for `leaseMs` milliseconds. A claim that was neither completed nor released by then may be taken again. */
  abstract claim(key: DeliveryKey, leaseMs: number): Promise<Claim>;
  /** Marks the delivery as done for seven days. Without effect when someone else holds it by now. */
  abstract complete(key: DeliveryKey, token: string): Promise<void>;
  /** Gives the delivery back, so that the platform's next attempt may claim it. Without effect when someone else holds it. */
  abstract release(key: DeliveryKey, token: string): Promise<void>;
}
