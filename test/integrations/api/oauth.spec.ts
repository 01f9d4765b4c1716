import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { DevStore } from '../../../lib/dev-store/index.js';
import { ApiVersion, shopifyApi } from '../../../lib/integrations/api/index.js';
import type { PlatformApiOptions, Session, Shopify } from '../../../lib/integrations/api/index.js';
import { API_KEY, API_SECRET, APP_URL, SHOP } from '../../support/app.js';

const CRAWLER = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const CALLBACK = '/shop/callback';

let store: DevStore;
let granted: Session | undefined;
let failed: unknown;
const opened: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  granted = failed = undefined;
  store = await DevStore.open({
    shops: [SHOP],
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
  });
  store.shop(SHOP).install(API_KEY, { scopes: ['write_products'] });
});
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
  await store.close();
});

function library(options: Partial<PlatformApiOptions> = {}): Shopify {
  const app = shopifyApi({
    ...{ apiKey: API_KEY, apiSecretKey: API_SECRET, scopes: ['write_products'] },
    ...{ hostName: new URL(APP_URL).host, apiVersion: ApiVersion.July26 },
    ...{ fetch: store.fetch, logger: { log: () => {} }, ...options },
  });
  opened.push(() => app.close());
  return app;
}

type Send = (path: string, headers?: Record<string, string>) => Promise<Response>;

/** An app that answers the two requests of a grant by itself, over web requests. */
function webApp(options?: Partial<PlatformApiOptions>, isOnline = false): Send {
  const { auth } = library(options);
  return async (path, headers = {}) => {
    const rawRequest = new Request(APP_URL + path, { headers });
    if (path === '/begin')
      return auth.begin({ shop: SHOP, callbackPath: CALLBACK, isOnline, rawRequest });
    try {
      const { session, headers: own } = await auth.callback({ rawRequest, expiring: false });
      granted = session;
      return new Response('welcome', { headers: own! });
    } catch (error) {
      failed = error;
      return new Response('no', { status: 400 });
    }
  };
}

/** The same over Node's requests. */
async function nodeApp(options?: Partial<PlatformApiOptions>, isOnline = false): Promise<Send> {
  const { auth } = library(options);
  const server: Server = createServer((rawRequest, rawResponse) => {
    const raw = { rawRequest, rawResponse };
    if (rawRequest.url === '/begin')
      return void auth.begin({ shop: SHOP, callbackPath: CALLBACK, isOnline, ...raw });
    auth
      .callback({ ...raw, expiring: false })
      .then(({ session, headers }) => {
        granted = session;
        rawResponse.end(headers === undefined ? 'welcome' : 'headers twice');
      })
      .catch((error: unknown) => {
        failed = error;
        rawResponse.writeHead(400).end('no');
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  return (path, headers = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual' });
}

/** The cookies of a response, as the browser sends them back. */
const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');

/** Walks from the start of the grant to its callback and back. */
async function install(send: Send, more: Record<string, string> = {}): Promise<Response> {
  const begun = await send('/begin');
  const consented = await store.fetch(begun.headers.get('location')!, { redirect: 'manual' });
  const { pathname, search } = new URL(consented.headers.get('location')!);
  return send(pathname + search, { cookie: cookiesOf(begun), ...more });
}

const HOSTS: [string, typeof nodeApp][] = [
  ['web requests', async (...setup) => webApp(...setup)],
  ['requests of Node', nodeApp],
];

describe.each(HOSTS)('OAuth by hand, over %s', (_, open) => {
  it('sends the browser to the consent page, with a state that its callback proves', async () => {
    const response = await (await open())('/begin');
    expect(response.status).toBe(302);
    const location = new URL(response.headers.get('location')!);
    expect(location.origin + location.pathname).toBe(`https://${SHOP}/admin/oauth/authorize`);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      client_id: API_KEY,
      scope: 'write_products',
      redirect_uri: APP_URL + CALLBACK,
      state: expect.stringMatching(/^[0-9a-f]{64}$/),
      'grant_options[]': '',
    });
    const cookies = response.headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) expect(cookie).toContain(`Path=${CALLBACK}; HttpOnly; Secure`);
  });

  it('trades the code for a session, and takes the state back', async () => {
    const response = await install(await open());
    expect([response.status, await response.text()]).toEqual([200, 'welcome']);
    expect(granted).toMatchObject({ id: `offline_${SHOP}`, shop: SHOP, isOnline: false });
    expect(granted?.accessToken).toMatch(/^shpat_/);
    expect(granted?.expires).toBeUndefined();
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^shopify_app_state_\w+=; Max-Age=0; Path=\/shop\/callback/),
      expect.stringMatching(/^shopify_app_state_\w+\.sig=; Max-Age=0; Path=\/shop\/callback/),
    ]);
  });

  it('asks for a user’s token, and leaves the session in a cookie outside the admin', async () => {
    const options = {
      isEmbeddedApp: false,
      cookiePath: ({ shop }: Session) => `/shops/${shop}`,
    };
    const response = await install(await open(options, true));
    expect(granted).toMatchObject({ shop: SHOP, isOnline: true });
    expect(response.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(new RegExp(`^shopify_app_session_\\w+=.*; Path=/shops/${SHOP};`)),
    );
  });

  it('answers a crawler 410, and refuses its callback', async () => {
    const send = await open();
    const response = await send('/begin', { 'user-agent': CRAWLER });
    expect([response.status, response.headers.get('location')]).toEqual([410, null]);
    expect(response.headers.getSetCookie()).toEqual([]);
    await install(send, { 'user-agent': CRAWLER });
    expect(failed).toMatchObject({ name: 'BotActivityDetected', code: 'ERR_BOT_ACTIVITY' });
    expect(granted).toBeUndefined();
  });

  it('refuses a callback that lacks the cookie, and one that is repeated', async () => {
    const send = await open();
    await install(send, { cookie: '' });
    expect(failed).toMatchObject({ code: 'ERR_COOKIE_NOT_FOUND' });
    const begun = await send('/begin');
    const consented = await store.fetch(begun.headers.get('location')!, { redirect: 'manual' });
    const { pathname, search } = new URL(consented.headers.get('location')!);
    for (let visit = 0; visit < 2; visit++)
      await send(pathname + search, { cookie: cookiesOf(begun) });
    expect(failed).toMatchObject({ code: 'ERR_OAUTH_INVALID', reason: 'state_spent' });
  });
});

describe('OAuth by hand', () => {
  it('spends neither the state nor the code of a callback that cannot be answered', async () => {
    const { auth } = library();
    const begun = await auth.begin({
      ...{ shop: SHOP, callbackPath: CALLBACK, isOnline: false },
      rawRequest: new Request(APP_URL),
    });
    const consented = await store.fetch(begun!.headers.get('location')!, { redirect: 'manual' });
    const { pathname, search } = new URL(consented.headers.get('location')!);
    const cookie = cookiesOf(begun!);
    const ofNode = { headers: { cookie }, url: pathname + search, method: 'GET' } as never;
    await expect(auth.callback({ rawRequest: ofNode })).rejects.toMatchObject({
      code: 'ERR_ARGUMENT_MISSING',
    });
    const rawRequest = new Request(APP_URL + pathname + search, { headers: { cookie } });
    const { session } = await auth.callback({ rawRequest, expiring: false });
    expect(session.shop).toBe(SHOP);
  });

  it('knows a web request of another library by its headers', async () => {
    const { auth } = library();
    const headers = { get: () => null };
    const rawRequest = { url: `${APP_URL}/begin`, method: 'GET', headers } as never;
    const response = await auth.begin({
      ...{ shop: SHOP, callbackPath: CALLBACK, isOnline: false, rawRequest },
    });
    expect(response?.status).toBe(302);
  });

  it('names a shop that is none, and a response that is missing', async () => {
    const { auth } = library();
    const rawRequest = new Request(APP_URL);
    const begin = { callbackPath: CALLBACK, isOnline: false };
    await expect(auth.begin({ ...begin, shop: 'evil.example', rawRequest })).rejects.toMatchObject({
      code: 'ERR_SHOP_INVALID',
    });
    const ofNode = { headers: {}, url: '/', method: 'GET' } as never;
    await expect(auth.begin({ ...begin, shop: SHOP, rawRequest: ofNode })).rejects.toMatchObject({
      code: 'ERR_ARGUMENT_MISSING',
    });
    for (const missing of [undefined, null, {}])
      await expect(auth.callback({ rawRequest: missing as never })).rejects.toMatchObject({
        code: 'ERR_ARGUMENT_MISSING',
      });
  });
});
