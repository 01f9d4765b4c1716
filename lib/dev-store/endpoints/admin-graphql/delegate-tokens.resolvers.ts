import { coversScope, parseScopes } from '../../base/access-scopes.js';
import { isoTime } from '../../base/iso-time.js';
import type { AccessTokens } from '../../state/apps/access-tokens.js';
import type { ShopIdentity } from '../../state/shop/shop-identity.js';
import type { ApiCall } from '../admin-api/admin-api-access.js';
import { shopView } from '../shop/shop.views.js';

interface CreateArgs {
  input: { delegateAccessScope: readonly string[]; expiresIn?: number | null };
}

/** Why a token is not created, or not destroyed: a code and the platform's message. */
type Refusal = readonly [code: string, message: string];

/** The part of a shop that has its tokens. */
interface DelegatingShop extends ShopIdentity {
  readonly tokens: AccessTokens;
}

/**
 * The resolvers of delegated access tokens, which may do less than the token of the call and end
 * with it.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/delegateAccessTokenCreate
 */
export function delegateTokensRoot(
  shop: DelegatingShop,
  { token }: ApiCall,
  now: () => Date,
): Record<string, unknown> {
  const { tokens } = shop;
  const answer = (values: object, refusal: Refusal | undefined): object => ({
    ...values,
    shop: shopView(shop),
    userErrors: refusal ? [{ field: null, code: refusal[0], message: refusal[1] }] : [],
  });
  const problemOf = ({
    delegateAccessScope,
    expiresIn,
  }: CreateArgs['input']): Refusal | undefined => {
    if (token.parent !== undefined)
      return ['DELEGATE_ACCESS_TOKEN', "The parent access token can't be a delegate token."];
    if (delegateAccessScope.length === 0)
      return ['EMPTY_ACCESS_SCOPE', "The access scope can't be empty."];
    if (expiresIn != null && expiresIn <= 0)
      return ['NEGATIVE_EXPIRES_IN', 'The expires_in value must be greater than 0.'];
    const unknown = delegateAccessScope.filter(
      (scope) => !parseScopes(scope) || !coversScope(token.scopes, scope),
    );
    if (unknown.length > 0)
      return ['UNKNOWN_SCOPES', `The access scope is invalid: ${unknown.join(', ')}`];
    const end = now().getTime() + (expiresIn ?? 0) * 1000;
    return token.expiresAt && end > token.expiresAt.getTime()
      ? ['EXPIRES_AFTER_PARENT', "The delegate token can't expire after the parent token."]
      : undefined;
  };
  return {
    delegateAccessTokenCreate: ({ input }: CreateArgs) => {
      const refusal = problemOf(input);
      if (refusal) return answer({ delegateAccessToken: null }, refusal);
      const { delegateAccessScope: scopes, expiresIn = null } = input;
      const created = tokens.delegate(token, scopes, expiresIn);
      const delegateAccessToken = {
        accessToken: created.token,
        accessScopes: created.scopes,
        createdAt: isoTime(now()),
        expiresIn,
      };
      return answer({ delegateAccessToken }, undefined);
    },
    delegateAccessTokenDestroy: ({ accessToken }: { accessToken: string }) => {
      const found = tokens.find(accessToken);
      const refused = (...refusal: Refusal): object => answer({ status: false }, refusal);
      if (!found) return refused('ACCESS_TOKEN_NOT_FOUND', 'Access token does not exist.');
      if (found.apiKey !== token.apiKey) return refused('ACCESS_DENIED', 'Access denied.');
      if (found.parent === undefined)
        return refused('CAN_ONLY_DELETE_DELEGATE_TOKENS', 'Can only delete delegate tokens.');
      if (found.parent !== token.token && found.token !== token.token)
        return refused('ACCESS_DENIED', 'Access denied.');
      tokens.endDelegated(found);
      return answer({ status: true }, undefined);
    },
  };
}
