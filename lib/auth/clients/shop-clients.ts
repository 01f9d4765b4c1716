import type { ClientOptions } from '../../core/api-session.js';
import { AdminGraphqlClient } from '../../graphql-client/admin-graphql.client.js';
import { AdminBulkClient } from '../../graphql-client/bulk/admin-bulk.client.js';
import type { BulkOperations } from '../../graphql-client/bulk/bulk-operations.js';
import { graphqlOf } from '../../graphql-client/graphql-response.js';
import {
  StorefrontGraphqlClient,
  type StorefrontClient,
} from '../../graphql-client/storefront-graphql.client.js';
import { AdminRestClient } from '../../rest-client/admin-rest.client.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { Session } from '../../sessions/session.js';
import type { AdminContext, ShopClients } from './admin-context.js';

/** How the clients of the Admin API are made. */
type AdminClientOptions = Pick<ClientOptions, 'priority'>;

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
   * @param options of the Admin API's clients; typed resources call as without
   * @throws {MissingRequiredArgument} when `admin` is read and the session has no access token
   */
  for<Resources extends ResourceSet = RegisteredResources>(
    session: Session,
    options?: AdminClientOptions,
  ): ShopClients<Resources> {
    const clients = this.storefront;
    const bound = (): AdminContext<Resources> => this.#admin(session, options);
    let admin: AdminContext<Resources> | undefined;
    let storefront: StorefrontClient | undefined;
    return {
      session,
      get admin() {
        return (admin ??= bound());
      },
      get storefront() {
        return (storefront ??= clients.for(session, { missingToken: 'refuse_calls' }));
      },
    };
  }

  #admin<Resources extends ResourceSet>(
    session: Session,
    options?: AdminClientOptions,
  ): AdminContext<Resources> {
    const { graphql, rest: restClients, bulk: bulkClients } = this;
    const client = graphql.for(session, options);
    let bulk: BulkOperations | undefined;
    let rest: AdminContext<Resources>['rest'] | undefined;
    return {
      session,
      graphql: graphqlOf(client),
      paginate: client.paginate.bind(client),
      get bulk() {
        return (bulk ??= bulkClients.for(client));
      },
      get rest() {
        return (rest ??= Object.assign(restClients.for(session, options), {
          resources: restClients.resources as Resources,
        }));
      },
    };
  }
}
