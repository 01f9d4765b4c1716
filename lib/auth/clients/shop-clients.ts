import type { ClientOptions } from '../../core/api-session.js';
import { once } from '../../core/once.js';
import { AdminGraphqlClient } from '../../graphql-client/admin-graphql.client.js';
import { AdminBulkClient } from '../../graphql-client/bulk/admin-bulk.client.js';
import { StorefrontGraphqlClient } from '../../graphql-client/storefront-graphql.client.js';
import { AdminRestClient } from '../../rest-client/admin-rest.client.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { Session } from '../../sessions/session.js';
import type { AdminContext, ShopClients } from './admin-context.js';

/** The API clients of an app: binds them to sessions. */
export class ApiClients {
  constructor(
    private readonly graphql: AdminGraphqlClient,
    private readonly rest: AdminRestClient,
    private readonly bulk: AdminBulkClient,
    private readonly storefront: StorefrontGraphqlClient,
  ) {}

  /**
   * The clients of one session. Each is made when it is first read.
   * @param options.sessionToken of the request they work for: exchanged for another access token
   * when theirs is refused
   * @throws {MissingRequiredArgument} when `admin` is read and the session has no access token
   */
  for<Resources extends ResourceSet = RegisteredResources>(
    session: Session,
    options: Pick<ClientOptions, 'sessionToken'> = {},
  ): ShopClients<Resources> {
    const { storefront } = this;
    const admin = once(() => this.#admin<Resources>(session, options));
    return {
      session,
      get admin() {
        return admin();
      },
      get storefront() {
        return storefront.for(session);
      },
    };
  }

  #admin<Resources extends ResourceSet>(
    session: Session,
    options: Pick<ClientOptions, 'sessionToken'>,
  ): AdminContext<Resources> {
    const client = this.graphql.for(session, options);
    const bulk = once(() => this.bulk.for(client));
    const rest = once(() =>
      Object.assign(this.rest.for(session, options), {
        resources: this.rest.resources as Resources,
      }),
    );
    return {
      session,
      graphql: client.request.bind(client),
      paginate: client.paginate.bind(client),
      get bulk() {
        return bulk();
      },
      get rest() {
        return rest();
      },
    };
  }
}
