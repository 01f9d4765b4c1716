import { createAdminContext } from '../auth/admin/admin.context.js';
import type { PlatformConfig } from '../core/config/platform.config.js';
import type { AdminGraphqlClient } from '../graphql-client/admin-graphql.client.js';
import type { AdminRestClient } from '../rest-client/admin-rest.client.js';
import { offlineSessionId } from '../sessions/session.ids.js';
import { Session } from '../sessions/session.js';
import type { SessionStorage } from '../sessions/session.storage.js';
import type { DeliveryAccess } from './webhook.delivery.js';

/** Opens the shop a delivery came from: the offline session and the Admin API on its behalf. */
export class WebhookAccess {
  constructor(
    private readonly config: PlatformConfig,
    private readonly storage: SessionStorage,
    private readonly graphql: AdminGraphqlClient,
    private readonly rest: AdminRestClient,
  ) {}

  /** Neither, when the app is not installed (any more). Reads the storage once. */
  async to(shop: string): Promise<DeliveryAccess> {
    const session = await this.offlineSession(shop);
    return session ? { session, admin: createAdminContext(session, this.graphql, this.rest) } : {};
  }

  private async offlineSession(shop: string): Promise<Session | undefined> {
    const id = offlineSessionId(shop);
    // An app created in the admin has a fixed token and stores nothing.
    if (this.config.isCustomStoreApp) return new Session({ id, shop, state: '', isOnline: false });
    return this.storage.loadSession(id);
  }
}
