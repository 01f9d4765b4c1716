import type { ApiSession } from './api-session.js';

/** What is known of a token that the platform has refused. */
export interface RefusedToken {
  readonly refused: string;
  /**
   * The session token of the request the call belongs to, if any: it can be traded for another
   * access token.
   */
  readonly sessionToken?: string | undefined;
}

/**
 * Finds another token for a session whose token was refused. A port: the room that knows how tokens
 * are granted is bound to it above.
 */
export abstract class TokenRenewer {
  /**
   * The session with another token than the refused one; `undefined` when there is none to be had.
   * Never rejects.
   */
  abstract renew(session: ApiSession, token: RefusedToken): Promise<ApiSession | undefined>;
}
