import type { Uninstallation } from '../auth/lifecycle/uninstallation.js';
import type { PlatformLogger } from '../core/logger.js';
import { sanitizeShop } from '../core/shop-domain.js';
import { UNINSTALLED_SHOP_FIELDS } from '../core/vendor.js';
import type { WebhookDelivery } from './webhook.delivery.js';
import type { WebhookFollowUp } from './webhook.follow-up.js';

/** Ends the installation of a shop that uninstalled the app. */
export function uninstallFollowUp(uninstallation: Uninstallation, logger: PlatformLogger, subscribesAlone: boolean): WebhookFollowUp {
  return {
    topic: 'APP_UNINSTALLED',
    name: 'deletion of sessions',
    subscribesAlone,
    run: async (delivery) => {
      const { shop, webhookId, triggeredAt } = delivery;
      if (!isAbout(shop, delivery)) {
        logger.warn('The payload of an uninstallation is not about the shop in its header; no session is deleted', { shop, webhookId });
        return;
      }
      await uninstallation.run(shop, timeIn(triggeredAt));
    },
  };
}

function timeIn(text: string | undefined): Date | undefined {
  const time = new Date(text ?? NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** The signature covers the body only. A shop's `domain` may be one of its own, which says nothing; what names a shop must name this one. */
function isAbout(shop: string, delivery: WebhookDelivery): boolean {
  const payload = payloadOf(delivery);
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return false;
  const facts = payload as Readonly<Record<string, unknown>>;
  return UNINSTALLED_SHOP_FIELDS.map((field) => sanitizeShop(facts[field])).every((named) => named === null || named === shop);
}

function payloadOf(delivery: WebhookDelivery): unknown {
  try {
    return delivery.payload;
  } catch {
    return undefined;
  }
}
