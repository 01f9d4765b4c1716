import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { DevStore, base64Host, signedWebhook } from '../../../lib/dev-store/index.js';
import {
  BillingInterval,
  LoginErrorType,
  MemorySessionStorage,
  Session,
  SessionNotFoundError,
  platformApp,
} from '../../../lib/integrations/remix/index.js';
import type { RemixApp, RemixAppOptions } from '../../../lib/integrations/remix/index.js';
import { API_KEY, API_SECRET, APP_URL, appOptions } from '../../support/app.js';
import { ManualClock } from '../../support/manual.clock.js';
import { UNDECODABLE } from '../../support/undecodable.js';

const LONGEST_FORM = 64 * 1024;

describe('the Remix object', () => {
  let devStore: DevStore;
  let app: RemixApp;
  const storage = new MemorySessionStorage();

  const open = (options: Partial<RemixAppOptions> = {}): RemixApp =>
    (app = platformApp({
      ...appOptions(),
      scopes: ['write_products'],
      sessionStorage: storage,
      shopOrigin: devStore.shopOrigin,
      ...options,
    }));
  const request = (path: string, init?: RequestInit): Request => new Request(APP_URL + path, init);
  /** What a call throws in place of an answer. */
  const thrown = (call: Promise<unknown>): Promise<Response> =>
    call.then(
      () => Promise.reject(new Error('Nothing was thrown.')),
      (error: unknown) => (error instanceof Response ? error : Promise.reject(error)),
    );
  const install = async (): Promise<Session> => {
    const { domain } = devStore.shop();
    const accessToken = devStore.shop().install(API_KEY, { scopes: 'write_products' });
    const session = new Session({
      id: `offline_${domain}`,
      shop: domain,
      state: '',
      isOnline: false,
      scope: 'write_products',
      accessToken,
    });
    await storage.storeSession(session);
    return session;
  };
  const embedded = (path: string, token = true): string => {
    const url = new URL(devStore.shop().embeddedUrl(API_KEY, path));
    if (!token) url.searchParams.delete('id_token');
    return url.pathname + url.search;
  };
  const bearer = (): RequestInit => ({
    headers: { authorization: `Bearer ${devStore.shop().sessionToken(API_KEY)}` },
  });

  beforeAll(async () => {
    devStore = await DevStore.open({
      apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
      deliveryRetries: [],
    });
  });
  afterAll(() => devStore.close());
  afterEach(async () => {
    await app.close();
    await storage.deleteSessions(
      (await storage.findSessionsByShop(devStore.shop().domain)).map(({ id }) => id),
    );
  });

  describe('authenticate.admin()', () => {
    it('answers with the session, the token and the Admin API of the shop', async () => {
      const { authenticate } = open();
      await install();
      const { admin, session, sessionToken } = await authenticate.admin(request('/app', bearer()));
      const response = await admin.graphql<{ shop: { myshopifyDomain: string } }>(
        '{ shop { myshopifyDomain } }',
      );
      const { data } = await response.json();
      expect(data.shop.myshopifyDomain).toBe(devStore.shop().domain);
      expect(session.shop).toBe(devStore.shop().domain);
      expect(sessionToken).toMatchObject({ aud: API_KEY, sub: String(devStore.shop().user.id) });
    });

    it('makes what a loader reads once, and hands all of it on in a spread', async () => {
      open();
      await install();
      const context = await app.authenticate.admin(request('/app', bearer()));
      const names = ['admin', 'billing', 'cors', 'redirect', 'scopes', 'session', 'sessionToken'];
      expect(Object.keys(context).sort()).toEqual(names);
      const { billing, redirect, scopes } = context;
      expect([context.billing, context.redirect, context.scopes]).toEqual([
        billing,
        redirect,
        scopes,
      ]);
      const spread = { ...context };
      expect(spread.billing).toBe(billing);
      expect(spread.redirect).toBe(redirect);
      expect(spread.scopes).toBe(scopes);
      expect(spread.admin).toBe(context.admin);
      expect(spread.session).toBe(context.session);
      expect(JSON.parse(JSON.stringify({ ...spread, admin: undefined }))).toMatchObject({
        session: { shop: devStore.shop().domain },
        sessionToken: { aud: API_KEY },
      });
    });

    it('takes the token from the address when the admin opens a page', async () => {
      open();
      await install();
      const { session } = await app.authenticate.admin(
        request(embedded('/app'), { headers: { accept: 'text/html' } }),
      );
      expect(session.shop).toBe(devStore.shop().domain);
    });

    it('sends a page without a token to the page that fetches one', async () => {
      open();
      const response = await thrown(
        app.authenticate.admin(
          request(embedded('/app', false), { headers: { accept: 'text/html' } }),
        ),
      );
      expect(response.status).toBe(302);
      expect(response.headers.get('location')).toMatch(/^\/auth\/session-token\?/);
      const page = await thrown(app.authenticate.admin(request(response.headers.get('location')!)));
      expect(page.status).toBe(200);
      expect(await page.text()).toContain(`data-api-key="${API_KEY}"`);
    });

    it('sends a page that names no shop to the login page, which must not authenticate', async () => {
      open();
      const response = await thrown(app.authenticate.admin(request('/app')));
      expect([response.status, response.headers.get('location')]).toEqual([302, '/auth/login']);
      const login = await thrown(app.authenticate.admin(request('/auth/login')));
      expect(login.status).toBe(500);
      expect(await login.text()).toContain('has to call login()');
    });

    it('refuses a fetch without a token, and asks App Bridge to try again', async () => {
      open();
      const response = await thrown(
        app.authenticate.admin(request('/app', { headers: { accept: 'application/json' } })),
      );
      expect(response.status).toBe(401);
      expect(response.headers.get('x-shopify-retry-invalid-session-request')).toBe('1');
      expect(await response.json()).toMatchObject({ error: 'session_token_missing' });
    });

    it('runs OAuth below the prefix, to the stored session', async () => {
      const afterAuth = jest.fn();
      open({ authPathPrefix: '/connect', hooks: { afterAuth } });
      const { domain, origin } = devStore.shop();
      devStore.shop().install(API_KEY, { scopes: 'write_products' });
      const begun = await thrown(app.authenticate.admin(request(`/connect?shop=${domain}`)));
      expect(begun.headers.get('location')).toContain(`${origin}/admin/oauth/authorize?`);
      const cookie = begun.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
      const consented = await fetch(begun.headers.get('location')!, { redirect: 'manual' });
      const back = new URL(consented.headers.get('location')!);
      expect(back.pathname).toBe('/connect/callback');
      const finished = await thrown(
        app.authenticate.admin(
          request(back.pathname + back.search, { headers: { cookie: cookie.join('; ') } }),
        ),
      );
      expect(finished.headers.get('location')).toBe(
        app.api.auth.buildEmbeddedAppUrl(base64Host(domain)),
      );
      expect((await storage.loadSession(`offline_${domain}`))?.accessToken).toMatch(/^shpat_/);
      expect(afterAuth).toHaveBeenCalledTimes(1);
    });

    it('serves the page that leaves the frame, and only to where it may lead', async () => {
      open();
      const exit = (target: string) =>
        thrown(
          app.authenticate.admin(
            request(`/auth/exit-iframe?exitIframe=${encodeURIComponent(target)}`),
          ),
        );
      const allowed = await exit(`${APP_URL}/auth?shop=a.myshopify.com`);
      expect(await allowed.text()).toContain(`${APP_URL}/auth?shop=a.myshopify.com`);
      const refused = await exit('https://evil.example.com/');
      expect(refused.status).toBe(400);
    });
  });

  describe('cors', () => {
    const foreign = { origin: 'https://extensions.example.com' };

    it('answers a preflight of a foreign page', async () => {
      open();
      const response = await thrown(
        app.authenticate.admin(request('/app', { method: 'OPTIONS', headers: foreign })),
      );
      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-headers')).toBe(
        'Authorization, Content-Type',
      );
    });

    it('lets a foreign page read a refusal', async () => {
      open();
      const response = await thrown(
        app.authenticate.admin(request('/app', { headers: { ...foreign, accept: '*/*' } })),
      );
      expect(response.status).toBe(401);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-expose-headers')).toMatch(/reauthorize-url/i);
    });

    it('lets a foreign page read where it has to go: out of the frame, or to a confirmation page', async () => {
      open({
        billing: { Pro: { amount: 5, currencyCode: 'USD', interval: BillingInterval.Every30Days } },
      });
      await install();
      const { headers } = bearer();
      const { billing, redirect, scopes } = await app.authenticate.admin(
        request('/app', { headers: { ...(headers as Record<string, string>), ...foreign } }),
      );
      const away: (() => unknown)[] = [
        () => redirect('https://elsewhere.example.com/', { target: '_top' }),
        () => billing.request({ plan: 'Pro' }),
        () => billing.require({ plans: ['Pro'] }),
      ];
      for (const leave of away) {
        const { status, headers } = await thrown(Promise.resolve().then(leave));
        expect([status, headers.get('access-control-allow-origin')]).toEqual([401, '*']);
        expect(headers.get('x-shopify-api-request-failure-reauthorize-url')).toMatch(/^https?:/);
      }
      const refused = await thrown(scopes.revoke([]));
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
        400,
        '*',
      ]);
    });

    it('opens a response for a foreign page, even one with fixed headers, and leaves the own page alone', async () => {
      open();
      await install();
      const { headers } = bearer();
      const { cors } = await app.authenticate.admin(
        request('/app', { headers: { ...(headers as Record<string, string>), ...foreign } }),
      );
      const moved = cors(Response.redirect('https://app.example.com/elsewhere'));
      expect([moved.status, moved.headers.get('access-control-allow-origin')]).toEqual([302, '*']);
      const own = await app.authenticate.admin(request('/app', bearer()));
      const response = Response.json({});
      expect(own.cors(response)).toBe(response);
    });
  });

  describe('authenticate.webhook()', () => {
    const delivery = (change: Partial<Parameters<typeof signedWebhook>[0]> = {}): Request => {
      const options = {
        secret: API_SECRET,
        shop: devStore.shop().domain,
        topic: 'products/create',
        payload: { title: 'Hat' },
        ...change,
      };
      const { headers, body } = signedWebhook(options);
      return request('/webhooks', { method: 'POST', headers, body: new Uint8Array(body) });
    };

    it('answers with the delivery and the Admin API of an installed shop', async () => {
      open();
      await install();
      const webhook = await app.authenticate.webhook<{ title: string }>(
        delivery({ webhookId: 'd-1' }),
      );
      expect(webhook).toMatchObject({
        topic: 'PRODUCTS_CREATE',
        shop: devStore.shop().domain,
        webhookId: 'd-1',
        apiVersion: '2026-07',
      });
      expect(webhook.payload.title).toBe('Hat');
      expect(webhook.session?.shop).toBe(devStore.shop().domain);
      const { data } = await webhook.admin!.graphql<{ shop: { name: string } }>(
        '{ shop { name } }',
      );
      expect(data.shop.name).toBe('Dev Shop');
    });

    it('has no session once the app is uninstalled, which is no error', async () => {
      open();
      const payload = { myshopify_domain: devStore.shop().domain };
      const { session, admin } = await app.authenticate.webhook(
        delivery({ topic: 'app/uninstalled', payload }),
      );
      expect([session, admin]).toEqual([undefined, undefined]);
    });

    it.each([
      ['forged', () => delivery({ secret: 'another' }), 401],
      ['unsigned', () => request('/webhooks', { method: 'POST', body: '{}' }), 400],
      ['fetched with GET', () => request('/webhooks'), 405],
    ])('throws a response for a delivery that is %s', async (_, make, status) => {
      open();
      expect((await thrown(app.authenticate.webhook(make()))).status).toBe(status);
    });
  });

  describe('handle()', () => {
    it('runs the handlers of a delivery and leaves the paths of the app alone', async () => {
      const PRODUCTS_CREATE = jest.fn();
      open({ webhooks: { path: '/hooks', PRODUCTS_CREATE } });
      const { headers, body } = signedWebhook({
        secret: API_SECRET,
        shop: devStore.shop().domain,
        topic: 'products/create',
        payload: {},
      });
      const response = await app.handle(
        request('/hooks', { method: 'POST', headers, body: new Uint8Array(body) }),
      );
      expect(response?.status).toBe(200);
      expect(PRODUCTS_CREATE).toHaveBeenCalledTimes(1);
      expect(await app.handle(request('/app'))).toBeUndefined();
    });
  });

  describe('unauthenticated.admin()', () => {
    it('calls the Admin API with the stored session', async () => {
      open();
      await install();
      const { admin } = await app.unauthenticated.admin(devStore.shop().domain);
      const { body } = await admin.rest.get<{ shop: { myshopify_domain: string } }>({
        path: 'shop',
      });
      expect(body.shop.myshopify_domain).toBe(devStore.shop().domain);
    });

    it('says that a shop has not installed the app', async () => {
      open();
      await expect(app.unauthenticated.admin('other.myshopify.com')).rejects.toThrow(
        SessionNotFoundError,
      );
    });
  });

  describe('registerWebhooks()', () => {
    it('subscribes the shop to the topics of the options', async () => {
      open({ webhooks: { PRODUCTS_UPDATE: { deliveryMethod: 'http', callbackUrl: '/webhooks' } } });
      const { registerWebhooks } = app;
      const result = await registerWebhooks({ session: await install() });
      expect(result['PRODUCTS_UPDATE']).toMatchObject([{ success: true }]);
    });
  });

  describe('addDocumentResponseHeaders()', () => {
    it('lets the admin frame the document and the browser fetch App Bridge early', () => {
      open({ shopOrigin: undefined });
      const headers = new Headers({ 'content-security-policy': "img-src 'self'" });
      app.addDocumentResponseHeaders(request('/app?shop=dev-shop.myshopify.com'), headers);
      expect(headers.get('content-security-policy')).toBe(
        "img-src 'self', frame-ancestors https://dev-shop.myshopify.com https://admin.shopify.com https://*.spin.dev https://admin.myshopify.io https://admin.shop.dev;",
      );
      expect(headers.get('link')).toBe(
        '<https://cdn.shopify.com/shopifycloud/app-bridge.js>; rel="preload"; as="script";',
      );
    });

    it.each([
      [true, null],
      [false, "frame-ancestors 'none';"],
    ])('without a shop, embedded %s, says %j about frames', (isEmbeddedApp, policy) => {
      open({ isEmbeddedApp });
      const headers = new Headers();
      app.addDocumentResponseHeaders(request('/app'), headers);
      expect([headers.get('content-security-policy'), headers.get('link')]).toEqual([policy, null]);
    });

    it.each([...UNDECODABLE, 'evil.example.com'])(
      'takes %s, which is no shop, for none',
      (shop) => {
        open();
        const headers = new Headers();
        app.addDocumentResponseHeaders(request(`/app?shop=${shop}`), headers);
        expect([...headers]).toEqual([]);
      },
    );
  });

  describe('login()', () => {
    const form = (shop: string): Request =>
      request('/auth/login', { method: 'POST', body: new URLSearchParams({ shop }) });

    it.each([
      'dev-shop',
      ' dev-shop.myshopify.com ',
      'https://dev-shop.myshopify.com/',
      'DEV-SHOP',
    ])('has the app installed from the admin for %j', async (typed) => {
      open();
      const response = await thrown(app.login(form(typed)));
      expect(response.headers.get('location')).toBe(
        `${devStore.shop().origin}/admin/oauth/install?client_id=${API_KEY}`,
      );
    });

    it('takes the shop from the address, too', async () => {
      open();
      expect((await thrown(app.login(request('/auth/login?shop=dev-shop')))).status).toBe(302);
    });

    it.each([
      ['nothing yet', () => request('/auth/login'), {}],
      ['an empty field', () => form(''), { shop: LoginErrorType.MissingShop }],
      [
        'no form',
        () => request('/auth/login', { method: 'POST', body: '{}' }),
        { shop: LoginErrorType.MissingShop },
      ],
      ['another domain', () => form('evil.example.com'), { shop: LoginErrorType.InvalidShop }],
    ])('answers %s with what is wrong', async (_, make, outcome) => {
      open();
      expect(await app.login(make())).toEqual(outcome);
    });

    it('takes a form with a file part, and one of exactly 64 kB', async () => {
      open();
      const parts = new FormData();
      parts.append('shop', 'dev-shop');
      parts.append('file', new Blob(['x'.repeat(1000)]), 'x.txt');
      expect(
        (await thrown(app.login(request('/auth/login', { method: 'POST', body: parts })))).status,
      ).toBe(302);
      const body = 'shop=dev-shop&x='.padEnd(LONGEST_FORM, 'x');
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      expect(
        (await thrown(app.login(request('/auth/login', { method: 'POST', headers, body })))).status,
      ).toBe(302);
    });

    // The whole body was read, however long: one request could take all of the memory.
    it.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'])(
      'refuses more than 64 kB of %s with 413, and reads no more',
      async (type) => {
        open();
        let sent = 0;
        let cancelled = false;
        const body = new ReadableStream<Uint8Array>({
          pull: (controller) => {
            const piece = Buffer.from('shop=dev-shop&x='.padEnd(16 * 1024, 'x'));
            sent += piece.length;
            if (sent > 4 * 1024 * 1024) controller.close();
            else controller.enqueue(piece);
          },
          cancel: () => void (cancelled = true),
        });
        const response = await thrown(
          app.login(
            request('/auth/login', {
              method: 'POST',
              headers: { 'content-type': type },
              body,
              duplex: 'half',
            } as RequestInit),
          ),
        );
        expect(response.status).toBe(413);
        expect(await response.json()).toEqual({
          error: 'body_too_large',
          message: expect.stringContaining('65536'),
        });
        expect(sent).toBeLessThan(2 * LONGEST_FORM);
        expect(cancelled).toBe(true);
      },
    );

    it('answers a browser whose form is too long with a page', async () => {
      open();
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-dest': 'document',
      };
      const response = await thrown(
        app.login(
          request('/auth/login', {
            method: 'POST',
            headers,
            body: `shop=${'x'.repeat(LONGEST_FORM)}`,
          }),
        ),
      );
      expect([response.status, response.headers.get('content-type')]).toEqual([
        413,
        'text/html; charset=utf-8',
      ]);
    });

    it('gives a form up with 408 that has no end', async () => {
      open({ clock: new ManualClock() });
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Buffer.from('shop=dev-shop')),
      });
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const response = await thrown(
        app.login(
          request('/auth/login', { method: 'POST', headers, body, duplex: 'half' } as RequestInit),
        ),
      );
      expect(response.status).toBe(408);
      expect(await response.json()).toMatchObject({ error: 'body_timeout' });
    });

    it('answers a form whose bytes were dropped for another body with 503', async () => {
      open({ webhooks: { bodyLimit: LONGEST_FORM, bodyMemoryLimit: LONGEST_FORM } });
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const stalled = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Buffer.alloc(LONGEST_FORM - 1, 'x')),
      });
      const dropped = thrown(
        app.login(
          request('/auth/login', {
            method: 'POST',
            headers,
            body: stalled,
            duplex: 'half',
          } as RequestInit),
        ),
      );
      await new Promise((resolve) => setImmediate(resolve));
      const body = 'shop=dev-shop&x='.padEnd(LONGEST_FORM, 'x');
      expect(
        (await thrown(app.login(request('/auth/login', { method: 'POST', headers, body })))).status,
      ).toBe(302);
      const response = await dropped;
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await response.json()).toMatchObject({
        error: 'body_dropped',
        message: expect.stringContaining('Try again'),
      });
    });

    it('finds nothing in a form that was read before', async () => {
      open();
      const read = form('dev-shop');
      await read.formData();
      expect(await app.login(read)).toEqual({ shop: LoginErrorType.MissingShop });
    });
  });
});
