import { describe, expect, it } from '@jest/globals';

import { resolveConfig } from '../../../lib/core/config/config.schema.js';
import { denied } from '../../../lib/core/decision.js';
import type { Decision } from '../../../lib/core/decision.js';
import {
  inboundPath,
  inboundUrl,
  wantsDocument,
  mergeHeaders,
  replyTo as replyOf,
} from '../../../lib/core/http/inbound-request.js';
import type { InboundRequest, Reply } from '../../../lib/core/http/inbound-request.js';
import { SHOP, appOptions } from '../../support/app.js';

const config = resolveConfig(appOptions());

function request(headers: Readonly<Record<string, string>> = {}, method = 'GET'): InboundRequest {
  return {
    method,
    url: new URL('https://app.example.com/'),
    path: '/',
    header: (name) => headers[name],
    rawBody: () => Promise.resolve(Buffer.alloc(0)),
  };
}

const replyTo = (inbound: InboundRequest, decision: Decision, shop?: string): Reply =>
  replyOf(inbound, decision, config, shop);

describe('a refusal', () => {
  const decision = denied(403, 'some_reason', 'Not <b>you</b>.', [['x-more', '1']]);

  it('is JSON with a reason for a script', () => {
    const reply = replyTo(request({ 'sec-fetch-dest': 'empty' }), decision);
    expect(reply.status).toBe(403);
    expect(JSON.parse(reply.body)).toEqual({ error: 'some_reason', message: 'Not <b>you</b>.' });
    expect(Object.fromEntries(reply.headers)).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-more': '1',
    });
  });

  it('is an escaped page for a browser', () => {
    const reply = replyTo(request({ 'sec-fetch-dest': 'document' }), decision);
    expect(reply.body).toContain('Not &lt;b&gt;you&lt;/b&gt;.');
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-more': '1',
    });
  });
});

describe('any other decision', () => {
  it('becomes a redirect that is not kept, cookies included', () => {
    const headers = [
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ] as const;
    expect(replyTo(request(), { kind: 'redirect', location: '/x', reason: 'r', headers })).toEqual({
      status: 302,
      headers: [['location', '/x'], ['cache-control', 'no-store'], ...headers],
      body: '',
    });
  });

  it('becomes a page, or an empty answer', () => {
    expect(replyTo(request(), { kind: 'document', html: '<p>', reason: 'r' })).toMatchObject({
      status: 200,
      body: '<p>',
    });
    expect(replyTo(request(), { kind: 'accepted', reason: 'r', status: 202 })).toEqual({
      status: 202,
      headers: [],
      body: '',
    });
  });
});

describe('who may frame a page', () => {
  const policyOf = (
    inbound: InboundRequest,
    decision: Decision,
    shop?: string,
  ): string | undefined =>
    Object.fromEntries(replyTo(inbound, decision, shop).headers)['content-security-policy'];
  const about = (search: string): InboundRequest => ({
    ...request(),
    url: new URL(`https://app.example.com/${search}`),
  });
  const error = denied(400, 'r', 'm');
  const page = { kind: 'document', html: '<p>', reason: 'r' } as const;

  it('is the shop of the session, or the one that the request names once', () => {
    expect(policyOf(about(''), error, 'a.myshopify.com')).toContain('https://a.myshopify.com');
    expect(policyOf(about('?shop=b.myshopify.com'), error, 'a.myshopify.com')).not.toContain(
      'b.myshopify.com',
    );
    for (const decision of [error, page])
      expect(policyOf(about(`?shop=${SHOP}`), decision)).toContain(`https://${SHOP} `);
    expect(policyOf(about(`?shop=${SHOP}&shop=a.myshopify.com`), error)).toMatch(
      /^frame-ancestors https:\/\/admin\.shopify\.com /,
    );
  });

  it('is nobody for another page without a shop, and whoever the page itself says', () => {
    expect(policyOf(about(''), page)).toBe("frame-ancestors 'none';");
    const headers = [['content-security-policy', 'frame-ancestors https://a.example;']] as const;
    expect(policyOf(about(`?shop=${SHOP}`), { ...page, headers })).toBe(
      'frame-ancestors https://a.example;',
    );
  });
});

describe('wantsDocument', () => {
  it.each<[boolean, string, InboundRequest]>([
    [true, 'a page load', request({ 'sec-fetch-dest': 'document' })],
    [true, 'a page load in a frame', request({ 'sec-fetch-dest': 'iframe' })],
    [true, 'an old browser', request({ accept: 'text/html,*/*' })],
    [false, 'a fetch', request({ 'sec-fetch-dest': 'empty', accept: 'text/html' })],
    [
      true,
      'a page load of a site behind a password',
      request({ authorization: 'Basic eDp5', 'sec-fetch-dest': 'document' }),
    ],
    [
      true,
      'an old browser on such a site',
      request({ authorization: 'Basic eDp5', accept: 'text/html,*/*' }),
    ],
    [
      true,
      'a page load of an app’s web view, which names itself',
      request({ 'x-requested-with': 'com.example', 'sec-fetch-dest': 'document' }),
    ],
    [
      false,
      'a fetch with a session token',
      request({ authorization: 'Bearer x', 'sec-fetch-dest': 'empty' }),
    ],
    [
      false,
      'a session token in lower case, from an old browser',
      request({ authorization: 'bearer x', accept: 'text/html' }),
    ],
    [
      false,
      'an XMLHttpRequest',
      request({ 'x-requested-with': 'XMLHttpRequest', accept: 'text/html' }),
    ],
    [false, 'an API client', request({ accept: '*/*' })],
    [false, 'a form posted by something unknown', request({ accept: 'text/html' }, 'POST')],
  ])('answers %s for %s', (expected, _, inbound) => {
    expect(wantsDocument(inbound)).toBe(expected);
  });
});

describe('inboundUrl', () => {
  it.each([
    ['/a?b=c', 'https://app.example.com/a?b=c'],
    ['//evil.example.com/a', 'https://app.example.com//evil.example.com/a'],
    ['https://evil.example.com/a', 'https://app.example.com/'],
    ['*', 'https://app.example.com/'],
    ['', 'https://app.example.com/'],
    [undefined, 'https://app.example.com/'],
    ['/@evil.example.com', 'https://app.example.com/@evil.example.com'],
    ['/a\\b\0 c', 'https://app.example.com/a/b%00%20c'],
  ])('keeps %j on the app’s own origin', (target, url) => {
    expect(inboundUrl(target, 'https://app.example.com').href).toBe(url);
  });
});

describe('mergeHeaders', () => {
  const merged = (
    existing: [string, string][],
    headers: readonly (readonly [string, string])[],
  ): [string, string][] => {
    const target = new Headers(existing);
    mergeHeaders(target, headers);
    return [...target];
  };

  it('adds cookies to those that are set, and replaces any other header', () => {
    const existing: [string, string][] = [
      ['set-cookie', 'own=1'],
      ['cache-control', 'public'],
      ['x-own', 'stays'],
    ];
    expect(
      merged(existing, [
        ['Set-Cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['Cache-Control', 'no-store'],
      ]),
    ).toEqual([
      ['cache-control', 'no-store'],
      ['set-cookie', 'own=1'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['x-own', 'stays'],
    ]);
  });

  it('replaces only who may frame the page in the policy of the app', () => {
    const own = [['content-security-policy', "default-src 'self'; frame-ancestors *"]];
    const header = ['Content-Security-Policy', "frame-ancestors 'none';"] as const;
    expect(merged(own as [string, string][], [header])).toEqual([
      ['content-security-policy', "default-src 'self', frame-ancestors 'none';"],
    ]);
  });

  it('changes nothing without headers', () => {
    const target = new Headers({ 'x-own': 'stays' });
    mergeHeaders(target, undefined);
    expect([...target]).toEqual([['x-own', 'stays']]);
  });
});

describe('inboundPath', () => {
  it.each([
    undefined,
    '',
    '*',
    '/',
    '/?a=/b',
    '/webhooks',
    '/webhooks/?shop=a',
    '/api/web-hooks_2/',
    '//elsewhere.example/a',
    '/a//b',
    '/a/../b',
    '/a/%2e%2e/b',
    '/a\\b',
    '/a\tb',
    '/a#b?c',
    '/a b',
    '/Ä',
    '/%zz',
    'https://elsewhere.example/a',
  ])('is the path that a URL parser finds in %p', (target) => {
    const { pathname } = inboundUrl(target, 'https://app.example.com');
    expect(inboundPath(target, 'https://app.example.com')).toBe(pathname);
  });
});
