import { InvalidHmacError } from '../core.errors.js';
import { exactShop } from '../shop-domain.js';
import { PROXY_QUERY, SHOP_DOMAINS } from '../vendor.js';
import { repeatedError, timestampError, timestampRejection, valuesByName } from './query-hmac.js';
import type { HmacQuery, TimestampRejection } from './query-hmac.js';
import type { SecretKeys } from './secret-keys.js';

/** Why the query of an app proxy must not be believed. */
export type ProxyRejection =
  | 'signature_missing'
  | 'signature_invalid'
  | 'signature_ambiguous'
  | 'parameter_repeated'
  | 'parameter_invalid'
  | 'shop_missing'
  | 'shop_invalid'
  | TimestampRejection;

/** A query that the platform has signed. */
interface SignedProxyQuery {
  readonly kind: 'signed';
  /** Its canonical domain. */
  readonly shop: string;
}

/** A query that must not be believed. */
interface RejectedProxyQuery {
  readonly kind: 'rejected';
  readonly reason: ProxyRejection;
  /** The one that is repeated. */
  readonly parameter?: string | undefined;
}

/** As much of a request as its signature needs. */
interface ProxiedRequest {
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
const ONCE = [
  'signature',
  'hmac',
  'timestamp',
  PROXY_QUERY.shop,
  PROXY_QUERY.customer,
  PROXY_QUERY.prefix,
];

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
  return checked(paramsIn(request.url.search), keys, now, request.path);
}

/**
 * The same check of a query that a host has parsed, as it was signed: nothing is allowed for.
 * @returns false when the signature does not match
 * @throws {InvalidHmacError} when it is missing, its timestamp is further than 90 seconds from
 * `now`, or a parameter that the platform adds is repeated, has a value that it never has, or is
 * not sure to be the platform's
 */
export function verifyProxyHmac(query: HmacQuery, keys: SecretKeys, now: Date): boolean {
  const params: Params = new Map(
    Array.from(valuesByName(query), ([name, values]) => [bytesOf(name), values.map(bytesOf)]),
  );
  const result = checked(params, keys, now);
  if (result.kind === 'signed') return true;
  const { reason, parameter = '' } = result;
  switch (reason) {
    case 'signature_invalid':
      return false;
    case 'parameter_repeated':
      throw repeatedError(parameter);
    case 'timestamp_invalid':
    case 'timestamp_stale':
      throw timestampError(reason);
    default:
      throw new InvalidHmacError(ERRORS[reason]);
  }
}

const ERRORS = {
  signature_missing: 'Query does not contain a signature value.',
  signature_ambiguous: 'The signed query can be read as that of two shops or customers.',
  parameter_invalid: `The "${PROXY_QUERY.customer}" of the query is no number.`,
  shop_missing: 'The query names no shop, as every query of an app proxy does.',
  shop_invalid: 'The "shop" of the query is not the domain of a shop.',
} as const;

/** @param path of the request, for what frameworks change @default they are not allowed for */
function checked(
  params: Params,
  keys: SecretKeys,
  now: Date,
  path?: string,
): SignedProxyQuery | RejectedProxyQuery {
  const first = (name: string): string => params.get(name)?.[0] ?? '';
  for (const name of ONCE)
    if ((params.get(name)?.length ?? 0) > 1) return rejected('parameter_repeated', name);
  const signature = first('signature');
  if (signature === '') return rejected('signature_missing');
  const untimely = timestampRejection(first('timestamp'), now);
  if (untimely) return rejected(untimely);
  if (!/^\d*$/.test(first(PROXY_QUERY.customer))) return rejected('parameter_invalid');
  if (!params.has(PROXY_QUERY.shop)) return rejected('shop_missing');
  // Queries of the admin are signed with the same keys: divided as those of a proxy, what they have
  // for a shop is not exactly one.
  const shop = exactShop(first(PROXY_QUERY.shop));
  if (shop === undefined) return rejected('shop_invalid');
  params.delete('signature');
  params.delete('hmac');
  // What does not have the form of a digest matches none, however often it is looked for.
  if (!/^[0-9a-f]{64}$/.test(signature)) return rejected('signature_invalid');
  for (const message of messagesOf(params, path)) {
    if (!keys.verify(Buffer.from(message, 'latin1'), signature, 'hex')) continue;
    return isAmbiguous(message) ? rejected('signature_ambiguous') : { kind: 'signed', shop };
  }
  return rejected('signature_invalid');
}

const rejected = (reason: ProxyRejection, parameter?: string): RejectedProxyQuery => ({
  kind: 'rejected',
  reason,
  ...(parameter !== undefined && { parameter }),
});

/**
 * The pairs of which the signed text consists: `name=value`, the values of one name joined by
 * commas, sorted by their bytes.
 */
function pairsOf(params: Params): string[] {
  return Array.from(params, ([name, values]) => `${name}=${values.join(',')}`).sort();
}

/** Text as its UTF-8 bytes, each as one character. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}

const CUSTOMERS = /logged_in_customer_id=\d*(?=[l-\xff])/g;
const SHOPS = new RegExp(
  `shop=[A-Za-z0-9][\\w-]*\\.(?:${SHOP_DOMAINS.join('|').replaceAll('.', '\\.')})(?=[s-\\xff])`,
  'g',
);
/** Pairs that each query of the admin has. */
const ADMIN_PAIRS = [/(?:^|&)host=/, /&shop=[\w.-]+&/, /&timestamp=\d+(?:&|$)/];

/**
 * True for a signed text that can be divided into parameters of two shops or two customers. Nothing
 * separates its pairs: a visitor could choose parameters so that their values, divided anew, name
 * another shop, while the true ones disappear in a value of their own. A pair is followed by one
 * that sorts behind it, so names within a value, as in an address, do not count.
 *
 * So could whoever installs the app choose the `state` of a callback: queries of the admin are
 * signed with the same keys, and may be so over plain values.
 */
function isAmbiguous(message: string): boolean {
  return (
    [SHOPS, CUSTOMERS].some((pattern) => (message.match(pattern)?.length ?? 0) > 1) ||
    ADMIN_PAIRS.every((pattern) => pattern.test(message))
  );
}

/**
 * What the platform may have signed for the parameters of a request, the likeliest first, eight at
 * most. Remix and React Router take off what their own data requests carry, and an empty `index`;
 * forms put the latter on.
 */
function* messagesOf(params: Params, path?: string): Generator<string, void, undefined> {
  const pairs = pairsOf(params);
  yield pairs.join('');
  if (path === undefined) return;
  const other = otherIndex(params, pairs);
  if (other) yield other.join('');
  const route = routeAt(path);
  for (const name of ['_data', '_routes'].filter((added) => !params.has(added))) {
    if (route !== '') yield withPair(pairs, `${name}=routes/${route}`).join('');
    // The index route alone is asked for with an `index`.
    const index = `${name}=routes/${route === '' ? '' : `${route}.`}_index`;
    yield withPair(pairs, index).join('');
    if (other) yield withPair(other, index).join('');
  }
}

/** Sorted pairs with one more, in its place. */
function withPair(pairs: readonly string[], pair: string): string[] {
  const at = pairs.findIndex((other) => other > pair);
  return pairs.toSpliced(at < 0 ? pairs.length : at, 0, pair);
}

/** The pairs without an empty `index`, or with one; `undefined` when it has values only. */
function otherIndex(params: Params, pairs: readonly string[]): string[] | undefined {
  const index = params.get('index');
  if (index === undefined) return withPair(pairs, 'index=');
  if (!index.includes('')) return undefined;
  const others = pairs.toSpliced(pairs.indexOf(`index=${index.join(',')}`), 1);
  const filled = index.filter((value) => value !== '');
  return filled.length === 0 ? others : withPair(others, `index=${filled.join(',')}`);
}

/** What a path is called in the ids of routes, by the names of files; empty for the root. */
function routeAt(path: string): string {
  return decoded(path.replace(/^\//, '').replace(/\/$/, '')).replaceAll('/', '.');
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
