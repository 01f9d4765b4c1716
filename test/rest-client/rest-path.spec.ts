import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'node:querystring';

import { apiHeaders } from '../../lib/core/http/api-request.js';
import { InvalidRequestError } from '../../lib/core/http/http.errors.js';
import { pathText, restUrl } from '../../lib/rest-client/rest-path.js';
import type { RestPath } from '../../lib/rest-client/rest-path.js';
import type { SearchParams } from '../../lib/rest-client/search-params.js';

const ORIGIN = 'https://test-shop.myshopify.com';
const BASE = '/admin/api/2026-07/';

const urlOf = (path: RestPath, searchParams?: SearchParams, formatPaths = true): string =>
  restUrl(ORIGIN, { path, apiVersion: '2026-07', searchParams }, formatPaths);

describe('the path of a REST call', () => {
  const none: readonly unknown[] = [
    ...[undefined, null, 42, {}, { path: 'products' }],
    ...[
      ['products', undefined],
      ['products', Number.NaN],
      ['products', {}],
    ],
  ];
  it.each(none.map((path) => [path]))('is none when it is %p', (given) => {
    const path = given as unknown as RestPath;
    expect(() => urlOf(path)).toThrow(InvalidRequestError);
    expect(() => pathText(path)).toThrow(InvalidRequestError);
  });

  it.each<[RestPath, string]>([
    [['products', 1], `${BASE}products/1.json`],
    [
      ['products', 9223372036854775807n, 'metafields'],
      `${BASE}products/9223372036854775807/metafields.json`,
    ],
    [['products', '1/../../x?y#z'], `${BASE}products/1%2F..%2F..%2Fx%3Fy%23z.json`],
    [['products', 'ü \ud800'], `${BASE}products/%C3%BC%20%EF%BF%BD.json`],
    ['products/1#2', `${BASE}products/1%232.json`],
    ['products/a b', `${BASE}products/a%20b.json`],
    ['\\evil.example\\x', `${BASE}%5Cevil.example%5Cx.json`],
    [
      `${ORIGIN}${BASE}products.json?page_info=abc&limit=2`,
      `${BASE}products.json?page_info=abc&limit=2`,
    ],
    [`HTTPS://TEST-SHOP.myshopify.com:443${BASE}shop.json`, `${BASE}shop.json`],
  ])('%p leads to %p', (path, expected) => {
    expect(urlOf(path)).toBe(ORIGIN + expected);
  });

  it.each([
    'https://evil.example/admin/api/2026-07/shop.json',
    'http://test-shop.myshopify.com/admin/api/2026-07/shop.json',
    'https://test-shop.myshopify.com.evil.example/x',
    'https://user:password@test-shop.myshopify.com/x',
    'https://',
  ])('does not lead to %p', (path) => {
    expect(() => urlOf(path)).toThrow(expect.objectContaining({ code: 'ERR_REQUEST_INVALID' }));
    expect(() => urlOf(path, undefined, false)).toThrow(ORIGIN);
  });

  it.each<RestPath>([
    '../x',
    'products/../../oauth',
    'products/%2e%2E/x',
    'a/.',
    ['products', '..'],
    './x?y',
  ])('does not climb: %p', (path) => {
    expect(() => urlOf(path)).toThrow(expect.objectContaining({ code: 'ERR_REQUEST_INVALID' }));
  });

  it('names its call without the query', () => {
    expect([pathText('products?limit=5'), pathText(['products', 1])]).toEqual([
      'products',
      'products/1',
    ]);
  });
});

// As a browser would resolve what `fetch` is given.
const resolved = (url: string): URL => new URL(url, 'https://elsewhere.example');
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.webPath(),
  fc.webUrl(),
  fc
    .array(
      fc.constantFrom(
        '/',
        '\\',
        '//',
        '..',
        '.',
        '@',
        ':',
        '?',
        '#',
        '%2e',
        '%',
        'admin',
        'evil.example',
        'https:',
        '\t',
        '\n',
        ' ',
        '\0',
      ),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join('')),
);
const refusedOr = (make: () => string): URL | undefined => {
  try {
    return resolved(make());
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_REQUEST_INVALID')
      return undefined;
    throw error;
  }
};

describe('whatever a path is made of', () => {
  it('it stays with the store, below the interface it names', () => {
    fc.assert(
      fc.property(hostile, fc.boolean(), (path, formatPaths) => {
        const url = refusedOr(() => urlOf(path, undefined, formatPaths));
        if (!url) return;
        expect([url.origin, url.username, url.hash]).toEqual([ORIGIN, '', '']);
        if (formatPaths) expect(url.pathname).toMatch(/^\/admin\/.*\.json$|^\/admin\.json$/s);
      }),
      { numRuns: 2000 },
    );
  });

  it('an id is one segment and comes back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        const url = refusedOr(() => urlOf(['products', id, 'images']));
        if (/^\.{1,2}$/.test(id)) return expect(url).toBeUndefined();
        const [, , , version, resource, segment, child] = url!.pathname.split('/');
        expect([url!.origin, version, resource, decodeURIComponent(segment!), child]).toEqual([
          ORIGIN,
          '2026-07',
          'products',
          id,
          'images.json',
        ]);
      }),
      { numRuns: 1000 },
    );
  });

  it('search parameters come back as they were', () => {
    const text = fc.string({ unit: 'grapheme' });
    const name = text.filter((key) => key !== '' && !/[[\]]/.test(key) && key !== '__proto__');
    fc.assert(
      fc.property(
        fc.dictionary(
          name,
          fc.oneof(
            text,
            fc.integer(),
            fc.boolean(),
            fc.array(text, { minLength: 1 }),
            fc.dictionary(name, text, { minKeys: 1 }),
          ),
        ),
        (params) => {
          const expected: Record<string, string | string[]> = {};
          for (const [key, value] of Object.entries(params)) {
            if (Array.isArray(value)) expected[`${key}[]`] = value.length === 1 ? value[0]! : value;
            else if (typeof value === 'object')
              for (const [inner, deep] of Object.entries(value))
                expected[`${key}[${inner}]`] = deep;
            else expected[key] = String(value);
          }
          const { origin, search } = resolved(urlOf('products', params));
          expect([origin, { ...parse(search.slice(1)) }]).toEqual([ORIGIN, expected]);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('whatever headers a caller adds', () => {
  it('the token is the one of the client, once, and each name is there once', () => {
    const name = fc.oneof(
      fc.constantFrom(
        'X-Shopify-Access-Token',
        'x-SHOPIFY-access-TOKEN',
        'Accept',
        'ACCEPT',
        'User-Agent',
        'Content-Type',
      ),
      fc.stringMatching(/^[A-Za-z][A-Za-z-]{0,20}$/),
    );
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.oneof(fc.stringMatching(/^[\x21-\x7e]{1,20}$/), fc.integer())),
        (own) => {
          const headers = new Headers(apiHeaders(own, 'the-token', 'the-agent'));
          expect([headers.get('x-shopify-access-token'), headers.get('accept')]).toEqual([
            'the-token',
            'application/json',
          ]);
          expect(headers.get('user-agent')).toMatch(/(?:^|\| )the-agent$/);
        },
      ),
    );
  });
});
