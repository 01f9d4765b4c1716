import type { ApiTarget } from '../core/api-session.js';
import { apiHeaders, ownHeaders } from '../core/http/api-request.js';
import {
  ADMIN_API_PATH,
  HEADERS,
  STOREFRONT_API_PATH,
  STOREFRONT_HEADERS,
} from '../core/vendor.js';
import { VERSION } from '../core/version.js';
import type { GraphqlEndpoint } from './graphql.options.js';

// Apart from the clients of an app: those that stand alone load nothing else of them.

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
  /** Asked for with each call, which ends with what it throws. */
  readonly accessToken: () => string;
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
    [STOREFRONT_HEADERS.sdkVariant]: 'shopwright',
    [STOREFRONT_HEADERS.sdkVersion]: VERSION,
    ...(clientName && { [STOREFRONT_HEADERS.sdkVariantSource]: clientName }),
    ...(buyerIp && { [STOREFRONT_HEADERS.buyerIp]: buyerIp }),
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
      [token]: accessToken(),
    }),
  };
}
