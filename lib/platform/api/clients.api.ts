import type { ShopClients } from '../../auth/clients/admin-context.js';
import type { SessionKind } from '../../auth/tokens/token-manager.js';
import type { ApiSession } from '../../core/api-session.js';
import type { AdminGraphqlClient } from '../../graphql-client/admin-graphql.client.js';
import type { GraphqlClient } from '../../graphql-client/graphql.client.js';
import type {
  StorefrontClient,
  StorefrontGraphqlClient,
} from '../../graphql-client/storefront-graphql.client.js';
import type { AdminRestClient } from '../../rest-client/admin-rest.client.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { RestClient } from '../../rest-client/rest.client.js';
import type { PlatformClients } from './platform-clients.js';

/** Of whom and in which version a client speaks. */
export interface ClientParams {
  readonly session: ApiSession;
  /** @default the app's version */
  readonly apiVersion?: string | undefined;
}

/** What {@link ClientsApi} works with. */
export interface ClientsApiDependencies {
  readonly graphql: AdminGraphqlClient;
  readonly storefront: StorefrontGraphqlClient;
  readonly rest: AdminRestClient;
  readonly clients: PlatformClients;
}

/** `api.clients`: classes bound to this app. */
export class ClientsApi<Resources extends ResourceSet = RegisteredResources> {
  /** @throws {MissingRequiredArgument} when the session has no token */
  readonly Graphql: new (params: ClientParams) => GraphqlClient;
  /** @throws {MissingRequiredArgument} when the session has no token */
  readonly Storefront: new (params: ClientParams) => StorefrontClient;
  /** @throws {MissingRequiredArgument} when the session has no token */
  readonly Rest: new (params: ClientParams) => RestClient;
  readonly #clients: PlatformClients;

  constructor({ graphql, storefront, rest, clients }: ClientsApiDependencies) {
    this.Graphql = newable(({ session, apiVersion }) => graphql.for(session, { apiVersion }));
    this.Storefront = newable(({ session, apiVersion }) => storefront.for(session, { apiVersion }));
    this.Rest = newable(({ session, apiVersion }) => rest.for(session, { apiVersion }));
    this.#clients = clients;
  }

  /**
   * Everything that can be done in a shop on the app's own behalf, bulk operations included, for
   * work that no request started. The token is renewed when necessary.
   * @param kind whose token is used @default 'offline', the app's own
   * @throws {SessionNotFoundError} when the shop has not installed the app
   * @throws {ReauthorizationRequiredError} when the platform no longer renews the token
   * @throws {InvalidShopError}
   */
  forShop(shop: string, kind?: SessionKind): Promise<ShopClients<Resources>> {
    return this.#clients.forShop<Resources>(shop, kind);
  }
}

/** A factory that is called with `new`: a constructor may return an object of another class. */
function newable<Made extends object>(
  create: (params: ClientParams) => Made,
): new (params: ClientParams) => Made {
  return class {
    constructor(params: ClientParams) {
      return create(params);
    }
  } as new (params: ClientParams) => Made;
}
