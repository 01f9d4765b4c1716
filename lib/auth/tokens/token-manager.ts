import { TokenRenewer } from '../../core/api-session.js';
import type { ApiSession, RefusedToken } from '../../core/api-session.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { InvalidJwtError } from '../../core/core.errors.js';
import type {
  SessionTokenVerifier,
  VerifiedSessionToken,
} from '../credentials/session-token.verifier.js';
import type { PlatformLogger } from '../../core/logger.js';
import { sanitizeShop } from '../../core/shop-domain.js';
import type { Clock } from '../../core/time/clock.js';
import {
  Session,
  isDueForRenewal,
  onlineSessionId,
  customAppSession,
  isFromClientCredentials,
  isRefreshable,
  lastToExpireFirst,
  offlineSessionId,
} from '../../sessions/session.js';
import { userOf } from '../../sessions/session-properties.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { ReauthorizationRequiredError } from '../auth.errors.js';
import { sessionIdFor } from '../credentials/session-token.verifier.js';
import type { ClientCredentials } from './client-credentials.js';
import { endsAccess, missingSession } from './lost-access.js';
import { refreshedSession } from './access-token-store.js';
import type { AccessTokenStore } from './access-token-store.js';
import { oauthErrorCode } from './token.client.js';
import type { ExchangeOptions, TokenClient } from './token.client.js';
import type { Stale, TokenExchanger, TokenRefresher } from './token-grants.js';

/**
 * Whose token is wanted: the app's own in a shop (`offline`), the app's own in a shop of the
 * organization it belongs to (`client-credentials`: it needs no installation), or that of one user.
 */
export type SessionKind = 'offline' | 'client-credentials' | { readonly user: number | string };

/** What an authorization code is traded for. */
interface CodeGrantKind {
  /** Canonical. */
  readonly shop: string;
  /** A user's token, not the app's own. */
  readonly isOnline: boolean;
}

/** The session that an authorization code was traded for. */
export interface CodeGranted {
  readonly session: Session;
  /** By the platform's clock. */
  readonly grantedAt: Date;
  /** The grant ends an authentication: `hooks.afterAuth` runs. @default false */
  readonly authenticated?: boolean | undefined;
}

/** What a {@link TokenManager} works with. */
export interface TokenManagerDependencies {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly storage: SessionStorage;
  readonly sessionTokens: SessionTokenVerifier;
  readonly client: TokenClient;
  readonly store: AccessTokenStore;
  readonly refresher: TokenRefresher;
  readonly exchanger: TokenExchanger;
  readonly clientCredentials: ClientCredentials;
}

/** Provides sessions with a valid token: refreshes, exchanges and requests tokens as needed. */
export class TokenManager extends TokenRenewer {
  constructor(private readonly dependencies: TokenManagerDependencies) {
    super();
  }

  /**
   * A session of a shop whose token is good for the next minutes, renewed when that is necessary.
   * @throws {SessionNotFoundError} when there is none: the app is not installed, or the user has
   * not used it
   * @throws {ReauthorizationRequiredError} when the platform no longer renews it
   * @throws {SessionExpiredError} when it has expired and nothing can renew it but a visit
   * @throws {InvalidShopError}
   */
  async session(shop: string, kind: SessionKind = 'offline'): Promise<Session> {
    const { config, storage, store, clientCredentials } = this.dependencies;
    const domain = sanitizeShop(shop, true);
    if (config.isCustomStoreApp) return customAppSession(domain);
    if (kind === 'client-credentials') return new Session(await clientCredentials.session(domain));
    const user = kind === 'offline' ? undefined : kind.user;
    const session =
      user === undefined ? await store.offline(domain) : await this.#ofUser(domain, String(user));
    if (!session) throw await missingSession(storage, domain, user);
    return this.ensureFresh(new Session(session));
  }

  /**
   * The session itself while it is good for more than five minutes, else what it was renewed to:
   * with the session token of a request, when one is given, else with its refresh token.
   * @throws as {@link session} and {@link exchange}
   */
  async ensureFresh(session: Session, token?: VerifiedSessionToken): Promise<Session> {
    const { config, refresher } = this.dependencies;
    if (config.isCustomStoreApp || !this.isDue(session)) return session;
    const accessMode = session.isOnline ? 'online' : 'offline';
    return token
      ? refresher.renewOrKeep(session, () => this.exchange(token, { session, accessMode }))
      : refresher.ensureFresh(session);
  }

  /** True for a session of the app's own that can be renewed without a visit of the shop. */
  isRenewable(session: Session): boolean {
    return isRefreshable(session) || isFromClientCredentials(session);
  }

  /**
   * Renews a renewable session whatever its expiry, or returns what another process has renewed it
   * to. Unlike with {@link session}, no hook runs when the platform refuses.
   * @throws {ReauthorizationRequiredError} when the platform does not renew it any more
   * @throws {SessionNotFoundError} when it is not stored any more
   * @throws {HttpRequestError} or another error of the token endpoint when it could not be renewed
   */
  async refresh(session: Session): Promise<Session> {
    const { refresher, clientCredentials } = this.dependencies;
    const { shop, accessToken = '' } = session;
    if (!isFromClientCredentials(session))
      return refresher.afterRefusal(session, accessToken, { isLastAttempt: false });
    return clientCredentials.session(shop, accessToken).catch((cause: unknown) => {
      throw SHOP_UNAVAILABLE.has(oauthErrorCode(cause))
        ? new ReauthorizationRequiredError(shop, { cause })
        : cause;
    });
  }

  /** True when the token has expired or is about to. */
  isDue(session: Session): boolean {
    return isDueForRenewal(session, this.dependencies.clock.now());
  }

  /**
   * Exchanges a verified session token for the session a request acts with, and stores it.
   * @param stale what the request would otherwise act with
   * @throws {HttpRequestError} when the platform cannot be reached
   * @throws {HttpResponseError} when it refuses
   */
  exchange(token: VerifiedSessionToken, stale: Stale = {}): Promise<Session> {
    return this.dependencies.exchanger.exchange(token, stale);
  }

  /**
   * Stores the session of an authorization code grant. A new offline token revokes the one before,
   * so that no refresh may begin at the same time: it would be refused for good.
   * @param redeem trades the code for a token of the kind it is told
   * @throws {SessionNotStoredError}
   * @throws {LockTimeoutError} when other processes hold the shop's tokens for too long: the code
   * is not traded then
   * @throws what `redeem` throws
   */
  adopt(
    { shop, isOnline }: CodeGrantKind,
    redeem: (options: ExchangeOptions) => Promise<CodeGranted>,
  ): Promise<Session> {
    const { store } = this.dependencies;
    const adopted = async (): Promise<Session> => {
      const { session, grantedAt, authenticated = false } = await redeem(store.wanted);
      if (session.isOnline) return store.adoptOnline(session, authenticated);
      return store.adopt(session, {
        grantedAt,
        previous: await store.offline(shop),
        consented: true,
        authenticated,
      });
    };
    return isOnline ? adopted() : store.locked(shop, adopted);
  }

  /**
   * Another session for one whose token was refused: the one that is stored by now, or a new one
   * from the refresh token, the session token of the request or the client credentials grant. What
   * keeps it from being renewed is logged; when nothing can renew it, its tokens are removed, so
   * that the next request of its shop or user gets others.
   */
  async renew(session: ApiSession, refused: RefusedToken): Promise<Session | 'ended' | undefined> {
    const { config, logger } = this.dependencies;
    const { shop } = session;
    if (config.isCustomStoreApp || !isStored(session)) return undefined;
    try {
      const renewed = await this.#replacementFor(session, refused);
      if (renewed) return renewed.accessToken === refused.refused ? undefined : renewed;
    } catch (error) {
      logger.warn('A token that was refused could not be renewed', { shop, error });
      if (!endsAccess(error)) return undefined;
    }
    await this.dependencies.store.end(session, refused.refused);
    return 'ended';
  }

  /**
   * Trades a shop's offline token that never expires for one that does. There is no way back. When
   * the new tokens could not be stored it can be repeated: within seven days the platform gives the
   * same ones again.
   * @returns the session; `undefined` when the shop has no such token
   * @throws {RenewalNotKeptError} when the session storage could not renew the new token: nothing
   * was traded
   * @throws as {@link TokenClient.migrate}
   */
  migrate(shop: string): Promise<Session | undefined> {
    const { store, client } = this.dependencies;
    return store.locked(shop, async () => {
      const stored = await store.offline(shop);
      if (!stored?.accessToken || stored.expires) return undefined;
      await store.ensureKeepsRenewal();
      const reply = await client.migrate(shop, stored.accessToken);
      return store.replace(refreshedSession(stored, reply), stored);
    });
  }

  async #replacementFor(
    { id, shop }: StoredSession,
    { refused, sessionToken }: RefusedToken,
  ): Promise<Session | undefined> {
    const { store, clientCredentials } = this.dependencies;
    const session = await store.load(id, shop);
    // Another process, or another request, has renewed it already.
    if (session && session.accessToken !== refused && !store.hasExpired(session)) return session;
    const token = this.#verified(sessionToken, id);
    if (session && isRefreshable(session)) {
      const refreshed = await this.#refreshed(session, refused, token === undefined);
      if (refreshed) return refreshed;
    }
    if (token)
      return this.exchange(token, {
        session,
        accessMode: id === offlineSessionId(shop) ? 'offline' : 'online',
        isRevoked: session !== undefined && !isFromClientCredentials(session),
      });
    return session && isFromClientCredentials(session)
      ? clientCredentials.session(shop, refused)
      : undefined;
  }

  /**
   * A token is refused for other reasons than an uninstallation, too; its refresh token shows
   * which. `undefined` when it is refused as well and this is not the last attempt.
   */
  async #refreshed(
    session: Session,
    refused: string,
    isLastAttempt: boolean,
  ): Promise<Session | undefined> {
    try {
      return await this.dependencies.refresher.afterRefusal(session, refused, { isLastAttempt });
    } catch (error) {
      if (isLastAttempt || !(error instanceof ReauthorizationRequiredError)) throw error;
      return undefined;
    }
  }

  /**
   * `undefined` when the token stands for a session of another shop or user than the one to be
   * renewed, or has expired: session tokens live a minute, and a request may take longer.
   */
  #verified(text: string | undefined, sessionId: string): VerifiedSessionToken | undefined {
    if (text === undefined) return undefined;
    try {
      const token = this.dependencies.sessionTokens.verified(text);
      const ids = [true, false].map((isOnline) => sessionIdFor(token, { isOnline }));
      return ids.includes(sessionId) ? token : undefined;
    } catch (error) {
      if (error instanceof InvalidJwtError) return undefined;
      throw error;
    }
  }

  async #ofUser(shop: string, user: string): Promise<Session | undefined> {
    const { config, store, storage } = this.dependencies;
    if (config.isEmbeddedApp) return store.load(onlineSessionId(shop, user), shop);
    const sessions = await storage.findSessionsByShop(shop);
    const [last] = sessions
      .filter((session) => session.isOnline && String(userOf(session)?.id) === user)
      .sort(lastToExpireFirst);
    return last && store.load(last.id, shop);
  }
}

/** Error codes of the client credentials grant that say that the app has no token of the shop. */
const SHOP_UNAVAILABLE: ReadonlySet<string | undefined> = new Set([
  'app_not_installed',
  'shop_not_permitted',
]);

/** A session that a storage can load by its id. */
type StoredSession = ApiSession & { readonly id: string };

function isStored(session: ApiSession): session is StoredSession {
  const { id } = session as Partial<StoredSession>;
  return typeof id === 'string' && id !== '';
}
