// What one would write without a toolkit: the least that is safe, with the keys made once. Bare
// rows are measured with these.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { API_KEY, API_SECRET, SESSION, SHOP } from './fixtures.mjs';

const KEY = createSecretKey(Buffer.from(API_SECRET));
const REQUIRED = [
  'x-shopify-topic',
  'x-shopify-shop-domain',
  'x-shopify-api-version',
  'x-shopify-webhook-id',
];
const SESSIONS = new Map([[`https://${SHOP}`, SESSION]]);

function isSigned(text, signature, encoding) {
  const expected = createHmac('sha256', KEY).update(text).digest();
  const given = Buffer.from(signature, encoding);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The status a delivery is answered with. */
export function statusOf(headers, body) {
  const signature = headers['x-shopify-hmac-sha256'];
  if (!signature || REQUIRED.some((name) => !headers[name])) return 400;
  return isSigned(body, signature, 'base64') ? 200 : 401;
}

/** The session that a session token stands for, or `undefined`. */
export function sessionOf({ authorization }) {
  const [head, claims, signature] = authorization?.replace('Bearer ', '').split('.') ?? [];
  if (!signature || JSON.parse(Buffer.from(head, 'base64url')).alg !== 'HS256') return undefined;
  if (!isSigned(`${head}.${claims}`, signature, 'base64url')) return undefined;
  const { aud, dest, exp, nbf } = JSON.parse(Buffer.from(claims, 'base64url'));
  const now = Date.now() / 1000;
  return aud === API_KEY && exp > now - 10 && nbf < now + 10 ? SESSIONS.get(dest) : undefined;
}
