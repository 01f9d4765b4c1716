import { randomBytes } from 'node:crypto';

import type { TokenClient } from '../../auth/tokens/token.client.js';
import type { TokenReply } from '../../auth/tokens/token-reply.js';
import type {
  TokenMigration,
  TokenMigrationOptions,
  TokenMigrationSummary,
} from '../../auth/tokens/token-migration.js';
import { sessionFromToken } from '../../auth/tokens/access-token-store.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { InvalidJwtError, MissingRequiredArgument } from '../../core/core.errors.js';
import { safeCompare } from '../../core/crypto/secret-keys.js';
import type { SessionTokenVerifier } from '../../auth/credentials/session-token.verifier.js';
import { InvalidRequestError } from '../../core/http/http.errors.js';
import { sanitizeHost, sanitizeShop } from '../../core/shop-domain.js';
import { QUERY, RequestedTokenType } from '../../core/vendor.js';
import type { Session } from '../../sessions/session.js';
import type { BeginParams, CallbackParams, CallbackResult, RawOAuth } from './raw-oauth.js';
import { inboundOf } from './raw-request.js';
import type { RawExchange } from './raw-request.js';

/** Parameters of `auth.tokenExchange`. */
export interface TokenExchangeParams {
  readonly shop: string;
  readonly sessionToken: string;
  readonly requestedTokenType: RequestedTokenType;
  /** Of an offline token. @default the app's `expiringOfflineAccessTokens` */
  readonly expiring?: boolean | undefined;
}

/** Parameters of `auth.migrateToExpiringToken`. */
export interface MigrateTokenParams {
  readonly shop: string;
  readonly nonExpiringOfflineAccessToken: string;
}

/** What the token endpoint has issued. */
export interface IssuedSession {
  readonly session: Session;
}

/** What {@link AuthApi} works with. */
interface AuthApiDependencies {
  readonly oauth: RawOAuth;
  readonly config: PlatformConfig;
  readonly sessionTokens: SessionTokenVerifier;
  readonly tokenClient: TokenClient;
  readonly migration: TokenMigration;
}

// Written out: an app that exports `safeCompare` could not name a type of another file.
type Comparable = Parameters<typeof safeCompare>[0];
type SafeCompare = (a: Comparable, b: Comparable) => boolean;

/** `api.auth`: building blocks of an own authentication. */
export class AuthApi {
  readonly safeCompare: SafeCompare = safeCompare;

  constructor(private readonly dependencies: AuthApiDependencies) {}

  /**
   * Sends the browser of a request to the consent page of a shop: over `rawResponse` of Node, or
   * with the web `Response` that is returned. A crawler is answered 410. Where a host of the
   * toolkit serves its own paths, it does this by itself.
   * @throws {InvalidShopError}
   * @throws {PrivateAppError} when the app has a fixed token
   */
  begin(params: BeginParams & { readonly rawRequest: Request }): Promise<Response>;
  begin(params: BeginParams): Promise<Response | undefined>;
  begin(params: BeginParams): Promise<Response | undefined> {
    return this.dependencies.oauth.begin(params);
  }

  /**
   * Completes a grant that {@link begin} began. The session is not stored, and the app sends the
   * browser on; cookies go out with `rawResponse` of Node, or with the `headers` returned.
   * @throws {BotActivityDetected} for a crawler
   * @throws {InvalidHmacError} when the platform did not sign this, or not within 90 seconds
   * @throws {InvalidShopError} when no shop is named
   * @throws {CookieNotFound} when the browser did not send the `state` it was given
   * @throws {InvalidOAuthError} when the `state` is another one or was used before
   * @throws {PrivateAppError} when the app has a fixed token
   * @throws {HttpResponseError} when the platform refuses
   */
  callback<Sent = Headers>(
    params: CallbackParams & { readonly rawRequest: Request },
  ): Promise<CallbackResult<Sent>>;
  callback<Sent = Headers | undefined>(params: CallbackParams): Promise<CallbackResult<Sent>>;
  callback(params: CallbackParams): Promise<CallbackResult<unknown>> {
    return this.dependencies.oauth.callback(params);
  }

  /** 32 random bytes as hex. */
  nonce(): string {
    return randomBytes(32).toString('hex');
  }

  /**
   * Where the admin shows this app; `host` is the parameter of the same name.
   * @throws {InvalidHostError}
   */
  buildEmbeddedAppUrl(host: string): string {
    return this.dependencies.config.embeddedAppUrl(sanitizeHost(host, true));
  }

  /**
   * As {@link buildEmbeddedAppUrl}, with the `host` a request came with.
   * @throws {MissingRequiredArgument} without a request
   * @throws {InvalidRequestError} when it came with no host
   * @throws {InvalidHostError}
   */
  async getEmbeddedAppUrl({ rawRequest }: RawExchange): Promise<string> {
    if (!rawRequest)
      throw new MissingRequiredArgument('getEmbeddedAppUrl() needs a request: pass rawRequest.');
    const { url } = inboundOf(rawRequest, this.dependencies.config);
    const host = url.searchParams.get(QUERY.host);
    if (host === null)
      throw new InvalidRequestError(
        'The request has no host parameter: pass that of a page which the admin has opened.',
      );
    return this.buildEmbeddedAppUrl(host);
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
  }: TokenExchangeParams): Promise<IssuedSession> {
    const domain = sanitizeShop(shop, true);
    if (this.dependencies.sessionTokens.verified(sessionToken).shop !== domain)
      throw new InvalidJwtError(
        `The session token was issued in another shop than ${domain}.`,
        'shop_mismatch',
      );
    const kind = requestedTokenType === RequestedTokenType.OnlineAccessToken ? 'online' : 'offline';
    return this.#issued(
      domain,
      await this.dependencies.tokenClient.exchangeToken(domain, sessionToken, kind, { expiring }),
    );
  }

  /**
   * Trades a refresh token for a session with a new pair of tokens, which is not stored.
   * @throws {HttpResponseError} when the platform refuses
   */
  async refreshToken({
    shop,
    refreshToken,
  }: {
    readonly shop: string;
    readonly refreshToken: string;
  }): Promise<IssuedSession> {
    const domain = sanitizeShop(shop, true);
    return this.#issued(domain, await this.dependencies.tokenClient.refresh(domain, refreshToken));
  }

  /**
   * A session for a shop of the organization that owns the app, which is not stored.
   * @throws {HttpResponseError} when the platform refuses
   */
  async clientCredentials({ shop }: { readonly shop: string }): Promise<IssuedSession> {
    const domain = sanitizeShop(shop, true);
    return this.#issued(domain, await this.dependencies.tokenClient.clientCredentials(domain));
  }

  /**
   * Trades an offline token that never expires for a session with one that does, which is not
   * stored: keep it, for there is no way back.
   * @throws {HttpResponseError} when the platform refuses
   */
  async migrateToExpiringToken({
    shop,
    nonExpiringOfflineAccessToken,
  }: MigrateTokenParams): Promise<IssuedSession> {
    const domain = sanitizeShop(shop, true);
    return this.#issued(
      domain,
      await this.dependencies.tokenClient.migrate(domain, nonExpiringOfflineAccessToken),
    );
  }

  /**
   * Replaces stored offline tokens that never expire by ones that do, shop by shop; see
   * {@link TokenMigration.run}.
   */
  migrateTokens(options?: TokenMigrationOptions): Promise<TokenMigrationSummary> {
    return this.dependencies.migration.run(options);
  }

  #issued(shop: string, reply: TokenReply): IssuedSession {
    return {
      session: sessionFromToken(reply, {
        shop,
        isEmbeddedApp: this.dependencies.config.isEmbeddedApp,
      }),
    };
  }
}
