import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';

import { flip, otherShop, setHeader, value } from './mutations.support.mjs';
import { APP, SHOPS, claimsOf, jwt, seconds } from './platform.mjs';

/**
 * The session token of a request, as something that can be replaced, and the shop whose it should
 * be.
 */
function tokenIn(request) {
  const named = request.query.find(([name]) => name === 'shop')?.[1];
  const shop = SHOPS.installed.find((other) => other === named) ?? SHOPS.installed[0];
  const header = request.headers.find(([name]) => name.toLowerCase() === 'authorization');
  if (header)
    return {
      shop,
      text: header[1].replace(/^bearer +/i, ''),
      set: (token) => (header[1] = `Bearer ${token}`),
    };
  const pair = request.query.find(([name]) => name === 'id_token');
  return pair && { shop, text: pair[1], set: (token) => (pair[1] = encodeURIComponent(token)) };
}

/** What is done to a session token; gets the token as it stands in the request. */
const TOKENS = {
  'alg none': (token, random) =>
    token.set(
      `${part({ alg: random.pick(['none', 'None', 'NONE', 'nOnE']) })}.${token.text.split('.')[1]}.`,
    ),
  'alg none, signed': (token) =>
    token.set(jwt(claimsOf(token.shop), { header: { alg: 'none' }, secret: 'a' })),
  'the secret as a public key': (token) =>
    token.set(jwt(claimsOf(token.shop), { header: { alg: 'RS256', typ: 'JWT' } })),
  'another HMAC': (token, random) =>
    token.set(withAlgorithm(random.pick(['HS384', 'HS512']), token.shop)),
  'a key id': (token, random) =>
    token.set(
      jwt(claimsOf(token.shop), {
        header: {
          alg: 'HS256',
          kid: random.pick(['../../dev/null', "' OR 1=1", 'http://evil.example/']),
        },
        secret: '',
      }),
    ),
  'a key of its own': (token) =>
    token.set(
      jwt(claimsOf(token.shop), {
        header: { alg: 'HS256', jwk: { kty: 'oct', k: 'YQ' }, jku: 'http://evil.example/' },
        secret: 'a',
      }),
    ),
  'critical extensions': (token) =>
    token.set(jwt(claimsOf(token.shop), { header: { alg: 'HS256', crit: ['exp'] } })),
  expired: (token) =>
    token.set(jwt(claimsOf(token.shop, { exp: seconds() - 11, nbf: seconds() - 71 }))),
  'not valid yet': (token) =>
    token.set(jwt(claimsOf(token.shop, { nbf: seconds() + 60, exp: seconds() + 120 }))),
  'of another app': (token, random) =>
    token.set(
      jwt(
        claimsOf(token.shop, {
          aud: random.pick(['another', [APP.key], '', null, { toString: APP.key }]),
        }),
      ),
    ),
  'of two shops': (token) =>
    token.set(jwt(claimsOf(token.shop, { iss: `https://${SHOPS.attacker}/admin` }))),
  'of no shop': (token, random) =>
    token.set(jwt(claimsOf(token.shop, { dest: value(random), iss: value(random) }))),
  'odd times': (token, random) =>
    token.set(
      jwt(claimsOf(token.shop, { exp: random.pick(['9999999999', -1, null, true, [], 1e21]) })),
    ),
  'of another user': (token, random) =>
    token.set(jwt(claimsOf(token.shop, { sub: random.pick(['43', '__proto__', '', 43, '../a']) }))),
  'a wrong secret': (token, random) =>
    token.set(
      jwt(claimsOf(token.shop), { secret: random.pick(['', 'a', APP.key, APP.secret.slice(1)]) }),
    ),
  'the previous secret': (token) => token.set(jwt(claimsOf(token.shop), { secret: APP.previous })),
  'changed claims': (token) => {
    const [header, , signature] = token.text.split('.');
    token.set(`${header}.${part(claimsOf(SHOPS.installed[1]))}.${signature}`);
  },
  'another spelling': (token, random) =>
    token.set(
      random.pick([
        `${token.text}=`,
        `${token.text}.`,
        ` ${token.text}`,
        token.text.replace('.', '..'),
        `${token.text}\u0000`,
        `${token.text.slice(0, -1)}`,
      ]),
    ),
  huge: (token, random) => token.set(token.text + 'a'.repeat(random.below(9000))),
  'many parts': (token, random) => token.set('a.'.repeat(random.below(4000))),
  'flipped character': (token, random) => token.set(flip(token.text, random)),
};
const part = (content) => Buffer.from(JSON.stringify(content)).toString('base64url');
function withAlgorithm(alg, shop) {
  const signed = `${part({ alg })}.${part(claimsOf(shop))}`;
  return `${signed}.${createHmac(`sha${alg.slice(2)}`, APP.secret)
    .update(signed)
    .digest('base64url')}`;
}

/** The same, for requests: one that brings no token is given one. */
export const FOR_TOKENS = Object.entries(TOKENS).map(([name, change]) => [
  `token: ${name}`,
  (request, random) => {
    const token = tokenIn(request);
    if (token) change(token, random);
    else setHeader(request, 'Authorization', `Bearer ${jwt(claimsOf(otherShop(random)))}`);
  },
]);
