import { createHash } from 'node:crypto';

import { parseCookie, stringifySetCookie } from 'cookie';

import type { HeaderList } from '../decision.js';
import type { SecretKeys } from './secret-keys.js';

/** Which requests a cookie comes along with. */
export interface CookieScope {
  readonly path: string;
  /** Only sent over https; false for an app that is itself served over http. */
  readonly secure: boolean;
}

/** Where a cookie goes, and for how long. */
interface CookieAttributes extends CookieScope {
  /** In seconds. @default until the browser is closed */
  readonly maxAge?: number | undefined;
}

/**
 * `base` and eight hex digits for each of `owners`: apps that live on one origin, whose cookies
 * every one of them is sent, keep apart.
 */
export function cookieName(base: string, ...owners: readonly string[]): string {
  const digests = owners.map((owner) =>
    createHash('sha256').update(owner).digest('hex').slice(0, 8),
  );
  return [base, ...digests].join('_');
}

/**
 * The headers that set a cookie and, beside it in `<name>.sig`, its signature. Scripts read
 * neither; other sites send both on top-level loads only.
 */
export function signedCookie(
  name: string,
  value: string,
  keys: SecretKeys,
  attributes: CookieAttributes,
): HeaderList {
  return [
    setCookie(name, value, attributes),
    setCookie(signatureOf(name), keys.sign(value, 'base64', 'cookie'), attributes),
  ];
}

/** The headers that remove what {@link signedCookie} set in the same scope. */
export function expiredCookie(name: string, scope: CookieScope): HeaderList {
  const attributes = { ...scope, maxAge: 0 };
  return [setCookie(name, '', attributes), setCookie(signatureOf(name), '', attributes)];
}

/** How many cookies of one name are looked at. */
const MOST_OF_A_NAME = 5;

/**
 * The values of a signed cookie in a `Cookie` header, without those that are empty or not signed
 * with any of the keys. A browser sends several when there are cookies for several paths, that of
 * the longest path first, whichever is newest.
 */
export function readSignedCookies(
  header: string | undefined,
  name: string,
  keys: SecretKeys,
): string[] {
  const signatures = valuesOf(header, signatureOf(name));
  // Both were set together, so they come in the same order.
  return valuesOf(header, name).filter((value, index) =>
    keys.verify(value, signatures[index] ?? '', 'base64', 'cookie'),
  );
}

function valuesOf(header: string | undefined, name: string): string[] {
  return (header ?? '')
    .split(';')
    .filter((pair) => pair.includes(name))
    .flatMap((pair) => parseCookie(pair)[name] || [])
    .slice(0, MOST_OF_A_NAME);
}

function signatureOf(name: string): string {
  return `${name}.sig`;
}

function setCookie(
  name: string,
  value: string,
  { path, secure, maxAge }: CookieAttributes,
): HeaderList[number] {
  const attributes = {
    path,
    secure,
    httpOnly: true,
    sameSite: 'lax',
    ...(maxAge !== undefined && { maxAge }),
    encode: String,
  } as const;
  return ['set-cookie', stringifySetCookie(name, value, attributes)];
}
