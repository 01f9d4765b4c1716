import type { ApiClients } from '../auth/admin/admin.context.js';
import { isAccessToken } from '../core/api.session.js';
import type { PlatformConfig } from '../core/config/platform.config.js';
import { offlineSessionId } from '../sessions/session.ids.js';
import { Session } from '../sessions/session.js';
import type { SessionStorage } from '../sessions/session.storage.js';
import type { DeliveryAccess } from './webhook.delivery.js';

/** Opens the shop a delivery came from: the offline session and the Admin API on its behalf. */
export class WebhookAccess {
  constructor(
    private readonly config: PlatformConfig,
    private readonly storage: SessionStorage,
    private readonly clients: ApiClients,
  ) {}

  /** Neither, when the app is not installed (any more); no API for a session without a usable token. Reads the storage once. */
  async to(shop: string): Promise<DeliveryAccess> {
    const session = await this.offlineSession(shop);
    if (!session) return {};
    // A client would refuse such a session, and with it every delivery of the shop, the uninstallation included.
    if (!this.config.isCustomStoreApp && !isAccessToken(session.accessToken)) return { session };
    return this.clients.for(session);
  }

  private async offlineSession(shop: string): Promise<Session | undefined> {
    const id = offlineSessionId(shop);
    // An app created in the admin has a fixed token and stores nothing.
    if (this.config.isCustomStoreApp) return new Session({ id, shop, state: '', isOnline: false });
    return this.storage.loadSession(id);
  }
}
