import type { Uninstallation } from '../../auth/lifecycle/uninstallation.js';
import { isRecord } from '../../core/json.js';
import type { PlatformLogger } from '../../core/logger.js';
import { sanitizeShop } from '../../core/shop-domain.js';
import { UNINSTALLED_SHOP_FIELDS } from '../../core/vendor.js';
import type { WebhookDelivery } from '../deliveries/webhook-delivery.js';
import type { Admission, BuiltInHandler } from './webhook.registry.js';

/**
 * Ends the installation of a shop that uninstalled the app. The signature covers the body only:
 * anyone with one body that the platform has signed could post it as the uninstallation of any
 * shop, so the body has to name the shop and the platform has to confirm the uninstallation.
 */
export function uninstallHandler(
  uninstallation: Uninstallation,
  logger: PlatformLogger,
  runsInRoutes: boolean,
): BuiltInHandler {
  return {
    topic: 'APP_UNINSTALLED',
    name: 'deletion of sessions',
    runsInRoutes,
    admit: async (delivery) => {
      const { shop, webhookId } = delivery;
      const refuse = (reason: string): Admission => {
        logger.warn(`An uninstallation is not believed, and nothing is deleted: ${reason}`, {
          shop,
          webhookId,
        });
        return 'refused';
      };
      if (!isAbout(shop, delivery))
        return refuse('its payload does not name the shop in its header');
      const presence = await uninstallation.confirm(shop);
      if (presence === 'installed') return refuse('the platform says that the shop has the app');
      return presence === 'uninstalled' ? 'admitted' : 'undecided';
    },
    run: ({ shop }) => uninstallation.run(shop),
  };
}

/**
 * True when the payload names this shop and no other. A shop's `domain` may be a custom domain,
 * which identifies no shop.
 */
function isAbout(shop: string, delivery: WebhookDelivery): boolean {
  const payload = payloadOf(delivery);
  if (!isRecord(payload)) return false;
  const named = UNINSTALLED_SHOP_FIELDS.map((field) => sanitizeShop(payload[field])).filter(
    (name) => name !== null,
  );
  return named.length > 0 && named.every((name) => name === shop);
}

function payloadOf(delivery: WebhookDelivery): unknown {
  try {
    return delivery.payload;
  } catch {
    return undefined;
  }
}
