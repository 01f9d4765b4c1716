import { offlineSessionId } from '../../sessions/session.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { SessionNotFoundError } from '../../sessions/sessions.errors.js';
import { ReauthorizationRequiredError, SessionExpiredError } from '../auth.errors.js';
import { oauthErrorCode } from './token.client.js';

/** True when the shop does not have the app any more, or has to open it: no retry helps. */
export function hasLostAccess(error: unknown): boolean {
  return (
    error instanceof ReauthorizationRequiredError ||
    error instanceof SessionNotFoundError ||
    oauthErrorCode(error) === 'app_not_installed'
  );
}

/**
 * True when what kept a rejected token from being renewed says that nothing stored can renew it. A
 * wrong client secret, or an answer of somebody else than the token endpoint, says nothing of it.
 */
export function endsAccess(error: unknown): boolean {
  return (
    hasLostAccess(error) ||
    error instanceof SessionExpiredError ||
    oauthErrorCode(error) === 'invalid_subject_token'
  );
}

/**
 * The error for a shop without a usable session: its token has ended, or it never had one.
 * @param user whose session is missing @default the app's own is
 */
export async function missingSession(
  storage: SessionStorage,
  shop: string,
  user?: number | string,
): Promise<ReauthorizationRequiredError | SessionNotFoundError> {
  if (user !== undefined)
    return new SessionNotFoundError(
      `There is no session of user ${user} of ${shop}: the user has to open the app first.`,
    );
  const stored = await storage.loadSession(offlineSessionId(shop));
  return stored?.shop === shop ? new ReauthorizationRequiredError(shop) : sessionNotFound(shop);
}

/** The error for a shop without a session. */
export function sessionNotFound(shop: string): SessionNotFoundError {
  return new SessionNotFoundError(
    `There is no session of ${shop}: the shop has to install the app first.`,
  );
}
