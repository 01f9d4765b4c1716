import type { PlatformConfig } from './config/platform.config.js';
import { MissingRequiredArgument } from './core.errors.js';
import { sanitizeShop } from './shop-domain.js';

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
  readonly accessToken: string;
}

/** What a header can carry; anything else would come back, token included, in the error of `fetch`. */
const TOKEN = /^[\x21-\x7e]+$/;

/**
 * Resolves a session to the shop's origin and the token that counts: the fixed token of a custom app, else the session's.
 * @throws {InvalidShopError} when the session names no shop
 * @throws {MissingRequiredArgument} when there is no usable token
 */
export function apiTarget(config: PlatformConfig, session: ApiSession): ApiTarget {
  const shop = sanitizeShop(session.shop, true);
  const accessToken = config.adminApiAccessToken ?? session.accessToken;
  if (!accessToken)
    throw new MissingRequiredArgument(`Missing access token: the session of ${shop} has none. Authenticate the shop first.`);
  if (!isAccessToken(accessToken)) {
    throw new MissingRequiredArgument(`Missing access token: the one in the session of ${shop} has characters no header can carry.`);
  }
  return { shop, origin: config.shopOrigin(shop), accessToken };
}

/** True when the text can travel as an access token: printable ASCII without spaces. */
export function isAccessToken(token: unknown): token is string {
  return typeof token === 'string' && TOKEN.test(token);
}
