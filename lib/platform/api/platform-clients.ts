import { ApiClients } from '../../auth/clients/shop-clients.js';
import type { ShopClients } from '../../auth/clients/admin-context.js';
import type { SessionKind, TokenManager } from '../../auth/tokens/token-manager.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';

/** API clients for work that no request started: jobs, queues, scripts. */
export class PlatformClients {
  constructor(
    private readonly tokens: TokenManager,
    private readonly clients: ApiClients,
  ) {}

  /**
   * What can be done in a shop on the app's own behalf, with a token that is renewed when that is
   * necessary.
   * @param kind whose token is used, see {@link SessionKind}; default the app's own, `offline`
   * @throws {SessionNotFoundError} when the shop has not installed the app, or has uninstalled it
   * @throws {ReauthorizationRequiredError} when the platform no longer renews the token
   * @throws {SessionExpiredError} when it has expired and there is nothing to renew it with
   * @throws {InvalidShopError}
   */
  async forShop<Resources extends ResourceSet = RegisteredResources>(
    shop: string,
    kind?: SessionKind,
  ): Promise<ShopClients<Resources>> {
    return this.clients.for<Resources>(await this.tokens.session(shop, kind));
  }
}
