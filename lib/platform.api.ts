import { randomBytes } from 'node:crypto';

import type { ShopClients } from './auth/admin/admin.context.js';
import { currentSessionId } from './auth/current-session.js';
import { isVersionCompatible } from './core/api-version.js';
import type { ApiSession } from './core/api.session.js';
import type { PlatformConfig } from './core/config/platform.config.js';
import { verifyQueryHmac } from './core/crypto/query-hmac.js';
import type { HmacQuery, HmacSignator } from './core/crypto/query-hmac.js';
import type { SecretUse } from './core/crypto/secret-keys.js';
import { safeCompare } from './core/crypto/safe-compare.js';
import type { ExtensionTokenPayload, SessionTokenPayload } from './core/crypto/session-token.verifier.js';
import type { PlatformLogger } from './core/logger.js';
import { legacyUrlToShopAdminUrl, sanitizeHost, sanitizeShop, shopAdminUrlToLegacyUrl } from './core/shop-domain.js';
import { QUERY } from './core/vendor.js';
import type { GraphqlClient } from './graphql-client/graphql.client.js';
import type { StorefrontClient } from './graphql-client/storefront-graphql.client.js';
import { WebhooksApi, inboundOf } from './platform.api.webhooks.js';
import type { RawRequest } from './platform.api.webhooks.js';
import type { PlatformKernel } from './platform.kernel.js';
import type { PlatformServices } from './platform.services.js';
import type { RestClient } from './rest-client/rest.client.js';
import { offlineSessionId, onlineSessionId } from './sessions/session.ids.js';
import { Session } from './sessions/session.js';

/** The library below the hosts, shaped like the one apps of the platform are written with. */
export interface PlatformApi {
  readonly config: PlatformConfig;
  readonly logger: PlatformLogger;
  readonly utils: UtilsApi;
  readonly auth: AuthApi;
  readonly session: SessionApi;
  readonly webhooks: WebhooksApi;
  readonly clients: ClientsApi;
}

/** Builds the library of one app. Only what needs handlers waits for the container. */
export function createPlatformApi(kernel: PlatformKernel, services: () => Promise<PlatformServices>): PlatformApi {
  return {
    config: kernel.config,
    logger: kernel.logger,
    utils: new UtilsApi(kernel),
    auth: new AuthApi(kernel),
    session: new SessionApi(kernel),
    webhooks: new WebhooksApi(kernel, services),
    clients: clientsOf(kernel),
  };
}

/** `api.utils`: questions about domains, signatures and versions. */
export class UtilsApi {
  readonly sanitizeShop = sanitizeShop;
  readonly sanitizeHost = sanitizeHost;
  readonly shopAdminUrlToLegacyUrl = shopAdminUrlToLegacyUrl;
  readonly legacyUrlToShopAdminUrl = legacyUrlToShopAdminUrl;

  constructor(private readonly kernel: PlatformKernel) {}

  /** True when a query was signed with a secret of this app. @throws {InvalidHmacError} when it carries no usable signature or timestamp */
  async validateHmac(query: HmacQuery, { signator }: { readonly signator?: HmacSignator | undefined } = {}): Promise<boolean> {
    return verifyQueryHmac(query, this.kernel.keys, this.kernel.clock.now(), signator);
  }

  /** Whether the previous secrets of `apiSecretKey` are still in use in this process, in their order: when not, they may go. */
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

/** `api.auth`: building blocks of an own authentication. */
export class AuthApi {
  readonly safeCompare = safeCompare;

  constructor(private readonly kernel: PlatformKernel) {}

  /** 32 random bytes as hex. */
  nonce(): string {
    return randomBytes(32).toString('hex');
  }

  /** Where the admin shows this app; `host` is the parameter of the same name. @throws {InvalidHostError} */
  buildEmbeddedAppUrl(host: string): string {
    return this.kernel.config.embeddedAppUrl(sanitizeHost(host, true));
  }

  /** As {@link buildEmbeddedAppUrl}, with the `host` a request came with. @throws {InvalidHostError} when it came with none */
  async getEmbeddedAppUrl({ rawRequest }: { readonly rawRequest: RawRequest }): Promise<string> {
    const { url } = inboundOf(rawRequest, this.kernel.config);
    return this.buildEmbeddedAppUrl(url.searchParams.get(QUERY.host) ?? '');
  }
}

/** `api.session`: which session a request belongs to. */
export class SessionApi {
  readonly getOfflineId = offlineSessionId;
  readonly getJwtSessionId = onlineSessionId;

  constructor(private readonly kernel: PlatformKernel) {}

  /** The session of a custom app, whose token is fixed. @throws {InvalidShopError} */
  customAppSession(shop: string): Session {
    return new Session({ id: '', shop: sanitizeShop(shop, true), state: '', isOnline: false });
  }

  /** Id of the session a request proves: by its session token when the app is embedded, else by its cookie. */
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
  decodeSessionToken(token: string, options?: { readonly checkAudience?: true | undefined }): Promise<SessionTokenPayload>;
  decodeSessionToken(token: string, options: { readonly checkAudience?: boolean | undefined }): Promise<ExtensionTokenPayload>;
  async decodeSessionToken(token: string, options: { readonly checkAudience?: boolean | undefined } = {}): Promise<ExtensionTokenPayload> {
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
export interface ClientsApi {
  /** @throws {MissingRequiredArgument} when the session has no token */
  readonly Graphql: new (params: ClientParams) => GraphqlClient;
  /** @throws {MissingRequiredArgument} when the session has no token */
  readonly Storefront: new (params: ClientParams) => StorefrontClient;
  /** @throws {MissingRequiredArgument} when the session has no token */
  readonly Rest: new (params: ClientParams) => RestClient;
  /**
   * Everything that can be done in a shop on the app's own behalf, bulk operations included, for work that no request started.
   * @throws {SessionNotFoundError} when the shop has not installed the app
   * @throws {InvalidShopError}
   */
  forShop(shop: string): Promise<ShopClients>;
}

function clientsOf({ graphql, storefront, rest, clients }: PlatformKernel): ClientsApi {
  return {
    Graphql: newable(({ session, apiVersion }: ClientParams) => graphql.for(session, { apiVersion })),
    Storefront: newable(({ session, apiVersion }: ClientParams) => storefront.for(session, { apiVersion })),
    Rest: newable(({ session, apiVersion }: ClientParams) => rest.for(session, { apiVersion })),
    forShop: (shop) => clients.forShop(shop),
  };
}

/** A factory that is called with `new`: a constructor may answer with an object of another making. */
function newable<Params, Made extends object>(create: (params: Params) => Made): new (params: Params) => Made {
  return class {
    constructor(params: Params) {
      return create(params);
    }
  } as new (params: Params) => Made;
}
