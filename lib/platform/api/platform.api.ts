import { randomBytes } from 'node:crypto';

import type { ShopClients } from '../../auth/clients/admin-context.js';
import { currentSessionId } from '../../auth/credentials/current-session.js';
import { shopOf } from '../../auth/credentials/session-token.js';
import type { ScopesService } from '../../auth/scopes/scopes.service.js';
import type { TokenReply } from '../../auth/tokens/token.client.js';
import type { SessionKind } from '../../auth/tokens/token-manager.js';
import { TokenMigration } from '../../auth/tokens/token-migration.js';
import type {
  TokenMigrationOptions,
  TokenMigrationSummary,
} from '../../auth/tokens/token-migration.js';
import { customAppSession, sessionFromToken } from '../../auth/tokens/token-session.js';
import type { BillingService } from '../../billing/billing.service.js';
import { isVersionCompatible } from '../../core/api-version.js';
import type { ApiSession } from '../../core/api-session.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { InvalidJwtError } from '../../core/core.errors.js';
import { verifyQueryHmac } from '../../core/crypto/query-hmac.js';
import type { HmacQuery, HmacSignator } from '../../core/crypto/query-hmac.js';
import type { SecretUse } from '../../core/crypto/secret-keys.js';
import { safeCompare } from '../../core/crypto/safe-compare.js';
import type {
  ExtensionTokenPayload,
  SessionTokenPayload,
} from '../../core/crypto/session-token.verifier.js';
import type { PlatformLogger } from '../../core/logger.js';
import {
  legacyUrlToShopAdminUrl,
  sanitizeHost,
  sanitizeShop,
  shopAdminUrlToLegacyUrl,
} from '../../core/shop-domain.js';
import { QUERY, RequestedTokenType } from '../../core/vendor.js';
import type { GraphqlClient } from '../../graphql-client/graphql.client.js';
import type { StorefrontClient } from '../../graphql-client/storefront-graphql.client.js';
import { WebhooksApi, inboundOf } from './webhooks.api.js';
import type { RawRequest } from './webhooks.api.js';
import type { PlatformKernel } from '../kernel/platform-kernel.js';
import type { PlatformServices } from '../kernel/platform-services.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { RestClient } from '../../rest-client/rest.client.js';
import { offlineSessionId, onlineSessionId } from '../../sessions/session-ids.js';
import type { Session } from '../../sessions/session.js';

/** The library below the hosts, shaped like the one apps of the platform are written with. */
export interface PlatformApi<Resources extends ResourceSet = RegisteredResources> {
  readonly config: PlatformConfig;
  readonly logger: PlatformLogger;
  readonly utils: UtilsApi;
  readonly auth: AuthApi;
  readonly session: SessionApi;
  readonly webhooks: WebhooksApi;
  readonly clients: ClientsApi<Resources>;
  /** What shops pay. */
  readonly billing: BillingService;
  /** What shops have granted. */
  readonly scopes: ScopesService;
  /** The app's typed resources: `api.rest.Product.all({ session })`. */
  readonly rest: Resources;
}

/** Builds the library of one app. Only what needs handlers waits for the container. */
export function createPlatformApi<Resources extends ResourceSet>(
  kernel: PlatformKernel,
  services: () => Promise<PlatformServices>,
): PlatformApi<Resources> {
  return {
    config: kernel.config,
    logger: kernel.logger,
    utils: new UtilsApi(kernel),
    auth: new AuthApi(kernel),
    session: new SessionApi(kernel),
    webhooks: new WebhooksApi(kernel, services),
    clients: clientsOf(kernel),
    billing: kernel.billing,
    scopes: kernel.scopes,
    // What the options held, in the type they had there.
    rest: kernel.rest.resources as Resources,
  };
}

/** `api.utils`: questions about domains, signatures and versions. */
export class UtilsApi {
  readonly sanitizeShop = sanitizeShop;
  readonly sanitizeHost = sanitizeHost;
  readonly shopAdminUrlToLegacyUrl = shopAdminUrlToLegacyUrl;
  readonly legacyUrlToShopAdminUrl = legacyUrlToShopAdminUrl;

  constructor(private readonly kernel: PlatformKernel) {}

  /**
   * True when a query was signed with a secret of this app. @throws {InvalidHmacError} when it
   * carries no usable signature or timestamp
   */
  async validateHmac(
    query: HmacQuery,
    { signator }: { readonly signator?: HmacSignator | undefined } = {},
  ): Promise<boolean> {
    return verifyQueryHmac(query, this.kernel.keys, this.kernel.clock.now(), signator);
  }

  /**
   * Whether the previous secrets of `apiSecretKey` are still in use in this process, in their
   * order: when not, they may go.
   */
  previousSecretUse(): readonly SecretUse[] {
    return this.kernel.keys.previous;
  }

  /** True when `current` is `reference` or newer. @param current default: the app's version */
  versionCompatible(reference: string, current: string = this.kernel.config.apiVersion): boolean {
    return isVersionCompatible(reference, current);
  }

  /** True when `current` is older than `reference`. @param current default: the app's version */
  versionPriorTo(reference: string, current?: string): boolean {
    return !this.versionCompatible(reference, current);
  }
}

export interface TokenExchangeParams {
  readonly shop: string;
  readonly sessionToken: string;
  readonly requestedTokenType: RequestedTokenType;
  /** Of an offline token. @default the app's `expiringOfflineAccessTokens` */
  readonly expiring?: boolean | undefined;
}

export interface MigrateTokenParams {
  readonly shop: string;
  readonly nonExpiringOfflineAccessToken: string;
}

/** What the token endpoint has granted. */
export interface GrantedSession {
  readonly session: Session;
}

/** `api.auth`: building blocks of an own authentication. */
export class AuthApi {
  readonly safeCompare = safeCompare;

  readonly #migration: TokenMigration;

  constructor(private readonly kernel: PlatformKernel) {
    this.#migration = new TokenMigration(kernel.storage, kernel.tokens);
  }

  /** 32 random bytes as hex. */
  nonce(): string {
    return randomBytes(32).toString('hex');
  }

  /**
   * Where the admin shows this app; `host` is the parameter of the same name. @throws
   * {InvalidHostError}
   */
  buildEmbeddedAppUrl(host: string): string {
    return this.kernel.config.embeddedAppUrl(sanitizeHost(host, true));
  }

  /**
   * As {@link buildEmbeddedAppUrl}, with the `host` a request came with. @throws {InvalidHostError}
   * when it came with none
   */
  async getEmbeddedAppUrl({ rawRequest }: { readonly rawRequest: RawRequest }): Promise<string> {
    const { url } = inboundOf(rawRequest, this.kernel.config);
    return this.buildEmbeddedAppUrl(url.searchParams.get(QUERY.host) ?? '');
  }

  /**
   * Trades a session token for a session, which is not stored. The toolkit does this by itself for
   * every request of the admin.
   * @throws {InvalidJwtError} when the session token must not be believed, or was issued in another
   * shop
   * @throws {HttpResponseError} when the platform refuses
   */
  async tokenExchange({
    shop,
    sessionToken,
    requestedTokenType,
    expiring,
  }: TokenExchangeParams): Promise<GrantedSession> {
    const domain = sanitizeShop(shop, true);
    if (shopOf(this.kernel.sessionTokens.verify(sessionToken)) !== domain)
      throw new InvalidJwtError(
        `The session token was issued in another shop than ${domain}.`,
        'shop_mismatch',
      );
    const kind = requestedTokenType === RequestedTokenType.OnlineAccessToken ? 'online' : 'offline';
    return this.#granted(
      domain,
      await this.kernel.tokenClient.exchangeToken(domain, sessionToken, kind, { expiring }),
    );
  }

  /**
   * Trades a refresh token for a session with a new pair of tokens, which is not stored. @throws
   * {HttpResponseError} when the platform refuses
   */
  async refreshToken({
    shop,
    refreshToken,
  }: {
    readonly shop: string;
    readonly refreshToken: string;
  }): Promise<GrantedSession> {
    const domain = sanitizeShop(shop, true);
    return this.#granted(domain, await this.kernel.tokenClient.refresh(domain, refreshToken));
  }

  /**
   * A session for a shop of the organization that owns the app, which is not stored. @throws
   * {HttpResponseError} when the platform refuses
   */
  async clientCredentials({ shop }: { readonly shop: string }): Promise<GrantedSession> {
    const domain = sanitizeShop(shop, true);
    return this.#granted(domain, await this.kernel.tokenClient.clientCredentials(domain));
  }

  /**
   * Trades an offline token that never expires for a session with one that does, which is not
   * stored: keep it, for there is no way back.
   * @throws {HttpResponseError} when the platform refuses
   */
  async migrateToExpiringToken({
    shop,
    nonExpiringOfflineAccessToken,
  }: MigrateTokenParams): Promise<GrantedSession> {
    const domain = sanitizeShop(shop, true);
    return this.#granted(
      domain,
      await this.kernel.tokenClient.migrate(domain, nonExpiringOfflineAccessToken),
    );
  }

  /**
   * Replaces stored offline tokens that never expire by ones that do, shop by shop; see
   * {@link TokenMigration.run}.
   */
  migrateTokens(options?: TokenMigrationOptions): Promise<TokenMigrationSummary> {
    return this.#migration.run(options);
  }

  #granted(shop: string, reply: TokenReply): GrantedSession {
    return {
      session: sessionFromToken(reply, { shop, isEmbeddedApp: this.kernel.config.isEmbeddedApp }),
    };
  }
}

/** `api.session`: which session a request belongs to. */
export class SessionApi {
  readonly getOfflineId = offlineSessionId;
  readonly getJwtSessionId = onlineSessionId;

  constructor(private readonly kernel: PlatformKernel) {}

  /** The session of a custom app, whose token is fixed. @throws {InvalidShopError} */
  customAppSession(shop: string): Session {
    return customAppSession(sanitizeShop(shop, true));
  }

  /**
   * A session of a shop whose token is good for the next minutes, renewed when that is necessary.
   * @param kind whose token is wanted @default 'offline', the app's own
   * @throws {SessionNotFoundError} when there is none
   * @throws {ReauthorizationRequiredError} when the platform no longer renews it
   * @throws {SessionExpiredError} when it has expired and nothing can renew it but a visit
   */
  forShop(shop: string, kind?: SessionKind): Promise<Session> {
    return this.kernel.tokens.session(shop, kind);
  }

  /**
   * Id of the session a request proves: by its session token when the app is embedded, else by its
   * cookie.
   */
  async getCurrentId({
    isOnline,
    rawRequest,
  }: {
    readonly isOnline: boolean;
    readonly rawRequest: RawRequest;
  }): Promise<string | undefined> {
    return currentSessionId(inboundOf(rawRequest, this.kernel.config), this.kernel, { isOnline });
  }

  /** What a session token says. @throws {InvalidJwtError} when it must not be believed */
  decodeSessionToken(
    token: string,
    options?: { readonly checkAudience?: true | undefined },
  ): Promise<SessionTokenPayload>;
  decodeSessionToken(
    token: string,
    options: { readonly checkAudience?: boolean | undefined },
  ): Promise<ExtensionTokenPayload>;
  async decodeSessionToken(
    token: string,
    options: { readonly checkAudience?: boolean | undefined } = {},
  ): Promise<ExtensionTokenPayload> {
    return this.kernel.sessionTokens.verify(token, options);
  }
}

/** Of whom and in which version a client speaks. */
export interface ClientParams {
  readonly session: ApiSession;
  /** @default the app's version */
  readonly apiVersion?: string | undefined;
}

/** `api.clients`: classes bound to this app. */
export interface ClientsApi<Resources extends ResourceSet = RegisteredResources> {
  /** @throws {MissingRequiredArgument} when the session has no token */
  readonly Graphql: new (params: ClientParams) => GraphqlClient;
  /** @throws {MissingRequiredArgument} when the session has no token */
  readonly Storefront: new (params: ClientParams) => StorefrontClient;
  /** @throws {MissingRequiredArgument} when the session has no token */
  readonly Rest: new (params: ClientParams) => RestClient;
  /**
   * Everything that can be done in a shop on the app's own behalf, bulk operations included, for
   * work that no request started. The token is renewed when that is necessary.
   * @param kind whose token is used @default 'offline', the app's own
   * @throws {SessionNotFoundError} when the shop has not installed the app
   * @throws {ReauthorizationRequiredError} when the platform no longer renews the token
   * @throws {InvalidShopError}
   */
  forShop(shop: string, kind?: SessionKind): Promise<ShopClients<Resources>>;
}

function clientsOf<Resources extends ResourceSet>({
  graphql,
  storefront,
  rest,
  clients,
}: PlatformKernel): ClientsApi<Resources> {
  return {
    Graphql: newable(({ session, apiVersion }: ClientParams) =>
      graphql.for(session, { apiVersion }),
    ),
    Storefront: newable(({ session, apiVersion }: ClientParams) =>
      storefront.for(session, { apiVersion }),
    ),
    Rest: newable(({ session, apiVersion }: ClientParams) => rest.for(session, { apiVersion })),
    forShop: (shop, kind) => clients.forShop<Resources>(shop, kind),
  };
}

/**
 * A factory that is called with `new`: a constructor may answer with an object of another making.
 */
function newable<Params, Made extends object>(
  create: (params: Params) => Made,
): new (params: Params) => Made {
  return class {
    constructor(params: Params) {
      return create(params);
    }
  } as new (params: Params) => Made;
}
