import type { PlatformConfig } from '../../core/config/platform-config.js';
import { shopTyped } from '../../core/shop-domain.js';
import { QUERY } from '../../core/vendor.js';
import type { AuthRedirect } from '../responses/auth-responses.js';
import { installPage } from '../responses/install-addresses.js';

/** What is wrong with the shop that a merchant has entered. */
export enum LoginErrorType {
  MissingShop = 'MISSING_SHOP',
  InvalidShop = 'INVALID_SHOP',
}

/** The errors of a login form; empty when it was not submitted yet. */
export interface LoginError {
  readonly shop?: LoginErrorType | undefined;
}

/** What a login request says. */
export interface LoginForm {
  /** What the merchant has entered; `undefined` or empty when there is nothing. */
  readonly shop: string | undefined;
  /** False when the form is only being shown. */
  readonly isSubmitted: boolean;
}

/** The start of OAuth, or the form again with its errors. */
type LoginDecision = AuthRedirect | { readonly kind: 'form'; readonly error: LoginError };

/**
 * Decides about a login: a valid shop goes to where the admin installs an embedded app, else to the
 * start of OAuth.
 */
export function loginDecision(
  { shop: entered, isSubmitted }: LoginForm,
  config: PlatformConfig,
): LoginDecision {
  const text = entered?.trim();
  if (!text)
    return { kind: 'form', error: isSubmitted ? { shop: LoginErrorType.MissingShop } : {} };
  const shop = shopTyped(text);
  if (shop === null) return { kind: 'form', error: { shop: LoginErrorType.InvalidShop } };
  const location = config.isEmbeddedApp
    ? installPage(config, shop)
    : `${config.appPath(config.paths.auth)}?${new URLSearchParams({ [QUERY.shop]: shop })}`;
  return { kind: 'redirect', location, reason: 'login' };
}
