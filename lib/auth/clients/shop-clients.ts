import type { ClientOptions } from '../../core/api-session.js';
import { AdminGraphqlClient } from '../../graphql-client/admin-graphql.client.js';
import { AdminBulkClient } from '../../graphql-client/bulk/admin-bulk.client.js';
import type { BulkOperations } from '../../graphql-client/bulk/bulk-operations.js';
import type { GraphqlPaginate, GraphqlRequest } from '../../graphql-client/graphql.client.js';
import { StorefrontGraphqlClient } from '../../graphql-client/storefront-graphql.client.js';
import type { StorefrontClient } from '../../graphql-client/storefront-graphql.client.js';
import { AdminRestClient } from '../../rest-client/admin-rest.client.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { RestClient } from '../../rest-client/rest.client.js';
import type { Session } from '../../sessions/session.js';

/** The Admin API of one shop, with the token of one session. */
export interface AdminContext<Resources extends ResourceSet = RegisteredResources> {
  readonly session: Session;
  /** `graphql(query, { variables })`. @throws {GraphqlQueryError} when the reply holds errors */
  readonly graphql: GraphqlRequest;
  /**
   * The nodes of a connection, across all its pages:
   * `paginate(query, variables, (data) => data.products)`.
   */
  readonly paginate: GraphqlPaginate;
  /** Exports and imports too large for pages. */
  readonly bulk: BulkOperations;
  /** `rest.get({ path })` and so on; the app's typed resources at `rest.resources`. */
  readonly rest: RestClient & { readonly resources: Resources };
}

/** What can be done in a shop with the token of one session. */
export interface ShopClients<Resources extends ResourceSet = RegisteredResources> {
  readonly session: Session;
  readonly admin: AdminContext<Resources>;
  /**
   * The Storefront API. @throws {MissingRequiredArgument} when it is read in an app that has no
   * token for it
   */
  readonly storefront: StorefrontClient;
}

/** The API clients of an app: binds them to sessions. */
export class ApiClients {
  constructor(
    private readonly graphql: AdminGraphqlClient,
    private readonly rest: AdminRestClient,
    private readonly bulk: AdminBulkClient,
    private readonly storefront: StorefrontGraphqlClient,
  ) {}

  /**
   * The clients of one session.
   * @param options.sessionToken of the request they work for: traded for another access token when
   * theirs is refused
   * @throws {MissingRequiredArgument} when the session has no access token
   */
  for<Resources extends ResourceSet = RegisteredResources>(
    session: Session,
    options: Pick<ClientOptions, 'sessionToken'> = {},
  ): ShopClients<Resources> {
    const client = this.graphql.for(session, options);
    const { storefront } = this;
    return {
      session,
      admin: {
        session,
        graphql: client.request.bind(client),
        paginate: client.paginate.bind(client),
        bulk: this.bulk.for(client),
        rest: Object.assign(this.rest.for(session, options), {
          resources: this.rest.resources as Resources,
        }),
      },
      // When it is asked for: an app without a token for it must not stumble here.
      get storefront() {
        return storefront.for(session);
      },
    };
  }
}
