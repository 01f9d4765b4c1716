import { denied } from '../../core/decision.js';
import type { DeniedDecision } from '../../core/decision.js';
import { HEADERS } from '../../core/vendor.js';

/**
 * A session token that is missing or must not be believed, as the answer to a script that came with
 * it.
 */
export interface SessionTokenDenied extends DeniedDecision {
  /** True when a fresh token would fare no better. */
  readonly isLasting: boolean;
}

/**
 * Of a token of the admin, these speak of another key or secret than the app's: time and a fresh
 * token change nothing about it.
 */
const LASTING: ReadonlySet<string> = new Set(['signature', 'audience', 'algorithm']);

/** For a request that brought no session token. */
export function tokenMissing(): SessionTokenDenied {
  const message =
    'This request needs a session token: in its Authorization header, or in its address as the admin opens it.';
  return { ...tokenWanted('session_token_missing', message), isLasting: false };
}

/** For a request whose token failed; `failure` is the `reason` of the verifier's error. */
export function tokenInvalid(failure: string, message: string): SessionTokenDenied {
  return { ...tokenWanted('session_token_invalid', message), isLasting: LASTING.has(failure) };
}

/** For a request whose token the platform itself does not take. */
export function sessionTokenRejected(): SessionTokenDenied {
  return {
    ...tokenWanted(
      'session_token_refused',
      'The platform did not accept the session token of this request.',
    ),
    isLasting: false,
  };
}

/** App Bridge sends the request once more, with a fresh token, when it sees the header. */
function tokenWanted(reason: string, message: string): DeniedDecision {
  return denied(401, reason, message, [[HEADERS.retryInvalidSession, '1']]);
}
