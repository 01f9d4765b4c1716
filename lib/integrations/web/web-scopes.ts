import type { ScopesDetail, ScopesRevoked } from '../../auth/scopes/scopes.service.js';
import { deniedForRevocationError } from '../../auth/scopes/session-scopes.js';
import type { SessionScopes } from '../../auth/scopes/session-scopes.js';

/**
 * What the app may do in the shop of a request. What needs the merchant, or is refused, is *thrown*
 * as a response.
 */
export interface WebScopes {
  /** What the shop has granted, and what the app is configured to ask for. */
  query(): Promise<ScopesDetail>;
  /**
   * Resolves when all of `scopes` are granted. @throws {Response} that leads to where the merchant
   * can grant them
   */
  request(scopes: readonly string[]): Promise<void>;
  /**
   * Gives optional scopes back. @throws {Response} 400 for an empty list, 422 with the platform's
   * refusals as JSON
   */
  revoke(scopes: readonly string[]): Promise<ScopesRevoked>;
}

/** Set by hand: not every class of `Response` that apps install has `Response.json()`. */
const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * The `scopes` of one request. @param cors makes a response readable for the page that has sent it
 */
export function createScopes(
  scopes: SessionScopes,
  cors: (response: Response) => Response,
): WebScopes {
  return {
    query: () => scopes.query(),
    request: (names) => scopes.request(names),
    async revoke(names = []) {
      try {
        return await scopes.revoke(names);
      } catch (error) {
        const denied = deniedForRevocationError(error);
        if (!denied) throw error;
        const { status, message, userErrors } = denied;
        throw cors(
          denied.reason === 'no_scopes'
            ? new Response(message, { status })
            : new Response(JSON.stringify(userErrors), { status, headers: JSON_TYPE }),
        );
      }
    },
  };
}
