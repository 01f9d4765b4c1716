import type { Untyped } from '../../core/json.js';
import type { WebhookDelivery } from '../deliveries/webhook-delivery.js';
import type { HttpWebhookHandler } from '../handlers/handlers-by-topic.js';
import { DeliveryMethod } from '../subscriptions/webhook-subscription.js';
import type { StandardSchema } from './standard-schema.js';

/** A subscription over HTTP, a schema and the handler of what the schema makes of payloads. */
export interface CheckedHandler<Output> extends Omit<
  HttpWebhookHandler,
  'callback' | 'deliveryMethod' | 'handler' | 'schema'
> {
  readonly schema: StandardSchema<Output>;
  readonly handler: (delivery: WebhookDelivery<Untyped, Output>) => unknown;
}

/**
 * A handler with a `schema` for the options, whose payload has the type that the schema makes of
 * it. The same as an object with both, where the compiler takes the payload for the topic's.
 * @example
 * webhooks: { PRODUCTS_CREATE: checkedHandler({ schema: Product, handler: onProduct }) }
 */
export function checkedHandler<Output>(declared: CheckedHandler<Output>): HttpWebhookHandler {
  return { ...declared, deliveryMethod: DeliveryMethod.Http };
}
