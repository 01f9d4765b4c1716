import { PROXY_QUERY, SHOP_DOMAINS } from '../vendor.js';
import type { SecretKeys } from './secret-keys.js';

const TOLERANCE_SECONDS = 90;

/** Why the query of an app proxy must not be believed. */
export type ProxyRejection =
  | 'signature_missing'
  | 'signature_invalid'
  | 'signature_ambiguous'
  | 'parameter_repeated'
  | 'parameter_invalid'
  | 'timestamp_invalid'
  | 'timestamp_stale';

/** A query that the platform has signed. */
export interface SignedProxyQuery {
  readonly kind: 'signed';
  /** As the platform names it; `undefined` when it does not. */
  readonly shop: string | undefined;
}

/** A query that must not be believed. */
export interface RejectedProxyQuery {
  readonly kind: 'rejected';
  readonly reason: ProxyRejection;
}

/** As much of a request as its signature needs. */
export interface ProxiedRequest {
  readonly url: { readonly search: string };
  /** Of the app, not of the storefront. */
  readonly path: string;
}

/**
 * The parameters of a query by name. Names and values are bytes, each as one character: what is not
 * valid UTF-8 keeps its signature, and the order of characters is that of bytes.
 */
type Params = Map<string, readonly string[]>;

/** What the platform never sends twice. */
const ONCE = ['signature', 'hmac', 'timestamp', PROXY_QUERY.shop, PROXY_QUERY.customer];

/**
 * Checks the signature of a request that came through an app proxy, at most 90 seconds before or
 * after `now`. Parameters that frameworks take off or put on after signing are allowed for.
 * @see https://shopify.dev/docs/apps/build/online-store/app-proxies/authenticate-app-proxies
 */
export function checkProxyQuery(
  request: ProxiedRequest,
  keys: SecretKeys,
  now: Date,
): SignedProxyQuery | RejectedProxyQuery {
  const params = paramsIn(request.url.search);
  for (const name of ONCE)
    if ((params.get(name)?.length ?? 0) > 1) return rejected('parameter_repeated');
  const signature = params.get('signature')?.[0];
  if (!signature) return rejected('signature_missing');
  const timestamp = params.get('timestamp')?.[0] ?? '';
  if (!/^\d{1,15}$/.test(timestamp)) return rejected('timestamp_invalid');
  if (Math.abs(Math.trunc(now.getTime() / 1000) - Number(timestamp)) > TOLERANCE_SECONDS)
    return rejected('timestamp_stale');
  if (!/^\d*$/.test(params.get(PROXY_QUERY.customer)?.[0] ?? ''))
    return rejected('parameter_invalid');
  params.delete('signature');
  params.delete('hmac');
  // What does not have the form of a digest matches none, however often it is looked for.
  if (!/^[0-9a-f]{64}$/.test(signature)) return rejected('signature_invalid');
  for (const message of messagesOf(params, request.path)) {
    if (!keys.verify(Buffer.from(message, 'latin1'), signature, 'hex')) continue;
    if (isAmbiguous(message)) return rejected('signature_ambiguous');
    return { kind: 'signed', shop: params.get(PROXY_QUERY.shop)?.[0] };
  }
  return rejected('signature_invalid');
}

const rejected = (reason: ProxyRejection): RejectedProxyQuery => ({ kind: 'rejected', reason });

/**
 * The signed text of parameters: `name=value` pairs, the values of one name joined by commas,
 * sorted by their bytes, joined by nothing.
 * @param params names and values as bytes, each as one character
 */
export function proxyMessage(params: Iterable<readonly [string, readonly string[]]>): string {
  return Array.from(params, ([name, values]) => `${name}=${values.join(',')}`)
    .sort()
    .join('');
}

/** Text as its UTF-8 bytes, each as one character. */
export function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}

const CUSTOMERS = /logged_in_customer_id=\d*(?=[l-\xff])/g;
const SHOPS = new RegExp(
  `shop=[A-Za-z0-9][\\w-]*\\.(?:${SHOP_DOMAINS.join('|').replaceAll('.', '\\.')})(?=[s-\\xff])`,
  'g',
);

/**
 * True for a signed text that can be divided into parameters of two shops or two customers. Nothing
 * separates its pairs: a visitor could choose parameters so that their values, divided anew, name
 * another shop, while the true ones disappear in a value of their own. A pair is followed by one
 * that sorts behind it, so names within a value, as in an address, do not count.
 */
export function isAmbiguous(message: string): boolean {
  return [SHOPS, CUSTOMERS].some((pattern) => (message.match(pattern)?.length ?? 0) > 1);
}

/**
 * What the platform may have signed for the parameters of a request, the likeliest first. Remix and
 * React Router take off what their own data requests carry, and an empty `index`; forms put the
 * latter on.
 */
function* messagesOf(params: Params, path: string): Generator<string, void, undefined> {
  const variants = [params, ...otherIndex(params)];
  for (const variant of variants) yield proxyMessage(variant);
  const routes = routesAt(path);
  for (const name of ['_data', '_routes'].filter((added) => !params.has(added)))
    for (const variant of variants)
      for (const route of routes) yield proxyMessage([...variant, [name, [route]]]);
}

/** The parameters without an empty `index`, or with one. */
function otherIndex(params: Params): Params[] {
  const index = params.get('index');
  if (index === undefined) return [new Map(params).set('index', [''])];
  if (!index.includes('')) return [];
  const other = new Map(params);
  const filled = index.filter((value) => value !== '');
  if (filled.length > 0) other.set('index', filled);
  else other.delete('index');
  return [other];
}

/** The ids of the routes that a path may belong to, by the names of files. */
function routesAt(path: string): string[] {
  const name = decoded(path.replace(/^\//, '').replace(/\/$/, '')).replaceAll('/', '.');
  return name === '' ? ['routes/_index'] : [`routes/${name}`, `routes/${name}._index`];
}

function paramsIn(search: string): Params {
  const params = new Map<string, string[]>();
  for (const pair of search.replace(/^\?/, '').split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decodedPart(at < 0 ? pair : pair.slice(0, at));
    const value = at < 0 ? '' : decodedPart(pair.slice(at + 1));
    const values = params.get(name);
    if (values) values.push(value);
    else params.set(name, [value]);
  }
  return params;
}

function decodedPart(text: string): string {
  return decoded(text.replaceAll('+', ' '));
}

function decoded(text: string): string {
  return bytesOf(text).replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
