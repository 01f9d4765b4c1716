import { systemClock } from '../core/time/clock.js';
import { AuthScopes } from '../core/scopes.js';
import type { ScopesLike } from '../core/scopes.js';
import { requestOf } from '../core/session-request.js';
import { sanitizeShop } from '../core/shop-domain.js';
import { propertiesOf, sessionFromProperties } from './session-properties.js';
import { SessionStorageError } from './sessions.errors.js';
import type {
  OnlineAccessInfo,
  OnlineAccessUser,
  PropertyValue,
  SessionParams,
  StoredOnlineAccessInfo,
} from './session-properties.js';

export type { OnlineAccessInfo, OnlineAccessUser, SessionParams, StoredOnlineAccessInfo };

/** What {@link Session.toObject} returns, declared as the platform's own library does. */
export type SessionObject = SessionParams & {
  onlineAccessInfo?:
    | (Omit<OnlineAccessInfo, 'associated_user'> & { associated_user: Partial<OnlineAccessUser> })
    | undefined;
};

const DEFAULT_LEEWAY = 500;
/** `inspect.custom`, without `node:util`, whose import takes as long as all of this module. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');
/**
 * A token is renewed this long before it expires, in milliseconds: a request that begins with it
 * should also end with it.
 */
const RENEWAL_LEAD_MS = 5 * 60 * 1000;

/**
 * An app's access to one shop, for the app (offline) or for one user (online).
 *
 * Shaped like the session of the platform's own libraries, which can use it in their place. Tokens
 * are kept out of `console.log`; `JSON.stringify` has them, because that is how many storages of
 * apps write a session.
 */
export class Session implements SessionParams {
  declare readonly id: string;
  declare shop: string;
  declare state: string;
  declare isOnline: boolean;
  declare scope?: string | undefined;
  declare accessToken?: string | undefined;
  declare expires?: Date | undefined;
  declare refreshToken?: string | undefined;
  declare refreshTokenExpires?: Date | undefined;
  declare onlineAccessInfo?: OnlineAccessInfo | undefined;

  static {
    // Not declared as a member: a class that has it would no longer accept the sessions of other
    // libraries in its place.
    Object.defineProperty(this.prototype, INSPECT, {
      configurable: true,
      writable: true,
      enumerable: false,
      value: inspected,
    });
  }

  /**
   * Reads pairs written by {@link Session.toPropertyArray}, by us or by an official storage. Names
   * match in any case; times are epoch milliseconds.
   * @param returnUserData the user's own data becomes `onlineAccessInfo` of an online session,
   * instead of properties of their own
   * @throws {InvalidSession} when `entries` is no list
   */
  static fromPropertyArray(
    entries: readonly (readonly [string, unknown])[],
    returnUserData = false,
  ): Session {
    return new Session(sessionFromProperties(entries, returnUserData));
  }

  /**
   * Takes every property it is given, unknown ones too. A time may also be text, as JSON has it, or
   * epoch milliseconds.
   */
  constructor(params: SessionParams) {
    Object.assign(this, params);
    readTimes(this);
  }

  /**
   * True when the token is there, covers `scopes` and is still good `withinMs` milliseconds from
   * now.
   */
  isActive(scopes: ScopesLike, withinMs: number = DEFAULT_LEEWAY, now?: Date): boolean {
    return (
      !this.isScopeChanged(scopes) && Boolean(this.accessToken) && !this.isExpired(withinMs, now)
    );
  }

  /** True when `scopes` are asked for and not all of them were granted. */
  isScopeChanged(scopes: ScopesLike): boolean {
    return scopes !== undefined && !this.isScopeIncluded(scopes);
  }

  /** True when all of `scopes` were granted, directly or by implication. */
  isScopeIncluded(scopes: ScopesLike): boolean {
    return AuthScopes.of(this.scope ?? '').has(scopes);
  }

  /** True when the token expires within `withinMs` milliseconds from `now`. */
  isExpired(withinMs: number = 0, now: Date = systemClock.now()): boolean {
    return this.expires ? this.expires.getTime() - withinMs < now.getTime() : false;
  }

  /** A plain object of what is set, tokens included. */
  toObject(): SessionObject {
    const {
      id,
      shop,
      state,
      isOnline,
      scope,
      accessToken,
      expires,
      refreshToken,
      refreshTokenExpires,
      onlineAccessInfo,
    } = this;
    return {
      id,
      shop,
      state,
      isOnline,
      ...(scope && { scope }),
      ...(accessToken && { accessToken }),
      ...(expires && { expires }),
      ...(refreshToken && { refreshToken }),
      ...(refreshTokenExpires && { refreshTokenExpires }),
      ...(onlineAccessInfo && { onlineAccessInfo }),
    };
  }

  /** True when both hold the same. What a property array does not keep is not compared. */
  equals(other: Session | undefined): boolean {
    if (!other) return false;
    const same =
      this.id === other.id &&
      this.shop === other.shop &&
      this.state === other.state &&
      this.isOnline === other.isOnline;
    return same && sorted(this) === sorted(other);
  }

  /**
   * `[name, value]` pairs of what is set, in a fixed order, tokens included; times in epoch
   * milliseconds.
   * @param returnUserData the user's own data as pairs, instead of the user's id alone
   */
  toPropertyArray(returnUserData = false): [string, PropertyValue][] {
    return propertiesOf(this, returnUserData);
  }
}

const TIMES = ['expires', 'refreshTokenExpires'] as const;

/** Makes dates of the times of a session that was read from JSON, as some storages of apps do. */
export function readTimes(session: Pick<Session, (typeof TIMES)[number]>): void {
  for (const name of TIMES) {
    const time: unknown = session[name];
    if (!time || (typeof time !== 'string' && typeof time !== 'number')) continue;
    const milliseconds = Number(time);
    session[name] = new Date(Number.isNaN(milliseconds) ? time : milliseconds);
  }
}

function sorted(session: Session): string {
  const entries = session.toPropertyArray(true);
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withoutTokens(this: Session): SessionParams {
  const { accessToken, refreshToken, ...rest } = this;
  return {
    ...rest,
    ...(accessToken && { accessToken: HIDDEN }),
    ...(refreshToken && { refreshToken: HIDDEN }),
  };
}

function inspected(
  this: Session,
  _depth: number,
  options: object,
  // Vitest and chai pass none. A session keeps what it does not know, such as a `bigint`.
  inspectValue: (value: object, options: object) => string = (value) =>
    JSON.stringify(value, (_, held) => (typeof held === 'bigint' ? String(held) : held)),
): string {
  return `Session ${inspectValue(withoutTokens.call(this), options)}`;
}

const HIDDEN = '[redacted]';

/** True when the session's token has expired or expires within five minutes. */
export function isDueForRenewal(session: Session, now: Date): boolean {
  return session.isExpired(RENEWAL_LEAD_MS, now);
}

/**
 * Id of the session that holds a shop's offline token: `offline_<shop>`.
 * @throws {InvalidShopError} when `shop` is no shop
 */
export function offlineSessionId(shop: string): string {
  return `offline_${sanitizeShop(shop, true)}`;
}

/**
 * Id of the session that holds a user's online token in an embedded app: `<shop>_<user id>`.
 * @throws {InvalidShopError} when `shop` is no shop
 */
export function onlineSessionId(shop: string, userId: string | number): string {
  return `${sanitizeShop(shop, true)}_${userId}`;
}

/**
 * The session itself, as no request has it; a copy, when the storage has returned the same object
 * to a request before.
 */
export function unattached(session: Session): Session {
  const isFree =
    session instanceof Session && Object.isExtensible(session) && requestOf(session) === undefined;
  return isFree ? session : new Session(session);
}

/**
 * The session of a custom app, whose token is fixed: it names the shop, and is stored nowhere.
 */
export function customAppSession(shop: string): Session {
  return new Session({ id: '', shop, state: '', isOnline: false });
}

/** Compares sessions for sorting: the token that lasts longest comes first. */
export function lastToExpireFirst(one: Session, other: Session): number {
  return Number(other.expires ?? Infinity) - Number(one.expires ?? Infinity);
}

/** True when both have the same tokens: one that is '' is none. */
export function hasTokensOf(session: Session, { accessToken, refreshToken }: Session): boolean {
  return (
    (session.accessToken ?? '') === (accessToken ?? '') &&
    (session.refreshToken ?? '') === (refreshToken ?? '')
  );
}

/** True for an offline session with a refresh token, whatever its expiry. */
export function isRefreshable({ isOnline, refreshToken }: Session): boolean {
  return !isOnline && Boolean(refreshToken);
}

/**
 * True for a session of the client credentials grant: every other grant with an expiry comes with a
 * refresh token.
 */
export function isFromClientCredentials({ isOnline, expires, refreshToken }: Session): boolean {
  return !isOnline && Boolean(expires) && !refreshToken;
}

/**
 * To be called for each session that is stored: an engine may take what is missing for whatever
 * there is, another shop's session for one.
 */
export function checkStorable({ id, shop }: Session): void {
  if (typeof id === 'string' && typeof shop === 'string') return;
  throw new SessionStorageError(
    `A session cannot be stored whose ${typeof id === 'string' ? 'shop' : 'id'} is no text.`,
  );
}
