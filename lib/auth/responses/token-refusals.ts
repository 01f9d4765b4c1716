import { denied } from '../../core/decision.js';
import type { DeniedDecision } from '../../core/decision.js';
import {
  HttpInternalError,
  HttpRequestError,
  HttpThrottlingError,
} from '../../core/http/http.errors.js';
import { LockTimeoutError } from '../../sessions/sessions.errors.js';
import { InvalidTokenReplyError, SessionNotStoredError } from '../auth.errors.js';

/** What a merchant can do when a step fails. */
export const AGAIN = 'Open the app from the admin of your shop to start again.';

/**
 * What a browser is answered when no token could be had or kept through nobody's fault of the
 * browser's side; `undefined` for other errors.
 */
export function deniedForTokenError(error: unknown): DeniedDecision | undefined {
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
