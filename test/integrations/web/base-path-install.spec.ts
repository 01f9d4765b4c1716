import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createStaticHandler as remixHandler } from '@remix-run/router';
import { createStaticHandler as reactRouterHandler } from 'react-router';

import { DevStore, base64Host, signedQuery, signedWebhook } from '../../../lib/dev-store/index.js';
import { MemorySessionStorage } from '../../../lib/integrations/remix/index.js';
import type { RemixAppOptions } from '../../../lib/integrations/remix/index.js';
import { API_KEY, API_SECRET, APP_URL } from '../../support/app.js';
import { REACT_ROUTER, REMIX, page, script, thrown } from './web.fixture.js';
import type { Routes } from './web.fixture.js';

const BASE = '/base-path';
const CALLBACK = `${APP_URL}${BASE}/auth/callback`;

type App = ReturnType<Routes['open']>;

/** A server that hands each request to a router whose pages all lie below the base path. */
type Server = (request: Request) => Promise<Response>;

const SHOWN = 'The page is shown.';

/** The pages of an app, and what answers with them. */
function serverOf(routes: Routes, app: App): Server {
  const loader = async ({ request }: { request: Request }): Promise<string> => {
    await app.authenticate.admin(request);
    return SHOWN;
  };
  const login = async ({ request }: { request: Request }): Promise<unknown> =>
    'login' in app ? app.login(request) : {};
  const pages = [
    { path: '/', loader },
    { path: '/app', loader },
    { path: '/auth/login', loader: login },
    { path: '/auth/*', loader },
  ];
  const { query } =
    routes === REMIX
      ? remixHandler(pages, { basename: BASE })
      : reactRouterHandler(pages, { basename: BASE });
  return async (request) => {
    const answer = await query(request);
    if (answer instanceof Response) return answer;
    const failed = Object.values(answer.errors ?? {})[0] as
      { status?: number; data?: string } | undefined;
    if (failed)
      return new Response(failed.data ?? String(failed), { status: failed.status ?? 500 });
    return new Response(String(Object.values(answer.loaderData)[0]));
  };
}

/** A window of a browser, in which a merchant agrees to everything. */
class Visit {
  readonly #cookies = new Map<string, string>();
  /** What it has loaded. */
  readonly seen: string[] = [];

  constructor(
    private readonly server: Server,
    private readonly devStore: DevStore,
  ) {}

  /** Follows redirects to a page of the app, or to the page of the admin that frames the app. */
  async to(address: string): Promise<Response> {
    let url = new URL(address);
    for (let hops = 0; hops < 12; hops++) {
      this.seen.push(url.pathname);
      const isOfApp = url.origin === APP_URL;
      if (!isOfApp && url.pathname.startsWith('/admin/apps/')) return new Response(url.href);
      const answer = isOfApp ? await this.#load(url) : await this.#ofShop(url);
      const next = answer.headers.get('location');
      if (next === null) return answer;
      url = new URL(next, url);
    }
    throw new Error(`There is no end of redirects: ${this.seen.join(' ')}`);
  }

  async #load(url: URL): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.server(new Request(url, { headers: { cookie } }));
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.#cookies.set(name, value);
    }
    return answer;
  }

  async #ofShop(url: URL): Promise<Response> {
    const answer = await fetch(url, { redirect: 'manual' });
    if (answer.status !== 200) return answer;
    const consent = /name="consent" value="([^"]+)"/.exec(await answer.text())?.[1];
    if (consent === undefined) throw new Error(`${url.href} is no consent page.`);
    const body = new URLSearchParams({ consent, decision: 'install' });
    const init = { method: 'POST', body, redirect: 'manual' } as const;
    return fetch(`${this.devStore.shopOrigin(this.devStore.shop().domain)}${url.pathname}`, init);
  }
}

type Strategy = readonly [name: string, routes: Routes, options: Partial<RemixAppOptions>];

const STRATEGIES: readonly Strategy[] = [REMIX, REACT_ROUTER].flatMap((routes) =>
  [false, true].flatMap((useOnlineTokens) =>
    (routes === REMIX ? [true, false] : [true]).map((isEmbeddedApp): Strategy => {
      const tokens = useOnlineTokens ? 'online' : 'offline';
      const place = isEmbeddedApp ? 'embedded' : 'not embedded';
      return [
        `${routes.name}, ${place}, ${tokens} tokens`,
        routes,
        { isEmbeddedApp, useOnlineTokens },
      ];
    }),
  ),
);

describe.each(STRATEGIES)('an app below a base path: %s', (_name, routes, options) => {
  const { isEmbeddedApp, useOnlineTokens } = options;
  let devStore: DevStore;
  let app: App;
  let server: Server;
  let sessionStorage: MemorySessionStorage;

  beforeEach(async () => {
    devStore = await DevStore.open({
      apps: [
        {
          apiKey: API_KEY,
          apiSecretKey: API_SECRET,
          appUrl: APP_URL,
          redirectUrls: [CALLBACK],
        },
      ],
      deliveryRetries: [],
    });
    sessionStorage = new MemorySessionStorage();
    app = routes.open({
      ...options,
      basePath: BASE,
      sessionStorage,
      fetch: globalThis.fetch,
      shopOrigin: devStore.shopOrigin,
      webhooks: { PRODUCTS_CREATE: { deliveryMethod: 'http', callbackUrl: '/webhooks' } },
    });
    server = serverOf(routes, app);
  });
  afterEach(async () => {
    await app.close();
    await devStore.close();
  });

  /** The link of the platform to an app that it does not install by itself. */
  const opened = (path: string): string => {
    const shop = devStore.shop().domain;
    return `${APP_URL}${BASE}${path}?${signedQuery({ shop, host: base64Host(shop) }, API_SECRET)}`;
  };

  it.each(['/', '/app', '/auth'])('is installed by the code grant from %s', async (path) => {
    const visit = new Visit(server, devStore);
    const end = await (await visit.to(opened(path))).text();
    expect(end).toContain(isEmbeddedApp ? `/admin/apps/${API_KEY}` : SHOWN);
    const grants = visit.seen.filter((seen) => seen === new URL(CALLBACK).pathname);
    expect(grants).toHaveLength(useOnlineTokens ? 2 : 1);
    const sessions = await sessionStorage.findSessionsByShop(devStore.shop().domain);
    expect(sessions.map(({ isOnline }) => isOnline).sort()).toEqual(
      useOnlineTokens ? [false, true] : [false],
    );
    const offline = sessions.find(({ isOnline }) => !isOnline)!;
    const { subscriptions } = await app.api.webhooks.plan({ session: offline });
    expect(new Set(subscriptions.map(({ operation, uri }) => `${operation} ${uri}`))).toEqual(
      new Set([`keep ${APP_URL}${BASE}/webhooks`]),
    );
  });

  it('takes a delivery at its route', async () => {
    const { headers, body } = signedWebhook({
      secret: API_SECRET,
      shop: devStore.shop().domain,
      topic: 'products/create',
      payload: {},
    });
    const init = { method: 'POST', headers, body: new Uint8Array(body) };
    const delivered = new Request(`${APP_URL}${BASE}/webhooks`, init);
    expect((await app.authenticate.webhook(delivered)).topic).toBe('PRODUCTS_CREATE');
  });
});

describe.each([REMIX, REACT_ROUTER])('a page of $name below a base path', (routes) => {
  let app: App;
  let server: Server;
  beforeEach(() => {
    app = routes.open({ basePath: `${BASE}/` });
    server = serverOf(routes, app);
  });
  afterEach(() => app.close());

  const locationOf = (answer: Response): URL => new URL(answer.headers.get('location')!, APP_URL);

  it('fetches a session token at the helper page there', async () => {
    const location = locationOf(await server(page(`${BASE}/app`)));
    expect(location.pathname).toBe(`${BASE}/auth/session-token`);
    const reload = new URL(location.searchParams.get('shopify-reload')!);
    expect(reload.pathname).toBe(`${BASE}/app`);
    expect((await server(new Request(location))).status).toBe(200);
  });

  it('redirects to its own pages below the base path, once', async () => {
    const { redirect } = (await app.authenticate.admin(script(`${BASE}/app`))) as {
      redirect: (url: string) => Response;
    };
    for (const path of ['/next?a=1', `${BASE}/next?a=1`])
      expect(locationOf(redirect(path)).href).toBe(`${APP_URL}${BASE}/next?a=1`);
    expect(locationOf(redirect('/')).href).toBe(`${APP_URL}${BASE}/`);
    expect(locationOf(redirect('https://example.com/next')).href).toBe('https://example.com/next');
    expect(locationOf(redirect('//example.com/next')).href).toBe('https://example.com/next');
    expect(locationOf(redirect('/\\example.com/next')).href).toBe('https://example.com/next');
  });

  it('has a path below it that begins with the same segment', async () => {
    const twice = routes.open({ basePath: '/auth' });
    expect((await twice.handle(new Request(`${APP_URL}/auth/auth/session-token`)))?.status).toBe(
      200,
    );
    expect(await twice.handle(new Request(`${APP_URL}/auth/session-token`))).toBeUndefined();
    await twice.close();
  });

  it('knows none of its paths outside of it', async () => {
    expect(await app.handle(new Request(`${APP_URL}/auth/session-token`))).toBeUndefined();
    const answer = await app.handle(new Request(`${APP_URL}${BASE}/auth/session-token`));
    expect(answer?.status).toBe(200);
  });

  it.each(['base-path', '//evil.example', '/a b', '/a?b', 7])('refuses %j for one', (basePath) => {
    expect(() => routes.open({ basePath: basePath as string })).toThrow('- basePath: must be');
  });
});

describe('the login page of Remix below a base path', () => {
  it('is where pages without a shop lead, and begins OAuth there', async () => {
    const app = REMIX.open({ basePath: BASE, isEmbeddedApp: false });
    const server = serverOf(REMIX, app);
    const login = new URL(
      (await server(new Request(`${APP_URL}${BASE}/app`))).headers.get('location')!,
      APP_URL,
    );
    expect(login.href).toBe(`${APP_URL}${BASE}/auth/login`);
    const mistaken = await thrown(() => app.authenticate.admin(new Request(login)));
    expect(mistaken.status).toBe(500);
    login.searchParams.set('shop', 'test-shop');
    const start = new URL((await server(new Request(login))).headers.get('location')!);
    expect(start.origin + start.pathname).toBe(`${APP_URL}${BASE}/auth`);
    await app.close();
  });
});
