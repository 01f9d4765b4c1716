import { createHmac } from 'node:crypto';

import fc from 'fast-check';

import {
  signedAppProxyQuery,
  signedExtensionToken,
  signedFlowAction,
  signedFulfillmentNotification,
  signedQuery,
  signedSessionToken,
} from '../../../lib/dev-store/index.js';
import type { ExtensionSurface } from '../../../lib/dev-store/index.js';
import { API_KEY, API_SECRET, SHOP } from '../../support/app.js';

/** A request that no guard may let through. */
export interface Mutant {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: Uint8Array;
}

const OTHER_SECRET = 'secret-of-another-app';
const MINUTE = 60_000;

/** A text with one character replaced, removed or added. */
function changed(text: string): fc.Arbitrary<string> {
  const at = fc.nat({ max: Math.max(0, text.length - 1) });
  const letter = fc.constantFrom(...'0123456789abcdefXYZ');
  return fc.oneof(
    fc
      .tuple(at, letter)
      .map(([index, other]) => text.slice(0, index) + other + text.slice(index + 1)),
    at.map((index) => text.slice(0, index) + text.slice(index + 1)),
    fc.tuple(at, letter).map(([index, added]) => text.slice(0, index) + added + text.slice(index)),
  );
}

/** Two minutes to a year before or after now. */
const farFromNow = fc
  .tuple(fc.integer({ min: 2, max: 525_600 }), fc.boolean())
  .map(([minutes, before]) => new Date(Date.now() + (before ? -minutes : minutes) * MINUTE));

/** Genuine parameters, and the one that holds the signature. */
function mutantsOfQuery(
  path: string,
  signature: string,
  query: (options: { secret?: string; now?: Date; shop?: string }) => URLSearchParams,
): fc.Arbitrary<Mutant> {
  const genuine = [...query({})];
  const names = genuine.map(([name]) => name);
  const mutated = (change: (params: [string, string][]) => [string, string][]): Mutant => ({
    path: `${path}?${new URLSearchParams(change(genuine.map(([name, value]) => [name, value])))}`,
  });
  const oneOf = fc.constantFrom(...names);
  return fc.oneof(
    // A value that is not the one that was signed.
    oneOf.chain((name) => {
      const value = genuine.find(([one]) => one === name)![1];
      return changed(value === '' ? '0' : value)
        .filter((other) => other !== value)
        .map((other) =>
          mutated((all) => all.map(([one, old]) => [one, one === name ? other : old])),
        );
    }),
    // A parameter less; of an app proxy, an empty one is signed, too.
    oneOf.map((name) => mutated((all) => all.filter(([one]) => one !== name))),
    // One more, or one twice.
    fc
      .string({ minLength: 1, maxLength: 8 })
      .map((name) => mutated((all) => [...all, [`x${name}`, '1']])),
    fc
      .constantFrom(signature, 'shop', 'timestamp')
      .map((name) => mutated((all) => [...all, all.find(([one]) => one === name)!])),
    // Signed too early or too late, by somebody else, or for no shop.
    farFromNow.map((now) => ({ path: `${path}?${query({ now })}` })),
    fc.constant({ path: `${path}?${query({ secret: OTHER_SECRET })}` }),
    fc
      .constantFrom('', 'evil.example', `${SHOP}.evil.example`, 'https://', `${SHOP}/`)
      .map((shop) => ({ path: `${path}?${query({ shop })}` })),
    fc.constantFrom('', '?', '?%', `?${signature}=`).map((text) => ({ path: path + text })),
  );
}

interface SignedBody {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}
const HMAC = 'X-Shopify-Hmac-Sha256';
// No body parser of the app refuses what the guard is to refuse.
const TEXT = { 'Content-Type': 'text/plain' };
const hmacOf = (body: Uint8Array, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('base64');

function mutantsOfBody(
  path: string,
  sign: (options: { secret: string; body?: string }) => SignedBody,
): fc.Arbitrary<Mutant> {
  const genuine = sign({ secret: API_SECRET });
  const post = (headers: Record<string, string>, body: Uint8Array): Mutant => ({
    path,
    method: 'POST',
    headers: { ...headers, ...TEXT },
    body: new Uint8Array(body),
  });
  const withHmac = (hmac: string): Mutant =>
    post({ ...genuine.headers, [HMAC]: hmac }, genuine.body);
  const { [HMAC]: genuineHmac = '', ...unsigned } = genuine.headers;
  // What the platform signs with the same secret, and is no delivery.
  const token = signedSessionToken({ apiKey: API_KEY, secret: API_SECRET, shop: SHOP });
  const foreign = token.slice(0, token.lastIndexOf('.'));
  return fc.oneof(
    fc
      .tuple(fc.nat({ max: genuine.body.length - 1 }), fc.integer({ min: 1, max: 255 }))
      .map(([at, bits]) => {
        const body = Buffer.from(genuine.body);
        body[at]! ^= bits;
        return post(genuine.headers, body);
      }),
    fc
      .nat({ max: genuine.body.length - 1 })
      .map((length) => post(genuine.headers, genuine.body.subarray(0, length))),
    fc
      .uint8Array({ minLength: 1, maxLength: 40 })
      .map((added) => post(genuine.headers, Buffer.concat([genuine.body, added]))),
    changed(genuineHmac)
      .filter((hmac) => hmac !== genuineHmac)
      .map(withHmac),
    fc.constantFrom(
      post(unsigned, genuine.body),
      withHmac(''),
      withHmac(Buffer.from(genuineHmac, 'base64').toString('hex')),
      withHmac(hmacOf(genuine.body, OTHER_SECRET)),
      post(
        { ...genuine.headers, [HMAC]: hmacOf(Buffer.from(foreign), API_SECRET) },
        Buffer.from(foreign),
      ),
      post({ ...genuine.headers, [HMAC]: hmacOf(Buffer.alloc(0), API_SECRET) }, Buffer.alloc(0)),
    ),
    fc.string({ minLength: 1 }).map((secret) => withHmac(hmacOf(genuine.body, `x${secret}`))),
  );
}

/** Bodies that are signed, and are no JSON objects. */
function signedNonsense(path: string): fc.Arbitrary<Mutant> {
  return fc
    .constantFrom('[]', '[1]', '{', '{"a":', 'null', '1', '"text"', '<xml/>')
    .map((body) => ({
      path,
      method: 'POST',
      headers: {
        ...TEXT,
        [HMAC]: hmacOf(Buffer.from(body), API_SECRET),
        'X-Shopify-Shop-Domain': SHOP,
      },
      body: new Uint8Array(Buffer.from(body)),
    }));
}

function mutantsOfToken(
  surface: ExtensionSurface,
  { path, method }: { path: string; method: string },
): fc.Arbitrary<Mutant> {
  const token = (given: Partial<Parameters<typeof signedExtensionToken>[0]> = {}): string =>
    signedExtensionToken({ apiKey: API_KEY, secret: API_SECRET, shop: SHOP, surface, ...given });
  const genuine = token();
  const send = (authorization: string): Mutant => ({ path, method, headers: { authorization } });
  const bearer = (text: string): Mutant => send(`Bearer ${text}`);
  const [header, payload, signature] = genuine.split('.') as [string, string, string];
  return fc.oneof(
    changed(genuine)
      .filter((text) => text !== genuine)
      .map(bearer),
    farFromNow.map((now) =>
      bearer(
        token({ now, overrides: { exp: now.getTime() / 1000 + 60, nbf: now.getTime() / 1000 } }),
      ),
    ),
    fc.string({ minLength: 1 }).map((secret) => bearer(token({ secret: `x${secret}` }))),
    fc
      .constantFrom('none', 'HS512', 'RS256', 'hs256', '')
      .map((alg) => bearer(token({ header: { alg, typ: 'JWT' } }))),
    fc
      .constantFrom('evil.example', '', undefined, 5, `https://${SHOP}.evil.example`, {}, [SHOP])
      .map((dest) => bearer(token({ overrides: { dest } }))),
    fc
      .constantFrom<Record<string, unknown>>(
        { exp: undefined },
        { exp: 'tomorrow' },
        { nbf: undefined },
        { iss: 'https://other-shop.myshopify.com/admin' },
      )
      .map((overrides) => bearer(token({ overrides }))),
    fc.constantFrom(
      send(genuine),
      send(`Basic ${genuine}`),
      send('Bearer '),
      bearer(`${header}.${payload}.`),
      bearer(`${header}.${payload}`),
      bearer(`${genuine}.${signature}`),
      bearer('a'.repeat(9000)),
      { path: `${path}?id_token=${genuine}`, method },
    ),
  );
}

/** What each surface must refuse. */
export const MUTANTS: readonly (readonly [surface: string, mutants: fc.Arbitrary<Mutant>])[] = [
  [
    'an app proxy',
    mutantsOfQuery('/proxy/page', 'signature', ({ secret = API_SECRET, now, shop = SHOP }) =>
      signedAppProxyQuery({
        secret,
        shop,
        params: { page: '2', tag: ['a', 'b'] },
        customerId: 7,
        ...(now && { now }),
      }),
    ),
  ],
  [
    'a query of the admin',
    mutantsOfQuery('/launch', 'hmac', ({ secret = API_SECRET, now = new Date(), shop = SHOP }) =>
      signedQuery(
        {
          shop,
          host: 'aG9zdA',
          session: 'abc',
          timestamp: String(Math.floor(now.getTime() / 1000)),
        },
        secret,
      ),
    ),
  ],
  [
    'Flow',
    fc.oneof(
      {
        weight: 9,
        arbitrary: mutantsOfBody('/flow', (given) => signedFlowAction({ shop: SHOP, ...given })),
      },
      { weight: 1, arbitrary: signedNonsense('/flow') },
    ),
  ],
  [
    'a fulfillment service',
    fc.oneof(
      {
        weight: 9,
        arbitrary: mutantsOfBody('/service/fulfillment_order_notification', (given) =>
          signedFulfillmentNotification({ shop: SHOP, ...given }),
        ),
      },
      { weight: 1, arbitrary: signedNonsense('/service/fulfillment_order_notification') },
    ),
  ],
  [
    'a signed body',
    mutantsOfBody('/body', (given) => signedFulfillmentNotification({ shop: SHOP, ...given })),
  ],
  ['the checkout', mutantsOfToken('checkout', { path: '/extensions/checkout', method: 'POST' })],
  ['customer accounts', mutantsOfToken('customer-account', { path: '/accounts', method: 'GET' })],
  ['the point of sale', mutantsOfToken('pos', { path: '/extensions/pos/7', method: 'GET' })],
];
