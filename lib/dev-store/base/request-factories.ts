import { randomUUID } from 'node:crypto';
import {
  appendParam,
  canonicalQuery,
  hmacBase64,
  hmacHex,
  signJwt,
  type QueryParams,
} from './signing.js';
import { HEADERS, storeName, WIRE } from './vendor.js';
import { topicName } from './webhook-topics.js';

/** The default user of session tokens. */
export const DEFAULT_USER_ID = 902541635;

/** Options of a signed webhook request. */
export interface SignedWebhookOptions {
  /** The app's API secret. */
  secret: string;
  /** Domain of the shop, e.g. `dev-shop.myshopify.com`. */
  shop: string;
  /** In either spelling: `PRODUCTS_CREATE` or `products/create`. */
  topic: string;
  /** Written as JSON. Leave out to send `body`. */
  payload?: unknown;
  /** The exact bytes to send and sign. */
  body?: string | Uint8Array;
  /** @default a random UUID */
  webhookId?: string;
  /** @default '2026-07' */
  apiVersion?: string;
  /** @default a random UUID */
  eventId?: string;
  /** ISO 8601 time of the event. @default now */
  triggeredAt?: string;
  /** The subscription's name; no header without it. */
  name?: string;
  /** Added last: they can replace any other header. */
  headers?: Record<string, string>;
}

/** Headers and body of a request to post. */
export interface SignedRequest {
  headers: Record<string, string>;
  body: Buffer;
}

/** Headers and body of a webhook. */
export type SignedWebhook = SignedRequest;

/** A webhook as the platform delivers it: every header, signed over the exact bytes of the body. */
export function signedWebhook(options: SignedWebhookOptions): SignedWebhook {
  const body = Buffer.from(options.body ?? JSON.stringify(options.payload ?? {}));
  const names = HEADERS.webhook;
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    [names.topic]: topicName(options.topic) ?? options.topic,
    [names.hmac]: hmacBase64(options.secret, body),
    [names.shop]: options.shop,
    [names.apiVersion]: options.apiVersion ?? '2026-07',
    [names.webhookId]: options.webhookId ?? randomUUID(),
    [names.eventId]: options.eventId ?? randomUUID(),
    [names.triggeredAt]: options.triggeredAt ?? new Date().toISOString(),
  };
  if (options.name !== undefined) headers[names.name] = options.name;
  return { headers: { ...headers, ...options.headers }, body };
}

/** Options of a session token. */
export interface SignedSessionTokenOptions {
  apiKey: string;
  /** The app's API secret. */
  secret: string;
  /** Domain of the shop. */
  shop: string;
  /** @default 902541635 */
  userId?: number | string;
  /** Claims to replace; one that is undefined is left out of the token. */
  overrides?: Record<string, unknown>;
  /** Replaces the token's header, e.g. `{ alg: 'none' }`; the signature stays HMAC-SHA256. */
  header?: object;
  /** @default now */
  now?: Date;
}

/** A session token as the admin issues it to an embedded app, valid for 60 seconds. */
export function signedSessionToken(options: SignedSessionTokenOptions): string {
  const seconds = Math.floor((options.now ?? new Date()).getTime() / 1000);
  const claims = {
    iss: `https://${options.shop}/admin`,
    dest: `https://${options.shop}`,
    aud: options.apiKey,
    sub: String(options.userId ?? DEFAULT_USER_ID),
    exp: seconds + 60,
    nbf: seconds,
    iat: seconds,
    jti: randomUUID(),
    sid: randomUUID(),
    ...options.overrides,
  };
  return signJwt(options.secret, claims, options.header);
}

/**
 * Query parameters signed as the admin signs them. Adds `timestamp` (now, in seconds) unless given,
 * and `hmac`.
 */
export function signedQuery(params: QueryParams, secret: string): URLSearchParams {
  const complete: QueryParams = {
    ...params,
    timestamp: params['timestamp'] ?? String(Math.floor(Date.now() / 1000)),
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(complete)) appendParam(query, name, value);
  query.set('hmac', hmacHex(secret, canonicalQuery(complete)));
  return query;
}

/** Options of a signed app URL. */
interface SignedAppUrlOptions {
  appUrl: string;
  apiSecretKey: string;
  /** Domain of the shop. */
  shop: string;
  /** Path in the app, with or without a query. */
  path: string;
  /** Further query parameters. */
  params: Readonly<Record<string, string>>;
  now: Date;
}

/** A URL of an app, signed as the admin signs the URLs it opens; the query of the path is kept. */
export function signedAppUrl({
  appUrl,
  apiSecretKey,
  shop,
  path,
  params,
  now,
}: SignedAppUrlOptions): string {
  const url = new URL(appUrl + (path && !path.startsWith('/') ? `/${path}` : path));
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const own = Object.fromEntries(url.searchParams);
  url.search = signedQuery(
    { ...own, ...params, shop, host: base64Host(shop), timestamp },
    apiSecretKey,
  ).toString();
  return url.href;
}

/** The `host` parameter of a shop: its address in the admin, in base64. */
export function base64Host(shop: string): string {
  return Buffer.from(`${WIRE.adminHost}/store/${storeName(shop)}`).toString('base64');
}
