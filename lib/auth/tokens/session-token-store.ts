import { isAccessToken } from '../../core/api-session.js';
import { TtlSet } from '../../core/cache/ttl-cache.js';
import { setTimer } from '../../core/time/clock.js';
import type { Clock } from '../../core/time/clock.js';
import type { InFlight } from '../../core/concurrency/in-flight.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { Lock } from '../../sessions/coordination/lock.js';
import { isDueForRenewal, offlineSessionId } from '../../sessions/session.js';
import type { Session } from '../../sessions/session.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import type { SessionSweeper } from '../../sessions/session-sweeper.js';
import { SessionNotFoundError } from '../../sessions/sessions.errors.js';
import { withLock } from '../../sessions/coordination/with-lock.js';
import { ReauthorizationRequiredError, SessionNotStoredError } from '../auth.errors.js';
import { grantsSame, tokenLock } from '../installations/installation-records.js';
import type { InstallationRecords } from '../installations/installation-records.js';
import { oauthErrorCode } from './token.client.js';

/** How long a request that has a valid token waits for the next one, in milliseconds. */
const RENEWAL_TIMEOUT_MS = 1000;
/**
 * How long after a failed renewal a valid token is used without another attempt, in milliseconds.
 */
const POSTPONED_FOR = 30_000;

/** What a {@link SessionTokenStore} works with. */
export interface SessionTokenStoreDependencies {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly inFlight: InFlight;
  readonly storage: SessionStorage;
  readonly lock: Lock;
  readonly records: InstallationRecords;
  /** Notified of every online session that is stored. @default none */
  readonly sweeper?: SessionSweeper | undefined;
}

/** How an offline token was granted. */
export interface GrantFacts {
  /** By the platform's clock. */
  readonly grantedAt: Date;
  /** What was stored for the shop before. */
  readonly previous: Session | undefined;
  /** The previous token and its refresh token are revoked. @default false */
  readonly isRevoked?: boolean | undefined;
  /** The grant ends an authentication: `hooks.afterAuth` runs. @default false */
  readonly authenticated?: boolean | undefined;
  /** It came through the consent page. @default false */
  readonly consented?: boolean | undefined;
}

/** The stored sessions of an app, and the rules for replacing their tokens. */
export class SessionTokenStore {
  /** Sessions that could not be renewed before their time. */
  readonly #postponed: TtlSet;

  constructor(private readonly dependencies: SessionTokenStoreDependencies) {
    this.#postponed = new TtlSet(dependencies.clock, POSTPONED_FOR);
  }

  /**
   * Does `work` while no other process changes the tokens of a shop, or those of one of its users.
   * A shutdown waits for it.
   */
  locked<T>(shop: string, work: () => Promise<T>, user?: string): Promise<T> {
    const name = tokenLock(this.dependencies.config.apiKey, shop);
    return this.dependencies.inFlight.track(
      withLock(this.dependencies, user === undefined ? name : `${name}:${user}`, work),
    );
  }

  /** A stored session of the shop that has a token; never one of another shop. */
  async load(id: string, shop: string): Promise<Session | undefined> {
    const session = await this.dependencies.storage.loadSession(id);
    return session?.shop === shop && isAccessToken(session.accessToken) ? session : undefined;
  }

  /** The stored offline session of a shop. */
  offline(shop: string): Promise<Session | undefined> {
    return this.load(offlineSessionId(shop), shop);
  }

  /** True when the token has expired or is about to. */
  isDue(session: Session): boolean {
    return isDueForRenewal(session, this.dependencies.clock.now());
  }

  /** True when the token has expired. */
  hasExpired(session: Session): boolean {
    return session.isExpired(0, this.dependencies.clock.now());
  }

  /**
   * Renews a session that is due. One that cannot be renewed within a second is kept as long as it
   * is valid; the renewal goes on.
   * @throws what `renew` throws when the session has expired, or the app has lost its access
   */
  async renewOrKeep(session: Session, renew: () => Promise<Session>): Promise<Session> {
    if (this.hasExpired(session)) return renew();
    if (this.#postponed.has(session.id)) return session;
    const renewal = renew().catch((error: unknown) => {
      if (hasLostAccess(error)) throw error;
      this.#postponed.add(session.id);
      const facts = { shop: session.shop, error };
      this.dependencies.logger.warn(
        'A token that is about to expire could not be renewed; it is used as long as it lasts',
        facts,
      );
      return session;
    });
    let cancel = (): void => {};
    const timeout = new Promise<Session>((resolve) => {
      cancel = setTimer(this.dependencies.clock, RENEWAL_TIMEOUT_MS, () => {
        this.#postponed.add(session.id);
        resolve(session);
      });
    });
    return Promise.race([renewal, timeout]).finally(cancel);
  }

  /**
   * Stores an offline session that was newly granted. The caller holds the shop's lock. The grant
   * is recorded first: a crash in between must not hide it.
   */
  async adopt(session: Session, { previous, ...grant }: GrantFacts): Promise<Session> {
    await this.dependencies.records.granted(session.shop, {
      ...grant,
      scope: session.scope ?? '',
      isKnown: previous !== undefined,
    });
    return this.store(session);
  }

  /**
   * Stores a user's session that was newly granted. The authentication is recorded afterwards:
   * `hooks.afterAuth` runs with this session.
   */
  async adoptOnline(session: Session, authenticated: boolean): Promise<Session> {
    await this.store(session);
    if (authenticated)
      await this.dependencies.records.authenticated(
        session,
        (await this.offline(session.shop)) !== undefined,
      );
    return session;
  }

  /**
   * Stores a session.
   * @throws {SessionNotStoredError} when the storage says that it did not
   */
  async store(session: Session): Promise<Session> {
    // Exactly false: a storage that returns nothing has not said that it failed.
    if ((await this.dependencies.storage.storeSession(session)) === false)
      throw new SessionNotStoredError(session.shop);
    if (session.isOnline) this.dependencies.sweeper?.noticed();
    return session;
  }

  /**
   * Replaces a session by what it was renewed to. A session that was stored meanwhile, without our
   * lock or after it was lost, wins. Other scopes are recorded first, as with {@link adopt}.
   * @throws {SessionNotFoundError} when the session was deleted meanwhile: it must not come back
   */
  async replace(renewed: Session, previous: Session): Promise<Session> {
    const { storage, records } = this.dependencies;
    const { shop, scope = '' } = renewed;
    const { scope: previousScope = '' } = previous;
    if (!grantsSame(previousScope, scope)) await records.scoped(shop, { scope, previousScope });
    if (!storage.replaceSession) return this.store(renewed);
    if (await storage.replaceSession(renewed, previous)) return renewed;
    const winner = await this.load(previous.id, previous.shop);
    if (winner) return winner;
    throw sessionNotFound(previous.shop);
  }
}

/** True when the shop does not have the app any more, or has to open it: no retry helps. */
function hasLostAccess(error: unknown): boolean {
  return (
    error instanceof ReauthorizationRequiredError ||
    error instanceof SessionNotFoundError ||
    oauthErrorCode(error) === 'app_not_installed'
  );
}

/** The error for a shop without a session. */
export function sessionNotFound(shop: string): SessionNotFoundError {
  return new SessionNotFoundError(
    `There is no session of ${shop}: the shop has to install the app first.`,
  );
}
