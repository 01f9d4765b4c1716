import { MissingRequiredArgument } from './core.errors.js';
import type { Priority } from './pacing/pacer.js';
import { requestOf } from './session-request.js';
import type { SessionRequest } from './session-request.js';
import { sanitizeShop } from './shop-domain.js';

/** The part of a session that a call to the platform needs. */
export interface ApiSession {
  readonly shop: string;
  readonly accessToken?: string | undefined;
}

/** How a client of a session is made. */
export interface ClientOptions {
  /** @default the app's version */
  readonly apiVersion?: string | undefined;
  /**
   * Of the calls that name none: `background` calls are sent after interactive ones.
   * @default 'interactive'
   */
  readonly priority?: Priority | undefined;
}

/** An access token that the platform has rejected. */
export interface RefusedToken {
  readonly refused: string;
  /** The session token of the request the call belongs to, if any. */
  readonly sessionToken?: string | undefined;
}

/**
 * Finds another access token for a session whose token was rejected. A port that `auth` implements.
 */
export abstract class TokenRenewer {
  /**
   * Returns the session with another token than the rejected one; `ended` when nothing can renew
   * it, `undefined` when there is none at the moment. Never rejects.
   */
  abstract renew(
    session: ApiSession,
    token: RefusedToken,
  ): Promise<ApiSession | 'ended' | undefined>;
}

/**
 * The access token that the calls of one client send, and the only place where it is replaced.
 * `console.log` does not show it.
 */
export class AccessToken {
  /** The request it was rejected for, once nothing can renew it. */
  refusedFor: SessionRequest | undefined;
  #current: string;
  readonly #renew: ((refused: string) => Promise<string | undefined>) | undefined;

  /** @param renew finds another token for a rejected one @default the token is never replaced */
  constructor(current: string, renew?: (refused: string) => Promise<string | undefined>) {
    this.#current = current;
    this.#renew = renew;
  }

  get current(): string {
    return this.#current;
  }

  /** False for a token that is never replaced. */
  get isRenewable(): boolean {
    return this.#renew !== undefined;
  }

  /** The token to use in place of one the platform has rejected; `undefined` when there is none. */
  async replace(refused: string): Promise<string | undefined> {
    // Another call of this client has replaced it already.
    if (this.#current !== refused) return this.#current;
    const other = await this.#renew?.(refused);
    if (!isAccessToken(other)) return undefined;
    this.#current = other;
    return other;
  }
}

/** The shop that a client calls, and the token it sends. */
export interface ApiTarget {
  /** Domain of the shop. */
  readonly shop: string;
  /** Origin of the shop, without trailing slash. */
  readonly origin: string;
  readonly token: AccessToken;
}

/** The part of an app's configuration that a client needs to call a shop. */
interface ShopAccess {
  readonly isCustomStoreApp: boolean;
  readonly adminApiAccessToken: string | undefined;
  shopOrigin(shop: string): string;
}

/**
 * What a header carries as it is. For other characters `fetch` throws an error that quotes the
 * token, and spaces at an end get lost.
 */
const TOKEN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
/** The rule as messages state it, after "an access token must be". */
export const ACCESS_TOKEN_RULE = 'visible characters of ASCII, with no space at either end';

/**
 * Domain of a session's shop.
 * @throws {MissingRequiredArgument} without a session, such as one that the storage does not have
 * @throws {InvalidShopError} when it names no shop
 */
export function shopOf(session: ApiSession | null | undefined): string {
  if (!session)
    throw new MissingRequiredArgument(
      'Missing session: pass the one of the shop. A storage answers undefined for a shop that has none: authenticate it first.',
    );
  return sanitizeShop(session.shop, true);
}

/**
 * Resolves a session to the shop's origin and its access token: the fixed token of a custom app,
 * else the session's.
 * @param renewer replaces a token the platform rejects; a fixed token is never replaced
 * @throws {InvalidShopError} when the session names no shop
 * @throws {MissingRequiredArgument} when there is no session, or no usable token in it
 */
export function apiTarget(
  access: ShopAccess,
  session: ApiSession,
  renewer?: TokenRenewer,
): ApiTarget {
  const shop = shopOf(session);
  const accessToken = access.adminApiAccessToken ?? session.accessToken;
  if (!accessToken)
    throw new MissingRequiredArgument(
      `Missing access token: the session of ${shop} has none. Authenticate the shop first.`,
    );
  if (!isAccessToken(accessToken)) {
    throw new MissingRequiredArgument(
      `Missing access token: the one in the session of ${shop} must be ${ACCESS_TOKEN_RULE}.`,
    );
  }
  const origin = access.shopOrigin(shop);
  if (!renewer || access.isCustomStoreApp)
    return { shop, origin, token: new AccessToken(accessToken) };
  const request = requestOf(session);
  const renew = async (refused: string): Promise<string | undefined> => {
    const renewed = await renewer.renew(session, {
      refused,
      sessionToken: request?.sessionToken,
    });
    if (renewed !== 'ended') return renewed?.accessToken;
    token.refusedFor = request;
    const thrown = request?.whenRefused?.();
    if (thrown !== undefined) throw thrown;
    return undefined;
  };
  const token = new AccessToken(accessToken, renew);
  return { shop, origin, token };
}

/** True when the text can travel as an access token: {@link ACCESS_TOKEN_RULE}. */
export function isAccessToken(token: unknown): token is string {
  return typeof token === 'string' && TOKEN.test(token);
}
