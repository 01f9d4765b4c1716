import { InvalidHmacError, InvalidShopError } from '../../core/core.errors.js';
import { denied } from '../../core/decision.js';
import type { DeniedDecision } from '../../core/decision.js';
import { HttpResponseError } from '../../core/http/http.errors.js';
import { InvalidOAuthError, PrivateAppError } from '../auth.errors.js';
import { shopRefused } from '../credentials/request-queries.js';
import { AGAIN, deniedForTokenError } from './token-refusals.js';

/**
 * What a failed step of the OAuth grant answers to the browser. Rethrows what is not one of its
 * errors.
 */
export function oauthRefusal(error: unknown): DeniedDecision {
  if (error instanceof PrivateAppError)
    return denied(
      400,
      'private_app',
      'This app has a fixed access token and is not installed over OAuth.',
    );
  if (error instanceof InvalidHmacError && error.reason === 'timestamp_stale')
    return denied(400, error.reason, `This link has expired. ${AGAIN}`);
  if (error instanceof InvalidHmacError)
    return denied(400, error.reason, `This link was not made by the platform. ${AGAIN}`);
  if (error instanceof InvalidShopError) return shopRefused(null);
  if (error instanceof InvalidOAuthError && error.reason === 'state_spent')
    return denied(400, error.reason, `This link has been used already. ${AGAIN}`);
  if (error instanceof InvalidOAuthError)
    return denied(
      400,
      error.reason,
      `This link does not belong to the installation you began. ${AGAIN}`,
    );
  const refusal = deniedForTokenError(error);
  if (refusal) return refusal;
  if (error instanceof HttpResponseError)
    return denied(400, 'code_refused', `The platform refused this installation link. ${AGAIN}`);
  throw error;
}

/** For a request whose cookie did not come along. */
export const STATE_MISSING = denied(
  400,
  'state_missing',
  `This link does not belong to an installation begun in this browser. ${AGAIN}`,
);

/** For a browser that came back twice without the cookie it had been given. */
export const COOKIES_BLOCKED = denied(
  400,
  'cookies_blocked',
  'Your browser blocks the cookies this app needs while it is being installed. Allow cookies for this site, then open the app from the admin of your shop again.',
);
