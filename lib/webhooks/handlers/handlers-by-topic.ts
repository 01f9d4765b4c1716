import type { Untyped } from '../../core/json.js';
import type { WebhookDelivery } from '../deliveries/webhook-delivery.js';
import type { PayloadOf } from '../payloads/webhook-payload.js';
import type {
  EventBridgeSubscription,
  PubSubSubscription,
} from '../subscriptions/webhook-subscription.js';
import type { KnownWebhookTopic } from '../subscriptions/webhook-topic.js';
import type { HttpHandlerDeclaration, WebhookCallback } from './webhook-handler-map.js';

/**
 * Handles one delivery of a topic, given as a constant. Taken from a method, so that a handler may
 * ask for a payload of a type of its own.
 */
export type DeliveryHandler<T = Untyped, Payload = PayloadOf<T>> = {
  handle(delivery: WebhookDelivery<T, Payload>): unknown;
}['handle'];

/** A subscription over HTTP with its handler. `T` is the topic, as a constant. */
export interface HttpWebhookHandler<T = Untyped> extends HttpHandlerDeclaration {
  readonly handler?: DeliveryHandler<T> | undefined;
}

/**
 * A subscription to a queue; with a handler when the app takes the deliveries from there and passes
 * them to `ingest()`.
 */
export type QueueWebhookHandler<T = Untyped> = (EventBridgeSubscription | PubSubSubscription) & {
  readonly handler?: DeliveryHandler<T> | undefined;
  /** As of {@link HttpWebhookHandler}. */
  readonly schema?: HttpHandlerDeclaration['schema'];
  /** As of {@link HttpWebhookHandler}. */
  readonly timeout?: HttpHandlerDeclaration['timeout'];
};

/** What an app declares for a topic: a function is a subscription to the app's webhook path. */
export type WebhookHandlerOption<T = Untyped> =
  WebhookCallback | HttpWebhookHandler<T> | QueueWebhookHandler<T>;

/** The handlers of the documented topics: what each is given has the payload of its topic. */
export type WebhookTopicHandlers<Absent = never> = {
  readonly [T in KnownWebhookTopic]?:
    WebhookHandlerOption<T> | readonly WebhookHandlerOption<T>[] | Absent;
};

/** Handlers by topic, in any spelling. */
export interface WebhookHandlerMap extends WebhookTopicHandlers {
  readonly [topic: string]: WebhookHandlerOption | readonly WebhookHandlerOption[];
}
