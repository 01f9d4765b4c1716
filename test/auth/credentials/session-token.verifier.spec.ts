import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';

import * as fc from 'fast-check';
import { jwtVerify } from 'jose';

import { Clock } from '../../../lib/core/time/clock.js';
import { InvalidJwtError } from '../../../lib/core/core.errors.js';
import { SecretKeys } from '../../../lib/core/crypto/secret-keys.js';
import { SessionTokenVerifier } from '../../../lib/auth/credentials/session-token.verifier.js';

const SECRET = 'hush';
const API_KEY = 'api-key';
const NOW = 1_768_478_400;
const LEEWAY = 10;

class FixedClock extends Clock {
  now(): Date {
    return new Date(NOW * 1000);
  }
  sleep(): Promise<void> {
    return Promise.resolve();
  }
}

const PAYLOAD = {
  iss: 'https://dev-shop.myshopify.com/admin',
  dest: 'https://dev-shop.myshopify.com',
  aud: API_KEY,
  sub: '42',
  exp: NOW + 60,
  nbf: NOW,
  iat: NOW,
  jti: 'f8912129-1af6-4cad-9ca3-76b0f7621087',
  sid: 'aaea182f2732d44c23057c0fea584021a4485b2bd25d3eb7fd349313ad24c685',
};
const HEADER = { alg: 'HS256', typ: 'JWT' };

const encoded = (part: unknown): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

function token({
  header = HEADER as unknown,
  payload = PAYLOAD as unknown,
  secret = SECRET,
  hash = 'sha256',
} = {}): string {
  const signed = `${encoded(header)}.${encoded(payload)}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
}

function verifier(secrets: readonly string[] = [SECRET]): SessionTokenVerifier {
  return new SessionTokenVerifier(new SecretKeys(secrets), { apiKey: API_KEY }, new FixedClock());
}

function refusal(text: string, options?: { checkAudience?: boolean }): InvalidJwtError | undefined {
  try {
    verifier().verify(text, options ?? {});
    return undefined;
  } catch (error) {
    if (error instanceof InvalidJwtError) return error;
    throw error;
  }
}

describe('a session token', () => {
  it.each([
    ['with its header in another order', { typ: 'JWT', alg: 'HS256' }],
    ['with more in its header', { ...HEADER, kid: '1' }],
    ['without a type', { alg: 'HS256' }],
  ])('is accepted %s', (_, header) => {
    expect(refusal(token({ header }))).toBeUndefined();
  });

  it('is verified after one that is no text', () => {
    const [header] = token().split('.');
    const signed = `${header}.${Buffer.from([0x7b, 0xc3]).toString('base64url')}`;
    const broken = `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
    const own = verifier();
    expect(() => own.verify(broken)).toThrow(InvalidJwtError);
    expect(own.verify(token())).toEqual(PAYLOAD);
  });

  it('comes with the shop it was issued in', () => {
    const dest = 'https://DEV-SHOP.myshopify.com/';
    const text = token({ payload: { ...PAYLOAD, dest } });
    expect(verifier().verified(text)).toEqual({
      kind: 'verified',
      text,
      shop: 'dev-shop.myshopify.com',
      payload: { ...PAYLOAD, dest },
    });
  });

  it('gives back what it says, unchanged', () => {
    expect(verifier().verify(token())).toEqual(PAYLOAD);
  });

  it('may be signed with any of the app’s secrets', () => {
    expect(verifier(['new', SECRET]).verify(token())).toEqual(PAYLOAD);
    expect(verifier(['sécret-ü']).verify(token({ secret: 'sécret-ü' }))).toEqual(PAYLOAD);
  });

  it.each([
    ['right at the end of its life', { exp: NOW - LEEWAY + 1 }],
    ['right before its beginning', { nbf: NOW + LEEWAY }],
    ['without the claims nobody needs', { iat: undefined, jti: undefined, sid: undefined }],
    ['with a claim nobody knows', { extra: { a: [1] } }],
    ['whose issuer is the admin itself', { iss: 'https://admin.shopify.com/store/dev-shop' }],
    ['whose shop is written in capitals', { dest: 'https://DEV-SHOP.myshopify.com/' }],
  ])('is accepted %s', (_, claims) => {
    expect(refusal(token({ payload: { ...PAYLOAD, ...claims } }))).toBeUndefined();
  });

  it.each<[string, string, object]>([
    ['expired', 'that has expired', { exp: NOW - LEEWAY }],
    ['expired', 'that expired long ago', { exp: 0 }],
    ['not_yet_valid', 'of the future', { nbf: NOW + LEEWAY + 1 }],
    ['audience', 'of another app', { aud: 'another' }],
    ['claims', 'with several audiences', { aud: [API_KEY] }],
    ['claims', 'without audience', { aud: undefined }],
    ['claims', 'without end', { exp: undefined }],
    ['claims', 'without beginning', { nbf: undefined }],
    ['claims', 'without user', { sub: undefined }],
    ['claims', 'without issuer', { iss: undefined }],
    ['claims', 'without destination', { dest: undefined }],
    ['claims', 'with an end in words', { exp: String(NOW + 60) }],
    ['claims', 'with null as its end', { exp: null }],
    ['claims', 'with a time of issue in words', { iat: 'today' }],
    ['claims', 'with a number as its user', { sub: 42 }],
    ['claims', 'with an object as its destination', { dest: {} }],
    [
      'claims',
      'whose destination is no shop',
      { dest: 'https://evil.example.com', iss: 'https://evil.example.com/admin' },
    ],
    ['claims', 'whose destination has a user', { dest: 'https://x@dev-shop.myshopify.com' }],
    ['claims', 'whose destination has a port', { dest: 'https://dev-shop.myshopify.com:444' }],
    ['claims', 'whose destination is not https', { dest: 'http://dev-shop.myshopify.com' }],
    [
      'shop_mismatch',
      'whose issuer is another shop',
      { iss: 'https://other-shop.myshopify.com/admin' },
    ],
    ['shop_mismatch', 'whose issuer is no shop', { iss: 'https://evil.example.com/admin' }],
  ])('is refused for the reason "%s": %s', (reason, _, claims) => {
    const error = refusal(token({ payload: { ...PAYLOAD, ...claims } }));
    expect(error?.reason).toBe(reason);
    // Shown by error boundaries: one sentence, with one mark at its end.
    expect(error?.message).toMatch(/\w\.$/);
  });

  it.each<[string, string, string]>([
    ['algorithm', 'without a signature', `${encoded({ alg: 'none' })}.${encoded(PAYLOAD)}.x`],
    [
      'malformed',
      'without even a place for one',
      `${encoded({ alg: 'none' })}.${encoded(PAYLOAD)}.`,
    ],
    ['algorithm', 'with another algorithm', token({ header: { alg: 'HS512' }, hash: 'sha512' })],
    ['algorithm', 'that lies about its algorithm', token({ header: { alg: 'RS256' } })],
    ['algorithm', 'with its algorithm in lower case', token({ header: { alg: 'hs256' } })],
    ['algorithm', 'with a list of algorithms', token({ header: { alg: ['HS256'] } })],
    ['algorithm', 'without algorithm', token({ header: {} })],
    [
      'algorithm',
      'with extensions we must understand',
      token({ header: { ...HEADER, crit: ['b64'], b64: false } }),
    ],
    ['signature', 'signed by someone else', token({ secret: 'other' })],
    ['signature', 'signed with nothing', token({ secret: '' })],
    ['signature', 'with a shortened signature', token().slice(0, -2)],
    ['signature', 'with a padded signature', `${token()}=`],
    ['malformed', 'that is empty', ''],
    ['malformed', 'of dots', '..'],
    ['malformed', 'in two parts', token().split('.').slice(0, 2).join('.')],
    ['malformed', 'in four parts', `${token()}.x`],
    ['malformed', 'whose header is no JSON', token({ header: 'alg=HS256' })],
    ['malformed', 'whose header is null', token({ header: null })],
    ['malformed', 'whose payload is no JSON', token({ payload: 'hello' })],
    ['malformed', 'whose payload is a list', token({ payload: [PAYLOAD] })],
    ['malformed', 'whose payload is null', token({ payload: null })],
    [
      'malformed',
      'that is longer than any real one',
      token({ payload: { ...PAYLOAD, more: 'x'.repeat(8192) } }),
    ],
  ])('is refused for the reason "%s": %s', (reason, _, text) => {
    expect(refusal(text)?.reason).toBe(reason);
  });

  it('is refused when its payload is not text', () => {
    const signed = `${encoded(HEADER)}.${Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url')}`;
    expect(
      refusal(`${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`)
        ?.reason,
    ).toBe('malformed');
  });

  // A TypeError, which no app catches as a bad token.
  it.each([undefined, null, 1, {}])('is refused when it is %p', (text) => {
    expect(refusal(text as never)?.reason).toBe('malformed');
    expect(refusal(text as never, { checkAudience: false })?.reason).toBe('malformed');
  });

  it('is never quoted in the error', () => {
    for (const text of [
      token({ secret: 'other' }),
      token({ payload: { ...PAYLOAD, exp: 1 } }),
      'secret-looking.text.here',
      token({ header: 'x' }),
    ]) {
      const error = refusal(text);
      expect(error?.code).toBe('ERR_SESSION_TOKEN_INVALID');
      for (const part of text.split('.'))
        expect(
          `${error?.message} ${String(error?.cause)} ${error?.stack?.split('\n')[0]}`,
        ).not.toContain(part);
    }
  });
});

describe('the session token of an extension', () => {
  it('may name no audience, issuer or user, and its shop without a scheme', () => {
    const { dest: _dest, iss: _iss, aud: _aud, sub: _sub, ...rest } = PAYLOAD;
    const payload = { ...rest, dest: 'dev-shop.myshopify.com' };
    expect(verifier().verify(token({ payload }), { checkAudience: false })).toEqual(payload);
    expect(
      refusal(token({ payload: { ...PAYLOAD, aud: 'another' } }), { checkAudience: false }),
    ).toBeUndefined();
  });

  it('must still be signed, in time and of one shop', () => {
    const reasons = [
      token({ secret: 'other' }),
      token({ payload: { ...PAYLOAD, exp: NOW - 60 } }),
      token({ payload: { ...PAYLOAD, iss: 'https://other-shop.myshopify.com/admin' } }),
    ].map((text) => refusal(text, { checkAudience: false })?.reason);
    expect(reasons).toEqual(['signature', 'expired', 'shop_mismatch']);
  });
});

/** As the platform issues it for a post-purchase page, in a few of its fields. */
const POST_PURCHASE = {
  iss: 'shopify',
  sub: '6d0ae17d0cb9bd5ac4b1d3b6a4a9f2c1',
  iat: NOW,
  input_data: {
    extensionPoint: 'Checkout::PostPurchase::Render',
    initialPurchase: {
      referenceId: '6d0ae17d0cb9bd5ac4b1d3b6a4a9f2c1',
      lineItems: [{ product: { id: 7_350_462_185_566, title: 'Ünïcode 🎁' }, quantity: 1 }],
    },
    locale: 'en',
    shop: { id: 1, domain: 'dev-shop.myshopify.com', metafields: [] },
    version: 'unstable',
  },
};

// It was refused for want of `dest`, `exp` and `nbf`.
describe('the session token of a post-purchase page', () => {
  const DAY = 24 * 60 * 60;
  const of = (claims: object): string =>
    token({ header: { alg: 'HS256' }, payload: { ...POST_PURCHASE, ...claims } });
  const reasonOf = (text: string): string | undefined =>
    refusal(text, { checkAudience: false })?.reason;

  it('names the shop of the purchase, and counts for a day', () => {
    const text = of({});
    const said = { ...POST_PURCHASE, dest: 'dev-shop.myshopify.com', nbf: NOW, exp: NOW + DAY };
    expect(verifier().verify(text, { checkAudience: false })).toEqual(said);
    const { shop, payload } = verifier().verifiedOfExtension(text);
    expect(shop).toBe('dev-shop.myshopify.com');
    expect(payload.input_data.initialPurchase.referenceId).toBe(POST_PURCHASE.sub);
    expect(reasonOf(of({ iat: NOW - DAY }))).toBeUndefined();
    expect(reasonOf(of({ iat: NOW - DAY - LEEWAY }))).toBe('expired');
    expect(reasonOf(of({ iat: NOW + LEEWAY + 1 }))).toBe('not_yet_valid');
    expect(reasonOf(of({ exp: NOW - LEEWAY }))).toBe('expired');
  });

  it('may be long, as the purchase is', () => {
    const { input_data: input } = POST_PURCHASE;
    const initialPurchase = { lineItems: Array(150).fill(input.initialPurchase.lineItems[0]) };
    expect(reasonOf(of({ input_data: { ...input, initialPurchase } }))).toBeUndefined();
    expect(reasonOf(of({ long: 'x'.repeat(50_000) }))).toBe('malformed');
  });

  it.each<[string, object]>([
    ['another issuer', { iss: 'other-shop.myshopify.com' }],
    ['no time of its issue', { iat: undefined }],
    ['no purchase', { input_data: undefined }],
    ['no shop', { input_data: { shop: null } }],
    ['a shop that is none', { input_data: { shop: { domain: 'example.com' } } }],
  ])('is refused with %s', (_, claims) => {
    expect(reasonOf(of(claims))).toBe('claims');
  });

  it('is none of the admin', () => {
    expect(refusal(of({}))?.reason).toBe('claims');
    expect(refusal(of({ aud: API_KEY, dest: 'dev-shop.myshopify.com' }))?.reason).toBe('claims');
    const whole = token({ payload: { ...PAYLOAD, iss: 'shopify' } });
    expect(refusal(whole)?.reason).toBe('shop_mismatch');
  });
});

describe('the verdict over generated tokens', () => {
  const mostly = <T>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<T>): fc.Arbitrary<T> =>
    fc.oneof({ weight: 5, arbitrary: good }, { weight: 1, arbitrary: bad });
  const time = mostly<unknown>(
    fc.integer({ min: NOW - 20, max: NOW + 20 }),
    fc.constantFrom(undefined, null, 'soon', String(NOW), [NOW], NOW + 0.5, true),
  );
  const audience = mostly<unknown>(
    fc.constant(API_KEY),
    fc.constantFrom('another', [API_KEY], ['another'], undefined, null, 7, ''),
  );
  const strangeHeaders = [
    { alg: 'none' },
    { alg: 'HS384' },
    { alg: 'RS256' },
    {},
    null,
    [],
    { ...HEADER, crit: ['exp'] },
  ];
  const header = mostly<unknown>(
    fc.constantFrom(HEADER, { alg: 'HS256' }),
    fc.constantFrom<unknown>(...strangeHeaders),
  );
  const secret = mostly(fc.constant(SECRET), fc.constantFrom('other', ''));
  const replaced = fc.record({
    at: fc.nat(400),
    by: fc.constantFrom('', 'A', 'B', '.', '=', '+', '%', '\0'),
  });
  const spoiled = mostly<(text: string) => string>(
    fc.constant((text) => text),
    fc.oneof(
      fc.nat(400).map((at) => (text: string) => text.slice(0, at)),
      replaced.map(
        ({ at, by }) =>
          (text: string) =>
            text.slice(0, at) + by + text.slice(at + 1),
      ),
      fc.string().map((text) => () => text),
    ),
  );

  /**
   * A second implementation, with two rules added that it does not have: a single audience, and one
   * spelling of a signature.
   */
  async function joseAccepts(text: string): Promise<boolean> {
    try {
      const { payload } = await jwtVerify(text, Buffer.from(SECRET), {
        algorithms: ['HS256'],
        audience: API_KEY,
        clockTolerance: LEEWAY,
        currentDate: new Date(NOW * 1000),
        requiredClaims: ['exp', 'nbf', 'aud'],
      });
      const signature = text.split('.')[2] ?? '';
      return (
        typeof payload.aud === 'string' &&
        Buffer.from(signature, 'base64url').toString('base64url') === signature
      );
    } catch {
      return false;
    }
  }

  it('is the one of a second implementation', async () => {
    const seen = { accepted: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        time,
        time,
        audience,
        header,
        secret,
        spoiled,
        async (exp, nbf, aud, head, key, spoil) => {
          const text = spoil(
            token({ header: head, payload: { ...PAYLOAD, exp, nbf, aud }, secret: key }),
          );
          const accepted = refusal(text) === undefined;
          seen[accepted ? 'accepted' : 'refused']++;
          expect({ text, accepted }).toEqual({ text, accepted: await joseAccepts(text) });
        },
      ),
      { numRuns: 1000 },
    );
    expect(seen.accepted).toBeGreaterThan(10);
    expect(seen.refused).toBeGreaterThan(10);
  });
});
