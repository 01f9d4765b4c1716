import { withSchema } from '../deliveries/webhook-delivery.js';
import type { WebhookDelivery } from '../deliveries/webhook-delivery.js';
import { DeliveryMethod } from '../subscriptions/webhook-subscription.js';
import type { HttpSubscription } from '../subscriptions/webhook-subscription.js';
import type { HandlerDeclaration, WebhookCallback } from './webhook-handler-map.js';
import type { RegisteredHandler, WebhookRegistration } from './registered-handler.js';

/** What is registered for a topic that an app declares. */
export function registrationOf(topic: string, option: HandlerDeclaration): WebhookRegistration {
  if (typeof option === 'function')
    return handlerOf(topic, { deliveryMethod: DeliveryMethod.Http }, option);
  if (option.deliveryMethod !== 'http')
    return { kind: 'subscription', topic, subscription: option };
  const { callback, handler, schema, timeout, ...subscription } = option;
  const declared = callback
    ? handlerOf(topic, subscription, callback, timeout)
    : handler && {
        kind: 'handler' as const,
        topic,
        subscription,
        // The name of the property says nothing.
        name: handler.name === 'handler' || !handler.name ? `handler of ${topic}` : handler.name,
        timeout,
        run: (delivery: WebhookDelivery) => option.handler?.(delivery),
      };
  if (!declared) return { kind: 'subscription', topic, subscription };
  return { ...declared, run: withSchema(schema, declared.run) };
}

function handlerOf(
  topic: string,
  subscription: HttpSubscription,
  callback: WebhookCallback,
  timeout?: number,
): RegisteredHandler {
  return {
    kind: 'handler',
    topic,
    subscription,
    name: callback.name || `handler of ${topic}`,
    callback,
    timeout,
    usesShop: false,
    run: ({ topic, shop, rawBody, webhookId, apiVersion }) =>
      callback(topic, shop, rawBody, webhookId, apiVersion, undefined),
  };
}
