import type { AdminContext, ShopClients } from '../../auth/clients/admin-context.js';
import type { Session } from '../../sessions/session.js';

/**
 * Clients of a session without a valid access token: they can be handed around, and what is called
 * of them fails with the error that says why.
 * @param clients throws when they cannot be made
 */
export function clientsOnCall(session: Session, clients: () => ShopClients): ShopClients {
  let made: ShopClients | undefined;
  const all = (): ShopClients => (made ??= clients());
  const admin: AdminContext = {
    session,
    get graphql() {
      return all().admin.graphql;
    },
    get paginate() {
      return all().admin.paginate;
    },
    get bulk() {
      return all().admin.bulk;
    },
    get rest() {
      return all().admin.rest;
    },
  };
  return {
    session,
    admin,
    get storefront() {
      return all().storefront;
    },
  };
}
