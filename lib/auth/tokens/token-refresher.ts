import { TtlSet } from '../../core/cache/ttl-cache.js';
import type { InFlight } from '../../core/concurrency/in-flight.js';
import { SingleFlight } from '../../core/concurrency/single-flight.js';
import { AuthenticationError } from '../../core/http/http.errors.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { Clock } from '../../core/time/clock.js';
import type { Session } from '../../sessions/session.js';
import { ReauthorizationRequiredError, SessionExpiredError } from '../auth.errors.js';
import type { InstallationRecords } from '../installations/installation-records.js';
import { oauthErrorCode } from './token.client.js';
import type { TokenClient } from './token.client.js';
import { isRefreshable, refreshedSession } from './token-session.js';
import { sessionNotFound } from './session-token-store.js';
import type { SessionTokenStore } from './session-token-store.js';

/** Error codes after which no refresh token of the shop is accepted. */
const FINAL: ReadonlySet<string> = new Set(['invalid_grant', 'app_not_installed']);
/** How long a revoked refresh token is remembered, in milliseconds. */
const REVOKED_FOR = 60_000;

/**
 * Runs what the app does when a shop has to authenticate again. A port: the lifecycle's handlers.
 */
export interface ReauthorizationHandlers {
  run(event: 'needs_reauthorization', context: { readonly shop: string }): Promise<unknown>;
}

/** What a {@link TokenRefresher} works with. */
export interface TokenRefresherDependencies {
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly inFlight: InFlight;
  readonly client: TokenClient;
  readonly records: InstallationRecords;
  readonly handlers: ReauthorizationHandlers;
  readonly store: SessionTokenStore;
}

/**
 * Renews offline sessions with their refresh tokens, each once for all requests and processes.
 */
export class TokenRefresher {
  readonly #flights = new SingleFlight<Session>();
  readonly #revoked: TtlSet;

  constructor(private readonly dependencies: TokenRefresherDependencies) {
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
  async renewOrKeep(session: Session): Promise<Session> {
    const { store } = this.dependencies;
    if (isRefreshable(session))
      return store.renewOrKeep(session, () =>
        this.#flights.do(session.id, () => this.#refresh(session)),
      );
    if (store.hasExpired(session)) throw new SessionExpiredError(session.shop);
    return session;
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

  /**
   * Records that a shop has to authenticate again, and runs the handlers of the event once. Does
   * not wait for them, as a shutdown does: a handler may ask for the very session.
   */
  async #reauthorization(
    shop: string,
    isLastAttempt: boolean,
    cause?: unknown,
  ): Promise<ReauthorizationRequiredError> {
    const { records, handlers, logger, inFlight } = this.dependencies;
    if (isLastAttempt && (await records.needsReauthorization(shop))) {
      logger.warn(
        'The platform no longer renews the token of a shop: somebody of the shop has to open the app',
        { shop, error: cause },
      );
      inFlight
        .track(handlers.run('needs_reauthorization', { shop }))
        .catch((error: unknown) =>
          logger.error('A handler of needs_reauthorization failed', { shop, error }),
        );
    }
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
