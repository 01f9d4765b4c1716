import { ApiClients } from './auth/admin/admin.context.js';
import type { ShopClients } from './auth/admin/admin.context.js';
import type { PlatformConfig } from './core/config/platform.config.js';
import { sanitizeShop } from './core/shop-domain.js';
import { offlineSessionId } from './sessions/session.ids.js';
import { Session } from './sessions/session.js';
import type { SessionStorage } from './sessions/session.storage.js';
import { SessionNotFoundError } from './sessions/sessions.errors.js';

/** API clients for work that no request started: jobs, queues, scripts. */
export class PlatformClients {
  constructor(
    private readonly config: PlatformConfig,
    private readonly storage: SessionStorage,
    private readonly clients: ApiClients,
  ) {}

  /**
   * What can be done in a shop on the app's own behalf, with its offline session.
   * @throws {SessionNotFoundError} when the shop has not installed the app, or has uninstalled it
   * @throws {MissingRequiredArgument} when its session has no access token
   * @throws {InvalidShopError}
   */
  async forShop(shop: string): Promise<ShopClients> {
    const id = offlineSessionId(shop);
    const domain = sanitizeShop(shop, true);
    // An app created in the admin has a fixed token and stores nothing.
    const session = this.config.isCustomStoreApp
      ? new Session({ id, shop: domain, state: '', isOnline: false })
      : await this.storage.loadSession(id);
    if (!session) throw new SessionNotFoundError(`There is no session of ${domain}: the shop has to install the app first.`);
    return this.clients.for(session);
  }
}
