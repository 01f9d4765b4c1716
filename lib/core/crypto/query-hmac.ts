import { InvalidHmacError } from '../core.errors.js';
import { PROXY_QUERY } from '../vendor.js';
import type { SecretKeys } from './secret-keys.js';

/** What the platform signs a query for: its admin, or an app proxy. */
export type HmacSignator = 'admin' | 'appProxy';
/** A query, also as a host has parsed it. */
export type HmacQuery = URLSearchParams | Readonly<Record<string, unknown>>;

/** The values of a query by name, each name's in their order. */
type QueryValues = Map<string, string[]>;

/** How far from now a query may have been signed, in seconds, both ways. */
const TOLERANCE_SECONDS = 90;

/** Why the time at which a query says it was signed does not count. */
export type TimestampRejection = 'timestamp_invalid' | 'timestamp_stale';

/**
 * What is wrong with a `timestamp`, in seconds since the epoch; `undefined` when it is within 90
 * seconds of `now`.
 */
export function timestampRejection(timestamp: string, now: Date): TimestampRejection | undefined {
  if (!/^\d{1,15}$/.test(timestamp)) return 'timestamp_invalid';
  const distance = Math.abs(Math.trunc(now.getTime() / 1000) - Number(timestamp));
  return distance > TOLERANCE_SECONDS ? 'timestamp_stale' : undefined;
}

/** The error for a query whose time does not count. */
export function timestampError(reason: TimestampRejection): InvalidHmacError {
  return reason === 'timestamp_invalid'
    ? new InvalidHmacError('HMAC timestamp is missing or invalid')
    : new InvalidHmacError('HMAC timestamp is outside of the tolerance range', reason);
}

/** The error for a parameter that is there more than once. */
export function repeatedError(name: string): InvalidHmacError {
  return new InvalidHmacError(`Query parameter "${name}" must not appear more than once.`);
}

/**
 * Checks the `hmac` of a request from the admin, in either form that its signed text is known in:
 * with values as addresses encode them, or as they are. Both decode alike: no signed text can be
 * divided anew into the query of another shop. Nor can that of an app proxy, which is signed with
 * the same keys, over values as a visitor has chosen them.
 * @returns false when the signature does not match
 * @throws {InvalidHmacError} when it is missing, repeated, or its timestamp is further than 90
 * seconds from `now`
 * @see
 * https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant
 */
export function verifyQueryHmac(query: HmacQuery, keys: SecretKeys, now: Date): boolean {
  const params = valuesByName(query);
  for (const name of ['hmac', 'signature', 'shop', 'timestamp'])
    if ((params.get(name)?.length ?? 0) > 1) throw repeatedError(name);
  const signature = params.get('hmac')?.[0];
  if (!signature) throw new InvalidHmacError('Query does not contain an HMAC value.');
  const rejection = timestampRejection(params.get('timestamp')?.[0] ?? '', now);
  if (rejection) throw timestampError(rejection);
  params.delete('hmac');
  params.delete('signature');
  const message = adminMessage(params);
  if (keys.verify(message, signature, 'hex')) return true;
  const plain = plainMessage(params, query);
  const isProxied = plain.includes(`${PROXY_QUERY.prefix}=`);
  return plain !== message && !isProxied && keys.verify(plain, signature, 'hex');
}

/**
 * The values of a query, as a host has parsed it: lists are those of one name, objects those of
 * names with brackets, such as `a[b]`.
 */
export function valuesByName(query: HmacQuery): QueryValues {
  const params: QueryValues = new Map();
  if (query instanceof URLSearchParams)
    for (const [name, value] of query) addValue(params, name, value);
  else for (const name of Object.keys(query ?? {})) addValue(params, name, query[name]);
  return params;
}

function addValue(params: QueryValues, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) for (const one of value) addValue(params, name, one);
  else if (typeof value === 'object')
    for (const [inner, one] of Object.entries(value)) addValue(params, `${name}[${inner}]`, one);
  else {
    const values = params.get(name);
    if (values) values.push(String(value));
    else params.set(name, [String(value)]);
  }
}

/** Form-encoded pairs, sorted by name, spaces as `%20`. */
function adminMessage(params: QueryValues): string {
  const pairs: string[] = [];
  for (const name of [...params.keys()].sort()) {
    const values = params.get(name)!;
    const key = encoded(values.length > 1 ? `${name.replace(/\[\]$/, '')}[]` : name);
    for (const value of values) pairs.push(`${key}=${encoded(value)}`);
  }
  return pairs.join('&');
}

/**
 * The same with values as they are but for `%` and `&`, and lists as Ruby writes them, without the
 * brackets of their names: links of bulk actions are signed over `ids=["1", "2"]`.
 */
function plainMessage(params: QueryValues, query: HmacQuery): string {
  const pairs: string[] = [];
  for (const name of [...params.keys()].sort()) {
    const values = params.get(name)!;
    const isList =
      values.length > 1 ||
      name.endsWith('[]') ||
      (!(query instanceof URLSearchParams) && Array.isArray(query[name]));
    const key = escaped(isList ? name.replace(/\[\]$/, '') : name).replaceAll('=', '%3D');
    const value = isList
      ? `[${values.map((one) => JSON.stringify(one)).join(', ')}]`
      : (values[0] ?? '');
    pairs.push(`${key}=${escaped(value)}`);
  }
  return pairs.join('&');
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('&', '%26');
}

/** What needs no encoding: nearly every name and value. */
const PLAIN = /^[\w*.-]*$/;
/** What forms encode in another way than addresses, and what only forms can encode. */
const OTHER_IN_FORMS = /[!'()~\ud800-\udfff]/;

/** As in the body of a form, spaces as `%20`. */
function encoded(text: string): string {
  if (PLAIN.test(text)) return text;
  if (!OTHER_IN_FORMS.test(text)) return encodeURIComponent(text);
  return new URLSearchParams([['', text]]).toString().slice(1).replaceAll('+', '%20');
}
