import { createHmac, createSecretKey } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { checkProxyQuery } from '../../../lib/core/crypto/proxy-signature.js';
import { SecretKeys } from '../../../lib/core/crypto/secret-keys.js';

const SECRET = 'hush';
const PREVIOUS = 'hush before';
const KEYS = new SecretKeys([SECRET, PREVIOUS]);
const NOW = 1_700_000_000;
const SHOP = 'some-shop.myshopify.com';

const SECRET_KEYS = new Map(
  [SECRET, PREVIOUS].map((secret) => [secret, createSecretKey(Buffer.from(secret))]),
);
const hmac = (message: Uint8Array, secret = SECRET): string =>
  createHmac('sha256', SECRET_KEYS.get(secret) ?? secret)
    .update(message)
    .digest('hex');

function check(query: string, { path = '/proxy', now = NOW } = {}): string {
  const { search } = new URL(`https://app.example.com${path}?${query}`);
  const checked = checkProxyQuery({ url: { search }, path }, KEYS, new Date(now * 1000));
  return checked.kind === 'signed' ? `signed ${checked.shop}` : checked.reason;
}

/** The bytes of a name or a value, which need not be text, in hexadecimal: sorted as bytes are. */
type Hex = string;
const hex = (text: string): Hex => Buffer.from(text).toString('hex');
type Pair = readonly [name: Hex, value: Hex];
const [COMMA, EQUALS] = [hex(','), hex('=')];

// The second implementation: what the platform's documentation describes, over bytes.

/** `name=value` of each name, sorted by their bytes. */
function documentedMessage(params: readonly Pair[]): Buffer {
  const values = new Map<Hex, Hex>();
  for (const [name, value] of params) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : before + COMMA + value);
  }
  const pairs = [...values].map(([name, value]) => name + EQUALS + value);
  return Buffer.from(pairs.sort().join(''), 'hex');
}

const decodedParts = new Map<string, Hex>();
function decodedBytes(text: string): Hex {
  const known = decodedParts.get(text);
  if (known !== undefined) return known;
  const [first = '', ...coded] = text.replaceAll('+', ' ').split('%');
  const rest = coded.map((part) =>
    /^[0-9A-Fa-f]{2}/.test(part)
      ? part.slice(0, 2).toLowerCase() + hex(part.slice(2))
      : hex(`%${part}`),
  );
  const decoded = hex(first) + rest.join('');
  decodedParts.set(text, decoded);
  return decoded;
}

function parsed(query: string): Pair[] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name, ...rest] = pair.split('=');
      return [decodedBytes(name!), decodedBytes(rest.join('='))];
    });
}

const [INDEX, DATA, ROUTES] = [hex('index'), hex('_data'), hex('_routes')];

/** The parameters that a framework may have made these of. */
function before(pairs: readonly Pair[], path: string): (readonly Pair[])[] {
  const route = hex(`routes/${path.slice(1).replaceAll('/', '.')}`);
  const indexRoute = route + hex('._index');
  const has = (name: Hex): boolean => pairs.some(([other]) => other === name);
  const sameRoute = [pairs];
  const withoutEmpty = pairs.filter(([name, value]) => name !== INDEX || value !== '');
  if (withoutEmpty.length < pairs.length) sameRoute.push(withoutEmpty);
  if (!has(INDEX)) sameRoute.push([[INDEX, ''], ...pairs]);
  const added = [DATA, ROUTES].filter((name) => !has(name));
  return [
    ...sameRoute.flatMap((one) => [
      one,
      ...added.map((name): Pair[] => [[name, indexRoute], ...one]),
    ]),
    ...added.map((name): Pair[] => [[name, route], ...pairs]),
  ];
}

const ONCE = ['signature', 'hmac', 'timestamp', 'shop', 'logged_in_customer_id', 'path_prefix'];

function documented(query: string, path: string): boolean {
  const pairs = parsed(query);
  const [signature, hmacs, timestamp, shop, customer, prefix] = ONCE.map((name) => {
    const wanted = hex(name);
    return pairs
      .filter(([other]) => other === wanted)
      .map(([, value]) => Buffer.from(value, 'hex').toString());
  });
  const once = [signature, hmacs, timestamp, shop, customer, prefix];
  if (once.some((values) => values!.length > 1)) return false;
  const [seconds = ''] = timestamp!;
  if (!/^[0-9]+$/.test(seconds) || Math.abs(NOW - Number(seconds)) > 90) return false;
  if (!/^[0-9]*$/.test(customer![0] ?? '')) return false;
  const signatures = [hex('signature'), hex('hmac')];
  const signed = pairs.filter(([name]) => !signatures.includes(name));
  return before(signed, path).some((one) => {
    const message = documentedMessage(one);
    return [SECRET, PREVIOUS].some((secret) => hmac(message, secret) === signature![0]);
  });
}

/** Numbers that are the same in every run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const NAMES = [
  ...['a', 'B', 'Zed', 'apple', 'extra', 'extra2', 'extra-', 'extra_', 'Extra', 'ids[]', 'ids[a]'],
  ...['index', 'index2', '_data', '_routes', 'q', 'shop2', 'shop-x', 'shopA', 'sho', 'signature2'],
  ...[
    'timestamp1',
    'Timestamp',
    'ü',
    'Ü',
    'é=1',
    'e&f',
    'e+f',
    'e f',
    '%41',
    '\u{1F600}',
    '\uFFFD',
    '\uE000',
    '',
  ],
].map(hex);
const VALUES = [
  ...[
    '',
    '',
    '1',
    '2',
    'a b',
    'a+b',
    'a%20b',
    'a,b',
    ',',
    '=',
    '&',
    'a=b&c=d',
    '{',
    '[]',
    '/x?y#z',
  ],
  ...[
    'Café',
    'ß',
    '日本語',
    '\u{1F600}',
    '\uFFFF',
    '\uE000',
    '\0',
    '\n',
    "'",
    '"<>',
    '~*()!',
    'routes/x',
    '0',
  ],
].map(hex);
/** Not valid UTF-8, as a visitor may send it. */
const NOT_TEXT: readonly Hex[] = ['ff', '61c3', 'eda080'];
const PATHS = ['/proxy', '/apps/reviews', '/a/b/c', '/x'];

const ALWAYS_PLAIN = /[A-Za-z0-9]/;
const SOMETIMES_PLAIN = /[-._~*'()!,/:@$;]/;
const BYTES = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  const code = byte.toString(16).padStart(2, '0');
  return {
    character,
    isAlwaysPlain: ALWAYS_PLAIN.test(character),
    isSometimesPlain: SOMETIMES_PLAIN.test(character),
    lower: `%${code}`,
    upper: `%${code.toUpperCase()}`,
  };
});

/** Percent-encoded in one of the ways that mean the same. */
function encoded(text: Hex, random: (below: number) => number): string {
  let result = '';
  for (const byte of Buffer.from(text, 'hex')) {
    const { character, isAlwaysPlain, isSometimesPlain, lower, upper } = BYTES[byte]!;
    const isPlain = isAlwaysPlain ? random(8) > 0 : isSometimesPlain && random(2) > 0;
    if (isPlain) result += character;
    else if (character === ' ' && random(2) > 0) result += '+';
    else result += random(2) > 0 ? lower : upper;
  }
  return result;
}

function shuffled<T>(list: readonly T[], random: (below: number) => number): T[] {
  const result = [...list];
  for (let at = result.length - 1; at > 0; at--) {
    const other = random(at + 1);
    [result[at], result[other]] = [result[other]!, result[at]!];
  }
  return result;
}

/** A request as an app receives it, genuine or not. */
function generated(random: (below: number) => number): { query: string; path: string } {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const path = pick(PATHS);
  const params: Pair[] = [
    [hex('shop'), hex(SHOP)],
    [hex('path_prefix'), hex('/apps/a')],
    [hex('timestamp'), hex(String(NOW + random(200) - 100))],
    [hex('logged_in_customer_id'), hex(pick(['', '7']))],
  ];
  for (let count = random(6); count > 0; count--)
    params.push([pick(NAMES), random(20) > 0 ? pick(VALUES) : pick(NOT_TEXT)]);
  const route = `routes/${path.slice(1).replaceAll('/', '.')}${pick(['', '._index'])}`;
  const isData = random(4) === 0;
  const added: Pair[] = isData ? [[hex(pick(['_data', '_routes'])), hex(route)]] : [];
  // Only the data of an index route is asked for with an `index`.
  const mayHaveIndex = !isData || route.endsWith('_index');
  if (mayHaveIndex && random(4) === 0) added.push([hex('index'), hex('')]);
  const signature = hmac(
    documentedMessage([...params, ...added]),
    pick([SECRET, SECRET, PREVIOUS]),
  );
  // What the framework hands on: with what was signed, or without it, or with an `index` more.
  const kept = random(2) === 0 ? [...params, ...added] : params;
  if (random(10) === 0) kept.push([hex('index'), hex('')]);
  // Values of one name are signed in their order.
  const names = shuffled([...new Set(kept.map(([name]) => name))], random);
  const pairs = names.flatMap((name) => kept.filter(([other]) => other === name));
  const parts = pairs.map(([name, value]) =>
    value === '' && random(2) === 0 && name !== ''
      ? encoded(name, random)
      : `${encoded(name, random)}=${encoded(value, random)}`,
  );
  parts.splice(random(parts.length + 1), 0, `signature=${signature}`);
  if (random(20) === 0) parts.push('hmac=other');
  switch (random(25)) {
    case 0:
      parts.splice(random(parts.length), 1);
      break;
    case 1:
      parts.push(`${encoded(pick(NAMES), random)}=${encoded(pick(VALUES), random)}`);
      break;
    case 2:
      parts.push(pick(parts));
      break;
    case 3: {
      const at = random(parts.length);
      parts[at] += pick(['0', '%00', '+', ',']);
      break;
    }
    case 4:
      parts.reverse();
      break;
  }
  return { query: parts.join(pick(['&', '&', '&&'])), path };
}

describe('the signature of an app proxy', () => {
  it.each([
    [
      'the documentation',
      `shop=shop-name.myshopify.com&logged_in_customer_id=1&path_prefix=%2Fapps%2Fawesome_reviews&timestamp=1317327555&signature=4c68c8624d737112c91818c11017d24d334b524cb5c2b8ba08daa056f7395ddb&extra=1&extra=2`,
      1_317_327_555,
      'shop-name.myshopify.com',
    ],
    [
      'the older documentation, without a customer',
      `extra=1&extra=2&shop=shop-name.myshopify.com&path_prefix=%2Fapps%2Fawesome_reviews&timestamp=1317327555&signature=a9718877bea71c2484f91608a7eaea1532bdf71f5c56825065fa4ccabe549ef3`,
      1_317_327_555,
      'shop-name.myshopify.com',
    ],
    [
      'a visitor that has not logged in',
      `extra=1&extra=2&logged_in_customer_id=&path_prefix=%2Fapps%2Fawesome_reviews&shop=some-shop.myshopify.com&timestamp=1700000000&signature=5c97edf8a65c2c656736493fddb2339c50755e6a939f2c0f8588f0b93ac4970c`,
      NOW,
      SHOP,
    ],
    [
      'upper-case names, which come first',
      `apple=2&Zed=1&shop=s.myshopify.com&timestamp=1700000000&signature=751aeb9e455b6ddd511c4359934d895720a1e9585d63fc4472edcb4a2d282dea`,
      NOW,
      's.myshopify.com',
    ],
    [
      'a name that begins as another',
      `extra=1&extra2=2&shop=s.myshopify.com&timestamp=1700000000&signature=61414208e2472230670aa11e52a5a1773b532f6137f9866cdad03128b66571c7`,
      NOW,
      's.myshopify.com',
    ],
  ])('is that of %s', (_, query, now, shop) => {
    expect(check(query, { now })).toBe(`signed ${shop}`);
    expect(check(query.replace('shop=s', 'shop=t'), { now })).toBe('signature_invalid');
  });

  it.each([
    'apple=2&Zed=1&shop=s.myshopify.com&timestamp=1700000000&signature=92853f39581f0af0987ddf107d0d24e3c63f6378f33b05e645bd98d69da1387b',
    'extra=1&extra2=2&shop=s.myshopify.com&timestamp=1700000000&signature=468c69e91acbbbe8bc3ee505c7a4203d23d5913ac0965174bc7dbe6575a1a815',
  ])('is not the one over another order of the parameters: %s', (query) => {
    expect(check(query)).toBe('signature_invalid');
  });

  it('is judged as a second implementation judges it, in 100,000 requests', () => {
    const random = randomOf(20_261_123);
    const wrong: string[] = [];
    const counts = { genuine: 0, false: 0 };
    for (let count = 0; count < 100_000; count++) {
      const { query, path } = generated(random);
      const expected = documented(query, path);
      counts[expected ? 'genuine' : 'false']++;
      const found = check(query, { path });
      if (found.startsWith('signed') !== expected) wrong.push(`${path}?${query}: ${found}`);
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(counts.genuine).toBeGreaterThan(60_000);
    expect(counts.false).toBeGreaterThan(15_000);
  });

  it.each([
    [-91, 'timestamp_stale'],
    [-90, `signed ${SHOP}`],
    [90, `signed ${SHOP}`],
    [91, 'timestamp_stale'],
  ])('counts %d seconds from now', (seconds, expected) => {
    expect(check(signed({ shop: SHOP, timestamp: String(NOW + seconds) }))).toBe(expected);
  });

  it.each([
    ['', 'signature_missing'],
    ['signature=', 'signature_missing'],
    [signed({ shop: SHOP }), 'timestamp_invalid'],
    [signed({ shop: SHOP, timestamp: '' }), 'timestamp_invalid'],
    [signed({ shop: SHOP, timestamp: 'now' }), 'timestamp_invalid'],
    [signed({ shop: SHOP, timestamp: '1e9' }), 'timestamp_invalid'],
    [signed({ shop: SHOP, timestamp: `-${NOW}` }), 'timestamp_invalid'],
    [signed({ shop: SHOP, timestamp: `${NOW}.5` }), 'timestamp_invalid'],
    [signed({ shop: SHOP, timestamp: '9'.repeat(400) }), 'timestamp_invalid'],
    [`${signed(genuine())}&shop=${SHOP}`, 'parameter_repeated'],
    [`shop=other.myshopify.com&${signed(genuine())}`, 'parameter_repeated'],
    [`${signed(genuine())}&%73hop=${SHOP}`, 'parameter_repeated'],
    [`${signed(genuine())}&timestamp=${NOW}`, 'parameter_repeated'],
    [`${signed(genuine())}&signature=0`, 'parameter_repeated'],
    [`${signed(genuine())}&hmac=1&hmac=2`, 'parameter_repeated'],
    [signed({ ...genuine(), logged_in_customer_id: 'admin' }), 'parameter_invalid'],
    [signed(genuine()).toUpperCase(), 'signature_missing'],
    [signed(genuine()).replace(/signature=.*/, (text) => text.toUpperCase()), 'signature_missing'],
    [signed(genuine()).replace('signature=', 'signature=0'), 'signature_invalid'],
    [signed(genuine(), 'another secret'), 'signature_invalid'],
    [`${signed(genuine())}&more=1`, 'signature_invalid'],
    [`${signed({ ...genuine(), path_prefix: '/a' })}&path_prefix=/a`, 'parameter_repeated'],
    [signed({ timestamp: String(NOW) }), 'shop_missing'],
    [signed({ ...genuine(), shop: '' }), 'shop_invalid'],
    [signed({ ...genuine(), shop: `${SHOP}/` }), 'shop_invalid'],
    [signed(genuine(), PREVIOUS), `signed ${SHOP}`],
    [`${signed(genuine())}&hmac=whatever`, `signed ${SHOP}`],
    [`&&${signed(genuine())}&`, `signed ${SHOP}`],
  ])('is checked in ?%s: %s', (query, expected) => {
    expect(check(query)).toBe(expected);
  });

  it.each([
    ['', 8],
    ['&index=', 8],
    ['&index=1', 5],
    ['&_data=1', 5],
    ['&_data=1&_routes=1', 2],
    ['&_data=1&_routes=1&index=1', 1],
  ])('is compared with a bounded number of texts when it is wrong: ?%s', (more, most) => {
    const keys = new CountingKeys([SECRET]);
    const query = `${signed(genuine()).replace(/.$/, (last) => (last === '0' ? '1' : '0'))}${more}`;
    const checked = checkProxyQuery(
      { url: { search: `?${query}` }, path: '/a/b' },
      keys,
      new Date(NOW * 1000),
    );
    expect(checked).toMatchObject({ reason: 'signature_invalid' });
    expect(keys.verified).toBe(most);
  });

  it('allows for the data requests of the route of the root', () => {
    const query = (route: string): string =>
      signed({ ...genuine(), _data: route }).replace(/&_data=[^&]*/, '');
    expect(check(query('routes/_index'), { path: '/' })).toBe(`signed ${SHOP}`);
    expect(check(query('routes/proxy'), { path: '/proxy/' })).toBe(`signed ${SHOP}`);
    expect(check(query('routes/other'), { path: '/proxy' })).toBe('signature_invalid');
    expect(check(query('root'), { path: '/' })).toBe('signature_invalid');
  });

  // A visitor of `evil` chooses parameters so that the text that the platform signs for them can be
  // divided into those of another shop. The text is the same, and so is its signature.
  it('does not prove who the shop is when its text can be divided in two ways', () => {
    const chosen = { a: `1logged_in_customer_id=7path_prefix=/pshop=${SHOP}timestamp=${NOW}u=` };
    const evil = {
      ...genuine(),
      shop: 'evil.myshopify.com',
      logged_in_customer_id: '',
      path_prefix: '/p',
    };
    const message = messageOf({ ...chosen, ...evil });
    const forged = {
      a: '1',
      ...{ logged_in_customer_id: '7', path_prefix: '/p', shop: SHOP, timestamp: String(NOW) },
      u: message.slice(message.indexOf('u=') + 2),
    };
    expect(messageOf(forged)).toBe(message);
    const query = new URLSearchParams({ ...forged, signature: hmac(Buffer.from(message)) });
    expect(documented(query.toString(), '/proxy')).toBe(true);
    expect(check(query.toString())).toBe('signature_ambiguous');
  });

  it('does not prove who the customer is, either', () => {
    const visit = { ...genuine(), logged_in_customer_id: '9', path_prefix: '/p' };
    const message = messageOf({ a: '1logged_in_customer_id=7m=', ...visit });
    const forged = { ...visit, a: '1', logged_in_customer_id: '7', m: 'logged_in_customer_id=9' };
    expect(messageOf(forged)).toBe(message);
    const query = new URLSearchParams({ ...forged, signature: hmac(Buffer.from(message)) });
    expect(check(query.toString())).toBe('signature_ambiguous');
  });

  // Whoever installs the app chooses the `state`, and reads the signature in the address.
  it('is not that of a query of the admin, over plain values', () => {
    const state = `logged_in_customer_id=7shop=${SHOP}timestamp=${NOW}u=`;
    const message = `code=c&host=h&shop=evil.myshopify.com&state=${state}&timestamp=${NOW}`;
    const forged = {
      code: 'c&host=h&shop=evil.myshopify.com&state=',
      ...{ logged_in_customer_id: '7', shop: SHOP, timestamp: String(NOW) },
      u: `&timestamp=${NOW}`,
    };
    expect(messageOf(forged)).toBe(message);
    expect(check(signed(forged))).toBe('signature_ambiguous');
  });

  it('is not doubted for an address in a parameter', () => {
    const page = `/apps/a?logged_in_customer_id=9&path_prefix=%2Fp&shop=${SHOP}&timestamp=${NOW}`;
    const visit = { ...genuine(), logged_in_customer_id: '9', path_prefix: '/p' };
    for (const name of ['next', 'z', 'Return'])
      expect(check(signed({ ...visit, [name]: page }))).toBe(`signed ${SHOP}`);
  });
});

class CountingKeys extends SecretKeys {
  verified = 0;
  override verify(...args: Parameters<SecretKeys['verify']>): boolean {
    this.verified++;
    return super.verify(...args);
  }
}

function genuine(): Record<string, string> {
  return { shop: SHOP, timestamp: String(NOW) };
}

function messageOf(params: Readonly<Record<string, string>>): string {
  return documentedMessage(
    Object.entries(params).map(([name, value]) => [hex(name), hex(value)]),
  ).toString();
}

function signed(params: Readonly<Record<string, string>>, secret = SECRET): string {
  const signature = hmac(Buffer.from(messageOf(params)), secret);
  return new URLSearchParams({ ...params, signature }).toString();
}
