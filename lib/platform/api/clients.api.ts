import type { ShopClients } from '../../auth/clients/admin-context.js';
import type { ForEachShopOptions, ForEachShopSummary, ShopWork } from './every-shop.js';
import type { SessionKind } from '../../auth/tokens/token-manager.js';
import type { ApiSession } from '../../core/api-session.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { Untyped } from '../../core/json.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { AdminOperations } from '../../graphql-client/admin-operations.js';
import type { AdminGraphqlClient } from '../../graphql-client/admin-graphql.client.js';
import { GraphqlClient } from '../../graphql-client/graphql.client.js';
import type { GraphqlResult } from '../../graphql-client/graphql-result.js';
import type { StorefrontGraphqlClient } from '../../graphql-client/storefront-graphql.client.js';
import type { StorefrontOperations } from '../../graphql-client/storefront-operations.js';
import type { AdminRestClient } from '../../rest-client/admin-rest.client.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import { RestClient } from '../../rest-client/rest.client.js';
import { InvalidSession } from '../../sessions/sessions.errors.js';
import { proxiedQuery } from './proxied-query.js';
import type { ProxiedBody } from './proxied-query.js';
import { libraryMembers } from './library-members.js';
import type { LibraryGraphqlClient } from './library-members.js';
import type { PlatformClients } from './platform-clients.js';

/** Of whom and in which version a client speaks. */
export interface ClientParams {
  readonly session: ApiSession;
  /** @default the app's version */
  readonly apiVersion?: string | undefined;
}

/** What {@link ClientsApi} works with. */
interface ClientsApiDependencies {
  readonly config: PlatformConfig;
  readonly graphql: AdminGraphqlClient;
  readonly storefront: StorefrontGraphqlClient;
  readonly rest: AdminRestClient;
  readonly clients: PlatformClients;
  readonly logger: PlatformLogger;
}

/** `api.clients`: classes bound to this app. */
export class ClientsApi<Resources extends ResourceSet = RegisteredResources> {
  /** @throws {MissingRequiredArgument} when the session has no token */
  readonly Graphql: new (params: ClientParams) => LibraryGraphqlClient<AdminOperations>;
  /** @throws {MissingRequiredArgument} when the session has no token */
  readonly Storefront: new (params: ClientParams) => LibraryGraphqlClient<StorefrontOperations>;
  /** @throws {MissingRequiredArgument} when the session has no token */
  readonly Rest: new (params: ClientParams) => RestClient;
  readonly #config: PlatformConfig;
  readonly #clients: PlatformClients;

  constructor({ config, graphql, storefront, rest, clients, logger }: ClientsApiDependencies) {
    const members = libraryMembers(logger);
    this.Graphql = boundClass<LibraryGraphqlClient<AdminOperations>>(
      GraphqlClient,
      (params) => graphql.for(params.session, params),
      members,
    );
    this.Storefront = boundClass<LibraryGraphqlClient<StorefrontOperations>>(
      GraphqlClient,
      (params) => storefront.for(params.session, params),
      members,
    );
    this.Rest = boundClass<RestClient>(RestClient, (params) => rest.for(params.session, params));
    this.#config = config;
    this.#clients = clients;
  }

  /**
   * Passes a query on that a page of the app has sent, with the token of its session. Whoever may
   * call it may do in the shop whatever the token allows.
   * @throws {InvalidSession} when there is no session, or it has no token: a custom app needs none
   * @throws {MissingRequiredArgument} when there is no query
   * @throws {InvalidRequestError} when the query is no text, or the variables are no object
   * @throws {GraphqlQueryError} when the reply has errors
   */
  async graphqlProxy({ session, rawBody }: GraphqlProxyParams): Promise<{
    readonly body: GraphqlResult;
    readonly headers: Readonly<Record<string, readonly string[]>>;
  }> {
    if (!session || !(this.#config.adminApiAccessToken ?? session.accessToken))
      throw new InvalidSession('The query cannot be passed on: its session has no access token.');
    const { query, variables } = proxiedQuery(rawBody);
    const client = new this.Graphql({ session });
    return { body: await client.request<Untyped>(query, { variables }), headers: {} };
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

  /** Does work in every shop that has the app; see {@link PlatformClients.forEachShop}. */
  forEachShop(
    work: ShopWork<Resources>,
    options?: ForEachShopOptions,
  ): Promise<ForEachShopSummary> {
    return this.#clients.forEachShop<Resources>(work, options);
  }
}

/** A query that a page of the app has sent, to be passed on. */
export interface GraphqlProxyParams {
  readonly session: ApiSession | undefined;
  /** The query, or a body with `query` and `variables`, parsed or as its JSON text. */
  readonly rawBody: string | ProxiedBody;
}

/**
 * A class whose instances a factory makes. It extends `Kind`, and can be extended: what the factory
 * makes becomes an instance of the class that `new` was called with.
 * @param members what its instances have that those of `Kind` have not
 */
function boundClass<Made extends object>(
  Kind: { readonly prototype: object },
  create: (params: ClientParams) => object,
  members: PropertyDescriptorMap = {},
): new (params: ClientParams) => Made {
  class Bound {
    constructor(params: ClientParams) {
      return Object.setPrototypeOf(create(params), new.target.prototype);
    }
  }
  Object.setPrototypeOf(Bound, Kind);
  Object.setPrototypeOf(Bound.prototype, Kind.prototype);
  Object.defineProperties(Bound.prototype, members);
  return Bound as new (params: ClientParams) => Made;
}
