import { AdminGraphqlClient } from '../../graphql-client/admin-graphql.client.js';
import { AdminBulkClient } from '../../graphql-client/bulk/admin-bulk.client.js';
import type { BulkOperations } from '../../graphql-client/bulk/bulk.operations.js';
import type { GraphqlPaginate, GraphqlRequest } from '../../graphql-client/graphql.client.js';
import { StorefrontGraphqlClient } from '../../graphql-client/storefront-graphql.client.js';
import type { StorefrontClient } from '../../graphql-client/storefront-graphql.client.js';
import { AdminRestClient } from '../../rest-client/admin-rest.client.js';
import type { RestClient } from '../../rest-client/rest.client.js';
import type { Session } from '../../sessions/session.js';

/** The Admin API of one shop, with the token of one session. */
export interface AdminContext {
  readonly session: Session;
  /** `graphql(query, { variables })`. @throws {GraphqlQueryError} when the reply holds errors */
  readonly graphql: GraphqlRequest;
  /** The nodes of a connection, across all its pages: `paginate(query, variables, (data) => data.products)`. */
  readonly paginate: GraphqlPaginate;
  /** Exports and imports too large for pages. */
  readonly bulk: BulkOperations;
  readonly rest: RestClient;
}

/** What can be done in a shop with the token of one session. */
export interface ShopClients {
  readonly session: Session;
  readonly admin: AdminContext;
  /** The Storefront API. @throws {MissingRequiredArgument} when it is read in an app that has no token for it */
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
   * @throws {MissingRequiredArgument} when the session has no access token
   */
  for(session: Session): ShopClients {
    const client = this.graphql.for(session);
    const { storefront } = this;
    return {
      session,
      admin: {
        session,
        graphql: client.request.bind(client),
        paginate: client.paginate.bind(client),
        bulk: this.bulk.for(client),
        rest: this.rest.for(session),
      },
      // When it is asked for: an app without a token for it must not stumble here.
      get storefront() {
        return storefront.for(session);
      },
    };
  }
}
