import { isAccessToken } from '../../core/api-session.js';
import { TtlSet } from '../../core/cache/ttl-cache.js';
import { SingleFlight } from '../../core/concurrency/in-flight.js';
import type { AccessMode } from '../../core/config/config.options.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { AuthenticationError } from '../../core/http/http.errors.js';
import type { PlatformLogger } from '../../core/logger.js';
import { setTimer } from '../../core/time/clock.js';
import type { Clock } from '../../core/time/clock.js';
import { isRefreshable, onlineSessionId } from '../../sessions/session.js';
import type { Session } from '../../sessions/session.js';
import {
  InvalidTokenReplyError,
  ReauthorizationRequiredError,
  SessionExpiredError,
} from '../auth.errors.js';
import type { VerifiedSessionToken } from '../credentials/session-token.verifier.js';
import { hasLostAccess, sessionNotFound } from './lost-access.js';
import type { Reauthorization } from './reauthorization.js';
import { refreshedSession, sessionFromToken } from './access-token-store.js';
import type { AccessTokenStore } from './access-token-store.js';
import { oauthErrorCode } from './token.client.js';
import type { TokenClient } from './token.client.js';
import type { TokenReply } from './token-reply.js';

/** Error codes after which no refresh token of the shop is accepted. */
const FINAL: ReadonlySet<string> = new Set(['invalid_grant', 'app_not_installed']);
/** How long a request that has a valid token waits for the next one, in milliseconds. */
const RENEWAL_TIMEOUT_MS = 1000;
/**
 * How long after a failed renewal a valid token is used without another attempt, in milliseconds.
 */
const POSTPONED_FOR = 30_000;
/** How long a revoked refresh token is remembered, in milliseconds. */
const REVOKED_FOR = 60_000;

/** What a {@link TokenRefresher} works with. */
export interface TokenRefresherDependencies {
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly client: TokenClient;
  readonly reauthorization: Reauthorization;
  readonly store: AccessTokenStore;
}

/**
 * Renews offline sessions with their refresh tokens, each once for all requests and processes.
 */
export class TokenRefresher {
  readonly #flights = new SingleFlight<Session>();
  readonly #revoked: TtlSet;
  /** Sessions that could not be renewed before their time. */
  readonly #postponed: TtlSet;

  constructor(private readonly dependencies: TokenRefresherDependencies) {
    this.#postponed = new TtlSet(dependencies.clock, POSTPONED_FOR);
    this.#revoked = new TtlSet(dependencies.clock, REVOKED_FOR);
  }

  /**
   * Renews a session that is due. One that cannot be renewed at the moment is kept as long as it is
   * valid.
   * @throws {ReauthorizationRequiredError} when the platform does not renew it any more
   * @throws {SessionExpiredError} when it has expired and has no refresh token
   * @throws {HttpRequestError} or another error of the token endpoint when it has expired and could
   * not be renewed
   */
  async ensureFresh(session: Session): Promise<Session> {
    const { store } = this.dependencies;
    if (isRefreshable(session))
      return this.renewOrKeep(session, () =>
        this.#flights.do(session.id, () => this.#refresh(session)),
      );
    if (store.hasExpired(session)) throw new SessionExpiredError(session.shop);
    return session;
  }

  /**
   * Renews a session that is due. One that cannot be renewed within a second is kept as long as it
   * is valid; the renewal goes on.
   * @throws what `renew` throws when the session has expired, or the app has lost its access
   */
  async renewOrKeep(session: Session, renew: () => Promise<Session>): Promise<Session> {
    const { clock, logger, store } = this.dependencies;
    if (store.hasExpired(session)) return renew();
    if (this.#postponed.has(session.id)) return session;
    const renewal = renew().catch((error: unknown) => {
      if (hasLostAccess(error)) throw error;
      this.#postponed.add(session.id);
      const facts = { shop: session.shop, error };
      logger.warn(
        'A token that is about to expire could not be renewed; it is used as long as it lasts',
        facts,
      );
      return session;
    });
    let cancel = (): void => {};
    const timeout = new Promise<Session>((resolve) => {
      cancel = setTimer(clock, RENEWAL_TIMEOUT_MS, () => {
        this.#postponed.add(session.id);
        resolve(session);
      });
    });
    return Promise.race([renewal, timeout]).finally(cancel);
  }

  /**
   * Renews a session whose token was refused, whatever its expiry.
   * @param options.isLastAttempt false while there is another way to a token: then a revoked
   * refresh token is not recorded, and no hook runs
   * @throws {ReauthorizationRequiredError} when the platform does not renew it any more
   */
  afterRefusal(
    session: Session,
    refused: string,
    { isLastAttempt }: { readonly isLastAttempt: boolean },
  ): Promise<Session> {
    return this.#flights.do(`${session.id} ${refused} ${isLastAttempt}`, () =>
      this.#refresh(session, refused, isLastAttempt),
    );
  }

  #refresh({ id, shop }: Session, refused?: string, isLastAttempt = true): Promise<Session> {
    const { store } = this.dependencies;
    return store.locked(shop, async () => {
      const stored = await store.load(id, shop);
      if (!stored) throw sessionNotFound(shop);
      // Another process has renewed it already.
      if (stored.accessToken !== refused && !store.isDue(stored)) return stored;
      return this.#renew(stored, isLastAttempt);
    });
  }

  async #renew(stored: Session, isLastAttempt: boolean): Promise<Session> {
    const { client, clock, store } = this.dependencies;
    const { shop, refreshToken = '', refreshTokenExpires } = stored;
    if (!isRefreshable(stored)) throw new SessionExpiredError(shop);
    if (this.#revoked.has(refreshToken)) throw new ReauthorizationRequiredError(shop);
    if (refreshTokenExpires && refreshTokenExpires <= clock.now())
      throw await this.#reauthorization(shop, isLastAttempt);
    try {
      const reply = await client.refresh(shop, refreshToken);
      return await store.replace(refreshedSession(stored, reply), stored);
    } catch (error) {
      if (!isFinal(error)) throw error;
      // A process that shares the storage but not our lock may have renewed it: that retired the
      // token we tried.
      const winner = await store.load(stored.id, shop);
      if (winner && winner.refreshToken !== refreshToken && !store.isDue(winner)) return winner;
      if (isLastAttempt) this.#revoked.add(refreshToken);
      throw await this.#reauthorization(shop, isLastAttempt, error);
    }
  }

  async #reauthorization(
    shop: string,
    isLastAttempt: boolean,
    cause?: unknown,
  ): Promise<ReauthorizationRequiredError> {
    if (isLastAttempt) await this.dependencies.reauthorization.require(shop, cause);
    return new ReauthorizationRequiredError(shop, { cause });
  }
}

/**
 * A refresh token that is no longer active may also be answered with `invalid_request` and 401; a
 * wrong client secret has another code.
 */
function isFinal(error: unknown): boolean {
  const code = oauthErrorCode(error) ?? '';
  return FINAL.has(code) || (code === 'invalid_request' && error instanceof AuthenticationError);
}

/** The session that an exchange replaces. */
export interface Stale {
  /** `undefined` when there is no session yet. */
  readonly session?: Session | undefined;
  /** The platform has refused its token, and no refresh token can renew it. @default false */
  readonly isRevoked?: boolean | undefined;
  /** Of the session that is wanted. @default as `useOnlineTokens` says */
  readonly accessMode?: AccessMode | undefined;
}

/**
 * Exchanges session tokens for access tokens (RFC 8693), once for all requests and processes that
 * need the same one.
 */
export class TokenExchanger {
  readonly #flights = new SingleFlight<Session>();

  constructor(
    private readonly config: PlatformConfig,
    private readonly client: TokenClient,
    private readonly store: AccessTokenStore,
  ) {}

  /**
   * A fresh session of the shop that issued the token: the app's own, or the user's. With
   * `useOnlineTokens` the app's is renewed together with the user's, else only when it is due.
   * @throws as {@link TokenClient.exchangeToken}
   */
  async exchange(token: VerifiedSessionToken, stale: Stale): Promise<Session> {
    const mode = stale.accessMode ?? this.config.accessMode;
    if (mode === 'offline') return this.#offline(token, stale);
    const session = await this.store.offline(token.shop);
    if (this.config.useOnlineTokens || !session || !this.#isGood(session))
      await this.#offline(token, { session });
    return this.#online(token, stale);
  }

  #offline(token: VerifiedSessionToken, stale: Stale): Promise<Session> {
    const { shop } = token;
    return this.#flights.do(keyOf(shop, stale), () =>
      this.store.locked(shop, async () => {
        const stored = await this.store.offline(shop);
        if (stored && this.#isBetter(stored, stale)) return stored;
        const reply = await this.#request(token);
        const adopted = await this.store.adopt(this.#sessionOf(reply, shop), {
          grantedAt: reply.grantedAt,
          previous: stored,
          isRevoked:
            stale.isRevoked &&
            stored?.accessToken === stale.session?.accessToken &&
            !(stored && this.store.hasExpired(stored)),
          authenticated: !this.config.useOnlineTokens,
        });
        if (!this.store.dropsRenewalOf(adopted)) return adopted;
        // The storage has just shown that it cannot keep what this one is renewed with.
        return this.store.store(this.#sessionOf(await this.#request(token), shop));
      }),
    );
  }

  /** Requests the app's own token. */
  async #request({ shop, text }: VerifiedSessionToken): Promise<TokenReply> {
    const reply = await this.client.exchangeToken(shop, text, 'offline', this.store.wanted);
    if (reply.associated_user)
      throw new InvalidTokenReplyError(
        `${shop} was asked for the app's token and granted a user's.`,
      );
    return reply;
  }

  #online(token: VerifiedSessionToken, stale: Stale): Promise<Session> {
    const { shop } = token;
    const user = token.payload.sub;
    const id = onlineSessionId(shop, user);
    return this.#flights.do(keyOf(id, stale), () =>
      this.store.locked(
        shop,
        async () => {
          const stored = await this.store.load(id, shop);
          if (stored && this.#isBetter(stored, stale)) return stored;
          const reply = await this.client.exchangeToken(shop, token.text, 'online');
          if (String(reply.associated_user?.id) !== user)
            throw new InvalidTokenReplyError(
              `${shop} was asked for the token of a user and granted another one.`,
            );
          const { useOnlineTokens } = this.config;
          return this.store.adoptOnline(this.#sessionOf(reply, shop), useOnlineTokens);
        },
        user,
      ),
    );
  }

  /** True when another process has stored a newer session meanwhile. */
  #isBetter(stored: Session, { session }: Stale): boolean {
    return stored.accessToken !== session?.accessToken && this.#isGood(stored);
  }

  #isGood(session: Session): boolean {
    return !this.store.isDue(session) && !session.isScopeChanged(this.config.scopes);
  }

  #sessionOf(reply: TokenReply, shop: string): Session {
    return sessionFromToken(reply, { shop, isEmbeddedApp: this.config.isEmbeddedApp });
  }
}

/** Requests that have seen different tokens must not share an exchange. */
function keyOf(name: string, { session }: Stale): string {
  return `${name} ${isAccessToken(session?.accessToken) ? session.accessToken : ''}`;
}
