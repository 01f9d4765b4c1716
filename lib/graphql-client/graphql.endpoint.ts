import type { ApiTarget } from '../core/api-session.js';
import { apiHeaders, ownHeaders, renewedHeaders } from '../core/http/api-headers.js';
import type { HeaderOptions } from '../core/http/api-headers.js';
import { ADMIN_API_PATH, HEADERS, STOREFRONT_API_PATH } from '../core/vendor.js';
import { VERSION } from '../core/version.js';

/**
 * Where calls of one shop go and what they carry. Holds the token where `console.log` does not
 * reach.
 */
export interface GraphqlEndpoint {
  readonly shop: string;
  url(apiVersion: string): string;
  /** All headers of a call; those that prove who calls cannot be replaced. */
  headers(own?: HeaderOptions): Record<string, string>;
  /** The headers of a call whose token was refused, with another token, if there is one. */
  readonly renewed?:
    | ((
        sent: Readonly<Record<string, string>>,
      ) => Promise<Readonly<Record<string, string>> | undefined>)
    | undefined;
}

/** The Admin interface of a shop. */
export function adminEndpoint(target: ApiTarget, userAgent: string): GraphqlEndpoint {
  const { shop, origin } = target;
  return {
    shop,
    url: (apiVersion) => `${origin}${ADMIN_API_PATH}/${apiVersion}/graphql.json`,
    headers: (own) => apiHeaders(own, target.accessToken, userAgent),
    renewed: target.renew && ((sent) => renewedHeaders(target, sent)),
  };
}

export interface StorefrontTarget extends ApiTarget {
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
