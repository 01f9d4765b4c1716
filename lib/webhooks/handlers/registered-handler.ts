import type { WebhookDelivery } from '../deliveries/webhook-delivery.js';
import type { HttpSubscription, Subscription } from '../subscriptions/webhook-subscription.js';
import type { WebhookCallback } from './webhook-handler-map.js';

/** A subscription whose deliveries arrive at the app and are handled by `run`. */
export interface RegisteredHandler {
  readonly kind: 'handler';
  /** In any spelling. */
  readonly topic: string;
  readonly subscription: HttpSubscription;
  /** For logs and errors, such as `ProductHandlers.onProduct`. The registry makes it unique. */
  readonly name: string;
  /** False for one that never reads the session or the API clients: none is loaded for it. */
  readonly usesShop?: boolean | undefined;
  /** In milliseconds; `Infinity` for none. @default the option `webhooks.handlerTimeout` */
  readonly timeout?: number | undefined;
  readonly run: (delivery: WebhookDelivery) => unknown;
  /** What was declared, when it was a function. */
  readonly callback?: WebhookCallback | undefined;
  /** Of the toolkit itself: nothing the app has declared. @default false */
  readonly isOwn?: boolean | undefined;
}

/** A subscription whose deliveries go elsewhere: to a queue, or to a route of the app. */
export interface RegisteredSubscription {
  readonly kind: 'subscription';
  /** In any spelling. */
  readonly topic: string;
  readonly subscription: Subscription;
}

/** What an app has registered for a topic. */
export type WebhookRegistration = RegisteredHandler | RegisteredSubscription;
