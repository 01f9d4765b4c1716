import { InvalidHmacError, InvalidShopError } from '../../core/core.errors.js';
import { denied } from '../../core/decision.js';
import type {
  DeniedDecision,
  DocumentDecision,
  HeaderList,
  RedirectDecision,
  ResponseDecision,
} from '../../core/decision.js';
import {
  HttpInternalError,
  HttpRequestError,
  HttpResponseError,
  HttpThrottlingError,
} from '../../core/http/http.errors.js';
import { isResponse } from '../../core/http/is-response.js';
import { APP_BRIDGE_HEADERS } from '../../core/vendor.js';
import { LockTimeoutError } from '../../sessions/sessions.errors.js';
import {
  InvalidOAuthError,
  InvalidTokenReplyError,
  PrivateAppError,
  SessionNotStoredError,
} from '../auth.errors.js';
import type { SessionTokenDenyReason } from '../credentials/session-token.verifier.js';
import { HookFailedError } from '../lifecycle/lifecycle.errors.js';

/** Why auth redirects a browser. */
type RedirectReason =
  | 'begin_oauth'
  | 'exit_iframe'
  | 'session_token_needed'
  | 'embed_app'
  | 'installed'
  | 'login'
  | 'leave_app'
  | 'after_auth';

/** Why auth answers with a page. */
export type DocumentReason = 'exit_iframe' | 'session_token_page' | 'redirect' | 'after_auth';

/** Why a shop has to authenticate again. */
export type SessionProblem = 'session_missing' | 'session_expired' | 'scopes_changed';

/** Why no token could be granted or stored. */
type TokenDenyReason =
  | 'token_reply_invalid'
  | 'platform_unreachable'
  | 'platform_busy'
  | 'platform_failed'
  | 'shop_busy'
  | 'session_not_stored';

/** Why an OAuth grant was not completed. */
type OAuthDenyReason =
  | TokenDenyReason
  | ShopDenyReason
  | InvalidHmacError['reason']
  | InvalidOAuthError['reason']
  | 'private_app'
  | 'code_refused'
  | 'state_missing'
  | 'cookies_blocked';

/** What is wrong with the shop that a request names. */
type ShopDenyReason = 'shop_invalid' | 'shop_missing';

/** Why auth denies a request. */
type DenyReason =
  | SessionTokenDenyReason
  | SessionProblem
  | OAuthDenyReason
  | 'crawler'
  | 'leave_app'
  | 'shop_mismatch'
  | 'redirect_refused'
  | 'login_route'
  | 'after_auth_failed'
  | 'method_not_allowed'
  | 'scopes_not_granted'
  | 'scopes_mismatch_failed'
  | 'token_not_granted';

/** Leads the browser on. */
export type AuthRedirect = RedirectDecision<RedirectReason>;
/** Shows a page: of the toolkit, or of a hook. */
export type AuthDocument = DocumentDecision<DocumentReason>;
/** Says what is wrong with a request. */
export type AuthDenied = DeniedDecision<DenyReason>;

/** A decision of auth that ends a request. */
export type AuthResponse = AuthRedirect | AuthDocument | AuthDenied;

/** What a merchant can do when a step fails. */
const AGAIN = 'Open the app from the admin of your shop to start again.';

/** For an OAuth callback that came without its `state` cookie. */
export const STATE_MISSING = denied(
  400,
  'state_missing',
  `This link does not belong to an installation begun in this browser. ${AGAIN}`,
);

/** For a browser that twice came back without the `state` cookie it was given. */
export const COOKIES_BLOCKED = denied(
  400,
  'cookies_blocked',
  'Your browser blocks the cookies this app needs while it is being installed. Allow cookies for this site, then open the app from the admin of your shop again.',
);

/** For an address that leads neither to the app nor to one of its shops. */
export const REDIRECT_REFUSED = denied(
  400,
  'redirect_refused',
  'This address leads neither to the app nor to a shop that has it. Go back to the app and try again.',
);

/** For a session token of one shop in a request that names another. */
export const SHOP_MISMATCH = denied(
  403,
  'shop_mismatch',
  'The session token was issued in another shop than the one in the address.',
);

/** Denies a request that names no shop (`undefined`) or an invalid one (`null`). */
export function deniedForShop(
  shop: null | undefined,
  status = 400,
): DeniedDecision<ShopDenyReason> {
  return shop === null
    ? denied(status, 'shop_invalid', 'The "shop" in the address is not the domain of a shop.')
    : denied(
        status,
        'shop_missing',
        'The address names no shop. Open the app from the admin of your shop.',
      );
}

/**
 * The denial for an error that kept a token from being granted or stored; `undefined` for any other
 * error.
 */
export function deniedForTokenError(error: unknown): DeniedDecision<TokenDenyReason> | undefined {
  if (error instanceof InvalidTokenReplyError)
    return denied(502, 'token_reply_invalid', `The platform granted no usable access. ${AGAIN}`);
  if (error instanceof HttpRequestError)
    return denied(503, 'platform_unreachable', `The platform did not answer. ${AGAIN}`);
  if (error instanceof HttpThrottlingError)
    return denied(503, 'platform_busy', `The platform is busy. Wait a moment. ${AGAIN}`);
  if (error instanceof HttpInternalError)
    return denied(502, 'platform_failed', `The platform failed to answer. ${AGAIN}`);
  if (error instanceof LockTimeoutError)
    return denied(503, 'shop_busy', `The app is busy with this shop. Wait a moment. ${AGAIN}`);
  if (error instanceof SessionNotStoredError)
    return denied(
      500,
      'session_not_stored',
      'The app could not remember this installation. Try again later.',
    );
  return undefined;
}

/** The denial for an error of the OAuth grant. Rethrows any other error. */
export function deniedForOAuthError(error: unknown): DeniedDecision<OAuthDenyReason> {
  if (error instanceof PrivateAppError)
    return denied(
      400,
      'private_app',
      'This app has a fixed access token and is not installed over OAuth.',
    );
  if (error instanceof InvalidHmacError) {
    const why = error.reason === 'timestamp_stale' ? 'has expired' : 'was not made by the platform';
    return denied(400, error.reason, `This link ${why}. ${AGAIN}`);
  }
  if (error instanceof InvalidShopError) return deniedForShop(null);
  if (error instanceof InvalidOAuthError) {
    const why =
      error.reason === 'state_spent'
        ? 'has been used already'
        : 'does not belong to the installation you began';
    return denied(400, error.reason, `This link ${why}. ${AGAIN}`);
  }
  const tokenDenied = deniedForTokenError(error);
  if (tokenDenied) return tokenDenied;
  if (error instanceof HttpResponseError)
    return denied(400, 'code_refused', `The platform refused this installation link. ${AGAIN}`);
  throw error;
}

/**
 * The response when a hook of the app has thrown: the `Response` it threw, or a denial that says
 * that the app failed. Rethrows any other error.
 */
export async function responseForHookError(error: unknown): Promise<AuthResponse> {
  if (error instanceof HookFailedError)
    return denied(
      500,
      'after_auth_failed',
      'The app was installed but could not finish setting itself up. Open it again.',
    );
  if (!isResponse(error)) throw error;
  const location = error.headers.get('location');
  const headers: HeaderList = [...error.headers].filter(([name]) => name !== 'location');
  // With any other status, or with a body, it goes out as it is.
  if (location !== null && error.status === 302 && error.body === null)
    return { kind: 'redirect', location, reason: 'after_auth', headers, thrown: error };
  return {
    kind: 'document',
    status: error.status,
    html: await error.clone().text(),
    reason: 'after_auth',
    headers: [...error.headers],
    isOfApp: true,
    thrown: error,
  };
}

/** A decision that leads the browser or App Bridge elsewhere, as one that only says why. */
export function withoutLeading(decision: ResponseDecision): DeniedDecision {
  const { kind, reason, headers = [] } = decision;
  if (kind !== 'denied')
    return denied(401, reason, 'This request has no session of the app. Open the app again.');
  const leads = headers.some(([name]) => name === APP_BRIDGE_HEADERS.reauthorizeUrl);
  // A page that names no shop is the request of somebody who is not known.
  return leads || reason === 'shop_missing' ? denied(401, reason, decision.message) : decision;
}
