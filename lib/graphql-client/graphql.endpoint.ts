import type { AccessToken, ApiTarget } from '../core/api-session.js';
import { apiHeaders, ownHeaders } from '../core/http/api-request.js';
import type { HeaderOptions } from '../core/http/api-request.js';
import { ADMIN_API_PATH, HEADERS, STOREFRONT_API_PATH } from '../core/vendor.js';
import { VERSION } from '../core/version.js';

/** Where the calls of one shop go and what they carry. `console.log` does not show the token. */
export interface GraphqlEndpoint {
  readonly shop: string;
  url(apiVersion: string): string;
  /** All headers of a call; those that prove who calls cannot be replaced. */
  headers(own?: HeaderOptions): Record<string, string>;
  /** The token that can be replaced when the platform refuses it. @default there is none */
  readonly token?: AccessToken | undefined;
}

/** The Admin interface of a shop. */
export function adminEndpoint(
  { shop, origin, token }: ApiTarget,
  userAgent: string,
): GraphqlEndpoint {
  return {
    shop,
    url: (apiVersion) => `${origin}${ADMIN_API_PATH}/${apiVersion}/graphql.json`,
    headers: (own) => apiHeaders(own, token.current, userAgent),
    token,
  };
}

/** The shop that a Storefront client calls, and what it proves itself with. */
export interface StorefrontTarget extends Pick<ApiTarget, 'shop' | 'origin'> {
  readonly accessToken: string;
  /** A private token stays on the server, a public one may be seen by buyers. */
  readonly tokenKind: 'private' | 'public';
  /** Named to the platform as the source of the calls. */
  readonly clientName?: string | undefined;
  /** Address of the buyer a server calls for. */
  readonly buyerIp?: string | undefined;
}

/** The Storefront interface of a shop. */
export function storefrontEndpoint({
  shop,
  origin,
  accessToken,
  tokenKind,
  clientName,
  buyerIp,
}: StorefrontTarget): GraphqlEndpoint {
  const defaults = {
    'content-type': 'application/json',
    [HEADERS.sdkVariant]: 'shopwright',
    [HEADERS.sdkVersion]: VERSION,
    ...(clientName && { [HEADERS.sdkVariantSource]: clientName }),
    ...(buyerIp && { [HEADERS.storefrontBuyerIp]: buyerIp }),
  };
  const token =
    tokenKind === 'private' ? HEADERS.storefrontPrivateToken : HEADERS.storefrontPublicToken;
  return {
    shop,
    url: (apiVersion) => `${origin}${STOREFRONT_API_PATH}/${apiVersion}/graphql.json`,
    headers: (own) => ({
      ...defaults,
      ...ownHeaders(own),
      accept: 'application/json',
      [token]: accessToken,
    }),
  };
}
