import type { ApiSession, RefusedToken } from '../../core/api-session.js';
import { InvalidJwtError } from '../../core/core.errors.js';
import type { SessionTokenVerifier } from '../../core/crypto/session-token.verifier.js';
import { sanitizeShop } from '../../core/shop-domain.js';
import { TokenRenewer } from '../../core/api-session.js';
import { onlineSessionId } from '../../sessions/session-ids.js';
import type { Session } from '../../sessions/session.js';
import { ReauthorizationRequiredError } from '../auth.errors.js';
import { sessionIdFor } from '../credentials/current-session.js';
import { SingleFlight } from '../../core/concurrency/single-flight.js';
import { refusalIn } from './token.client.js';
import { TokenExchanger } from './token-exchanger.js';
import type { Stale, VerifiedSessionToken } from './token-exchanger.js';
import { TokenRefresher, isRefreshable } from './token-refresher.js';
import type { TokenRefresherDependencies } from './token-refresher.js';
import {
  customAppSession,
  lastToExpireFirst,
  refreshedSession,
  sessionFromToken,
} from './token-session.js';
import { SessionTokenStore, sessionNotFound } from './session-token-store.js';
import type { TokenVaultDependencies } from './session-token-store.js';

/**
 * Whose token is wanted: the app's own in a shop (`offline`), the app's own in a shop of the
 * organization it belongs to (`client-credentials`: it needs no installation), or that of one user.
 */
export type SessionKind = 'offline' | 'client-credentials' | { readonly user: number | string };

/** What a code grant is asked for. */
export interface CodeGrantKind {
  /** Canonical. */
  readonly shop: string;
  /** A user's token, not the app's own. */
  readonly isOnline: boolean;
}

/** What a code was traded for. */
export interface Redeemed {
  readonly session: Session;
  /** By the platform's clock. */
  readonly grantedAt: Date;
  /** `hooks.afterAuth` has to hear of it. @default false */
  readonly authenticated?: boolean | undefined;
}

export interface TokenManagerDependencies
  extends TokenVaultDependencies, TokenRefresherDependencies {
  readonly sessionTokens: SessionTokenVerifier;
}

/**
 * Gives out sessions that can be used: renews, trades in and asks for tokens as is needed, once for
 * all who need the same one.
 */
export class TokenManager extends TokenRenewer {
  readonly #vault: SessionTokenStore;
  readonly #refresher: TokenRefresher;
  readonly #exchanger: TokenExchanger;
  readonly #flights = new SingleFlight<Session>();

  constructor(private readonly dependencies: TokenManagerDependencies) {
    super();
    this.#vault = new SessionTokenStore(dependencies);
    this.#refresher = new TokenRefresher(dependencies, this.#vault);
    this.#exchanger = new TokenExchanger(dependencies.config, dependencies.client, this.#vault);
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
    const domain = sanitizeShop(shop, true);
    if (this.dependencies.config.isCustomStoreApp) return customAppSession(domain);
    if (kind === 'client-credentials') return this.#ofOrganization(domain);
    const session =
      kind === 'offline'
        ? await this.#vault.offline(domain)
        : await this.#ofUser(domain, String(kind.user));
    if (!session) throw sessionNotFound(domain);
    return this.usable(session);
  }

  /**
   * The session itself while it is good for more than five minutes, else what it was renewed to:
   * with the session token of a request, when one is given, else with its refresh token.
   * @throws as {@link session} and {@link exchange}
   */
  async usable(session: Session, token?: VerifiedSessionToken): Promise<Session> {
    if (this.dependencies.config.isCustomStoreApp) return session;
    return token
      ? this.#vault.usable(session, () => this.exchange(token, { session }))
      : this.#refresher.usable(session);
  }

  /** True for a session of the app's own that can be renewed without a visit of the shop. */
  isRenewable(session: Session): boolean {
    return isRefreshable(session) || isOfSecret(session);
  }

  /**
   * What a renewable session is renewed to, whatever it says about its end; what another process
   * has renewed it to, when it was faster. Unlike with {@link session}, nobody is told when the
   * platform refuses.
   * @throws {ReauthorizationRequiredError} when the platform does not renew it any more
   * @throws {SessionNotFoundError} when it is not stored any more
   * @throws {HttpRequestError} or another error of the token endpoint when it could not be renewed
   */
  async refresh(session: Session): Promise<Session> {
    const { shop, accessToken = '' } = session;
    if (!isOfSecret(session))
      return this.#refresher.afterRefusal(session, accessToken, { isLastHope: false });
    return this.#ofOrganization(shop, accessToken).catch((cause: unknown) => {
      throw OUT_OF_REACH.has(refusalIn(cause))
        ? new ReauthorizationRequiredError(shop, { cause })
        : cause;
    });
  }

  /** True when the token has expired or is about to. */
  isDue(session: Session): boolean {
    return this.#vault.isDue(session);
  }

  /**
   * Trades a verified session token for the session a request acts with, and keeps what was
   * granted.
   * @param stale what the request would otherwise act with
   * @throws {HttpRequestError} when the platform cannot be reached
   * @throws {HttpResponseError} when it refuses
   */
  exchange(token: VerifiedSessionToken, stale: Stale = {}): Promise<Session> {
    return this.#exchanger.exchange(token, stale);
  }

  /**
   * Keeps the session that a code grant brings. A token of the app's own ends the one there is:
   * nobody renews that meanwhile, only to find it refused for good.
   * @param redeem trades the code
   * @throws {SessionNotStoredError}
   * @throws {LockTimeoutError} when others are at the shop's tokens for too long: the code is not
   * traded then
   * @throws what `redeem` throws
   */
  adopt({ shop, isOnline }: CodeGrantKind, redeem: () => Promise<Redeemed>): Promise<Session> {
    const adopted = async (): Promise<Session> => {
      const { session, grantedAt, authenticated = false } = await redeem();
      if (session.isOnline) return this.#vault.adoptOnline(session, authenticated);
      return this.#vault.adopt(session, {
        grantedAt,
        previous: await this.#vault.offline(shop),
        consented: true,
        authenticated,
      });
    };
    return isOnline ? adopted() : this.#vault.locked(shop, adopted);
  }

  /**
   * Another session for one whose token was refused: what is stored by now, or what its refresh
   * token, the session token of the request or the app's secret brings. What keeps it from being
   * renewed is logged.
   */
  async renew(session: ApiSession, refused: RefusedToken): Promise<Session | undefined> {
    const { shop } = session;
    if (this.dependencies.config.isCustomStoreApp || !isStored(session)) return undefined;
    try {
      const renewed = await this.#renewed(session, refused);
      return renewed?.accessToken === refused.refused ? undefined : renewed;
    } catch (error) {
      this.dependencies.logger.warn('A token that was refused could not be renewed', {
        shop,
        error,
      });
      return undefined;
    }
  }

  /**
   * Trades a shop's offline token that never expires for one that does. There is no way back. When
   * what came could not be kept it can be repeated: within seven days the platform gives the same
   * tokens again.
   * @returns the session; `undefined` when the shop has no such token
   * @throws as {@link TokenClient.migrate}
   */
  migrate(shop: string): Promise<Session | undefined> {
    return this.#vault.locked(shop, async () => {
      const stored = await this.#vault.offline(shop);
      if (!stored?.accessToken || stored.expires) return undefined;
      const reply = await this.dependencies.client.migrate(shop, stored.accessToken);
      return this.#vault.replace(refreshedSession(stored, reply), stored);
    });
  }

  async #renewed(
    { id, shop }: StoredSession,
    { refused, sessionToken }: RefusedToken,
  ): Promise<Session | undefined> {
    const session = await this.#vault.load(id, shop);
    // Another process, or another request, has been here before us.
    if (session && session.accessToken !== refused && !this.#vault.hasExpired(session))
      return session;
    const token = this.#verified(sessionToken, id);
    if (session && isRefreshable(session)) {
      const refreshed = await this.#refreshed(session, refused, token === undefined);
      if (refreshed) return refreshed;
    }
    if (token)
      return this.exchange(token, {
        session,
        isRevoked: session !== undefined && !isOfSecret(session),
      });
    return session && isOfSecret(session) ? this.#ofOrganization(shop, refused) : undefined;
  }

  /**
   * A token is refused for other reasons than an uninstallation, too; its refresh token tells.
   * Nothing, when there is hope beyond it.
   */
  async #refreshed(
    session: Session,
    refused: string,
    isLastHope: boolean,
  ): Promise<Session | undefined> {
    try {
      return await this.#refresher.afterRefusal(session, refused, { isLastHope });
    } catch (error) {
      if (isLastHope || !(error instanceof ReauthorizationRequiredError)) throw error;
      return undefined;
    }
  }

  /**
   * Nothing when the token would bring a session of another shop, user or kind than the one that is
   * to be renewed, or has expired meanwhile: session tokens live a minute, and a request may go on
   * for longer.
   */
  #verified(text: string | undefined, sessionId: string): VerifiedSessionToken | undefined {
    if (text === undefined) return undefined;
    try {
      const payload = this.dependencies.sessionTokens.verify(text);
      const brings = sessionIdFor(payload, { isOnline: this.dependencies.config.useOnlineTokens });
      return brings === sessionId ? { text, payload } : undefined;
    } catch (error) {
      if (error instanceof InvalidJwtError) return undefined;
      throw error;
    }
  }

  async #ofUser(shop: string, user: string): Promise<Session | undefined> {
    if (this.dependencies.config.isEmbeddedApp)
      return this.#vault.load(onlineSessionId(shop, user), shop);
    const sessions = await this.dependencies.storage.findSessionsByShop(shop);
    return sessions
      .filter(
        ({ isOnline, onlineAccessInfo }) =>
          isOnline && String(onlineAccessInfo?.associated_user.id) === user,
      )
      .sort(lastToExpireFirst)[0];
  }

  /** @param refused a token that must not be used, whatever it says about its end */
  async #ofOrganization(shop: string, refused?: string): Promise<Session> {
    const isGood = (session: Session): boolean =>
      session.accessToken !== refused && !this.#vault.isDue(session);
    const session = await this.#vault.offline(shop);
    if (session && isGood(session)) return session;
    return this.#flights.do(`${shop} ${refused ?? ''}`, () =>
      this.#vault.locked(shop, async () => {
        const stored = await this.#vault.offline(shop);
        if (stored && isGood(stored)) return stored;
        const reply = await this.dependencies.client.clientCredentials(shop);
        const granted = sessionFromToken(reply, {
          shop,
          isEmbeddedApp: this.dependencies.config.isEmbeddedApp,
        });
        return this.#vault.adopt(granted, { grantedAt: reply.grantedAt, previous: stored });
      }),
    );
  }
}

/** Refusals of client credentials after which they bring no token of the shop. */
const OUT_OF_REACH: ReadonlySet<string | undefined> = new Set([
  'app_not_installed',
  'shop_not_permitted',
]);

/**
 * True for what was granted on the strength of the app's secret: every other grant with an end
 * brings a refresh token.
 */
function isOfSecret({ isOnline, expires, refreshToken }: Session): boolean {
  return !isOnline && expires !== undefined && !refreshToken;
}

/** A session that a storage can be asked for by its id. */
type StoredSession = ApiSession & { readonly id: string };

function isStored(session: ApiSession): session is StoredSession {
  return 'id' in session && typeof session.id === 'string' && session.id !== '';
}
