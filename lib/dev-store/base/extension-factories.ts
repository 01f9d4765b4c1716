import { randomUUID } from 'node:crypto';
import {
  signedSessionToken,
  type SignedRequest,
  type SignedSessionTokenOptions,
} from './request-factories.js';
import { appProxyText, hmacBase64, hmacHex } from './signing.js';
import { globalId, HEADERS } from './vendor.js';

/** Options of a request to an app proxy. */
export interface SignedAppProxyOptions {
  /** The app's API secret. */
  secret: string;
  /** Domain of the shop, e.g. `dev-shop.myshopify.com`. */
  shop: string;
  /** Where the storefront serves the proxy. @default '/apps/app' */
  pathPrefix?: string;
  /** The customer who is logged in to the storefront. @default nobody */
  customerId?: number | string;
  /**
   * The visitor's own parameters, a list as repeated names. @default none
   */
  params?: URLSearchParams | Readonly<Record<string, string | readonly string[]>>;
  /** @default now */
  now?: Date;
  /** Parameters to replace before signing; one that is undefined is left out. */
  overrides?: Readonly<Record<string, string | undefined>>;
}

/** The parameters that the platform adds to a request of a visitor. */
export const PROXY_PARAMS = [
  'shop',
  'logged_in_customer_id',
  'path_prefix',
  'timestamp',
  'signature',
] as const;

/**
 * The query of a request to an app proxy: the visitor's own parameters, then those of the platform,
 * `signature` last.
 * @see https://shopify.dev/docs/apps/build/online-store/app-proxies/authenticate-app-proxies
 */
export function signedAppProxyQuery(options: SignedAppProxyOptions): URLSearchParams {
  const query = new URLSearchParams();
  const { params = {} } = options;
  const own: Iterable<[string, string | readonly string[]]> =
    params instanceof URLSearchParams ? params : Object.entries(params);
  for (const [name, values] of own) for (const value of [values].flat()) query.append(name, value);
  const added: Record<string, string | undefined> = {
    shop: options.shop,
    logged_in_customer_id: String(options.customerId ?? ''),
    path_prefix: options.pathPrefix ?? '/apps/app',
    timestamp: String(Math.floor((options.now ?? new Date()).getTime() / 1000)),
    ...options.overrides,
  };
  for (const [name, value] of Object.entries(added))
    if (value !== undefined && name !== 'signature') query.append(name, value);
  query.append(
    'signature',
    options.overrides?.['signature'] ?? hmacHex(options.secret, appProxyText(query)),
  );
  return query;
}

interface SignedBodyOptions {
  /** The app's API secret. */
  secret: string;
  /** Domain of the shop, e.g. `dev-shop.myshopify.com`. */
  shop: string;
  /** The exact bytes to send and sign, in place of the usual body. */
  body?: string | Uint8Array;
  /** Added last: they can replace any other header. */
  headers?: Record<string, string>;
}

/** Options of a request of Flow. */
export interface SignedFlowActionOptions extends SignedBodyOptions {
  /** What the merchant entered for the action. @default {} */
  properties?: Readonly<Record<string, unknown>>;
  /** The action's handle. @default 'action' */
  handle?: string;
  /** The run; the same in each attempt of one run. @default a random UUID */
  actionRunId?: string;
  /** The shop's number on the platform. @default 1 */
  shopId?: number | string;
  /** Further or replaced fields of the payload; one that is undefined is left out. */
  overrides?: Readonly<Record<string, unknown>>;
}

/**
 * The request with which Flow runs an action of an app, signed over the exact bytes of its body.
 * @see https://shopify.dev/docs/apps/build/flow/actions/endpoints
 */
export function signedFlowAction(options: SignedFlowActionOptions): SignedRequest {
  const handle = options.handle ?? 'action';
  return signedBody(options, {
    shop_id: String(options.shopId ?? 1),
    shopify_domain: options.shop,
    action_run_id: options.actionRunId ?? randomUUID(),
    action_definition_id: handle,
    handle,
    properties: options.properties ?? {},
    ...options.overrides,
  });
}

/** What a merchant asks a fulfillment service for. */
export type FulfillmentNotificationKind =
  'FULFILLMENT_REQUEST' | 'CANCELLATION_REQUEST' | (string & {});

/** Options of a notification of a fulfillment service. */
export interface SignedFulfillmentNotificationOptions extends SignedBodyOptions {
  /** @default 'FULFILLMENT_REQUEST' */
  kind?: FulfillmentNotificationKind;
}

/**
 * The request that notifies a fulfillment service of work to do; its address is the service's
 * callback URL with `/fulfillment_order_notification`.
 * @see https://shopify.dev/docs/apps/build/orders-fulfillment/fulfillment-service-apps
 */
export function signedFulfillmentNotification(
  options: SignedFulfillmentNotificationOptions,
): SignedRequest {
  return signedBody(options, { kind: options.kind ?? 'FULFILLMENT_REQUEST' });
}

/** Both are signed as webhooks are, and name no topic. */
function signedBody(options: SignedBodyOptions, payload: object): SignedRequest {
  const body = Buffer.from(options.body ?? JSON.stringify(payload));
  const { hmac, shop } = HEADERS.webhook;
  const headers = {
    'Content-Type': 'application/json',
    [hmac]: hmacBase64(options.secret, body),
    [shop]: options.shop,
  };
  return { headers: { ...headers, ...options.headers }, body };
}

/** Where an extension of an app runs, outside the admin. */
export type ExtensionSurface = 'checkout' | 'customer-account' | 'pos';

/** Options of a session token of an extension. */
export interface SignedExtensionTokenOptions extends SignedSessionTokenOptions {
  surface: ExtensionSurface;
  /**
   * The customer in checkout or in a customer account, whom the token names when the app may read
   * customers. @default nobody
   */
  customerId?: number | string;
}

const BUYER_TOKEN_SECONDS = 300;

/**
 * A session token as an extension gets it. At the point of sale it is a token of the admin; in
 * checkout and in customer accounts it names the shop without a scheme, at most a customer, and is
 * valid for five minutes.
 * @see https://shopify.dev/docs/api/checkout-ui-extensions/latest/apis/session-token
 */
export function signedExtensionToken(options: SignedExtensionTokenOptions): string {
  const { surface, customerId, overrides, ...token } = options;
  if (surface === 'pos')
    return signedSessionToken({ ...token, ...(overrides ? { overrides } : {}) });
  const now = options.now ?? new Date();
  const buyer = {
    iss: undefined,
    dest: options.shop,
    sub: customerId === undefined ? undefined : globalId('Customer', customerId),
    exp: Math.floor(now.getTime() / 1000) + BUYER_TOKEN_SECONDS,
    sid: undefined,
  };
  return signedSessionToken({ ...token, now, overrides: { ...buyer, ...overrides } });
}
