import { describe, expect, it } from '@jest/globals';

import { InvalidHostError, InvalidShopError } from '../../lib/core/core.errors.js';
import {
  decodeHost,
  legacyUrlToShopAdminUrl,
  sanitizeHost,
  sanitizeShop,
  shopAdminUrlToLegacyUrl,
  shopNamedBy,
  shopTyped,
  withoutTrailingSlashes,
} from '../../lib/core/shop-domain.js';
import { UNDECODABLE } from '../support/undecodable.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('sanitizeShop', () => {
  it.each([
    'a.myshopify.com',
    '1.myshopify.com',
    'dev-shop-.myshopify.io',
    'a_b.myshopify.com',
    'a.shop.dev',
  ])('keeps %s', (shop) => {
    expect(sanitizeShop(shop)).toBe(shop);
  });

  it.each([
    ['a.myshopify.com/', 'a.myshopify.com'],
    ['a.myshopify.com///', 'a.myshopify.com'],
    ['A.MyShopify.COM', 'a.myshopify.com'],
    ['admin.shopify.com/store/foo', 'foo.myshopify.com'],
    ['https://admin.shopify.com/store/foo', 'foo.myshopify.com'],
    ['https://admin.shopify.com/store/foo/', 'foo.myshopify.com'],
    ['admin.myshopify.com/store/foo', 'foo.myshopify.com'],
    ['admin.myshopify.io/store/foo', 'foo.myshopify.io'],
    ['admin.shop.dev/store/foo', 'foo.shop.dev'],
  ])('makes one canonical domain of %s', (shop, domain) => {
    expect(sanitizeShop(shop)).toBe(domain);
  });

  it.each<unknown>([
    ...[
      '',
      'shopify.com',
      'myshopify.com',
      'a.b.myshopify.com',
      '-a.myshopify.io',
      'x.spin.dev',
      'notshopify.com',
      'a.shopify.com',
    ],
    ...[
      'https://a.myshopify.com',
      'admin.shopify.com',
      'admin.myshopify.com',
      'admin.shop.dev',
      'admin.spin.dev/store/foo',
    ],
    ...[
      'not-admin.shopify.com/store/x',
      'admin.shopify.com/store/',
      'admin.shopify.com/store/a/b',
      'admin.shopify.com/other/a',
    ],
    ...[
      'a.myshopify.com.evil.example.com',
      'a.myshopify.com@evil',
      'a.myshopify.com\n',
      ' a.myshopify.com',
      'a.myshopify.com?b',
      'аa.myshopify.com',
    ],
    ...[undefined, null, 42, true, {}, ['a.myshopify.com'], `${'a'.repeat(300)}.myshopify.com`],
  ])('refuses %p', (shop) => {
    expect(sanitizeShop(shop)).toBeNull();
    expect(() => sanitizeShop(shop, true)).toThrow(InvalidShopError);
  });
});

describe('a shop', () => {
  /**
   * Every shop's address has to be a URL with the shop as its host:
   * https://url.spec.whatwg.org/#host-parsing
   */
  const formsUrl = (domain: string): boolean =>
    URL.canParse(`https://${domain}`) && new URL(`https://${domain}`).host === domain;

  // `xn--a.myshopify.com` was a shop, and every page that made a URL of it failed.
  (UNDECODABLE.length > 0 ? it : it.skip).each(['xn--a', 'xn--0', 'xn--a_b', 'XN--A'])(
    'is no name that cannot stand in a URL: %s',
    (name) => {
      expect(sanitizeShop(`${name}.myshopify.com`)).toBeNull();
      expect(sanitizeShop(`https://admin.shopify.com/store/${name}`)).toBeNull();
      expect(shopNamedBy(`https://${name}.myshopify.com/admin`)).toBeNull();
      expect(shopTyped(name)).toBeNull();
      expect(legacyUrlToShopAdminUrl(`${name}.myshopify.com`)).toBeNull();
    },
  );

  it('may be one whose name is encoded', () => {
    expect(sanitizeShop('xn--bcher-kva.myshopify.com')).toBe('xn--bcher-kva.myshopify.com');
  });

  it('is exactly what has the form of one and forms a URL', () => {
    let seed = 20_260_101;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const wrong: string[] = [];
    const pieces = [
      'xn--',
      'xn-',
      'xn',
      '--',
      '-',
      '_',
      '0x',
      '0',
      '7',
      'a',
      'z',
      'b9',
      'kva',
      '127',
      'admin',
      'store',
    ];
    for (let round = 0; round < 50_000; round++) {
      const name = Array.from({ length: 1 + random(6) }, () => pieces[random(pieces.length)]).join(
        '',
      );
      const domain = `${name}.${['myshopify.com', 'shop.dev', 'myshopify.io'][random(3)]}`;
      const isShop = /^[a-z0-9]/.test(name) && name !== 'admin' && formsUrl(domain);
      if ((sanitizeShop(domain) !== null) !== isShop) wrong.push(domain);
    }
    expect(wrong).toEqual([]);
  });
});

describe('sanitizeHost', () => {
  it.each([
    'admin.shopify.com/store/dev-shop',
    'dev-shop.myshopify.com/admin',
    'dev-shop.myshopify.com',
    'x.myshopify.io/admin',
    'admin.spin.dev/store/foo',
    'admin.shop.dev/store/foo',
  ])('keeps the base64 of %s', (address) => {
    expect(sanitizeHost(base64(address))).toBe(base64(address));
    expect(sanitizeHost(base64(address).replace(/=+$/, ''))).not.toBeNull();
    expect(decodeHost(base64(address))).toBe(address);
  });

  it.each<unknown>([
    ...[
      '',
      'A',
      'ABCDE',
      'plain text',
      'admin.shopify.com',
      `${base64('admin.shopify.com/store/x')}.evil`,
      `${base64('admin.shopify.com')}===`,
    ],
    ...[
      'evil.example.com',
      'shopify.com',
      'evilshopify.com/x',
      'admin.shopify.com.evil.com',
      'admin.shopify.com@evil.com',
    ].map(base64),
    ...[
      'admin.shopify.com:80',
      'admin.shopify.com//x',
      'admin.shopify.com\t',
      'admin.shopify.com?x',
      'https://admin.shopify.com',
      '\0',
    ].map(base64),
    ...[
      '-_-_',
      base64(`admin.shopify.com/${'a'.repeat(2000)}`),
      undefined,
      null,
      42,
      [base64('admin.shopify.com/store/x')],
    ],
  ])('refuses %p', (host) => {
    expect(sanitizeHost(host)).toBeNull();
    expect(() => sanitizeHost(host, true)).toThrow(InvalidHostError);
  });
});

describe('the two addresses of a shop', () => {
  it.each([
    ['dev-shop.myshopify.com', 'admin.shopify.com/store/dev-shop'],
    ['dev-shop.shop.dev', 'admin.shop.dev/store/dev-shop'],
    ['dev-shop.myshopify.io', 'admin.myshopify.io/store/dev-shop'],
  ])('lead to each other: %s, %s', (legacy, admin) => {
    for (const prefix of ['', 'https://', 'http://']) {
      expect(legacyUrlToShopAdminUrl(prefix + legacy)).toBe(admin);
      expect(shopAdminUrlToLegacyUrl(prefix + admin)).toBe(legacy);
    }
  });

  it.each([
    '',
    'evil.example.com',
    'https://evil.example.com/store/x',
    'admin.evil.com/store/x',
    'dev-shop.myshopify.com/x',
  ])('are not made up for %j', (url) => {
    expect(legacyUrlToShopAdminUrl(url)).toBeNull();
    expect(shopAdminUrlToLegacyUrl(url)).toBeNull();
  });

  it.each([undefined, null, 1, ['dev-shop.myshopify.com']])(
    'are not made up for what is no text: %j',
    (parameter) => {
      expect(legacyUrlToShopAdminUrl(parameter)).toBeNull();
      expect(shopAdminUrlToLegacyUrl(parameter)).toBeNull();
    },
  );

  // They were refused, and the official function knows them.
  it.each(['/apps/my-app', '/products/1?a=b', '/', '?a=b', '#a', `/${'a'.repeat(300)}`])(
    'is found in that of a page of the admin: …%s',
    (page) => {
      for (const prefix of ['', 'https://'])
        expect(shopAdminUrlToLegacyUrl(`${prefix}admin.shopify.com/store/dev-shop${page}`)).toBe(
          'dev-shop.myshopify.com',
        );
    },
  );

  it.each(['/..', '/../other', '/a/../../other', '/%2E%2e/other', '/a\\..\\..\\other', '/.?a'])(
    'is not found where a browser would go to another page: …%s',
    (page) => {
      expect(shopAdminUrlToLegacyUrl(`admin.shopify.com/store/dev-shop${page}`)).toBeNull();
    },
  );

  it('is found however its address is spelled', () => {
    expect(shopAdminUrlToLegacyUrl('HTTPS://Admin.Shopify.com/STORE/Dev-Shop/..apps')).toBe(
      'dev-shop.myshopify.com',
    );
  });

  it('are not taken for one another', () => {
    expect(legacyUrlToShopAdminUrl('admin.shopify.com/store/dev-shop')).toBeNull();
    expect(shopAdminUrlToLegacyUrl('dev-shop.myshopify.com')).toBeNull();
  });
});

describe('shopNamedBy', () => {
  it.each([
    'https://dev-shop.myshopify.com',
    'https://dev-shop.myshopify.com/admin',
    'dev-shop.myshopify.com/admin',
    'https://admin.shopify.com/store/dev-shop',
  ])('finds the shop in %s', (address) => {
    expect(shopNamedBy(address)).toBe('dev-shop.myshopify.com');
  });

  it.each([
    '',
    'http://dev-shop.myshopify.com',
    'https://x@dev-shop.myshopify.com',
    'https://evil.example.com/dev-shop.myshopify.com',
    'https://',
  ])('finds none in %j', (address) => {
    expect(shopNamedBy(address)).toBeNull();
  });
});

describe('shopTyped', () => {
  it.each([
    ['my-shop', 'my-shop.myshopify.com'],
    [' My-Shop ', 'my-shop.myshopify.com'],
    ['my-shop.myshopify.com', 'my-shop.myshopify.com'],
    ['https://my-shop.myshopify.com/', 'my-shop.myshopify.com'],
    ['admin.shopify.com/store/my-shop', 'my-shop.myshopify.com'],
    ['evil.example', null],
    ['', null],
    ['my shop', null],
  ])('takes %j for %s', (text, shop) => expect(shopTyped(text)).toBe(shop));
});

describe('withoutTrailingSlashes', () => {
  it.each([
    ['', ''],
    ['/', ''],
    ['///', ''],
    ['/auth', '/auth'],
    ['/auth///', '/auth'],
    ['//a//b/', '//a//b'],
    ['/a/ ', '/a/ '],
  ])('makes %p %p', (text, expected) => {
    expect(withoutTrailingSlashes(text)).toBe(expected);
  });
});
