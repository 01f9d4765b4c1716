import { coversScope } from '../../base/access-scopes.js';
import { HEADERS } from '../../base/vendor.js';
import { AccessDenied } from '../../graphql/graphql-access.js';
import { jsonReply, StoreReplyError, type StoreRequest } from '../../http/store-request.js';
import type { AccessTokens } from '../../state/apps/access-tokens.js';
import type { AccessToken } from '../../state/apps/access-token.js';
import type { SubscriptionCaller } from '../../state/webhooks/webhook-subscriptions.js';

/** An authenticated call of the Admin API. */
export interface ApiCall {
  readonly token: AccessToken;
  /** The version in the path, e.g. `2026-07`. */
  readonly version: string;
}

/**
 * The call a request makes. @throws StoreReplyError with 401 when the access token is missing,
 * unknown, revoked or expired
 */
export function authenticate(
  tokens: AccessTokens,
  request: StoreRequest,
  version: string,
): ApiCall {
  const token = tokens.find(request.header(HEADERS.accessToken) ?? '');
  if (token) return { token, version };
  throw new StoreReplyError(
    jsonReply(401, {
      errors: '[API] Invalid API key or access token (unrecognized login or wrong password)',
    }),
  );
}

/** True when the call's token covers a scope. */
export function mayUse(call: ApiCall, scope: string): boolean {
  return coversScope(call.token.scopes, scope);
}

/**
 * Refuses a call whose token does not cover a scope.
 * @param field the root field, which the error names
 * @throws AccessDenied
 */
export function demandScope(call: ApiCall, field: string, scope: string): void {
  if (!mayUse(call, scope)) throw new AccessDenied(field, scope);
}

/** The call in the form that webhook subscriptions take. */
export function subscriptionCaller({ token, version }: ApiCall): SubscriptionCaller {
  return { apiKey: token.apiKey, scopes: token.scopes, apiVersion: version };
}
