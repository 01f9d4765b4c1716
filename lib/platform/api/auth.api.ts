import { randomBytes } from 'node:crypto';

import { shopOf } from '../../auth/credentials/session-token.verifier.js';
import type { TokenClient, TokenReply } from '../../auth/tokens/token.client.js';
import type {
  TokenMigration,
  TokenMigrationOptions,
  TokenMigrationSummary,
} from '../../auth/tokens/token-migration.js';
import { sessionFromToken } from '../../auth/tokens/token-session.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { InvalidJwtError } from '../../core/core.errors.js';
import { safeCompare } from '../../core/crypto/secret-keys.js';
import type { SessionTokenVerifier } from '../../auth/credentials/session-token.verifier.js';
import { sanitizeHost, sanitizeShop } from '../../core/shop-domain.js';
import { QUERY, RequestedTokenType } from '../../core/vendor.js';
import type { Session } from '../../sessions/session.js';
import { inboundOf } from './raw-request.js';
import type { RawRequest } from './raw-request.js';

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

/** What {@link AuthApi} works with. */
export interface AuthApiDependencies {
  readonly config: PlatformConfig;
  readonly sessionTokens: SessionTokenVerifier;
  readonly tokenClient: TokenClient;
  readonly migration: TokenMigration;
}

/** `api.auth`: building blocks of an own authentication. */
export class AuthApi {
  readonly safeCompare = safeCompare;

  constructor(private readonly dependencies: AuthApiDependencies) {}

  /** 32 random bytes as hex. */
  nonce(): string {
    return randomBytes(32).toString('hex');
  }

  /**
   * Where the admin shows this app; `host` is the parameter of the same name. @throws
   * {InvalidHostError}
   */
  buildEmbeddedAppUrl(host: string): string {
    return this.dependencies.config.embeddedAppUrl(sanitizeHost(host, true));
  }

  /**
   * As {@link buildEmbeddedAppUrl}, with the `host` a request came with. @throws {InvalidHostError}
   * when it came with none
   */
  async getEmbeddedAppUrl({ rawRequest }: { readonly rawRequest: RawRequest }): Promise<string> {
    const { url } = inboundOf(rawRequest, this.dependencies.config);
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
    if (shopOf(this.dependencies.sessionTokens.verify(sessionToken)) !== domain)
      throw new InvalidJwtError(
        `The session token was issued in another shop than ${domain}.`,
        'shop_mismatch',
      );
    const kind = requestedTokenType === RequestedTokenType.OnlineAccessToken ? 'online' : 'offline';
    return this.#granted(
      domain,
      await this.dependencies.tokenClient.exchangeToken(domain, sessionToken, kind, { expiring }),
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
    return this.#granted(domain, await this.dependencies.tokenClient.refresh(domain, refreshToken));
  }

  /**
   * A session for a shop of the organization that owns the app, which is not stored. @throws
   * {HttpResponseError} when the platform refuses
   */
  async clientCredentials({ shop }: { readonly shop: string }): Promise<GrantedSession> {
    const domain = sanitizeShop(shop, true);
    return this.#granted(domain, await this.dependencies.tokenClient.clientCredentials(domain));
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

  #granted(shop: string, reply: TokenReply): GrantedSession {
    return {
      session: sessionFromToken(reply, {
        shop,
        isEmbeddedApp: this.dependencies.config.isEmbeddedApp,
      }),
    };
  }
}
