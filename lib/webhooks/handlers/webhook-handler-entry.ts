import type { WebhookDelivery } from '../deliveries/webhook-delivery.js';
import type { Subscription } from '../subscriptions/webhook-subscription.js';

/** One thing that is done with the deliveries of a topic. */
export interface WebhookHandlerEntry {
  /** In any spelling. */
  readonly topic: string;
  readonly subscription: Subscription;
  /**
   * For logs and errors, such as `ProductHandlers.onProduct`. The registry tells equal names of a
   * topic apart by number.
   */
  readonly name: string;
  /**
   * Absent when the deliveries arrive somewhere else: in a queue, or in a route of the app's own.
   */
  readonly run?: ((delivery: WebhookDelivery) => unknown) | undefined;
}
