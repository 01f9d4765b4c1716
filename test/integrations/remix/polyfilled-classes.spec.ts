import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DevStore, signedWebhook, type DevShop } from '../../../lib/dev-store/index.js';
import { MemorySessionStorage, platformApp } from '../../../lib/integrations/remix/index.js';
import type { RemixApp, RemixAppOptions } from '../../../lib/integrations/remix/index.js';
import { API_KEY, API_SECRET, APP_URL, appOptions } from '../../support/app.js';

/** What apps of Remix 2 call before anything else, so that every class of the web is another one. */
const { installGlobals } = createRequire(import.meta.url)('@remix-run/node') as {
  installGlobals(options?: { nativeFetch?: boolean }): void;
};
const NATIVE = { File, FormData, Headers, Request, Response, fetch };

/** A call's result in comparable form: what it answered or threw. */
interface Outcome {
  thrown: boolean;
  value: unknown;
}

interface Row {
  title: string;
  options?: Partial<RemixAppOptions>;
  run(app: RemixApp, shop: DevShop): Promise<unknown>;
  /** What Node's own classes lead to. */
  expected: Outcome;
}

const request = (path: string, init?: RequestInit): Request => new Request(APP_URL + path, init);
const bearer = (shop: DevShop, more: Record<string, string> = {}): RequestInit => ({
  headers: { authorization: `Bearer ${shop.sessionToken(API_KEY)}`, ...more },
});
const document = { headers: { accept: 'text/html' } };
const embedded = (shop: DevShop, path: string, token = true): string => {
  const url = new URL(shop.embeddedUrl(API_KEY, path));
  if (!token) url.searchParams.delete('id_token');
  return url.pathname + url.search;
};
const delivery = (shop: DevShop, headers: Record<string, string> = {}): RequestInit => {
  const options = { secret: API_SECRET, shop: shop.domain, topic: 'products/create' };
  const signed = signedWebhook({ ...options, payload: { title: 'Étau' }, headers });
  return { method: 'POST', headers: signed.headers, body: signed.body.toString() };
};
const form = (shop: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ shop }).toString(),
});

const ROWS: Row[] = [
  {
    title: 'a page without a token bounces',
    run: (app, shop) => app.authenticate.admin(request(embedded(shop, '/app', false), document)),
    expected: { thrown: true, value: { status: 302, location: '/auth/session-token', body: '' } },
  },
  {
    title: 'the bounce page loads App Bridge',
    run: (app, shop) => {
      const reload = encodeURIComponent(`${APP_URL}/app`);
      const path = `/auth/session-token?shop=${shop.domain}&shopify-reload=${reload}`;
      return app.authenticate.admin(request(path, document));
    },
    expected: {
      thrown: true,
      value: { status: 200, type: 'text/html', body: expect.stringContaining('app-bridge.js') },
    },
  },
  {
    title: 'OAuth begins',
    run: (app, shop) => app.authenticate.admin(request(`/auth?shop=${shop.domain}`, document)),
    expected: {
      thrown: true,
      value: { status: 302, location: '/admin/oauth/authorize', cookies: 2, body: '' },
    },
  },
  {
    title: 'OAuth ends with a stored session',
    run: async (app, shop) => {
      const begun = await thrownBy(
        app.authenticate.admin(request(`/auth?shop=${shop.domain}`, document)),
      );
      const authorize = await NATIVE.fetch(begun.headers.get('location')!, { redirect: 'manual' });
      const cookie = cookiesOf(begun).map((line) => line.split(';', 1)[0]);
      const back = new URL(authorize.headers.get('location') ?? (await consentOf(authorize, shop)));
      const init = { headers: { cookie: cookie.join('; '), accept: 'text/html' } };
      const ended = await thrownBy(
        app.authenticate.admin(request(back.pathname + back.search, init)),
      );
      const stored = await app.sessionStorage.findSessionsByShop(shop.domain);
      return { status: ended.status, stored: stored.map(({ id }) => id) };
    },
    expected: {
      thrown: false,
      value: { status: 302, stored: ['offline_dev-shop.myshopify.com'] },
    },
  },
  {
    title: 'a fetch without a token is refused',
    run: (app) =>
      app.authenticate.admin(request('/app', { headers: { authorization: 'Bearer x' } })),
    expected: {
      thrown: true,
      value: { status: 401, retry: '1', body: expect.any(String), type: expect.anything() },
    },
  },
  {
    title: 'a session token opens the Admin API',
    run: async (app, shop) => {
      const { admin, session } = await app.authenticate.admin(request('/app', bearer(shop)));
      const response = await admin.graphql('{ shop { name } }');
      return { shop: session.shop, data: (await response.json()).data };
    },
    expected: {
      thrown: false,
      value: { shop: 'dev-shop.myshopify.com', data: { shop: { name: 'Dev Shop' } } },
    },
  },
  {
    title: 'a preflight is answered',
    run: (app) =>
      app.authenticate.admin(
        request('/app', { method: 'OPTIONS', headers: { origin: 'https://extensions.example' } }),
      ),
    expected: { thrown: true, value: { status: 204, origin: '*', body: '' } },
  },
  {
    title: 'cors() opens a response of the app',
    run: async (app, shop) => {
      const init = bearer(shop, { origin: 'https://extensions.example' });
      const { cors } = await app.authenticate.admin(request('/app', init));
      return cors(new Response('own', { status: 201, headers: { 'x-own': '1' } }));
    },
    expected: {
      thrown: false,
      value: { status: 201, origin: '*', body: 'own', own: '1', type: 'text/plain' },
    },
  },
  {
    title: "cors() opens a response of Node's own class",
    run: async (app, shop) => {
      const init = bearer(shop, { origin: 'https://extensions.example' });
      const { cors } = await app.authenticate.admin(request('/app', init));
      return cors(new NATIVE.Response('own', { status: 201, headers: { 'x-own': '1' } }));
    },
    expected: {
      thrown: false,
      value: { status: 201, origin: '*', body: 'own', own: '1', type: 'text/plain' },
    },
  },
  {
    title: 'redirect() stays in the app',
    run: async (app, shop) => {
      const path = embedded(shop, '/app');
      const { redirect } = await app.authenticate.admin(request(path, document));
      return redirect('/next', { headers: { 'x-own': '1' } });
    },
    expected: { thrown: false, value: { status: 302, location: '/next', own: '1', body: '' } },
  },
  {
    title: 'redirect() leaves the frame',
    run: async (app, shop) => {
      const { redirect } = await app.authenticate.admin(request('/app', bearer(shop)));
      return redirect('https://example.com/', { target: '_top' });
    },
    expected: {
      thrown: true,
      value: {
        status: expect.any(Number),
        reauthorize: 'https://example.com/',
        body: expect.any(String),
        type: expect.anything(),
      },
    },
  },
  {
    title: 'scopes.revoke() refuses as JSON',
    run: async (app, shop) => {
      const { scopes } = await app.authenticate.admin(request('/app', bearer(shop)));
      return scopes.revoke(['write_products']);
    },
    expected: {
      thrown: true,
      value: {
        status: 422,
        type: 'application/json',
        body: expect.stringMatching(/^\[\{.*declared as required/),
      },
    },
  },
  {
    title: 'a delivery is opened',
    run: async (app, shop) => {
      const { topic, payload, rawBody } = await app.authenticate.webhook(
        request('/webhooks', delivery(shop)),
      );
      return { topic, payload, rawBody };
    },
    expected: {
      thrown: false,
      value: {
        topic: 'PRODUCTS_CREATE',
        payload: { title: 'Étau' },
        rawBody: '{"title":"Étau"}',
      },
    },
  },
  {
    title: 'a forged delivery is refused',
    run: (app, shop) =>
      app.authenticate.webhook(
        request('/webhooks', delivery(shop, { 'X-Shopify-Hmac-Sha256': 'Zm9yZ2Vk' })),
      ),
    expected: {
      thrown: true,
      value: { status: 401, body: expect.any(String), type: expect.anything() },
    },
  },
  {
    title: 'a delivery has to be posted',
    run: (app) => app.authenticate.webhook(request('/webhooks')),
    expected: {
      thrown: true,
      value: { status: 405, body: expect.any(String), type: expect.anything() },
    },
  },
  {
    title: 'an app proxy answers in Liquid',
    run: async (app, shop) => {
      const { pathname, search } = new URL(shop.appProxyUrl(API_KEY, '/list?a=b+c'));
      const { liquid } = await app.authenticate.public.appProxy(request(pathname + search));
      return liquid('<p>Hello</p>', { status: 201, headers: { 'x-own': '1' } });
    },
    expected: {
      thrown: false,
      value: { status: 201, type: 'application/liquid', own: '1', body: '<p>Hello</p>' },
    },
  },
  {
    title: 'a forged request of an app proxy is refused',
    run: (app, shop) => {
      const { pathname, search } = new URL(shop.appProxyUrl(API_KEY, '/list'));
      return app.authenticate.public.appProxy(request(`${pathname}${search}&more=1`));
    },
    expected: {
      thrown: true,
      value: { status: 400, body: expect.any(String), type: expect.anything() },
    },
  },
  {
    title: 'an extension is known by its token',
    run: async (app, shop) => {
      const authorization = `Bearer ${shop.extensionToken(API_KEY, 'checkout')}`;
      const init = { headers: { authorization, origin: 'https://extensions.example' } };
      const { cors, sessionToken } = await app.authenticate.public.checkout(request('/api', init));
      return cors(new Response(sessionToken.dest));
    },
    expected: {
      thrown: false,
      value: { status: 200, origin: '*', body: 'dev-shop.myshopify.com', type: 'text/plain' },
    },
  },
  {
    title: 'the login form says what is wrong',
    run: (app) => app.login(request('/auth/login', form('no shop'))),
    expected: { thrown: false, value: { shop: 'INVALID_SHOP' } },
  },
  {
    title: 'the login form leads to the shop',
    run: (app, shop) => app.login(request('/auth/login', form(shop.domain))),
    expected: {
      thrown: true,
      value: { status: 302, location: expect.any(String), body: '' },
    },
  },
  ...['own', "Node's own"].map((kind): Row => ({
    title: `a hook answers with a response of the ${kind} class`,
    options: {
      hooks: {
        afterAuth: () => {
          const Class = kind === 'own' ? Response : NATIVE.Response;
          throw new Class(null, { status: 302, headers: { location: '/later', 'x-own': '1' } });
        },
      },
    },
    run: (app, shop) => app.authenticate.admin(request('/app', bearer(shop))),
    expected: {
      thrown: true,
      value: { status: 302, location: '/later', own: '1', body: '' },
    },
  })),
];

/** The response that a call throws. */
async function thrownBy(call: Promise<unknown>): Promise<Response> {
  const error = await call.then(
    () => new Error('Nothing was thrown.'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof Error) throw error;
  return error as Response;
}

/** Classes of Remix have no `getSetCookie()`. */
function cookiesOf({ headers }: Response): string[] {
  const raw = (headers as { raw?: () => Record<string, string[]> }).raw?.();
  return raw ? (raw['set-cookie'] ?? []) : headers.getSetCookie();
}

/** Agrees on the consent page, and tells where the browser goes from there. */
async function consentOf(page: Response, { origin }: DevShop): Promise<string> {
  const html = await page.text();
  const fields = [...html.matchAll(/name="([^"]+)" value="([^"]*)"/g)];
  const body = new URLSearchParams(fields.map(([, name = '', value = '']) => [name, value]));
  const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const reply = await NATIVE.fetch(new URL(action, origin), {
    method: 'POST',
    body,
    redirect: 'manual',
  });
  return reply.headers.get('location') ?? '';
}

/** A response as data; any other value as it is. */
async function described(value: unknown): Promise<unknown> {
  const response = value as Response;
  if (typeof response?.headers?.get !== 'function') return value;
  const { status, headers } = response;
  const cookies = cookiesOf(response).length;
  const location = headers.get('location');
  const facts = {
    location: location && new URL(location, APP_URL).pathname,
    type: headers.get('content-type')?.split(';', 1)[0],
    retry: headers.get('x-shopify-retry-invalid-session-request'),
    reauthorize: headers.get('x-shopify-api-request-failure-reauthorize-url'),
    origin: headers.get('access-control-allow-origin'),
    own: headers.get('x-own'),
    cookies: cookies === 0 ? undefined : cookies,
  };
  const given = Object.entries(facts).filter(([, fact]) => fact !== null && fact !== undefined);
  return { status, ...Object.fromEntries(given), body: await response.text() };
}

describe.each([
  ['as Node has them', () => {}],
  ['of Remix', () => installGlobals()],
  ['of undici, as Remix installs them', () => installGlobals({ nativeFetch: true })],
])('shopwright/remix with the classes %s', (_classes, install) => {
  let devStore: DevStore;
  let app: RemixApp | undefined;

  beforeAll(async () => {
    const appProxy = { url: '/proxy', subpath: 'reviews' };
    const apps = [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL, appProxy }];
    devStore = await DevStore.open({ apps });
    install();
  });
  afterEach(async () => {
    await app?.close();
  });
  afterAll(async () => {
    Object.assign(globalThis, NATIVE);
    await devStore.close();
  });

  it.each(ROWS)('$title', async ({ options, run, expected }) => {
    devStore.shop().install(API_KEY, { scopes: 'write_products' });
    app = platformApp({
      ...appOptions(),
      sessionStorage: new MemorySessionStorage(),
      shopOrigin: devStore.shopOrigin,
      ...options,
    });
    const outcome = await run(app, devStore.shop()).then(
      async (value): Promise<Outcome> => ({ thrown: false, value: await described(value) }),
      async (error: unknown): Promise<Outcome> => ({ thrown: true, value: await described(error) }),
    );
    expect(outcome).toEqual(expected);
  });
});
