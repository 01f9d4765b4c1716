import { afterEach, describe, expect, it } from '@jest/globals';

import { AppDistribution } from '../../../lib/integrations/remix/index.js';
import type { RemixAppOptions } from '../../../lib/integrations/remix/index.js';
import {
  APP_URL,
  GRANTED,
  SHOP,
  TOKEN,
  WEB_HOSTS,
  install,
  proxyQuery,
  seconds,
  thrown,
} from './signed.fixture.js';

const QUERY = '{ shop { name } }';

describe.each(WEB_HOSTS)('authenticate.public.appProxy of $name', (host) => {
  let close = async (): Promise<void> => {};
  afterEach(() => close());

  function open(options?: Partial<RemixAppOptions>) {
    const opened = host.open(options);
    close = () => opened.app.close();
    const visit = (
      params: Readonly<Record<string, string>> = {},
      init?: RequestInit,
      path = '/proxy',
    ) => {
      const timestamp = String(seconds(opened.clock));
      const query = proxyQuery({ shop: SHOP, timestamp, path_prefix: '/apps/a', ...params });
      return opened.app.authenticate.public.appProxy(
        new Request(`${APP_URL}${path}?${query}`, init),
      );
    };
    return { ...opened, visit };
  }

  it('has four members without a session, of which liquid alone is there', async () => {
    const context = await open().visit();
    expect(context).toStrictEqual({
      session: undefined,
      admin: undefined,
      storefront: undefined,
      liquid: expect.any(Function),
    });
    expect(Object.keys(context).sort()).toEqual(['admin', 'liquid', 'session', 'storefront']);
  });

  it('has both interfaces of a shop with a session', async () => {
    const { visit, platform, ...rest } = open();
    const stored = await install(rest);
    const context = await visit();
    if (!context.session) throw new Error('there is a session');
    expect(Object.keys(context).sort()).toEqual(['admin', 'liquid', 'session', 'storefront']);
    expect(context.session).toEqual(stored);

    const { admin, storefront } = context;
    const fromAdmin = await admin.graphql(QUERY);
    expect(platform.last).toMatchObject({
      url: `https://${SHOP}/admin/api/2026-07/graphql.json`,
      headers: { 'x-shopify-access-token': TOKEN },
    });
    expect(fromAdmin.status).toBe(200);
    expect(await fromAdmin.json()).toEqual({
      data: { shop: { name: 'Test' } },
      headers: { 'Content-Type': ['application/json'] },
    });

    const fromStorefront = await storefront.graphql(QUERY, { tries: 1 });
    expect(platform.last).toMatchObject({
      url: `https://${SHOP}/api/2026-07/graphql.json`,
      headers: { 'shopify-storefront-private-token': TOKEN },
    });
    expect(fromStorefront.status).toBe(200);
    expect(await fromStorefront.json()).toEqual({ data: { shop: { name: 'Test' } }, headers: {} });
  });

  it('makes each client once, and none that is not read', async () => {
    const { visit, ...rest } = open();
    await install(rest);
    const context = await visit();
    expect(Object.getOwnPropertyDescriptor(context, 'admin')).toHaveProperty('get');
    expect(context.admin).toBe(context.admin);
    expect(context.storefront).toBe(context.storefront);
  });

  it.each(['GET', 'POST', 'PUT', 'DELETE'])('takes %s requests', async (method) => {
    const { visit } = open();
    expect(await visit({}, { method })).toHaveProperty('liquid');
  });

  it('leaves the body of a form to the app', async () => {
    const request = { method: 'POST', body: new URLSearchParams({ a: '1' }) };
    const { app, clock } = open();
    const query = proxyQuery({ shop: SHOP, timestamp: String(seconds(clock)) });
    const posted = new Request(`${APP_URL}/proxy?${query}`, request);
    await app.authenticate.public.appProxy(posted);
    expect((await posted.formData()).get('a')).toBe('1');
  });

  it.each<[string, (query: string, now: number) => string, string]>([
    ['no signature', (query) => query.replace(/&signature=.*/, ''), 'signature_missing'],
    ['a wrong signature', (query) => `${query.slice(0, -2)}00`, 'signature_invalid'],
    ['a time 100 s ago', (_, now) => signed(String(now - 100)), 'timestamp_stale'],
    ['a time in 100 s', (_, now) => signed(String(now + 100)), 'timestamp_stale'],
    ['no time', () => proxyQuery({ shop: SHOP }), 'timestamp_invalid'],
    ['a time that is no number', () => signed('soon'), 'timestamp_invalid'],
    ['two shops', (query) => `${query}&shop=other.myshopify.com`, 'parameter_repeated'],
    ['one shop twice', (query) => `${query}&shop=${SHOP}`, 'parameter_repeated'],
    ['no shop', (_, now) => proxyQuery({ timestamp: String(now) }), 'shop_missing'],
    ['no shop’s name', (_, now) => signed(String(now), 'shop.example.com'), 'shop_invalid'],
    [
      'a name in another spelling',
      (_, now) => signed(String(now), SHOP.toUpperCase()),
      'shop_invalid',
    ],
  ])('refuses %s', async (_, query, reason) => {
    const { app, clock, sessionStorage } = open();
    await install({ sessionStorage });
    const now = seconds(clock);
    const request = new Request(`${APP_URL}/proxy?${query(signed(String(now)), now)}`, {
      headers: { accept: 'application/json' },
    });
    const response = await thrown(app.authenticate.public.appProxy(request));
    expect([response.status, response.statusText]).toEqual([400, 'Bad Request']);
    expect(await response.json()).toMatchObject({ error: reason });
  });

  it('allows for what the data requests of Remix take off', async () => {
    const { app, clock } = open();
    const params = { shop: SHOP, timestamp: String(seconds(clock)), 'a b': 'c+d e' };
    for (const added of [
      { index: '' },
      { _data: 'routes/apps.reviews' },
      { _data: 'routes/apps.reviews._index', index: '' },
      { _routes: 'routes/apps.reviews' },
    ]) {
      const url = new URL(`${APP_URL}/apps/reviews?${proxyQuery({ ...params, ...added })}`);
      for (const name of Object.keys(added)) url.searchParams.delete(name);
      expect(await app.authenticate.public.appProxy(new Request(url))).toHaveProperty('liquid');
    }
  });

  describe('with a session that ends', () => {
    const SECONDS = 1000;
    it.each([
      ['in an hour', 3600, TOKEN],
      ['in half a second', 0.5, GRANTED.token],
      ['a second ago', -1, GRANTED.token],
    ])('%s', async (_, left, token) => {
      const { visit, clock, platform, ...rest } = open();
      const expires = new Date(clock.now().getTime() + left * SECONDS);
      await install(rest, { expires, refreshToken: 'shprt_first' });
      const { session } = await visit();
      expect(session).toMatchObject({ id: `offline_${SHOP}`, shop: SHOP, accessToken: token });
      if (token === TOKEN) {
        expect(session?.expires).toEqual(expires);
        expect(platform.sent).toEqual([]);
        return;
      }
      expect(session?.refreshToken).toBe(GRANTED.refresh);
      expect(session!.expires!.getTime()).toBeGreaterThan(clock.now().getTime());
      expect(platform.sent).toHaveLength(1);
      expect(platform.last.body).toContain(
        '"refresh_token":"shprt_first","grant_type":"refresh_token"}',
      );
    });

    it('never, with a refresh token', async () => {
      const { visit, platform, ...rest } = open();
      await install(rest, { refreshToken: 'shprt_first' });
      expect((await visit()).session?.accessToken).toBe(TOKEN);
      expect(platform.sent).toEqual([]);
    });

    it('and cannot be renewed: the shop has none then', async () => {
      const { visit, clock, ...rest } = open();
      await install(rest, { expires: new Date(clock.now().getTime() - SECONDS) });
      expect((await visit()).session).toBeUndefined();
    });
  });

  it('grants a custom app its shop without a stored session', async () => {
    const { visit } = open({
      distribution: AppDistribution.PlatformAdmin,
      adminApiAccessToken: 'admin-token',
      ...(host.name === 'Remix' && { isEmbeddedApp: false }),
    });
    const { session } = await visit();
    expect(session).toMatchObject({ shop: SHOP, isOnline: false });
    expect([session?.expires, session?.refreshToken]).toEqual([undefined, undefined]);
  });

  // Reading all members of the context at once threw.
  it('says which token is missing when the Storefront API is called, not before', async () => {
    const { visit, platform } = open({
      distribution: AppDistribution.PlatformAdmin,
      adminApiAccessToken: 'admin-token',
      ...(host.name === 'Remix' && { isEmbeddedApp: false }),
    });
    const visited = await visit();
    if (!visited.session) throw new Error('there is a session');
    const { admin, storefront, liquid } = { ...visited };
    expect((await admin.graphql(QUERY)).status).toBe(200);
    expect(liquid('Hi').status).toBe(200);
    const sent = platform.sent.length;
    const missing = {
      code: 'ERR_ARGUMENT_MISSING',
      message: expect.stringContaining('Pass privateAppStorefrontAccessToken.'),
    };
    await expect(storefront.graphql(QUERY)).rejects.toMatchObject(missing);
    await expect(storefront.fetch(QUERY)).rejects.toMatchObject(missing);
    expect(platform.sent).toHaveLength(sent);
  });

  describe('liquid()', () => {
    it.each<
      [string, Parameters<Awaited<ReturnType<ReturnType<typeof open>['visit']>>['liquid']>, object]
    >([
      ['a text', ['Hi {{ shop.name }}'], { status: 200, body: 'Hi {{ shop.name }}' }],
      ['a status', ['Hi', 400], { status: 400 }],
      [
        'a whole answer',
        [
          'Hi',
          { status: 404, statusText: 'None', headers: { 'x-a': '1', 'Content-Type': 'text/html' } },
        ],
        { status: 404, statusText: 'None', extra: '1' },
      ],
      ['no layout', ['Hi', { layout: false }], { status: 200, body: '{% layout none %} Hi' }],
      ['a layout', ['Hi', { layout: true }], { status: 200, body: 'Hi' }],
      [
        'no layout and a status',
        ['Hi', { layout: false, status: 400 }],
        { status: 400, body: '{% layout none %} Hi' },
      ],
      ['a form', ['<form action="/foo?bar=baz">'], { body: '<form action="/foo/?bar=baz">' }],
      ['a link', ['<a href="/foo">'], { body: '<a href="/foo/">' }],
    ])('answers %s', async (_, given, expected) => {
      const { liquid } = await open().visit();
      const response = liquid(...given);
      expect(response.headers.get('content-type')).toBe('application/liquid');
      expect({
        status: response.status,
        statusText: response.statusText,
        extra: response.headers.get('x-a'),
        body: await response.text(),
      }).toMatchObject(expected);
    });
  });
});

function signed(timestamp: string, shop = SHOP): string {
  return proxyQuery({ shop, timestamp });
}
