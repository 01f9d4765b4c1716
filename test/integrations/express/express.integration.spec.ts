import { afterEach, describe, expect, it, jest } from '@jest/globals';
import express from 'express';
import type { Express } from 'express';

import { base64Host, signedWebhook } from '../../../lib/dev-store/index.js';
import {
  InvalidShopError,
  ReauthorizationRequiredError,
  Session,
} from '../../../lib/integrations/express/index.js';
import type { ExpressApp } from '../../../lib/integrations/express/index.js';
import { RequestedTokenType } from '../../../lib/integrations/api/index.js';
import { API_KEY, API_SECRET } from '../../support/app.js';
import { UNDECODABLE } from '../../support/undecodable.js';
import { openApp } from './express.fixture.js';
import type { RunningApp, Setup } from './express.fixture.js';
import { cookiesOf, walkToCallback } from './oauth.walk.js';

const ELSEWHERE = 'https://billing.example.com/confirm?charge=1';

describe('the Express bundle', () => {
  let running: RunningApp | undefined;
  const open = async (
    mount: (app: Express, shopify: ExpressApp) => void,
    setup?: Setup,
  ): Promise<RunningApp> => (running = await openApp(mount, setup));
  afterEach(async () => {
    await running?.close();
    running = undefined;
  });

  /** The routes as the platform's documentation wires them. */
  const asDocumented = (app: Express, shopify: ExpressApp): void => {
    app.get(shopify.config.auth.path, shopify.auth.begin());
    app.get(
      shopify.config.auth.callbackPath,
      shopify.auth.callback(),
      shopify.redirectToShopifyOrAppRoot(),
    );
  };

  describe('auth.begin()', () => {
    it('sends the browser to the shop, with a state it keeps in a cookie', async () => {
      const { send, shop, url } = await open(asDocumented);
      const response = await send(`/auth?shop=${shop.domain}`);
      const target = new URL(response.headers.get('location')!);
      expect(response.status).toBe(302);
      expect(target.origin + target.pathname).toBe(`${shop.origin}/admin/oauth/authorize`);
      expect(target.searchParams.get('client_id')).toBe(API_KEY);
      expect(target.searchParams.get('redirect_uri')).toBe(`${url}/auth/callback`);
      expect(target.searchParams.get('grant_options[]')).toBe('');
      expect(response.headers.getSetCookie()[0]).toMatch(/^shopify_app_state.*HttpOnly/);
    });

    it("asks for a user's token when it is told to", async () => {
      const { send, shop } = await open((app, shopify) =>
        app.get('/auth', shopify.auth.begin({ isOnline: true })),
      );
      const response = await send(`/auth?shop=${shop.domain}`);
      expect(new URL(response.headers.get('location')!).searchParams.get('grant_options[]')).toBe(
        'per-user',
      );
    });

    it('refuses a request that names no shop', async () => {
      const { send } = await open(asDocumented);
      const response = await send('/auth');
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: 'shop_missing' });
    });
  });

  describe('auth.callback()', () => {
    const walk = async (app: RunningApp): Promise<Response> => {
      app.shop.install(API_KEY, { scopes: 'write_products' });
      const { path, cookie } = await walkToCallback(app);
      return app.send(path, { headers: { cookie } });
    };

    it('stores the session and goes on to the app in the admin', async () => {
      const app = await open(asDocumented);
      const response = await walk(app);
      const session = await app.storage.loadSession(`offline_${app.shop.domain}`);
      expect(response.status).toBe(302);
      expect(response.headers.get('location')).toBe(
        app.shopify.api.auth.buildEmbeddedAppUrl(base64Host(app.shop.domain)),
      );
      expect(session).toMatchObject({
        shop: app.shop.domain,
        scope: 'write_products',
        isOnline: false,
      });
      expect(session?.accessToken).toMatch(/^shpat_/);
    });

    it('hands the session to the next handler of its route, beside what is there already', async () => {
      const app = await open((router, shopify) => {
        router.use((_req, res, next) => {
          Object.assign(res.locals, { shopify: { mine: 1 } });
          next();
        });
        router.get('/auth', shopify.auth.begin());
        router.get('/auth/callback', shopify.auth.callback(), (_req, res) => {
          const { session, ...rest } = res.locals.shopify;
          // A page shows no tokens.
          res.json({ ...rest, session: { shop: session.shop } });
        });
      });
      const response = await walk(app);
      expect(await response.json()).toMatchObject({ mine: 1, session: { shop: app.shop.domain } });
    });

    it('goes on by itself when it is the last handler of its route', async () => {
      const app = await open((router, shopify) => {
        router.get('/auth', shopify.auth.begin());
        router.get('/auth/callback', shopify.auth.callback());
      });
      const response = await walk(app);
      expect(response.headers.get('location')).toBe(
        app.shopify.api.auth.buildEmbeddedAppUrl(base64Host(app.shop.domain)),
      );
    });

    it('leads a non-embedded app to its root, with a session cookie', async () => {
      const app = await open(asDocumented, { api: { isEmbeddedApp: false } });
      const response = await walk(app);
      const target = new URL(response.headers.get('location')!, app.url);
      expect(target.origin + target.pathname).toBe(`${app.url}/`);
      expect(target.searchParams.get('shop')).toBe(app.shop.domain);
      expect(
        response.headers
          .getSetCookie()
          .some((cookie) => /^shopify_app_session_[0-9a-f]{8}=/.test(cookie)),
      ).toBe(true);
    });

    it('refuses a state it did not give out, and stores nothing', async () => {
      const app = await open(asDocumented);
      app.shop.install(API_KEY, { scopes: 'write_products' });
      const [first, second] = [await walkToCallback(app), await walkToCallback(app)];
      const response = await app.send(first.path, { headers: { cookie: second.cookie } });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: 'state_mismatch' });
      expect(await app.storage.findSessionsByShop(app.shop.domain)).toEqual([]);
    });

    it('runs the hook once, before the next handler', async () => {
      const afterAuth = jest.fn();
      const app = await open(asDocumented, { options: { hooks: { afterAuth } } });
      await walk(app);
      expect(afterAuth).toHaveBeenCalledTimes(1);
      expect(afterAuth).toHaveBeenCalledWith(
        expect.objectContaining({ session: expect.objectContaining({ shop: app.shop.domain }) }),
      );
    });
  });

  describe('validateAuthenticatedSession()', () => {
    const api = (app: Express, shopify: ExpressApp): void => {
      app.use('/api', shopify.validateAuthenticatedSession());
      app.get('/api/shop', (_req, res) => void res.json({ shop: res.locals.shopify.session.shop }));
    };
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

    it('lets a request with a session token through to the session of its shop', async () => {
      const { send, shop, install } = await open(api);
      await install();
      const response = await send('/api/shop', bearer(shop.sessionToken(API_KEY)));
      expect(await response.json()).toEqual({ shop: shop.domain });
    });

    it('asks for another token when the one that came has expired', async () => {
      const { send, shop, install } = await open(api);
      await install();
      const response = await send(
        '/api/shop',
        bearer(shop.sessionToken(API_KEY, { exp: 1, nbf: 1 })),
      );
      expect(response.status).toBe(401);
      expect(response.headers.get('x-shopify-retry-invalid-session-request')).toBe('1');
    });

    it('tells App Bridge where to reauthorize when the shop has no session', async () => {
      const { send, shop, url } = await open(api);
      const response = await send('/api/shop', bearer(shop.sessionToken(API_KEY)));
      expect(response.status).toBe(403);
      expect(response.headers.get('x-shopify-api-request-failure-reauthorize')).toBe('1');
      expect(response.headers.get('x-shopify-api-request-failure-reauthorize-url')).toContain(
        `${url}/auth?shop=${shop.domain}`,
      );
    });

    it('takes the session cookie of a non-embedded app', async () => {
      const app = await open(
        (router, shopify) => {
          asDocumented(router, shopify);
          api(router, shopify);
        },
        { api: { isEmbeddedApp: false } },
      );
      app.shop.install(API_KEY, { scopes: 'write_products' });
      const { path, cookie } = await walkToCallback(app);
      const finished = await app.send(path, { headers: { cookie } });
      const response = await app.send('/api/shop', { headers: { cookie: cookiesOf(finished) } });
      expect(await response.json()).toEqual({ shop: app.shop.domain });
    });
  });

  describe('ensureInstalledOnShop()', () => {
    const page = (app: Express, shopify: ExpressApp): void => {
      app.get('/page', shopify.ensureInstalledOnShop(), (_req, res) => void res.send('the page'));
    };
    const query = (shop: string, embedded = '1') =>
      new URLSearchParams({ shop, host: base64Host(shop), embedded });

    it('lets an installed shop see the page in its admin, and nobody else frame it', async () => {
      const { send, shop, install } = await open(page);
      await install();
      const response = await send(`/page?${query(shop.domain)}`);
      expect(await response.text()).toBe('the page');
      expect(response.headers.get('content-security-policy')).toMatch(
        new RegExp(`^frame-ancestors .*https://${shop.domain}`),
      );
    });

    it('starts OAuth for a shop that has not installed the app', async () => {
      const { send, shop } = await open(page);
      const response = await send(`/page?${query(shop.domain, '0')}`);
      expect(response.headers.get('location')).toContain(`${shop.origin}/admin/oauth/authorize?`);
    });

    it('leaves the frame first when the page is in one', async () => {
      const { send, shop } = await open(page);
      const response = await send(`/page?${query(shop.domain)}`);
      expect(response.headers.get('location')).toMatch(/^\/exitiframe\?/);
    });

    it('takes an installed shop into its admin, to the same page', async () => {
      const { send, shop, shopify, install } = await open(page);
      await install();
      const response = await send(`/page?${query(shop.domain, '0')}&tab=2`);
      expect(response.headers.get('location')).toBe(
        `${shopify.api.auth.buildEmbeddedAppUrl(base64Host(shop.domain))}/page?tab=2`,
      );
    });

    it.each([
      ['', 400],
      ['?shop=evil.example.com', 422],
      ...UNDECODABLE.map((shop) => [`?shop=${shop}`, 422] as const),
    ])('refuses "/page%s" with %i', async (search, status) => {
      const { send } = await open(page);
      expect((await send(`/page${search}`)).status).toBe(status);
    });
  });

  describe('cspHeaders()', () => {
    const page = (app: Express, shopify: ExpressApp): void => {
      app.use('/strict', (_req, res, next) => {
        res.setHeader('Content-Security-Policy', "default-src 'self'; frame-ancestors *");
        next();
      });
      app.use('/several', (_req, res, next) => {
        res.setHeader('Content-Security-Policy', ["default-src 'self'", 'frame-ancestors *']);
        next();
      });
      app.use(shopify.cspHeaders());
      app.use((_req, res) => void res.send('page'));
    };

    it('lets the shop in the query and the admin frame the page', async () => {
      const { send, shop } = await open(page, { api: { shopOrigin: undefined } });
      const policy = (await send(`/?shop=${shop.domain}`)).headers.get('content-security-policy');
      expect(policy).toBe(
        `frame-ancestors https://${shop.domain} https://admin.shopify.com https://*.spin.dev https://admin.myshopify.io https://admin.shop.dev;`,
      );
    });

    it.each([
      '/',
      '/?shop=evil.example.com',
      ...UNDECODABLE.map((shop) => `/?shop=${shop}`),
      '/?shop=a.myshopify.com%0d%0ax:1',
    ])('lets nobody frame %s', async (path) => {
      const { send } = await open(page);
      expect((await send(path)).headers.get('content-security-policy')).toBe(
        "frame-ancestors 'none';",
      );
    });

    it.each(['/strict', '/several'])(
      'keeps the rest of a policy that is there already on %s',
      async (path) => {
        const { send } = await open(page);
        expect((await send(path)).headers.get('content-security-policy')).toBe(
          "default-src 'self', frame-ancestors 'none';",
        );
      },
    );
  });

  describe('redirectToShopifyOrAppRoot()', () => {
    it('hands an error on when no session stands before it', async () => {
      const { send } = await open((app, shopify) =>
        app.get('/', shopify.redirectToShopifyOrAppRoot()),
      );
      expect(await (await send('/')).json()).toEqual({ thrown: 'MissingRequiredArgument' });
    });

    it('goes by both names', async () => {
      const { shopify } = await open(() => {});
      expect(shopify.redirectToPlatformOrAppRoot).toBe(shopify.redirectToShopifyOrAppRoot);
    });
  });

  describe('redirectOutOfApp()', () => {
    const leave = (app: Express, shopify: ExpressApp): void => {
      app.get('/positional', (req, res) => shopify.redirectOutOfApp(req, res, ELSEWHERE));
      app.get(
        '/object',
        (req, res) =>
          void shopify.redirectOutOfApp({
            req,
            res,
            redirectUri: ELSEWHERE,
            shop: 'dev-shop.myshopify.com',
          }),
      );
    };

    it.each(['/positional', '/object'])(
      'redirects a page outside of the frame, called as %s',
      async (path) => {
        const { send } = await open(leave);
        const response = await send(path);
        expect([response.status, response.headers.get('location')]).toEqual([302, ELSEWHERE]);
      },
    );

    it.each(['/positional', '/object'])(
      'leaves the frame through the exit page, called as %s',
      async (path) => {
        const { send, shop, url } = await open((app, shopify) => {
          leave(app, shopify);
          app.get('/exitiframe', shopify.exitIframe());
        });
        const response = await send(
          `${path}?shop=${shop.domain}&host=${encodeURIComponent(base64Host(shop.domain))}&embedded=1`,
        );
        const target = new URL(response.headers.get('location')!, url);
        expect(target.pathname).toBe('/exitiframe');
        expect(target.searchParams.get('redirectUri')).toBe(ELSEWHERE);
        const exit = await send(target.pathname + target.search);
        expect(exit.headers.get('content-type')).toMatch(/^text\/html/);
        expect(await exit.text()).toContain(JSON.stringify(ELSEWHERE));
      },
    );

    it('tells a fetch where the window has to go', async () => {
      const { send } = await open(leave);
      const response = await send('/positional', { headers: { authorization: 'Bearer token' } });
      expect(response.status).toBe(403);
      expect(response.headers.get('x-shopify-api-request-failure-reauthorize-url')).toBe(ELSEWHERE);
    });
  });

  describe('processWebhooks()', () => {
    const BODY = '{"id":1,"title":"Crème brûlée"}';
    const deliver = (
      { send, shop }: RunningApp,
      change: { topic?: string; headers?: Record<string, string> } = {},
    ): Promise<Response> => {
      const { topic = 'products/create', headers: extra = {} } = change;
      const { headers, body } = signedWebhook({
        secret: API_SECRET,
        shop: shop.domain,
        topic,
        body: BODY,
        headers: extra,
      });
      return send('/webhooks', { method: 'POST', headers, body: new Uint8Array(body) });
    };

    it.each<[string, (app: Express) => void, express.RequestHandler[]]>([
      ['no parser', () => {}, []],
      ['express.text() in the route', () => {}, [express.text({ type: '*/*' })]],
      ['express.json() before', (app) => app.use(express.json()), []],
      ['express.raw() before', (app) => app.use(express.raw({ type: '*/*' })), []],
    ])('runs the handler with the raw text, with %s', async (_, before, parsers) => {
      const callback = jest.fn();
      const app = await open((router, shopify) => {
        before(router);
        const webhookHandlers = {
          PRODUCTS_CREATE: { deliveryMethod: 'http' as const, callbackUrl: '/webhooks', callback },
        };
        router.post(
          shopify.config.webhooks.path,
          ...parsers,
          shopify.processWebhooks({ webhookHandlers }),
        );
      });
      const response = await deliver(app, { headers: { 'X-Shopify-Webhook-Id': 'delivery-1' } });
      expect(response.status).toBe(200);
      expect(callback.mock.calls).toEqual([
        ['PRODUCTS_CREATE', app.shop.domain, BODY, 'delivery-1', '2026-07', undefined],
      ]);
    });

    it('takes bare functions as handlers', async () => {
      const handler = jest.fn();
      const app = await open((router, shopify) =>
        router.post(
          '/webhooks',
          shopify.processWebhooks({ webhookHandlers: { 'products/create': handler } }),
        ),
      );
      await deliver(app);
      expect(handler).toHaveBeenCalledTimes(1);
    });

    // An app from the official package stopped at boot: what it spread was no array.
    it.each<[string, (router: Express, handlers: express.RequestHandler[]) => unknown]>([
      ['spread', (router, handlers) => router.post('/webhooks', ...handlers)],
      ['passed as it is', (router, handlers) => router.post('/webhooks', handlers)],
    ])('answers an array, %s', async (_, mount) => {
      const PRODUCTS_CREATE = jest.fn();
      const app = await open((router, shopify) =>
        mount(router, shopify.processWebhooks({ webhookHandlers: { PRODUCTS_CREATE } })),
      );
      expect((await deliver(app)).status).toBe(200);
      expect(PRODUCTS_CREATE).toHaveBeenCalledTimes(1);
    });

    it.each([
      [
        'forged',
        401,
        { headers: { 'X-Shopify-Hmac-Sha256': Buffer.alloc(32).toString('base64') } },
      ],
      ['of an unknown topic', 404, { topic: 'orders/paid' }],
      ['that its handler fails', 500, {}],
    ])('answers a delivery %s with %i', async (_, status, change) => {
      const PRODUCTS_CREATE = (): never => {
        throw new Error('broken');
      };
      const app = await open((router, shopify) =>
        router.post('/webhooks', shopify.processWebhooks({ webhookHandlers: { PRODUCTS_CREATE } })),
      );
      expect((await deliver(app, change)).status).toBe(status);
    });
  });

  describe('routes()', () => {
    it('answers every path of the toolkit and leaves all others alone', async () => {
      const PRODUCTS_CREATE = jest.fn();
      const app = await open(
        (router, shopify) => {
          router.use(shopify.routes());
          router.get('/mine', (_req, res) => void res.send('mine'));
        },
        {
          options: {
            webhooks: { path: '/hooks', PRODUCTS_CREATE },
            auth: { path: '/login', callbackPath: '/done' },
          },
        },
      );
      app.shop.install(API_KEY, { scopes: 'write_products' });
      const { path, cookie } = await walkToCallback(app, `/login?shop=${app.shop.domain}`);
      expect(path).toMatch(/^\/done\?/);
      expect((await app.send(path, { headers: { cookie } })).status).toBe(302);
      const { headers, body } = signedWebhook({
        secret: API_SECRET,
        shop: app.shop.domain,
        topic: 'products/create',
        payload: {},
      });
      expect(
        (await app.send('/hooks', { method: 'POST', headers, body: new Uint8Array(body) })).status,
      ).toBe(200);
      expect(PRODUCTS_CREATE).toHaveBeenCalledTimes(1);
      expect(await (await app.send('/mine')).text()).toBe('mine');
      expect((await app.send('/webhooks', { method: 'POST' })).status).toBe(404);
    });
  });

  describe('registerWebhooks()', () => {
    it('subscribes the shop to the topics that have handlers', async () => {
      const { shop, shopify, install } = await open((_, app) =>
        app.api.webhooks.addHandlers({ PRODUCTS_CREATE: () => {} }),
      );
      const result = await shopify.registerWebhooks({ session: await install() });
      expect(result['PRODUCTS_CREATE']).toMatchObject([{ success: true, operation: 'create' }]);
      expect(shop.subscriptions.map(({ topic }) => topic)).toContain('products/create');
    });
  });

  describe('ensureValidOfflineSession()', () => {
    /** A session with a refresh token, whose token ends in so many minutes. */
    const expiring = async (app: RunningApp, minutes: number): Promise<Session> => {
      app.shop.install(API_KEY, { scopes: 'write_products' });
      const { session } = await app.shopify.api.auth.tokenExchange({
        shop: app.shop.domain,
        sessionToken: app.shop.sessionToken(API_KEY),
        requestedTokenType: RequestedTokenType.OfflineAccessToken,
      });
      const stored = new Session({
        ...session,
        expires: new Date(Date.now() + minutes * 60_000),
      });
      await app.storage.storeSession(stored);
      return stored;
    };

    it('has nothing for a shop without a session', async () => {
      const { shop, shopify } = await open(() => {});
      expect(await shopify.ensureValidOfflineSession(shop.domain)).toBeUndefined();
    });

    it.each([{}, { future: { expiringOfflineAccessTokens: true } }])(
      'leaves a session alone that never expires, with the options %j',
      async (options) => {
        const { shop, shopify, install } = await open(() => {}, { options });
        const session = await install();
        expect(await shopify.ensureValidOfflineSession(shop.domain)).toEqual(session);
        expect(shop.tokenRequests).toEqual([]);
      },
    );

    it('renews and stores a session that is about to expire, and no other', async () => {
      const app = await open(() => {});
      const good = await expiring(app, 30);
      expect(await app.shopify.ensureValidOfflineSession(app.shop.domain)).toEqual(good);
      const due = await expiring(app, 1);
      const renewed = await app.shopify.ensureValidOfflineSession(app.shop.domain);
      expect(renewed!.accessToken).not.toBe(due.accessToken);
      expect(renewed!.expires!.getTime()).toBeGreaterThan(due.expires!.getTime());
      expect(await app.storage.loadSession(due.id)).toEqual(renewed);
    });

    it('rejects when the platform refuses to renew, and for what is no shop', async () => {
      const app = await open(() => {});
      await expiring(app, 1);
      app.shop.uninstall(API_KEY);
      await expect(app.shopify.ensureValidOfflineSession(app.shop.domain)).rejects.toThrow(
        ReauthorizationRequiredError,
      );
      await expect(app.shopify.ensureValidOfflineSession('example.com')).rejects.toThrow(
        InvalidShopError,
      );
    });
  });
});
