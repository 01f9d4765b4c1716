import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import type { RequestHandler } from 'express';

import { platformApp } from '../../../lib/integrations/express/index.js';
import type {
  ExpressAppProxy,
  ExpressSignedRequest,
} from '../../../lib/integrations/express/index.js';
import {
  API_KEY,
  API_SECRET,
  SHOP,
  TOKEN,
  appParts,
  bodySignature,
  extensionToken,
  install,
  proxyQuery,
  seconds,
  signedPost,
} from './signed.fixture.js';

let stop = async (): Promise<void> => {};
afterEach(() => stop());

async function open({ parser }: { parser?: 'before' | 'behind' } = {}) {
  const { options, ...parts } = appParts();
  const { apiVersion, logger, clock, fetch: platformFetch } = options;
  const shopify = platformApp({
    api: {
      ...{ apiKey: API_KEY, apiSecretKey: API_SECRET, apiVersion, scopes: [] },
      ...{ hostName: 'app.example.com', logger, clock, fetch: platformFetch },
    },
    sessionStorage: parts.sessionStorage,
  });
  const app = express();
  if (parser === 'before') app.use(express.json());
  const behind: RequestHandler =
    parser === 'behind' ? express.json() : (_req, _res, next) => next();
  const seen: { appProxy?: ExpressAppProxy; signed?: ExpressSignedRequest } = {};
  app.use('/proxy', shopify.validateAppProxy(), (_req, res) => {
    const { appProxy } = res.locals.shopify;
    seen.appProxy = appProxy;
    appProxy.liquid('<a href="/next">', { layout: false, status: 201, headers: { 'x-a': '1' } });
  });
  app.all('/flow', shopify.validateFlow(), behind, (_req, res) => {
    seen.signed = res.locals.shopify.flow;
    res.json({ shop: res.locals.shopify.session.shop });
  });
  app.all('/fulfillment', shopify.validateFulfillmentService(), behind, (_req, res) => {
    seen.signed = res.locals.shopify.fulfillmentService;
    res.json({ shop: res.locals.shopify.session.shop });
  });
  for (const [path, guard] of [
    ['/checkout', shopify.validateCheckout],
    ['/account', shopify.validateCustomerAccount],
    ['/pos', shopify.validatePos],
  ] as const)
    app.all(path, guard({ corsHeaders: ['X-Extra'] }), (_req, res) => {
      res.json({ dest: res.locals.shopify.sessionToken.dest });
    });
  const server: Server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await shopify.close();
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const visit = (params: Readonly<Record<string, string>> = {}, init?: RequestInit) => {
    const timestamp = String(seconds(parts.clock));
    return fetch(`${url}/proxy/page?${proxyQuery({ shop: SHOP, timestamp, ...params })}`, init);
  };
  return { ...parts, url, seen, visit };
}

describe('validateAppProxy()', () => {
  it('hands over what the shop has, and answers with Liquid', async () => {
    const { visit, seen, platform, ...rest } = await open();
    await install(rest);
    const response = await visit({ q: 'a b' });
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('application/liquid');
    expect(response.headers.get('x-a')).toBe('1');
    expect(await response.text()).toBe('{% layout none %} <a href="/next/">');
    const { admin, storefront, session, shop } = seen.appProxy!;
    expect([session?.accessToken, shop]).toEqual([TOKEN, SHOP]);
    expect((await admin!.graphql('{ shop { name } }')).data).toEqual({ shop: { name: 'Test' } });
    expect((await storefront!.graphql('{ shop { name } }')).status).toBe(200);
    expect(platform.sent.map(({ url }) => new URL(url).pathname)).toEqual([
      '/admin/api/2026-07/graphql.json',
      '/api/2026-07/graphql.json',
    ]);
  });

  it('takes a posted form of a shop without a session', async () => {
    const { visit, seen } = await open({ parser: 'before' });
    const response = await visit({}, { method: 'POST', body: new URLSearchParams({ a: '1' }) });
    expect(response.status).toBe(201);
    expect(seen.appProxy).toMatchObject({ shop: SHOP, session: undefined });
    expect([seen.appProxy?.admin, seen.appProxy?.storefront]).toEqual([undefined, undefined]);
  });

  it.each([
    ['', 'signature_missing'],
    [`shop=${SHOP}&timestamp=1&signature=${'0'.repeat(64)}`, 'timestamp_stale'],
    [proxyQuery({ shop: SHOP }), 'timestamp_invalid'],
    ['%', 'signature_missing'],
    [`signature=1&signature=2`, 'parameter_repeated'],
  ])('refuses ?%s', async (query, reason) => {
    const { url, seen } = await open();
    const response = await fetch(`${url}/proxy?${query}`, {
      headers: { accept: 'application/json' },
    });
    expect([response.status, await response.json()]).toMatchObject([400, { error: reason }]);
    expect(seen.appProxy).toBeUndefined();
  });
});

describe.each([
  ['validateFlow()', '/flow', { shopify_domain: SHOP, note: 'é' }],
  ['validateFulfillmentService()', '/fulfillment', { kind: 'CANCELLATION_REQUEST' }],
])('%s', (_, path, payload) => {
  // The parser behind it found the body too short: it had been read, and had not ended.
  it.each([undefined, 'before', 'behind'] as const)(
    'hands over the signed body (parser: %s)',
    async (parser) => {
      const { url, seen, ...rest } = await open({ ...(parser && { parser }) });
      await install(rest);
      const response = await fetch(url + path, signedPost(payload));
      expect([response.status, await response.json()]).toEqual([200, { shop: SHOP }]);
      expect(seen.signed?.payload).toEqual(payload);
      expect((await seen.signed!.admin.graphql('{ shop { name } }')).status).toBe(200);
    },
  );

  it('refuses what the platform has not signed', async () => {
    const { url, seen, ...rest } = await open();
    await install(rest);
    const wrong = { 'x-shopify-hmac-sha256': bodySignature('else') };
    const statuses = await Promise.all(
      [{}, { method: 'POST' }, signedPost(payload, wrong), signedPost('{')].map(
        async (init) => (await fetch(url + path, init)).status,
      ),
    );
    expect(statuses).toEqual([405, 400, 400, 400]);
    expect(seen.signed).toBeUndefined();
  });

  it('refuses a shop without a session', async () => {
    const { url } = await open();
    const response = await fetch(url + path, signedPost(payload));
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: 'session_missing' },
    ]);
  });
});

describe.each(['/checkout', '/account', '/pos'])('the middleware for extensions at %s', (path) => {
  const origin = 'https://extensions.example.com';

  it('lets a token in, and the extension read the answer', async () => {
    const { url, clock } = await open();
    const headers = { authorization: `Bearer ${extensionToken(clock)}`, origin };
    const response = await fetch(url + path, { method: 'POST', headers });
    expect([response.status, await response.json()]).toEqual([200, { dest: SHOP }]);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'Authorization, Content-Type, X-Extra',
    );
  });

  it('answers preflight requests, and refuses others readably', async () => {
    const { url } = await open();
    const preflight = await fetch(url + path, { method: 'OPTIONS', headers: { origin } });
    expect([preflight.status, await preflight.text()]).toEqual([204, '']);
    for (const [headers, status] of [
      [{}, 401],
      [{ authorization: 'Bearer x' }, 401],
      [{ 'user-agent': 'Googlebot' }, 410],
    ] as const) {
      const response = await fetch(url + path, { headers: { ...headers, origin } });
      expect(response.status).toBe(status);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    }
  });
});
