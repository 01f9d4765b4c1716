import type { BulkOperations } from '../../graphql-client/bulk/bulk-operations.js';
import type { GraphqlRequest } from '../../graphql-client/graphql-response.js';
import type { GraphqlPaginate } from '../../graphql-client/graphql.client.js';
import type { StorefrontClient } from '../../graphql-client/storefront-graphql.client.js';
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
  /** The Storefront API. Its calls reject where the app has no token for it. */
  readonly storefront: StorefrontClient;
}
