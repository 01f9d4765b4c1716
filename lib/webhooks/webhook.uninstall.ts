import type { PlatformLogger } from '../core/logger.js';
import type { SessionStorage } from '../sessions/session.storage.js';
import type { WebhookHandlerEntry } from './webhook.handler-entry.js';
import { DeliveryMethod } from './webhook.subscription.js';

/** Forgets a shop that uninstalled the app, after the app's own handlers have run: the tokens are revoked by then. */
export function uninstallHandler(storage: SessionStorage, logger: PlatformLogger): WebhookHandlerEntry {
  return {
    topic: 'APP_UNINSTALLED',
    subscription: { deliveryMethod: DeliveryMethod.Http },
    name: 'deletion of sessions',
    last: true,
    run: async ({ shop }) => {
      const sessions = await storage.findSessionsByShop(shop);
      if (sessions.length > 0) await storage.deleteSessions(sessions.map(({ id }) => id));
      logger.info('The app was uninstalled; its sessions are deleted', { shop, sessions: sessions.length });
    },
  };
}
