import { InvalidHmacError } from '../core.errors.js';
import { bytesOf, isAmbiguous, proxyMessage } from './proxy-signature.js';
import type { SecretKeys } from './secret-keys.js';

const TOLERANCE_SECONDS = 90;

export type HmacSignator = 'admin' | 'appProxy';
export type HmacQuery = URLSearchParams | Readonly<Record<string, unknown>>;

/**
 * Checks the signature of a query string: `hmac` on requests from the admin, `signature` on
 * requests through an app proxy.
 * @returns false when the signature does not match
 * @throws {InvalidHmacError} when it is missing, repeated, or its timestamp is further than 90
 * seconds from `now`
 * @see
 * https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant
 */
export function verifyQueryHmac(
  query: HmacQuery,
  keys: SecretKeys,
  now: Date,
  signator: HmacSignator = 'admin',
): boolean {
  const params = valuesByName(query);
  const name = signator === 'admin' ? 'hmac' : 'signature';
  const signature = single(params, name);
  if (!signature)
    throw new InvalidHmacError(
      `Query does not contain ${signator === 'admin' ? 'an HMAC' : 'a signature'} value.`,
    );
  for (const other of ['hmac', 'signature', 'shop']) single(params, other);
  const timestamp = single(params, 'timestamp') ?? '';
  if (!/^\d{1,15}$/.test(timestamp))
    throw new InvalidHmacError('HMAC timestamp is missing or invalid');
  if (Math.abs(Math.trunc(now.getTime() / 1000) - Number(timestamp)) > TOLERANCE_SECONDS) {
    throw new InvalidHmacError(
      'HMAC timestamp is outside of the tolerance range',
      'timestamp_stale',
    );
  }
  params.delete('hmac');
  params.delete('signature');
  if (signator === 'admin') return keys.verify(adminMessage(params), signature, 'hex');
  const message = proxyMessage(asBytes(params));
  if (!keys.verify(Buffer.from(message, 'latin1'), signature, 'hex')) return false;
  if (isAmbiguous(message))
    throw new InvalidHmacError('The signed query can be read as that of two shops or customers.');
  return true;
}

type Params = Map<string, string[]>;

function single(params: Params, name: string): string | undefined {
  const values = params.get(name);
  if (values && values.length > 1)
    throw new InvalidHmacError(`Query parameter "${name}" must not appear more than once.`);
  return values?.[0];
}

function valuesByName(query: HmacQuery): Params {
  const params: Params = new Map();
  const add = (name: string, value: string): void => {
    const values = params.get(name);
    if (values) values.push(value);
    else params.set(name, [value]);
  };
  if (query instanceof URLSearchParams) {
    for (const [name, value] of query) add(name, value);
  } else {
    for (const [name, value] of Object.entries(query)) {
      if (Array.isArray(value)) params.set(name, value.map(String));
      else if (value !== undefined && value !== null) add(name, String(value));
    }
  }
  return params;
}

function asBytes(params: Params): [string, string[]][] {
  return Array.from(params, ([name, values]) => [bytesOf(name), values.map(bytesOf)]);
}

/** Form-encoded pairs, sorted by name, spaces as `%20`. */
function adminMessage(params: Params): string {
  const sorted = new URLSearchParams();
  for (const name of [...params.keys()].sort(byCodeUnit)) {
    const values = params.get(name)!;
    const key = values.length > 1 ? `${name.replace(/\[\]$/, '')}[]` : name;
    for (const value of values) sorted.append(key, value);
  }
  return sorted.toString().replaceAll('+', '%20');
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
