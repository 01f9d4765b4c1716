import type { PlatformLogger } from '../../core/logger.js';
import type { Clock } from '../../core/time/clock.js';
import type { InFlight } from '../../core/concurrency/in-flight.js';
import { AuthenticationError } from '../../core/http/http.errors.js';
import type { Session } from '../../sessions/session.js';
import { ReauthorizationRequiredError, SessionExpiredError } from '../auth.errors.js';
import type { InstallationRecords } from '../installations/installation-records.js';
import type { LifecycleHandlers } from '../lifecycle/lifecycle-handlers.js';
import { TtlSet } from '../../core/cache/ttl-cache.js';
import { SingleFlight } from '../../core/concurrency/single-flight.js';
import { refusalIn } from './token.client.js';
import type { TokenClient } from './token.client.js';
import { refreshedSession } from './token-session.js';
import { sessionNotFound } from './session-token-store.js';
import type { SessionTokenStore } from './session-token-store.js';

/** Refusals after which no refresh token of the shop will do. */
const FINAL: ReadonlySet<string> = new Set(['invalid_grant', 'app_not_installed']);
/** How long the platform's word that a refresh token is dead is believed, in milliseconds. */
const DEAD_FOR = 60_000;

export interface TokenRefresherDependencies {
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly inFlight: InFlight;
  readonly client: TokenClient;
  readonly records: InstallationRecords;
  readonly handlers: LifecycleHandlers;
}

/**
 * Renews offline sessions with their refresh tokens, each once however many ask, in however many
 * processes.
 */
export class TokenRefresher {
  readonly #flights = new SingleFlight<Session>();
  readonly #dead: TtlSet;

  constructor(
    private readonly dependencies: TokenRefresherDependencies,
    private readonly vault: SessionTokenStore,
  ) {
    this.#dead = new TtlSet(dependencies.clock, DEAD_FOR);
  }

  /**
   * The session itself while it is good for more than five minutes, else what it was renewed to.
   * One that cannot be renewed at the moment is used as long as it lasts.
   * @throws {ReauthorizationRequiredError} when the platform does not renew it any more
   * @throws {SessionExpiredError} when it has expired and has no refresh token
   * @throws {HttpRequestError} or another error of the token endpoint when it has expired and could
   * not be renewed
   */
  async usable(session: Session): Promise<Session> {
    if (isRefreshable(session))
      return this.vault.usable(session, () =>
        this.#flights.do(session.id, () => this.#refresh(session)),
      );
    if (this.vault.hasExpired(session)) throw new SessionExpiredError(session.shop);
    return session;
  }

  /**
   * What takes the place of a session whose token was refused, whatever it says about its end.
   * @param options.isLastHope nobody has to be told that it cannot be renewed while there is
   * another way to a token
   * @throws {ReauthorizationRequiredError} when the platform does not renew it any more
   */
  afterRefusal(
    session: Session,
    refused: string,
    { isLastHope }: { readonly isLastHope: boolean },
  ): Promise<Session> {
    return this.#flights.do(`${session.id} ${refused} ${isLastHope}`, () =>
      this.#refresh(session, refused, isLastHope),
    );
  }

  #refresh({ id, shop }: Session, refused?: string, isLastHope = true): Promise<Session> {
    return this.vault.locked(shop, async () => {
      const stored = await this.vault.load(id, shop);
      if (!stored) throw sessionNotFound(shop);
      // Another process has been here before us.
      if (stored.accessToken !== refused && !this.vault.isDue(stored)) return stored;
      return this.#renew(stored, isLastHope);
    });
  }

  async #renew(stored: Session, isLastHope: boolean): Promise<Session> {
    const { shop, refreshToken = '', refreshTokenExpires } = stored;
    if (!isRefreshable(stored)) throw new SessionExpiredError(shop);
    if (this.#dead.has(refreshToken)) throw new ReauthorizationRequiredError(shop);
    if (refreshTokenExpires && refreshTokenExpires <= this.dependencies.clock.now())
      throw await this.#end(shop, isLastHope);
    try {
      const reply = await this.dependencies.client.refresh(shop, refreshToken);
      return await this.vault.replace(refreshedSession(stored, reply), stored);
    } catch (error) {
      if (!isFinal(error)) throw error;
      // Whoever shares the storage without sharing our lock may have renewed it, and with it
      // retired the token we tried.
      const winner = await this.vault.load(stored.id, shop);
      if (winner && winner.refreshToken !== refreshToken && !this.vault.isDue(winner))
        return winner;
      if (isLastHope) this.#dead.add(refreshToken);
      throw await this.#end(shop, isLastHope, error);
    }
  }

  /**
   * Tells the app, once, that a shop has to come by. Does not wait for it, as a shutdown does: the
   * app may well ask for the session it is being told about.
   */
  async #end(
    shop: string,
    isLastHope: boolean,
    cause?: unknown,
  ): Promise<ReauthorizationRequiredError> {
    const { records, handlers, logger, inFlight } = this.dependencies;
    if (isLastHope && (await records.needsReauthorization(shop))) {
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
 * A refresh token that is no longer active is called a wrong request as well, with 401; a wrong
 * secret goes by another name.
 */
function isFinal(error: unknown): boolean {
  const refusal = refusalIn(error) ?? '';
  return (
    FINAL.has(refusal) || (refusal === 'invalid_request' && error instanceof AuthenticationError)
  );
}

/** True for an app's own session with a refresh token, however old. */
export function isRefreshable({ isOnline, refreshToken }: Session): boolean {
  return !isOnline && Boolean(refreshToken);
}
