import { createHmac, timingSafeEqual } from 'node:crypto';
import { parsedJson } from './typed-values.js';

/** Query parameters before signing; a list is written as repeated `key[]`. */
export type QueryParams = Readonly<Record<string, string | readonly string[]>>;

/**
 * The signed text of an admin query: every parameter except the signatures, sorted by name in code
 * unit order, form-encoded with `%20` for a space.
 */
export function canonicalQuery(params: QueryParams): string {
  const names = Object.keys(params)
    .filter((name) => name !== 'hmac' && name !== 'signature')
    .sort();
  const pairs = new URLSearchParams();
  for (const name of names) appendParam(pairs, name, params[name] ?? '');
  return pairs.toString().replaceAll('+', '%20');
}

/**
 * The signed text of a request to an app proxy: every parameter except the signature as
 * `name=value`, the values of one name joined by commas, sorted by their bytes, joined by nothing.
 * @see https://shopify.dev/docs/apps/build/online-store/app-proxies/authenticate-app-proxies
 */
export function appProxyText(params: URLSearchParams): string {
  const values = new Map<string, string[]>();
  for (const [name, value] of params) {
    if (name !== 'signature') values.set(name, [...(values.get(name) ?? []), value]);
  }
  return [...values]
    .map(([name, list]) => Buffer.from(`${name}=${list.join(',')}`))
    .sort((a, b) => Buffer.compare(a, b))
    .join('');
}

/** Writes one parameter, a list as repeated `name[]`. */
export function appendParam(
  target: URLSearchParams,
  name: string,
  value: string | readonly string[],
): void {
  if (typeof value === 'string') target.append(name, value);
  else for (const item of value) target.append(`${name}[]`, item);
}

/** HMAC-SHA256 of text, in lower-case hexadecimal. */
export function hmacHex(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

/** HMAC-SHA256 of bytes, in padded base64. */
export function hmacBase64(secret: string, bytes: Uint8Array): string {
  return createHmac('sha256', secret).update(bytes).digest('base64');
}

/**
 * A compact JSON Web Token, signed with HMAC-SHA256 regardless of its header, so that a test can
 * forge the header.
 */
export function signJwt(
  secret: string,
  payload: object,
  header: object = { alg: 'HS256', typ: 'JWT' },
): string {
  const signed = [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/**
 * The claims of a token that was signed with the secret, unchecked; undefined for any other text.
 */
export function claimsOfJwt(secret: string, token: string): Record<string, unknown> | undefined {
  const [header = '', payload = '', signature = '', ...more] = token.split('.');
  const expected = createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url');
  if (more.length > 0 || !sameText(signature, expected)) return undefined;
  return jsonPart(header)?.['alg'] === 'HS256' ? jsonPart(payload) : undefined;
}

function jsonPart(part: string): Record<string, unknown> | undefined {
  const value = parsedJson(Buffer.from(part, 'base64url').toString());
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)
    : undefined;
}

/** Compares two texts in a time that depends only on their lengths. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
