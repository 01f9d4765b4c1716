import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';

import * as fc from 'fast-check';

import { InvalidHmacError } from '../../../lib/core/core.errors.js';
import { verifyProxyHmac } from '../../../lib/core/crypto/proxy-signature.js';
import { verifyQueryHmac } from '../../../lib/core/crypto/query-hmac.js';
import type { HmacQuery, HmacSignator } from '../../../lib/core/crypto/query-hmac.js';
import { SecretKeys } from '../../../lib/core/crypto/secret-keys.js';

const keys = new SecretKeys(['hush']);
const TIMESTAMP = 1_700_000_000;

function verdict(query: HmacQuery, signator?: HmacSignator, at = TIMESTAMP): boolean {
  const verify = signator === 'appProxy' ? verifyProxyHmac : verifyQueryHmac;
  return verify(query, keys, new Date(at * 1000));
}

const ADMIN = {
  code: '0907a61c0c8d55e99db179b68161bc00',
  host: 'YWRtaW4uc2hvcGlmeS5jb20vc3RvcmUvc29tZS1zaG9w',
  shop: 'some-shop.myshopify.com',
  state: '0.6784241404160823',
  timestamp: String(TIMESTAMP),
};
const ADMIN_HMAC = '5c5df6d7f14b01108f2f3c5fb62fe10559949fafe7cd51b2ab9de627330706bd';

describe('the signature of a request from the admin', () => {
  it.each<[string, object, string]>([
    ['plain values', {}, ADMIN_HMAC],
    [
      'values that need escaping',
      { x: "a b&c=d+e/~é*()!'" },
      '07a4fabfc29dcf49da6a09c6538d2400efea5cf832b42056c5a36e8ee6caac3d',
    ],
    [
      'a list',
      { ids: ['1', '2'] },
      '227c7e497d6aca7f22ed7707e49eba29369dd31c258cadaf8f41b80b63e22955',
    ],
  ])('covers %s', (_, more, hmac) => {
    const query = { ...ADMIN, ...more };
    expect(verdict({ ...query, hmac })).toBe(true);
    expect(verdict({ ...query, hmac }, 'admin')).toBe(true);
    expect(verdict({ ...query, hmac, code: 'another' })).toBe(false);
    expect(verdict({ ...query, hmac, added: '1' })).toBe(false);
    expect(
      verdict({ ...query, hmac: hmac.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }),
    ).toBe(false);
  });

  it('is found in a query string in any order', () => {
    const shuffled = new URLSearchParams(Object.entries({ hmac: ADMIN_HMAC, ...ADMIN }).reverse());
    expect(verdict(shuffled)).toBe(true);
    const list = new URLSearchParams({
      ...ADMIN,
      hmac: '227c7e497d6aca7f22ed7707e49eba29369dd31c258cadaf8f41b80b63e22955',
    });
    list.append('ids[]', '1');
    list.append('ids[]', '2');
    expect(verdict(list)).toBe(true);
  });

  // The links of bulk actions, and callbacks with a `state` in base64: both were refused.
  it.each<[string, Record<string, string | string[]>, string]>([
    [
      'the ids of a bulk action',
      { 'ids[]': ['2074861961283', '2074861830211'], locale: 'en' },
      `ids=["2074861961283", "2074861830211"]&locale=en`,
    ],
    [
      'a single one',
      { 'ids[]': ['2544739451040'], locale: 'en' },
      `ids=["2544739451040"]&locale=en`,
    ],
    ['a value in base64', { a_state: 'eyJhIjoxfQ==' }, 'a_state=eyJhIjoxfQ=='],
    ['a value with a space', { a: 'b c', d: 'é:/' }, 'a=b c&d=é:/'],
    ['what divides pairs', { 'a=b': '1', c: '100% & more' }, 'a%3Db=1&c=100%25 %26 more'],
  ])('covers %s in the plain form', (_, more, text) => {
    const signed = `${text}&shop=${ADMIN.shop}&timestamp=${TIMESTAMP}`;
    const hmac = createHmac('sha256', 'hush').update(signed).digest('hex');
    const rest = { shop: ADMIN.shop, timestamp: ADMIN.timestamp, hmac };
    const params = new URLSearchParams(rest);
    for (const [name, value] of Object.entries(more))
      for (const one of [value].flat()) params.append(name, one);
    expect(verdict(params)).toBe(true);
    // As the parsers of hosts have it: with the brackets of a list, and without.
    const unbracketed = Object.entries(more).map(([name, value]) => [
      name.replace('[]', ''),
      value,
    ]);
    expect(verdict({ ...more, ...rest })).toBe(true);
    expect(verdict({ ...Object.fromEntries(unbracketed), ...rest })).toBe(true);
    params.append('ids[]', '1');
    expect(verdict(params)).toBe(false);
    expect(verdict({ ...more, ...rest, shop: 'other-shop.myshopify.com' })).toBe(false);
  });

  it('is of one query, however its text is divided and decoded', () => {
    const part = fc.stringMatching(/^[ab%&=+ "2563D]{0,6}$/);
    const plain = (text: string): string => text.replaceAll('%', '%25').replaceAll('&', '%26');
    const FORMS: ((one: [string, string]) => string)[] = [
      ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
      ([name, value]) => `${plain(name).replaceAll('=', '%3D')}=${plain(value)}`,
    ];
    const decoded = (text: string): string =>
      text.replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
    fc.assert(
      fc.property(fc.dictionary(part, part, { noNullPrototype: true }), (more) => {
        const pairs = Object.entries({
          ...more,
          shop: ADMIN.shop,
          timestamp: ADMIN.timestamp,
        }).sort(([one], [other]) => (one < other ? -1 : 1));
        for (const form of FORMS) {
          const text = pairs.map(form).join('&');
          const hmac = createHmac('sha256', 'hush').update(text).digest('hex');
          for (const read of [decoded, (raw: string) => raw]) {
            const query = text.split('&').map((pair) => {
              const at = pair.indexOf('=');
              return [read(pair.slice(0, at)), read(pair.slice(at + 1))] as [string, string];
            });
            const isSame = JSON.stringify([...query].sort()) === JSON.stringify([...pairs].sort());
            expect(verdict(new URLSearchParams([...query, ['hmac', hmac]]))).toBe(isSame);
          }
        }
      }),
    );
  });

  // A visitor of any shop chooses `a`, and reads the signature where an app redirects.
  it('is not that of the query of an app proxy, however that is divided', () => {
    const shop = 'victim.myshopify.com';
    const rest = `logged_in_customer_id=path_prefix=/apps/ashop=${ADMIN.shop}timestamp=${TIMESTAMP}`;
    const text = `a=1&shop=${shop}&timestamp=${TIMESTAMP}&z=${rest}`;
    const hmac = createHmac('sha256', 'hush').update(text).digest('hex');
    const query = { a: '1', shop, timestamp: ADMIN.timestamp, z: rest, hmac };
    expect(verdict(query)).toBe(false);
    expect(verdict(new URLSearchParams(query))).toBe(false);
  });

  it('covers any text as the body of a form has it, with spaces as %20', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant("a!'()~*-._ b"));
    fc.assert(
      fc.property(fc.dictionary(text, text, { noNullPrototype: true }), (more) => {
        const all: Record<string, string> = { ...more, ...ADMIN };
        const { hmac: _hmac, signature: _signature, ...signed } = all;
        const form = new URLSearchParams(
          Object.entries(signed).sort(([one], [other]) => (one < other ? -1 : 1)),
        );
        const hmac = createHmac('sha256', 'hush')
          .update(form.toString().replaceAll('+', '%20'))
          .digest('hex');
        expect(verdict({ ...signed, hmac })).toBe(true);
      }),
    );
  });

  it('leaves out both signature parameters', () => {
    expect(verdict({ ...ADMIN, hmac: ADMIN_HMAC, signature: 'x' })).toBe(true);
  });

  it('is valid for 90 seconds, in both directions', () => {
    const query = { ...ADMIN, hmac: ADMIN_HMAC };
    for (const offset of [-90, 90]) expect(verdict(query, 'admin', TIMESTAMP + offset)).toBe(true);
    for (const offset of [-91, 91]) {
      expect(reasonOf(() => verdict(query, 'admin', TIMESTAMP + offset))).toBe('timestamp_stale');
    }
  });

  it.each<[string, object]>([
    ['no hmac', { hmac: undefined }],
    ['an empty hmac', { hmac: '' }],
    ['several', { hmac: [ADMIN_HMAC, ADMIN_HMAC] }],
    ['no timestamp', { timestamp: undefined }],
    ['several timestamps', { timestamp: [String(TIMESTAMP), String(TIMESTAMP)] }],
    ['several shops', { shop: ['a.myshopify.com', 'b.myshopify.com'] }],
  ])('is an error with %s', (_, change) => {
    expect(reasonOf(() => verdict({ ...ADMIN, hmac: ADMIN_HMAC, ...change }))).toBe('hmac_invalid');
  });
});

describe('the signature of a request through an app proxy', () => {
  const proxied = {
    path_prefix: '/apps/awesome_reviews',
    shop: 'shop-name.myshopify.com',
    timestamp: '1317327555',
    extra: ['1', '2'],
  };

  it.each<[string, HmacQuery, string, number]>([
    [
      'a customer',
      { ...proxied, logged_in_customer_id: '1' },
      '4c68c8624d737112c91818c11017d24d334b524cb5c2b8ba08daa056f7395ddb',
      1_317_327_555,
    ],
    [
      'no customer',
      proxied,
      'a9718877bea71c2484f91608a7eaea1532bdf71f5c56825065fa4ccabe549ef3',
      1_317_327_555,
    ],
    [
      'an empty customer',
      {
        ...proxied,
        logged_in_customer_id: '',
        shop: 'some-shop.myshopify.com',
        timestamp: String(TIMESTAMP),
      },
      '5c97edf8a65c2c656736493fddb2339c50755e6a939f2c0f8588f0b93ac4970c',
      TIMESTAMP,
    ],
    [
      'names in capitals, sorted by byte',
      { apple: '2', Zed: '1', shop: 's.myshopify.com', timestamp: String(TIMESTAMP) },
      '751aeb9e455b6ddd511c4359934d895720a1e9585d63fc4472edcb4a2d282dea',
      TIMESTAMP,
    ],
    [
      'names that begin alike, sorted as pairs',
      { extra: '1', extra2: '2', shop: 's.myshopify.com', timestamp: String(TIMESTAMP) },
      '61414208e2472230670aa11e52a5a1773b532f6137f9866cdad03128b66571c7',
      TIMESTAMP,
    ],
  ])('covers %s', (_, query, signature, at) => {
    expect(verdict({ ...query, signature }, 'appProxy', at)).toBe(true);
    expect(verdict({ ...query, signature, added: '1' }, 'appProxy', at)).toBe(false);
    const params = new URLSearchParams({ signature });
    for (const [name, value] of Object.entries(query))
      for (const one of [value].flat()) params.append(name, String(one));
    expect(verdict(params, 'appProxy', at)).toBe(true);
  });

  it.each(['hmac', 'shop', 'signature', 'timestamp', 'path_prefix', 'logged_in_customer_id'])(
    'may name %s only once',
    (name) => {
      const query = { ...ADMIN, hmac: 'x', signature: 'x', [name]: ['1', '1'] };
      const params = new URLSearchParams(
        Object.entries(query).flatMap(([key, value]) => [value].flat().map((one) => [key, one])),
      );
      expect(reasonOf(() => verdict(query, 'appProxy'))).toBe('hmac_invalid');
      expect(reasonOf(() => verdict(params, 'appProxy'))).toBe('hmac_invalid');
    },
  );

  it.each<unknown>([
    undefined,
    null,
    '',
    'soon',
    'NaN',
    'Infinity',
    '-Infinity',
    '1.5',
    '-1',
    '0x10',
    '1e9',
    ' 1700000000',
    '9'.repeat(20),
  ])('needs a timestamp that is one, not %p', (timestamp) => {
    expect(reasonOf(() => verdict({ ...proxied, timestamp, signature: 'x' }, 'appProxy'))).toBe(
      'hmac_invalid',
    );
  });

  it('is an error when it is missing', () => {
    expect(() => verdict(proxied, 'appProxy')).toThrow(InvalidHmacError);
  });
});

function reasonOf(run: () => unknown): string {
  try {
    return `no error: ${String(run())}`;
  } catch (error) {
    if (error instanceof InvalidHmacError) return error.reason;
    throw error;
  }
}
