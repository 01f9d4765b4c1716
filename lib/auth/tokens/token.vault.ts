import { isAccessToken } from '../../core/api.session.js';
import type { Clock } from '../../core/clock.js';
import type { PlatformConfig } from '../../core/config/platform.config.js';
import type { Lock } from '../../sessions/lock.js';
import { offlineSessionId } from '../../sessions/session.ids.js';
import type { Session } from '../../sessions/session.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import type { SessionSweeper } from '../../sessions/session.sweeper.js';
import { SessionNotFoundError } from '../../sessions/sessions.errors.js';
import { withLock } from '../../sessions/with-lock.js';
import { SessionNotStoredError } from '../auth.errors.js';
import type { InstallationRecords } from '../lifecycle/installation.records.js';
import { tokenLock } from '../lifecycle/shop.locks.js';

/** A token is renewed this long before it expires, in milliseconds: what is begun with it should be finished with it. */
const AHEAD = 5 * 60 * 1000;

export interface TokenVaultParts {
  readonly config: PlatformConfig;
  readonly clock: Clock;
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
export class TokenVault {
  constructor(private readonly parts: TokenVaultParts) {}

  /** Does `work` while no other process changes the tokens of a shop, or those of one of its users. */
  locked<T>(shop: string, work: () => Promise<T>, user?: string): Promise<T> {
    const name = tokenLock(this.parts.config.apiKey, shop);
    return withLock(this.parts, user === undefined ? name : `${name}:${user}`, work);
  }

  /** A stored session that has a token; none that a storage mixed up with another shop's. */
  async load(id: string, shop: string): Promise<Session | undefined> {
    const session = await this.parts.storage.loadSession(id);
    return session?.shop === shop && isAccessToken(session.accessToken) ? session : undefined;
  }

  offline(shop: string): Promise<Session | undefined> {
    return this.load(offlineSessionId(shop), shop);
  }

  /** True when the token has expired or is about to. */
  isDue(session: Session): boolean {
    return session.isExpired(AHEAD, this.parts.clock.now());
  }

  hasExpired(session: Session): boolean {
    return session.isExpired(0, this.parts.clock.now());
  }

  /**
   * Keeps an offline session that was newly granted. The caller holds the shop's lock. What the grant means for the installation is
   * recorded first: a crash in between must not hide it.
   */
  async adopt(session: Session, { previous, ...grant }: GrantFacts): Promise<Session> {
    await this.parts.records.granted(session.shop, { ...grant, scope: session.scope ?? '', isKnown: previous !== undefined });
    return this.store(session);
  }

  /** Keeps a user's session that was newly granted. Whether `hooks.afterAuth` has to hear of it is noted afterwards: it is told with this session. */
  async adoptOnline(session: Session, authenticated: boolean): Promise<Session> {
    await this.store(session);
    if (authenticated) await this.parts.records.authenticated(session, (await this.offline(session.shop)) !== undefined);
    return session;
  }

  /** @throws {SessionNotStoredError} when the storage says that it did not keep it */
  async store(session: Session): Promise<Session> {
    // Exactly false: a storage that answers nothing has not said that it failed.
    if ((await this.parts.storage.storeSession(session)) === false) throw new SessionNotStoredError(session.shop);
    if (session.isOnline) this.parts.sweeper?.noticed();
    return session;
  }

  /**
   * Puts a renewed session in place of the one it was made from. Whoever was faster, without our lock or while it was lost, wins.
   * @throws {SessionNotFoundError} when the shop has lost its session meanwhile: it must not come back
   */
  async replace(renewed: Session, previous: Session): Promise<Session> {
    const { storage } = this.parts;
    if (!storage.replaceSession) return this.store(renewed);
    if (await storage.replaceSession(renewed, previous)) return renewed;
    const winner = await this.load(previous.id, previous.shop);
    if (winner) return winner;
    throw sessionNotFound(previous.shop);
  }
}

export function sessionNotFound(shop: string): SessionNotFoundError {
  return new SessionNotFoundError(`There is no session of ${shop}: the shop has to install the app first.`);
}
