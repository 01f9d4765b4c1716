import type { AdminContext } from '../../auth/clients/admin-context.js';
import { withLazyClients } from '../../auth/clients/lazy-clients.js';
import type { StorefrontClient } from '../../graphql-client/storefront-graphql.client.js';
import type { PlatformClients } from '../../platform/api/platform-clients.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { Session } from '../../sessions/session.js';

/** The Admin API of a shop on the app's own behalf. */
export interface UnauthenticatedAdminContext<Resources extends ResourceSet = RegisteredResources> {
  readonly session: Session;
  readonly admin: AdminContext<Resources>;
}

/** The Storefront API of a shop on the app's own behalf. */
export interface UnauthenticatedStorefrontContext {
  readonly session: Session;
  readonly storefront: StorefrontClient;
}

/** Work in a shop without a request of that shop, such as a background job. */
export interface UnauthenticatedMembers<Resources extends ResourceSet = RegisteredResources> {
  /**
   * The Admin API of a shop.
   * @throws {SessionNotFoundError} when the shop has not installed the app
   * @throws {InvalidShopError}
   */
  readonly admin: (shop: string) => Promise<UnauthenticatedAdminContext<Resources>>;
  /**
   * The Storefront API of a shop, with the token of the session; a custom app passes
   * `privateAppStorefrontAccessToken`.
   * @throws {SessionNotFoundError} when the shop has not installed the app
   * @throws {InvalidShopError}
   */
  readonly storefront: (shop: string) => Promise<UnauthenticatedStorefrontContext>;
}

/** @param app is asked when a member is called, once the modules of the app have started */
export function unauthenticatedMembers<Resources extends ResourceSet>(
  app: () => Promise<{ readonly clients: PlatformClients }>,
): UnauthenticatedMembers<Resources> {
  return {
    async admin(shop) {
      const clients = await (await app()).clients.forShop<Resources>(shop);
      return withLazyClients({ session: clients.session }, clients, ['admin']);
    },
    async storefront(shop) {
      const clients = await (await app()).clients.forShop(shop);
      return withLazyClients({ session: clients.session }, clients, ['storefront']);
    },
  };
}
