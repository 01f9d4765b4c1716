import { afterEach, describe, expect, it } from '@jest/globals';

import { SHOP } from '../../support/app.js';
import {
  ANCESTORS,
  APP_BRIDGE_TAG,
  HOST,
  POLICY,
  Platform,
  REMIX,
  ROUTES,
  installed,
  page,
  request,
  script,
  thrown,
  tokenPage,
} from './web.fixture.js';
import type { Routes } from './web.fixture.js';

const ORIGIN = { origin: 'https://extensions.example.com' };
const REAUTHORIZE = 'x-shopify-api-request-failure-reauthorize-url';
const CRAWLERS = ['Googlebot', 'google', 'Mozilla/5.0 (compatible; Googlebot/2.1)'];
const PLATFORM_APPS = [
  'Shopify POS/9.4.0 (Google)',
  'Shopify Mobile/9.4.0 (Google)',
  'Mozilla/5.0 (Linux; Android 14; Google Pixel 8) Shopify Mobile/Android/9.160.0 (Google)',
  'Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) com.jadedpixel.pos Shopify POS/9.4.0/iPad (Google)',
];

describe.each(ROUTES)('on $name', ({ open, link, name }: Routes) => {
  let app: ReturnType<Routes['open']>;
  afterEach(() => app.close());
  const admin = (asked: Request): Promise<Response> => thrown(() => app.authenticate.admin(asked));
  const cors = ({ headers }: Response): (string | null)[] =>
    ['origin', 'headers'].map((of) => headers.get(`access-control-allow-${of}`));

  describe('CORS', () => {
    it('opens a preflight of a foreign origin, and no other', async () => {
      app = open();
      const foreign = await admin(request('/app', ORIGIN, 'OPTIONS'));
      expect([foreign.status, ...cors(foreign)]).toEqual([204, '*', 'Authorization, Content-Type']);
      expect(foreign.headers.get('access-control-expose-headers')).toBe(
        'X-Shopify-API-Request-Failure-Reauthorize-Url',
      );
      const own = await admin(request('/app', {}, 'OPTIONS'));
      expect([own.status, ...cors(own)]).toEqual([204, null, null]);
      expect(own.headers.get('access-control-expose-headers')).toBeNull();
    });

    it.each([
      ['a page without a token', () => page('/', {}, ORIGIN)],
      ['a page without a shop', () => request('/app', ORIGIN)],
      ['a crawler', () => request('/app', { ...ORIGIN, 'user-agent': 'Googlebot' })],
      ['a fetch with a bad token', () => request('/', { ...ORIGIN, authorization: 'Bearer x' })],
      ['a helper page', () => request(`/auth/session-token?shop=${SHOP}`, ORIGIN)],
      ['the login page by mistake', () => request('/auth/login', ORIGIN)],
    ])('lets a foreign page read the answer to %s', async (_, asked) => {
      app = open();
      expect(cors(await admin(asked()))).toEqual(['*', 'Authorization, Content-Type']);
    });

    it('lets a foreign page read what a hook has thrown', async () => {
      const afterAuth = () => Promise.reject(Response.redirect('https://app.example.com/welcome'));
      app = open({ hooks: { afterAuth } });
      expect(cors(await admin(script('/', ORIGIN)))).toEqual(['*', 'Authorization, Content-Type']);
    });
  });

  describe('addDocumentResponseHeaders()', () => {
    it('says who may frame the page and what to load early', () => {
      app = open();
      const headers = new Headers();
      app.addDocumentResponseHeaders(request(`/?shop=${SHOP}`), headers);
      expect(Object.fromEntries(headers)).toEqual({ 'content-security-policy': POLICY, link });
    });
  });

  describe('a user agent', () => {
    it.each(CRAWLERS)('of a crawler is told that there is nothing: %s', async (agent) => {
      app = open();
      for (const asked of [
        request('/', { 'user-agent': agent }),
        page('/', {}, { 'user-agent': agent }),
      ]) {
        const response = await admin(asked);
        expect([response.status, response.statusText]).toEqual([410, 'Gone']);
      }
    });

    it.each(PLATFORM_APPS)('of an app of the platform goes on: %s', async (agent) => {
      app = open();
      const response = await admin(request('/', { 'user-agent': agent }));
      expect(response.status).toBe(name === 'Remix' ? 302 : 200);
    });
  });

  describe('a page that names no shop, or a wrong one', () => {
    it.each([
      '/',
      '/?shop=',
      `/?shop=evil.example&host=${HOST}`,
      `/?shop=${encodeURIComponent('a; script-src *')}`,
    ])(
      'goes to the login page in Remix, and loads App Bridge in React Router: %s',
      async (path) => {
        app = open();
        const response = await admin(request(path));
        if (name === 'Remix') {
          expect([response.status, response.headers.get('location')]).toEqual([302, '/auth/login']);
          return;
        }
        expect([response.status, (await response.text()).trim()]).toEqual([200, APP_BRIDGE_TAG]);
        expect(Object.fromEntries(response.headers)).toEqual({
          'content-type': 'text/html;charset=utf-8',
          'content-security-policy': `frame-ancestors ${ANCESTORS}`,
          'cache-control': 'no-store',
        });
      },
    );

    // The platform's own packages take it for no shop.
    it.each([{}, { host: 'no base64!' }])('has a host made for its shop: %j', async (host) => {
      app = open({ sessionStorage: await installed() });
      const response = await admin(request(`/?${new URLSearchParams({ shop: SHOP, ...host })}`));
      expect(response.headers.get('location')).toMatch(
        /^https:\/\/admin\.shopify\.com\/store\/test-shop\/apps\//,
      );
    });
  });

  it('a page outside of the admin goes there', async () => {
    app = open({ sessionStorage: await installed() });
    const response = await admin(request(`/?${new URLSearchParams({ shop: SHOP, host: HOST })}`));
    expect([response.status, response.headers.get('location')]).toEqual([
      302,
      'https://admin.shopify.com/store/test-shop/apps/test-api-key',
    ]);
  });

  describe('a token that the platform rejects in a call of', () => {
    const rejected = async (asked: Request) => {
      const platform = new Platform();
      const sessionStorage = await installed();
      app = open({ fetch: platform.fetch, sessionStorage });
      const context = await app.authenticate.admin(asked);
      platform.refuseAll();
      return { ...context, sessionStorage };
    };

    it('billing leads to the grant in Remix, and comes again in React Router', async () => {
      const page = await rejected(tokenPage('/app'));
      const document = await thrown(() => page.billing.check());
      const location = new URL(document.headers.get('location')!, 'https://app.example.com');
      const call = await rejected(script('/app'));
      const data = await thrown(() => call.billing.check());
      expect([document.status, data.status, data.statusText]).toEqual([302, 401, 'Unauthorized']);
      const retry = data.headers.get('x-shopify-retry-invalid-session-request');
      const elsewhere = data.headers.get(REAUTHORIZE);
      if (name === 'Remix') {
        expect([location.pathname, retry]).toEqual(['/auth/exit-iframe', null]);
        expect(location.searchParams.get('exitIframe')).toMatch(/^\/auth\?shop=test-shop\./);
        expect(elsewhere).toMatch(/^https:\/\/app\.example\.com\/auth\?shop=test-shop\./);
      } else
        expect([location.pathname, retry, elsewhere]).toEqual(['/auth/session-token', '1', null]);
      for (const { sessionStorage } of [page, call])
        expect((await sessionStorage.loadSession(`offline_${SHOP}`))?.accessToken).toBeUndefined();
    });

    it('scopes has the request come again', async () => {
      const page = await rejected(tokenPage('/app'));
      const document = await thrown(() => page.scopes.query());
      expect(document.headers.get('location')).toMatch(/^\/auth\/session-token\?/);
      const call = await rejected(script('/app'));
      expect((await thrown(() => call.scopes.query())).status).toBe(401);
    });
  });

  // The router hands it to an error boundary, which shows text: of JSON it was "[object Object]".
  // They were made for each page, and nothing of a host of web requests reads them.
  it('the headers of a document are made for who asks for them alone', async () => {
    const asked: string[] = [];
    const shopOrigin = (shop: string): string => {
      asked.push(shop);
      return `https://${shop}`;
    };
    app = open({ sessionStorage: await installed(), shopOrigin });
    await app.authenticate.admin(tokenPage('/app'));
    asked.length = 0;
    const { session } = await app.authenticate.admin(tokenPage('/app'));
    expect([session.shop, asked]).toEqual([SHOP, []]);
    app.addDocumentResponseHeaders(tokenPage('/app'), new Headers());
    expect(asked).not.toEqual([]);
  });

  it('a refusal is text for who does not ask for JSON', async () => {
    app = open();
    const authorization = 'Bearer not-a-token';
    const text = await admin(request('/', { authorization }));
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await text.text()).toMatch(/^The session token was refused: [^{}<]+\.$/);
    const json = await admin(request('/', { authorization, accept: 'application/json' }));
    expect(await json.json()).toMatchObject({ error: 'session_token_invalid' });
    const html = await admin(request('/auth/exit-iframe?exitIframe=https://evil.example'));
    expect(await html.text()).toContain('<p>This address leads neither to the app nor');
  });

  it('any response that a hook throws keeps its status and its body', async () => {
    const headers = { location: '/welcome', 'content-type': 'text/plain', 'x-mine': '1' };
    const afterAuth = () => Promise.reject(new Response('Welcome', { status: 307, headers }));
    app = open({ hooks: { afterAuth } });
    const response = await admin(tokenPage());
    expect([response.status, await response.text()]).toEqual([307, 'Welcome']);
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
  });
});

it('a page of a Remix app that is not embedded may be framed by nobody', async () => {
  const app = REMIX.open({ isEmbeddedApp: false });
  const headers = new Headers();
  app.addDocumentResponseHeaders(request(`/?shop=${SHOP}`), headers);
  expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none';");
  await app.close();
});
