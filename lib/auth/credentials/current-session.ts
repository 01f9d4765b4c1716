import { MissingJwtTokenError } from '../../core/core.errors.js';
import type { SessionTokenVerifier } from './session-token.verifier.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { sessionInCookie } from './session-cookie.js';
import type { SessionCookieContext } from './session-cookie.js';
import { bearerToken, sessionIdFor } from './session-token.verifier.js';

/** What the current session is found with. */
export interface CurrentSessionContext extends SessionCookieContext {
  readonly sessionTokens: SessionTokenVerifier;
}

/**
 * The id of the session a request belongs to: from its session token in an embedded app, else from
 * its signed cookie. `undefined` when it has neither.
 * @throws {MissingJwtTokenError} when an embedded app gets an `Authorization` header without a
 * token in it
 * @throws {InvalidJwtError} when the session token is not accepted
 */
export function currentSessionId(
  request: InboundRequest,
  context: CurrentSessionContext,
  { isOnline }: { readonly isOnline: boolean },
): string | undefined {
  if (!context.config.isEmbeddedApp) {
    const named = sessionInCookie(request, context);
    return named?.isFresh ? named.id : undefined;
  }
  if (request.header('authorization') === undefined) return undefined;
  const token = bearerToken(request);
  if (token === undefined)
    throw new MissingJwtTokenError(
      'The Authorization header holds no session token: send "Bearer <token>".',
    );
  return sessionIdFor(context.sessionTokens.verified(token), { isOnline });
}
