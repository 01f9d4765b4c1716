import type { BillingStateCache } from '../../billing/billing-state-cache.js';
import type { RegisteredHandler } from '../../webhooks/handlers/webhook.registry.js';
import { DeliveryMethod } from '../../webhooks/subscriptions/webhook-subscription.js';

const TOPICS = ['APP_SUBSCRIPTIONS_UPDATE', 'APP_PURCHASES_ONE_TIME_UPDATE'];

/**
 * What has to be registered to hear of a change in what a shop pays. Other processes hear of it
 * when they look again.
 */
export function billingChanges(cache: BillingStateCache): RegisteredHandler[] {
  return TOPICS.map((topic) => ({
    kind: 'handler',
    topic,
    subscription: { deliveryMethod: DeliveryMethod.Http },
    name: 'change of what a shop pays',
    run: async ({ shop }) => cache.forget(shop),
  }));
}
