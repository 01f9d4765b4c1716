// The platform, as far as apps can tell: its secrets and its signatures. Written against its
// documentation with node:crypto alone, so that nothing here shares a mistake with the code under
// test.
import { createHash, createHmac, hkdfSync } from 'node:crypto';

export const APP = {
  key: 'hostile-api-key',
  secret: 'hostile-api-secret-0123456789abcdef',
  previous: 'hostile-old-secret-0123456789abcdef',
};
export const APP_URL = 'https://app.example.com';
/**
 * Every shop the generator speaks for. Those that are `installed` or `gone` have a session when a
 * host opens; the platform refuses the tokens of those that are gone, which have uninstalled the
 * app.
 */
export const SHOPS = {
  installed: Array.from({ length: 8 }, (_, number) => `installed-${number}.myshopify.com`),
  gone: Array.from({ length: 4 }, (_, number) => `gone-${number}.myshopify.com`),
  fresh: Array.from({ length: 8 }, (_, number) => `fresh-${number}.myshopify.com`),
  attacker: 'attacker.myshopify.com',
};
export const SESSION_TOKEN_SECONDS = 60;

/** What no reply and no log line may hold. */
export const accessTokenOf = (shop) =>
  `shpat_${createHash('sha256').update(`access ${shop}`).digest('hex').slice(0, 32)}`;
export const refreshTokenOf = (shop) =>
  `shprt_${createHash('sha256').update(`refresh ${shop}`).digest('hex').slice(0, 32)}`;

export const seconds = () => Math.floor(Date.now() / 1000);
export const mac = (text, encoding, secret = APP.secret) =>
  createHmac('sha256', secret).update(text).digest(encoding);
export const base64Host = (shop) =>
  Buffer.from(`admin.shopify.com/store/${shop.split('.')[0]}`).toString('base64');

/** A compact token signed with HMAC-SHA256, whatever its header says. */
export function jwt(payload, { header = { alg: 'HS256', typ: 'JWT' }, secret = APP.secret } = {}) {
  const signed = [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${mac(signed, 'base64url', secret)}`;
}

/** The claims of a session token as the admin of a shop issues it. */
export function claimsOf(shop, overrides = {}) {
  const now = seconds();
  const times = { exp: now + SESSION_TOKEN_SECONDS, nbf: now, iat: now };
  return {
    iss: `https://${shop}/admin`,
    dest: `https://${shop}`,
    aud: APP.key,
    sub: '42',
    ...times,
    jti: 'a',
    sid: 'b',
    ...overrides,
  };
}

/** The text an admin query is signed over: sorted, form-encoded, spaces as %20. */
export function adminMessage(pairs) {
  const lists = new Map();
  for (const [name, value] of pairs)
    if (name !== 'hmac' && name !== 'signature')
      lists.set(name, [...(lists.get(name) ?? []), value]);
  const query = new URLSearchParams();
  for (const name of [...lists.keys()].sort())
    for (const value of lists.get(name))
      query.append(lists.get(name).length > 1 && !name.endsWith('[]') ? `${name}[]` : name, value);
  return query.toString().replaceAll('+', '%20');
}

/**
 * The text a request through an app proxy is signed over: sorted pairs with nothing between them.
 */
export function proxyMessage(pairs) {
  const lists = new Map();
  for (const [name, value] of pairs)
    if (name !== 'signature' && name !== 'hmac')
      lists.set(name, [...(lists.get(name) ?? []), value]);
  return [...lists]
    .map(([name, values]) => `${name}=${values.join(',')}`)
    .sort()
    .join('');
}

// What the app itself signs: the issue of cookies and exit pages is part of its interface with
// browsers.
const cookieKey = (secret) =>
  Buffer.from(hkdfSync('sha256', secret, '', 'shopify-app-js/cookie-signing/v1', 32));
const short = (text) => createHash('sha256').update(text).digest('hex').slice(0, 8);
export const appSignature = (text, encoding, secret = APP.secret) =>
  mac(text, encoding, cookieKey(secret));
export const stateCookie = (shop) => `shopify_app_state_${short(APP.key)}_${short(shop)}`;
export const sessionCookie = () => `shopify_app_session_${short(APP.key)}`;
export const exitSignature = (target) => appSignature(`exit-iframe ${target}`, 'base64url');
/** A cookie with its signature, as one header value. */
export const signedCookies = (name, value, secret) =>
  `${name}=${value}; ${name}.sig=${appSignature(value, 'base64', secret)}`;
