import { randomUUID } from 'node:crypto';

import { isAccessToken } from '../../core/api-session.js';
import type { Clock } from '../../core/time/clock.js';
import type { InFlight } from '../../core/concurrency/in-flight.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { Lock } from '../../sessions/coordination/lock.js';
import {
  Session,
  isDueForRenewal,
  isRefreshable,
  offlineSessionId,
  onlineSessionId,
} from '../../sessions/session.js';
import { userOf } from '../../sessions/session-properties.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import type { SessionSweeper } from '../../sessions/session-sweeper.js';
import { withLock } from '../../sessions/coordination/with-lock.js';
import { SessionNotStoredError } from '../auth.errors.js';
import { grantsSame, tokenLock } from '../installations/installation-records.js';
import type { InstallationRecords } from '../installations/installation-records.js';
import { sessionNotFound } from './lost-access.js';
import type { Reauthorization } from './reauthorization.js';
import { RENEWAL, fieldsDroppedBy, lastingTokens, renewalNotKept } from './renewal-fields.js';
import { removeTokens } from './token-removal.js';
import type { TokenOrigin, TokenReply } from './token-reply.js';
import type { ExchangeOptions } from './token.client.js';

/** What a {@link AccessTokenStore} works with. */
export interface AccessTokenStoreDependencies {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly inFlight: InFlight;
  readonly storage: SessionStorage;
  readonly lock: Lock;
  readonly records: InstallationRecords;
  readonly reauthorization: Reauthorization;
  /** Notified of every online session that is stored. @default none */
  readonly sweeper?: SessionSweeper | undefined;
}

/** How an offline token was granted. */
interface GrantFacts {
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
export class AccessTokenStore {
  /** What a token is renewed with and the storage does not keep, once that has been seen. */
  #dropped: readonly string[] | undefined;

  constructor(private readonly dependencies: AccessTokenStoreDependencies) {}

  /** The kind of offline token to ask for: the configured one, or one that the storage can keep. */
  get wanted(): ExchangeOptions {
    return this.#dropped?.length ? { expiring: false } : {};
  }

  /** True for a session that will end, since the storage does not keep what renews it. */
  dropsRenewalOf(session: Session): boolean {
    return Boolean(this.#dropped?.length) && isRefreshable(session);
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
   * Stores an offline session that was newly granted. The caller holds the shop's lock. The grant
   * is recorded first: a crash in between must not hide it.
   */
  async adopt(session: Session, { previous, ...grant }: GrantFacts): Promise<Session> {
    const { records, storage } = this.dependencies;
    const known = previous ?? (await storage.loadSession(session.id));
    await records.granted(session.shop, {
      ...grant,
      scope: session.scope ?? '',
      isKnown: known !== undefined,
      isRevoked: grant.isRevoked || (known !== undefined && !isAccessToken(known.accessToken)),
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
    if (this.#dropped === undefined && isRefreshable(session)) await this.#readBack(session);
    return session;
  }

  /**
   * Removes the tokens of a stored session that the platform rejects, so that the next request gets
   * another; a user's session is deleted. For the app's own token the shop has to authenticate
   * again. A session that has been renewed meanwhile stays. Never rejects.
   * @param refused the access token it must still have
   * @param announces whether the app is told that the shop has to authenticate again; not when its
   * browser is on the way there
   */
  async end(
    { id, shop }: Pick<Session, 'id' | 'shop'>,
    refused: string,
    announces = true,
  ): Promise<void> {
    const { storage, logger, reauthorization } = this.dependencies;
    try {
      const session = await this.load(id, shop);
      const user = session && userOf(session)?.id;
      const end = async (): Promise<void> => {
        const stored = await this.load(id, shop);
        if (stored?.accessToken !== refused || !(await removeTokens(storage, stored))) return;
        logger.info('The platform no longer accepts the token of a session', { shop });
        if (!stored.isOnline && announces) await reauthorization.require(shop);
      };
      await this.locked(shop, end, user === undefined ? undefined : String(user));
    } catch (error) {
      logger.error('A token that the platform rejects could not be removed', { shop, error });
    }
  }

  /**
   * Tries a storage that is not known yet with a session of no shop.
   * @throws {RenewalNotKeptError} when it drops what a token that expires is renewed with
   */
  async ensureKeepsRenewal(): Promise<void> {
    const { storage, clock } = this.dependencies;
    this.#dropped ??= await fieldsDroppedBy(storage, clock);
    if (this.#dropped.length > 0) throw renewalNotKept(this.#dropped, storage);
  }

  /** Reads a session once: what a storage drops would be missed when the first token has ended. */
  async #readBack(session: Session): Promise<void> {
    const { storage, logger } = this.dependencies;
    // The token is stored: that it cannot be read at this moment fails no grant.
    const kept = await storage.loadSession(session.id).catch(() => undefined);
    if (this.#dropped !== undefined || !kept || kept.accessToken !== session.accessToken) return;
    const dropped = RENEWAL.filter((field) => session[field] && !kept[field]);
    this.#dropped = dropped;
    if (dropped.length > 0) logger.error(lastingTokens(dropped, storage), { shop: session.shop });
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

/** The session of a granted token: online when it is a user's, offline when it is the app's. */
export function sessionFromToken(
  reply: TokenReply,
  { shop, state = '', isEmbeddedApp }: TokenOrigin,
): Session {
  const { access_token: accessToken, scope, associated_user: user } = reply;
  const common = { shop, state, scope, accessToken, ...expiryOf(reply) };
  if (user) {
    const id = isEmbeddedApp ? onlineSessionId(shop, user.id) : randomUUID();
    return new Session({
      ...common,
      id,
      isOnline: true,
      onlineAccessInfo: { ...userFactsIn(reply), associated_user: user },
    });
  }
  return new Session({
    ...common,
    id: offlineSessionId(shop),
    isOnline: false,
    ...refreshTokenIn(reply),
  });
}

/** What the reply says beside the tokens themselves. */
function userFactsIn(reply: TokenReply) {
  const facts = Object.fromEntries(
    Object.entries(reply).filter(([name]) => !TOKEN_FIELDS.has(name)),
  );
  return {
    ...facts,
    expires_in: reply.expires_in ?? 0,
    associated_user_scope: reply.associated_user_scope ?? '',
  };
}

const TOKEN_FIELDS: ReadonlySet<string> = new Set([
  'access_token',
  'scope',
  'refresh_token',
  'refresh_token_expires_in',
  'askedAt',
  'grantedAt',
]);

/**
 * The same session with the tokens of a refresh. What the reply does not replace stays.
 */
export function refreshedSession(previous: Session, reply: TokenReply): Session {
  return new Session({
    ...previous,
    accessToken: reply.access_token,
    scope: reply.scope || previous.scope,
    ...expiryOf(reply),
    ...refreshTokenIn(reply),
  });
}

function expiryOf({ expires_in: seconds, askedAt }: TokenReply): { expires?: Date } {
  return typeof seconds === 'number' ? { expires: after(askedAt, seconds) } : {};
}

/** A refresh token without a lifetime is used until it is refused. */
function refreshTokenIn({
  refresh_token: refreshToken,
  refresh_token_expires_in: seconds,
  askedAt,
}: TokenReply) {
  if (!refreshToken) return {};
  return {
    refreshToken,
    refreshTokenExpires: typeof seconds === 'number' ? after(askedAt, seconds) : undefined,
  };
}

function after(start: Date, seconds: number): Date {
  return new Date(start.getTime() + seconds * 1000);
}
