import { isAccessToken, shopOf } from '../core/api-session.js';
import type { ApiSession } from '../core/api-session.js';
import type { PlatformConfig } from '../core/config/platform-config.js';
import { MissingRequiredArgument } from '../core/core.errors.js';
import type { ApiCaller } from '../core/http/api-caller.js';
import { storefrontEndpoint, versionFor, userAgent } from '../core/http/api-request.js';
import { DeprecationNotices } from '../core/http/deprecation-notices.js';
import type { PlatformLogger } from '../core/logger.js';
import { FREE } from './graphql-operation.js';
import { graphqlOf } from './graphql-response.js';
import type { GraphqlRequest } from './graphql-response.js';
import { GraphqlClient } from './graphql.client.js';
import type { StorefrontOperations } from './storefront-operations.js';

/** Asks the Storefront GraphQL interface; see {@link GraphqlRequest}. */
export type StorefrontRequest = GraphqlRequest<StorefrontOperations>;

/** Calls the Storefront interface of one shop on behalf of one session. */
export class StorefrontClient extends GraphqlClient<StorefrontOperations> {
  /**
   * `graphql(query, { variables })`, as `admin.graphql` is.
   * @throws {GraphqlQueryError} when the reply holds errors
   */
  readonly graphql: StorefrontRequest = graphqlOf(this, false);
}

/** The Storefront GraphQL interface for an app: hands out a client per session. */
export class StorefrontGraphqlClient {
  readonly #deprecations: DeprecationNotices;

  /** @param caller unpaced: the platform limits this interface per buyer, not per app */
  constructor(
    private readonly config: PlatformConfig,
    private readonly caller: ApiCaller,
    private readonly logger: PlatformLogger,
  ) {
    this.#deprecations = new DeprecationNotices(caller.clock, logger);
  }

  /**
   * A client for one session, of the app's API version unless another is named. It proves itself
   * with the session's token, or with `privateAppStorefrontAccessToken` in a custom app.
   * @throws {InvalidShopError} when the session names no shop
   * @throws {MissingRequiredArgument} when there is no session, or no access token, unless
   * `missingToken` says otherwise
   */
  for(
    session: ApiSession,
    options: {
      readonly apiVersion?: string | undefined;
      /** Address of the buyer the app calls for. */
      readonly buyerIp?: string | undefined;
      /**
       * What a session without a token leads to: an error here, or one with each call, for a client
       * that is handed out to whoever may not use it. @default 'throw'
       */
      readonly missingToken?: 'throw' | 'refuse_calls' | undefined;
    } = {},
  ): StorefrontClient {
    const apiVersion = versionFor(
      'Storefront',
      options.apiVersion,
      this.config.apiVersion,
      this.logger,
    );
    const shop = shopOf(session);
    const accessToken = this.#tokenOf(session);
    if (accessToken === undefined && options.missingToken !== 'refuse_calls')
      throw this.#missingToken(shop);
    return new StorefrontClient(session, apiVersion, {
      endpoint: storefrontEndpoint({
        ...{ shop, origin: this.config.shopOrigin(shop) },
        accessToken: () => {
          if (accessToken === undefined) throw this.#missingToken(shop);
          return accessToken;
        },
        tokenKind: 'private',
        clientName: userAgent(this.config),
        buyerIp: options.buyerIp,
      }),
      caller: this.caller,
      costs: FREE,
      errorPolicy: 'throw',
      userErrors: this.config.userErrors,
      observer: this.#deprecations,
    });
  }

  #tokenOf(session: ApiSession): string | undefined {
    const accessToken = this.config.isCustomStoreApp
      ? this.config.privateAppStorefrontAccessToken
      : session.accessToken;
    return isAccessToken(accessToken) ? accessToken : undefined;
  }

  #missingToken(shop: string): MissingRequiredArgument {
    const fix = this.config.isCustomStoreApp
      ? 'Pass privateAppStorefrontAccessToken.'
      : 'Authenticate the shop first.';
    return new MissingRequiredArgument(
      `Missing access token: there is none to call the Storefront interface of ${shop} with. ${fix}`,
    );
  }
}
