import type { PlatformConfig } from './config/platform-config.js';
import { MissingRequiredArgument } from './core.errors.js';
import { sanitizeShop } from './shop-domain.js';
import type { RefusedToken, TokenRenewer } from './token-renewer.js';

/** The part of a session that a call to the platform needs. */
export interface ApiSession {
  readonly shop: string;
  readonly accessToken?: string | undefined;
}

/** Whom a call goes to and what it proves itself with. */
export interface ApiTarget {
  /** Domain of the shop. */
  readonly shop: string;
  /** Origin of the shop, without trailing slash. */
  readonly origin: string;
  /** As of now: it changes when the platform refuses it and another is found. */
  readonly accessToken: string;
  /** Finds another token for a refused one; true when there is one. @default none is looked for */
  renew?(refused: string): Promise<boolean>;
}

/** How a client of a session is made. */
export interface ClientOptions {
  /** @default the app's version */
  readonly apiVersion?: string | undefined;
  /**
   * The session token of the request the client works for: when the access token is refused, it is
   * traded for another.
   */
  readonly sessionToken?: string | undefined;
}

/** How a client's token is replaced when the platform refuses it. */
export interface TokenRenewal extends Omit<RefusedToken, 'refused'> {
  readonly renewer: TokenRenewer;
}

/**
 * What a header can carry; anything else would come back, token included, in the error of `fetch`.
 */
const TOKEN = /^[\x21-\x7e]+$/;

/**
 * Resolves a session to the shop's origin and the token that counts: the fixed token of a custom
 * app, else the session's.
 * @param renewal how to replace a token the platform refuses; a fixed token has no other
 * @throws {InvalidShopError} when the session names no shop
 * @throws {MissingRequiredArgument} when there is no usable token
 */
export function apiTarget(
  config: PlatformConfig,
  session: ApiSession,
  renewal?: TokenRenewal,
): ApiTarget {
  const shop = sanitizeShop(session.shop, true);
  const accessToken = config.adminApiAccessToken ?? session.accessToken;
  if (!accessToken)
    throw new MissingRequiredArgument(
      `Missing access token: the session of ${shop} has none. Authenticate the shop first.`,
    );
  if (!isAccessToken(accessToken)) {
    throw new MissingRequiredArgument(
      `Missing access token: the one in the session of ${shop} has characters no header can carry.`,
    );
  }
  const origin = config.shopOrigin(shop);
  return renewal && !config.isCustomStoreApp
    ? new RenewedTarget(shop, origin, accessToken, session, renewal)
    : { shop, origin, accessToken };
}

class RenewedTarget implements ApiTarget {
  readonly #session: ApiSession;
  readonly #renewal: TokenRenewal;
  #accessToken: string;

  constructor(
    readonly shop: string,
    readonly origin: string,
    accessToken: string,
    session: ApiSession,
    renewal: TokenRenewal,
  ) {
    this.#accessToken = accessToken;
    this.#session = session;
    this.#renewal = renewal;
  }

  get accessToken(): string {
    return this.#accessToken;
  }

  async renew(refused: string): Promise<boolean> {
    // Another call of this client has been here before.
    if (this.#accessToken !== refused) return true;
    const { renewer, sessionToken } = this.#renewal;
    const session = await renewer.renew(this.#session, { refused, sessionToken });
    if (!isAccessToken(session?.accessToken)) return false;
    this.#accessToken = session.accessToken;
    return true;
  }
}

/** True when the text can travel as an access token: printable ASCII without spaces. */
export function isAccessToken(token: unknown): token is string {
  return typeof token === 'string' && TOKEN.test(token);
}
