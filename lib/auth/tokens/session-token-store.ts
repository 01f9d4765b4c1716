import { isAccessToken } from '../../core/api-session.js';
import { setTimer } from '../../core/time/clock.js';
import type { Clock } from '../../core/time/clock.js';
import type { InFlight } from '../../core/concurrency/in-flight.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import { AuthScopes } from '../../core/scopes.js';
import type { Lock } from '../../sessions/coordination/lock.js';
import { offlineSessionId } from '../../sessions/session-ids.js';
import type { Session } from '../../sessions/session.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import type { SessionSweeper } from '../../sessions/session-sweeper.js';
import { SessionNotFoundError } from '../../sessions/sessions.errors.js';
import { withLock } from '../../sessions/coordination/with-lock.js';
import { ReauthorizationRequiredError, SessionNotStoredError } from '../auth.errors.js';
import type { InstallationRecords } from '../installations/installation-records.js';
import { tokenLock } from '../installations/shop-locks.js';
import { TtlSet } from '../../core/cache/ttl-cache.js';
import { refusalIn } from './token.client.js';

/**
 * A token is renewed this long before it expires, in milliseconds: what is begun with it should be
 * finished with it.
 */
const AHEAD = 5 * 60 * 1000;
/**
 * Nobody who has a token that is still good waits longer than this for the next one, in
 * milliseconds.
 */
const MOMENT = 1000;
/**
 * How long a token that is still good is used before it is tried to renew it again, in
 * milliseconds.
 */
const POSTPONED_FOR = 30_000;

export interface TokenVaultDependencies {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly inFlight: InFlight;
  readonly storage: SessionStorage;
  readonly lock: Lock;
  readonly records: InstallationRecords;
  /** Told of every online session that is stored. @default none */
  readonly sweeper?: SessionSweeper | undefined;
}

/** How an offline token came about. */
export interface GrantFacts {
  /** By the platform's clock. */
  readonly grantedAt: Date;
  /** What was stored for the shop before. */
  readonly previous: Session | undefined;
  /** The previous token, and what could have renewed it, was refused for good. @default false */
  readonly isRevoked?: boolean | undefined;
  /** `hooks.afterAuth` has to hear of it. @default false */
  readonly authenticated?: boolean | undefined;
  /** It came through the consent page. @default false */
  readonly consented?: boolean | undefined;
}

/** The stored tokens of an app, and the rules for changing one. */
export class SessionTokenStore {
  /** Sessions that could not be renewed before their time. */
  readonly #postponed: TtlSet;

  constructor(private readonly dependencies: TokenVaultDependencies) {
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

  /** A stored session that has a token; none that a storage mixed up with another shop's. */
  async load(id: string, shop: string): Promise<Session | undefined> {
    const session = await this.dependencies.storage.loadSession(id);
    return session?.shop === shop && isAccessToken(session.accessToken) ? session : undefined;
  }

  offline(shop: string): Promise<Session | undefined> {
    return this.load(offlineSessionId(shop), shop);
  }

  /** True when the token has expired or is about to. */
  isDue(session: Session): boolean {
    return session.isExpired(AHEAD, this.dependencies.clock.now());
  }

  hasExpired(session: Session): boolean {
    return session.isExpired(0, this.dependencies.clock.now());
  }

  /**
   * The session itself while it is good for more than five minutes, else what `renew` brings. One
   * that cannot be renewed within a second, for whatever reason, is used as long as it lasts; the
   * renewal goes on.
   * @throws what `renew` throws when the session has expired, or the shop's access has ended
   */
  async usable(session: Session, renew: () => Promise<Session>): Promise<Session> {
    if (!this.isDue(session)) return session;
    if (this.hasExpired(session)) return renew();
    if (this.#postponed.has(session.id)) return session;
    const renewal = renew().catch((error: unknown) => {
      if (isOver(error)) throw error;
      this.#postponed.add(session.id);
      const facts = { shop: session.shop, error };
      this.dependencies.logger.warn(
        'A token that is about to expire could not be renewed; it is used as long as it lasts',
        facts,
      );
      return session;
    });
    let cancel = (): void => {};
    const moment = new Promise<Session>((resolve) => {
      cancel = setTimer(this.dependencies.clock, MOMENT, () => {
        this.#postponed.add(session.id);
        resolve(session);
      });
    });
    return Promise.race([renewal, moment]).finally(cancel);
  }

  /**
   * Keeps an offline session that was newly granted. The caller holds the shop's lock. What the
   * grant means for the installation is recorded first: a crash in between must not hide it.
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
   * Keeps a user's session that was newly granted. Whether `hooks.afterAuth` has to hear of it is
   * noted afterwards: it is told with this session.
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

  /** @throws {SessionNotStoredError} when the storage says that it did not keep it */
  async store(session: Session): Promise<Session> {
    // Exactly false: a storage that answers nothing has not said that it failed.
    if ((await this.dependencies.storage.storeSession(session)) === false)
      throw new SessionNotStoredError(session.shop);
    if (session.isOnline) this.dependencies.sweeper?.noticed();
    return session;
  }

  /**
   * Puts a renewed session in place of the one it was made from. Whoever was faster, without our
   * lock or while it was lost, wins. Other scopes are recorded first, as with {@link adopt}.
   * @throws {SessionNotFoundError} when the shop has lost its session meanwhile: it must not come
   * back
   */
  async replace(renewed: Session, previous: Session): Promise<Session> {
    const { storage, records } = this.dependencies;
    const { shop, scope = '' } = renewed;
    const { scope: previousScope = '' } = previous;
    if (!new AuthScopes(previousScope).equals(scope))
      await records.scoped(shop, { scope, previousScope });
    if (!storage.replaceSession) return this.store(renewed);
    if (await storage.replaceSession(renewed, previous)) return renewed;
    const winner = await this.load(previous.id, previous.shop);
    if (winner) return winner;
    throw sessionNotFound(previous.shop);
  }
}

/**
 * True for what waiting does not mend: the shop does not have the app any more, or has to open it.
 */
function isOver(error: unknown): boolean {
  const isTold =
    error instanceof ReauthorizationRequiredError || error instanceof SessionNotFoundError;
  return isTold || refusalIn(error) === 'app_not_installed';
}

export function sessionNotFound(shop: string): SessionNotFoundError {
  return new SessionNotFoundError(
    `There is no session of ${shop}: the shop has to install the app first.`,
  );
}
