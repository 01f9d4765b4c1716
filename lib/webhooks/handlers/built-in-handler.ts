import type { WebhookDelivery } from '../deliveries/webhook-delivery.js';

/**
 * Whether the app may see a delivery: one that is `refused` is answered as if it had been handled,
 * since no later attempt would be believed either; one that is `undecided` must be delivered again.
 */
export type Admission = 'admitted' | 'refused' | 'undecided';

/**
 * What the toolkit itself does with the deliveries of a topic: after the handlers of the app, or
 * before a route of the app receives the delivery. At most one for each topic.
 */
export interface BuiltInHandler {
  /** As a constant. */
  readonly topic: string;
  /** For logs and errors. */
  readonly name: string;
  /**
   * Whether its topic is subscribed even when the app has no other webhook that arrives at the
   * webhook path: false where that path may not exist.
   */
  readonly subscribesAlone: boolean;
  /** Decides whether the app may see a delivery. @default every delivery is admitted */
  readonly admit?: (delivery: WebhookDelivery) => Promise<Admission>;
  /** Runs in every attempt and for every subscription, so it must be idempotent. */
  readonly run: (delivery: WebhookDelivery) => Promise<void>;
}
