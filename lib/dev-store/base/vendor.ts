/**
 * The platform's names, for the simulated store. Separate from the toolkit's own list, so that a
 * mistake in one shows against the other.
 */
export const WIRE = {
  shopDomainSuffix: '.myshopify.com',
  adminHost: 'admin.shopify.com',
  gidPrefix: 'gid://shopify/',
  appBridgePath: '/shopifycloud/app-bridge.js',
  polarisPath: '/shopifycloud/polaris.js',
  cdnOrigin: 'https://cdn.shopify.com',
  reloadParam: 'shopify-reload',
  adminScheme: 'shopify://admin/',
  documentation: 'https://shopify.dev/api/usage/access-scopes',
  limitsDocumentation: 'https://shopify.dev/api/usage/limits#rate-limits',
  costDocumentation: 'https://shopify.dev/concepts/about-apis/rate-limits',
  deprecationDocumentation: 'https://shopify.dev/api/usage/versioning#deprecation-practices',
  bulkDocumentation: 'https://shopify.dev/tutorials/perform-bulk-operations-with-admin-api',
} as const;

/** The grant types and token types of token requests. */
export const TOKEN_URN = {
  exchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
  sessionToken: 'urn:ietf:params:oauth:token-type:id_token',
  offline: 'urn:shopify:params:oauth:token-type:offline-access-token',
  online: 'urn:shopify:params:oauth:token-type:online-access-token',
} as const;

/** The names of request and response headers. */
export const HEADERS = {
  accessToken: 'x-shopify-access-token',
  storefrontPublicToken: 'x-shopify-storefront-access-token',
  storefrontPrivateToken: 'shopify-storefront-private-token',
  apiVersion: 'X-Shopify-API-Version',
  deprecatedReason: 'X-Shopify-API-Deprecated-Reason',
  callLimit: 'X-Shopify-Shop-Api-Call-Limit',
  requestId: 'X-Request-Id',
  searchDebug: 'Shopify-Search-Query-Debug',
  reauthorizeUrl: 'X-Shopify-API-Request-Failure-Reauthorize-Url',
  retryWithNewToken: 'X-Shopify-Retry-Invalid-Session-Request',
  webhook: {
    topic: 'X-Shopify-Topic',
    hmac: 'X-Shopify-Hmac-Sha256',
    shop: 'X-Shopify-Shop-Domain',
    apiVersion: 'X-Shopify-API-Version',
    webhookId: 'X-Shopify-Webhook-Id',
    eventId: 'X-Shopify-Event-Id',
    triggeredAt: 'X-Shopify-Triggered-At',
    name: 'X-Shopify-Name',
  },
} as const;

/** The platform's global id of a resource, e.g. `gid://shopify/Product/1`. */
export function globalId(type: string, id: number | string): string {
  return `${WIRE.gidPrefix}${type}/${id}`;
}

/** The number inside a global id of the given type; undefined for any other id. */
export function idOf(type: string, gid: string): number | undefined {
  const prefix = `${WIRE.gidPrefix}${type}/`;
  const digits = gid.startsWith(prefix) ? gid.slice(prefix.length) : '';
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
}

/** The store's name inside its domain: `dev-shop` of `dev-shop.myshopify.com`. */
export function storeName(shop: string): string {
  return shop.slice(0, -WIRE.shopDomainSuffix.length);
}

/** The prefixes of a shop's admin URLs, as apps write them; each means `/admin/` here. */
export function adminAliases(shop: string): string[] {
  return [
    WIRE.adminScheme,
    `https://${WIRE.adminHost}/store/${storeName(shop)}/`,
    `https://${shop}/admin/`,
  ];
}
