import type { BillingStateCache } from '../../billing/billing-state-cache.js';
import type { WebhookHandlerEntry } from '../../webhooks/handlers/webhook-handler-entry.js';
import { DeliveryMethod } from '../../webhooks/subscriptions/webhook-subscription.js';

const TOPICS = ['APP_SUBSCRIPTIONS_UPDATE', 'APP_PURCHASES_ONE_TIME_UPDATE'];

/**
 * What has to be registered to hear of a change in what a shop pays. Other processes hear of it
 * when they look again.
 */
export function billingChanges(cache: BillingStateCache): WebhookHandlerEntry[] {
  return TOPICS.map((topic) => ({
    topic,
    subscription: { deliveryMethod: DeliveryMethod.Http },
    name: 'change of what a shop pays',
    run: async ({ shop }) => cache.forget(shop),
  }));
}
