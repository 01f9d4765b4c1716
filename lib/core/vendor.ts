/**
 * All names of the platform that appear on the wire, in the environment or in a browser. Everywhere
 * else the toolkit says `platform`.
 */

/** Header names, lower-case as they are looked up and sent. */
export const HEADERS = {
  accessToken: 'x-shopify-access-token',
  storefrontPrivateToken: 'shopify-storefront-private-token',
  storefrontPublicToken: 'x-shopify-storefront-access-token',
  apiVersion: 'x-shopify-api-version',
  callLimit: 'x-shopify-shop-api-call-limit',
  deprecatedReason: 'x-shopify-api-deprecated-reason',
  requestId: 'x-request-id',
} as const;

/** Headers of the Storefront interface alone. */
export const STOREFRONT_HEADERS = {
  buyerIp: 'shopify-storefront-buyer-ip',
  sdkVariant: 'x-sdk-variant',
  sdkVersion: 'x-sdk-version',
  sdkVariantSource: 'x-sdk-variant-source',
} as const;

/** Headers between App Bridge and the app. */
export const APP_BRIDGE_HEADERS = {
  reauthorize: 'x-shopify-api-request-failure-reauthorize',
  reauthorizeUrl: 'x-shopify-api-request-failure-reauthorize-url',
  retryInvalidSession: 'x-shopify-retry-invalid-session-request',
  bounce: 'x-shopify-bounce',
} as const;

/** Headers of a webhook of the classic family. */
export const WEBHOOK_HEADERS = {
  hmac: 'x-shopify-hmac-sha256',
  topic: 'x-shopify-topic',
  domain: 'x-shopify-shop-domain',
  apiVersion: 'x-shopify-api-version',
  webhookId: 'x-shopify-webhook-id',
  eventId: 'x-shopify-event-id',
  name: 'x-shopify-name',
  triggeredAt: 'x-shopify-triggered-at',
} as const;

/** Headers of a webhook of the events family. */
export const EVENT_HEADERS = {
  hmac: 'shopify-hmac-sha256',
  topic: 'shopify-topic',
  domain: 'shopify-shop-domain',
  apiVersion: 'shopify-api-version',
  webhookId: 'shopify-webhook-id',
  eventId: 'shopify-event-id',
  handle: 'shopify-handle',
  action: 'shopify-action',
  resourceId: 'shopify-resource-id',
  triggeredAt: 'shopify-triggered-at',
} as const;

/** Header names in the spelling of the platform's documentation, for messages and results. */
export const WEBHOOK_HEADER_TITLES = {
  hmac: 'X-Shopify-Hmac-Sha256',
  topic: 'X-Shopify-Topic',
  domain: 'X-Shopify-Shop-Domain',
  apiVersion: 'X-Shopify-API-Version',
  webhookId: 'X-Shopify-Webhook-Id',
  eventId: 'X-Shopify-Event-Id',
  name: 'X-Shopify-Name',
  triggeredAt: 'X-Shopify-Triggered-At',
} as const;

/** Beginning of the ids of the GraphQL API, such as that of `…Product/1`. */
export const GLOBAL_ID = 'gid://shopify/';

/** Field of the payload of a Flow action that names the shop. */
export const FLOW_SHOP_FIELD = 'shopify_domain';

/** The header of a preflight, in that spelling. */
export const REAUTHORIZE_URL_TITLE = 'X-Shopify-API-Request-Failure-Reauthorize-Url';

/** The beginning of a link into the admin, such as `shopify://admin/products`. */
export const ADMIN_LINK = /^shopify:\/*admin(?=[/?#]|$)/i;

/** Fields of the payload of `app/uninstalled` that can name the shop. */
export const UNINSTALLED_SHOP_FIELDS = ['myshopify_domain', 'shop_domain', 'domain'] as const;

/**
 * Topics every public app must handle. They are configured in the dashboard and never subscribed
 * over the API.
 */
export const PRIVACY_TOPICS: readonly string[] = [
  'CUSTOMERS_DATA_REQUEST',
  'CUSTOMERS_REDACT',
  'SHOP_REDACT',
];

/** Prefixes of the toolkit's cookie names. */
export const COOKIES = { state: 'shopify_app_state', session: 'shopify_app_session' } as const;

/**
 * The HKDF info string, which separates cookie signatures from every other use of the app's secret.
 */
export const COOKIE_SIGNING_INFO = 'shopify-app-js/cookie-signing/v1';

/** Names of query parameters the admin adds to the app's URL. */
export const QUERY = {
  shop: 'shop',
  host: 'host',
  embedded: 'embedded',
  idToken: 'id_token',
  reload: 'shopify-reload',
  /** The number of the charge, on the page a merchant returns to after approving it. */
  charge: 'charge_id',
} as const;

/** Names of query parameters that the platform adds to requests through an app proxy. */
export const PROXY_QUERY = {
  shop: 'shop',
  customer: 'logged_in_customer_id',
  /** Where the storefront has the proxy. */
  prefix: 'path_prefix',
} as const;

/** Domains of shops. */
export const SHOP_DOMAINS = ['myshopify.com', 'shop.dev', 'myshopify.io'] as const;
/** Domains the `host` parameter may point to (a sub-domain of one of them). */
export const HOST_DOMAINS = [
  'myshopify.com',
  'shopify.com',
  'myshopify.io',
  'spin.dev',
  'shop.dev',
] as const;

/** The admin, which frames embedded apps. */
export const ADMIN_ORIGIN = 'https://admin.shopify.com';
/** Origins that may frame an embedded app besides the shop itself. */
export const FRAME_ANCESTORS = [
  'https://admin.shopify.com',
  'https://*.spin.dev',
  'https://admin.myshopify.io',
  'https://admin.shop.dev',
] as const;

/** Where the admin's scripts come from. */
export const CDN_ORIGIN = 'https://cdn.shopify.com';
/** Path of the App Bridge script below the CDN (and below a simulated store). */
export const APP_BRIDGE_PATH = '/shopifycloud/app-bridge.js';
/** The web components of the admin's design. */
export const POLARIS_URL = 'https://cdn.shopify.com/shopifycloud/polaris.js';
/** The event of the admin's navigation; its target is a link. */
export const NAVIGATE_EVENT = 'shopify:navigate';

export const ADMIN_API_PATH = '/admin/api';
export const STOREFRONT_API_PATH = '/api';
export const OAUTH_AUTHORIZE_PATH = '/admin/oauth/authorize';
export const OAUTH_TOKEN_PATH = '/admin/oauth/access_token';
/** The page on which a merchant grants optional scopes. */
export const OAUTH_INSTALL_PATH = '/admin/oauth/install';

/** The grants of the token endpoint that need no browser. */
export const GRANT_TYPES = {
  tokenExchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
  refreshToken: 'refresh_token',
  clientCredentials: 'client_credentials',
} as const;
/** The type of a session token in a token exchange. */
export const ID_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:id_token';
/** The issuer of the token of a post-purchase page. */
export const PLATFORM_ISSUER = 'shopify';
/** The two types of access tokens, as the token endpoint names them. */
export enum RequestedTokenType {
  /** Acts for a user. */
  OnlineAccessToken = 'urn:shopify:params:oauth:token-type:online-access-token',
  /** Acts for the app itself. */
  OfflineAccessToken = 'urn:shopify:params:oauth:token-type:offline-access-token',
}

/**
 * Table names of the official session storages. Ours use them too, so that existing data is read.
 */
export const SESSION_TABLES = {
  sessions: 'shopify_sessions',
  migrations: 'shopify_sessions_migrations',
} as const;

/**
 * Environment variables, in the order they are read: ours first, then the name that other libraries
 * use.
 */
export const ENVIRONMENT = {
  apiKey: ['PLATFORM_API_KEY', 'SHOPIFY_API_KEY'],
  apiSecretKey: ['PLATFORM_API_SECRET', 'SHOPIFY_API_SECRET'],
  oldApiSecretKey: ['PLATFORM_API_SECRET_OLD', 'SHOPIFY_API_SECRET_OLD'],
  scopes: ['SCOPES'],
  appUrl: ['HOST', 'PLATFORM_APP_URL', 'SHOPIFY_APP_URL'],
  appBridgeUrl: ['APP_BRIDGE_URL'],
  devStore: ['SHOPWRIGHT_DEV_STORE'],
} as const;

/** The configuration file of an app, which the platform's own command line writes. */
export const CONFIGURATION_FILE = 'shopify.app.toml';

/** The form of the platform's tokens and secrets, to keep them out of log lines. */
export const SECRET_SHAPE = /\bshp(?:at|ua|ca|pa|rt|ss|tka)_[0-9A-Za-z_-]{4,}/g;

/** The user agents of the platform's own apps, some of which name a search engine. */
export const PLATFORM_APPS = /Shopify (?:POS|Mobile)\//;
