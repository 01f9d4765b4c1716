import { describe, expect, it } from '@jest/globals';

import { AppDistribution } from '../../lib/core/config/config.options.js';
import type { InboundRequest } from '../../lib/core/http/inbound-request.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import {
  API_KEY,
  APP_URL,
  HOST,
  OTHER_SHOP,
  SHOP,
  createApp,
  headersOf,
  inbound,
  offlineSession,
  page,
  query,
  script,
} from './auth.fixture.js';
import type { App, AppSetup } from './auth.fixture.js';

const FRAME = query({ shop: SHOP, host: HOST, embedded: '1' });
const ANCESTORS = `frame-ancestors https://${SHOP} https://admin.shopify.com https://*.spin.dev https://admin.myshopify.io https://admin.shop.dev;`;

const CUSTOM = { distribution: AppDistribution.PlatformAdmin, adminApiAccessToken: 'shpat_fixed' };

async function installedApp(setup: AppSetup = {}): Promise<App> {
  const app = createApp(setup);
  await app.storage.storeSession(offlineSession());
  return app;
}

describe('ensureInstalled', () => {
  it('lets a page of an installed shop through, with the policy that lets the admin frame it', async () => {
    const { auth } = await installedApp();
    await expect(auth.ensureInstalled(page(`/?${FRAME}`))).resolves.toMatchObject({
      kind: 'granted',
      session: { shop: SHOP },
      headers: [['content-security-policy', ANCESTORS]],
    });
  });

  it.each([
    ['/', 400, 'shop_missing'],
    ['/?shop=evil.example.com', 422, 'shop_invalid'],
    [`/?shop=${SHOP}&shop=${OTHER_SHOP}`, 422, 'shop_invalid'],
  ])('refuses %s with %d', async (target, status, reason) => {
    await expect(createApp().auth.ensureInstalled(page(target))).resolves.toMatchObject({
      kind: 'denied',
      status,
      reason,
    });
  });

  it('leaves the frame for OAuth when the app is not installed', async () => {
    const decision = await createApp().auth.ensureInstalled(page(`/?${FRAME}`));
    const location = new URL(decision.kind === 'redirect' ? decision.location : '', APP_URL);
    expect(location.pathname).toBe('/exitiframe');
    expect(location.searchParams.get('redirectUri')).toBe(
      `${APP_URL}/auth?${query({ shop: SHOP, host: HOST })}`,
    );
  });

  it('begins OAuth when the app is not installed and the page is not framed', async () => {
    const decision = await createApp().auth.ensureInstalled(page(`/?shop=${SHOP}`));
    expect(decision).toMatchObject({ kind: 'redirect', reason: 'begin_oauth' });
  });

  it.each([
    ['has expired', offlineSession({ expires: new Date(0) })],
    ['lacks a scope', offlineSession({ scope: '' })],
    ['has no token', offlineSession({ accessToken: '' })],
  ])('begins OAuth when the session %s', async (_, session) => {
    const { auth, storage } = createApp();
    await storage.storeSession(session);
    await expect(auth.ensureInstalled(page(`/?shop=${SHOP}`))).resolves.toMatchObject({
      reason: 'begin_oauth',
    });
    await expect(auth.ensureInstalled(page(`/?${FRAME}`))).resolves.toMatchObject({
      reason: 'exit_iframe',
    });
  });

  it('takes an installed shop into the admin, page and query kept', async () => {
    const { auth } = await installedApp();
    await expect(
      auth.ensureInstalled(page(`/mnt/page?foo=1&shop=${SHOP}&host=${HOST}`)),
    ).resolves.toMatchObject({
      location: `https://admin.shopify.com/store/dev-shop/apps/${API_KEY}/mnt/page?foo=1`,
    });
  });

  it('answers with the exit page on its path', async () => {
    const request = page(
      `/exitiframe?${FRAME}&redirectUri=${encodeURIComponent(`${APP_URL}/auth`)}`,
    );
    await expect(createApp().auth.ensureInstalled(request)).resolves.toMatchObject({
      kind: 'document',
      reason: 'exit_iframe',
    });
  });

  it('asks a non-embedded app for its session', async () => {
    const { auth } = await installedApp({ options: { isEmbeddedApp: false } });
    await expect(auth.ensureInstalled(page(`/?shop=${SHOP}`))).resolves.toMatchObject({
      kind: 'redirect',
      reason: 'begin_oauth',
    });
  });

  it('takes a custom app as installed', async () => {
    const embedded = createApp({ options: CUSTOM });
    await expect(embedded.auth.ensureInstalled(page(`/?${FRAME}`))).resolves.toMatchObject({
      kind: 'granted',
      session: { shop: SHOP },
    });
    await expect(embedded.auth.ensureInstalled(page(`/?shop=${SHOP}`))).resolves.toMatchObject({
      kind: 'redirect',
      reason: 'embed_app',
    });
    const { auth } = createApp({ options: { ...CUSTOM, isEmbeddedApp: false } });
    await expect(auth.ensureInstalled(page(`/?shop=${SHOP}`))).resolves.toMatchObject({
      kind: 'granted',
      session: { shop: SHOP },
    });
  });
});

describe('a custom app', () => {
  // Whoever reached it could use its token, and nothing said so.
  it('is warned once, at its start, when nothing tells who calls it', async () => {
    const { auth, lines } = createApp({ options: { ...CUSTOM, isEmbeddedApp: false } });
    await auth.authenticateAdmin(page(`/?shop=${SHOP}`));
    expect(lines.filter((line) => line.includes('WARNING'))).toEqual([
      expect.stringContaining('a login of your own'),
    ]);
    expect(createApp({ options: CUSTOM }).lines).toEqual([]);
    expect(createApp({ options: { ...CUSTOM, apiKey: '' } }).lines).toEqual([
      expect.stringMatching(/WARNING.*no apiKey.*refused/),
    ]);
    expect(createApp({ options: { isEmbeddedApp: false } }).lines).toEqual([]);
  });
});

describe('the exit page', () => {
  const exit = (
    target: string,
    name = 'redirectUri',
    shop: string | undefined = SHOP,
  ): InboundRequest =>
    page(`/exitiframe?${query({ ...(shop !== undefined && { shop }), [name]: target })}`);

  it.each([
    ['a page of the app', `${APP_URL}/auth?shop=${SHOP}&host=x`],
    ['a path of the app', '/auth?shop=x'],
    ['a page of the shop', `https://${SHOP}/admin/charges/1/confirm`],
    ['a page of the admin', 'https://admin.shopify.com/store/dev-shop/charges/1'],
  ])('opens %s in the whole window', async (_, target) => {
    const { auth } = await installedApp();
    for (const name of ['redirectUri', 'exitIframe']) {
      const decision = await auth.exitIframe(exit(target, name));
      expect(decision).toMatchObject({ kind: 'document' });
      expect(decision.kind === 'document' && decision.html).toContain(
        `window.open(${JSON.stringify(new URL(target, APP_URL).href)}, "_top")`,
      );
    }
  });

  it.each([
    'https://evil.example.com/',
    '//evil.example.com/',
    '/\\evil.example.com/',
    `https://${OTHER_SHOP}/admin`,
    `http://app.example.com/`,
    `https://app.example.com:444/`,
    `https://app.example.com.evil.example.com/`,
    `https://app.example.com@evil.example.com/`,
    `https://user:pass@app.example.com/`,
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)//https://app.example.com',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://app.example.com/1',
    'file:///etc/passwd',
    'https://',
  ])('refuses %j', async (target) => {
    const { auth } = await installedApp();
    expect(await auth.exitIframe(exit(target))).toMatchObject({
      kind: 'denied',
      status: 400,
      reason: 'redirect_refused',
    });
  });

  it('refuses to go nowhere', async () => {
    expect(await createApp().auth.exitIframe(page(`/exitiframe?${FRAME}`))).toMatchObject({
      status: 400,
      reason: 'redirect_refused',
    });
  });

  it('trusts a shop only when the request names it, and the app is installed in it', async () => {
    const { auth } = await installedApp();
    const refused = { kind: 'denied', reason: 'redirect_refused' };
    expect(
      await auth.exitIframe(page(`/exitiframe?${query({ redirectUri: `https://${SHOP}/admin` })}`)),
    ).toMatchObject(refused);
    expect(await createApp().auth.exitIframe(exit(`https://${SHOP}/admin`))).toMatchObject(refused);
  });

  it('rejects when it cannot be told whether a shop has the app', async () => {
    const storage = Object.assign(new MemorySessionStorage(), {
      loadSession: () => Promise.reject(new Error('storage is down')),
    });
    const { auth } = createApp({ storage });
    await expect(auth.exitIframe(exit(`https://${SHOP}/admin`))).rejects.toThrow('storage is down');
    expect(await auth.exitIframe(exit('/auth'))).toMatchObject({ kind: 'document' });
  });

  it('lets http pass for an app, or a shop, that is served over http', async () => {
    const options = { appUrl: 'http://localhost:3000', shopOrigin: () => 'http://localhost:4000' };
    const { auth } = await installedApp({ options });
    for (const target of ['http://localhost:3000/auth', 'http://localhost:4000/admin'])
      expect((await auth.exitIframe(exit(target))).kind).toBe('document');
    expect((await auth.exitIframe(exit('http://localhost:5000/'))).kind).toBe('denied');
  });

  it('reflects nothing that could become markup', async () => {
    const target = `/auth?</script><script>alert(1)</script>&"'><img src=x>`;
    const decision = await createApp().auth.exitIframe(exit(target));
    const html = decision.kind === 'document' ? decision.html : '';
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html.match(/<\/script>/g)).toHaveLength(2);
    expect(html).not.toContain('<img');
  });

  it('loads App Bridge first, with the app’s key, under a policy of its own', async () => {
    const { auth } = createApp();
    const pages = (await Promise.all([auth.exitIframe(exit('/')), auth.exitIframe(exit('/'))])).map(
      (decision) => {
        const html = decision.kind === 'document' ? decision.html : '';
        const [, nonce = ''] =
          /<script nonce="([^"]+)" data-api-key="api-key" src="https:\/\/cdn\.shopify\.com\/shopifycloud\/app-bridge\.js"><\/script>/.exec(
            html,
          ) ?? [];
        expect(html.indexOf('<script')).toBe(html.indexOf(`<script nonce="${nonce}" data-api-key`));
        expect(headersOf(decision)['content-security-policy']).toBe(
          `${ANCESTORS} script-src 'nonce-${nonce}' 'strict-dynamic'; object-src 'none'; base-uri 'none';`,
        );
        return nonce;
      },
    );
    expect(new Set(pages).size).toBe(2);
    expect(Buffer.from(pages[0] ?? '', 'base64')).toHaveLength(16);
  });
});

describe('the session-token page', () => {
  it('loads App Bridge and leads nowhere by itself', () => {
    const decision = createApp().auth.sessionTokenPage(
      page(`/auth/session-token?${FRAME}&shopify-reload=${encodeURIComponent(`${APP_URL}/x`)}`),
    );
    expect(decision).toMatchObject({
      kind: 'document',
      html: expect.stringContaining('app-bridge.js'),
    });
    expect(decision).not.toMatchObject({ html: expect.stringContaining('window.open') });
    expect(headersOf(decision)['content-security-policy']).toContain(ANCESTORS);
  });

  it.each(['https://evil.example.com/', `https://${SHOP}/`, 'javascript:alert(1)', ''])(
    'refuses to send a session token to %j',
    (reload) => {
      const request = page(`/auth/session-token?${FRAME}&${query({ 'shopify-reload': reload })}`);
      expect(createApp().auth.sessionTokenPage(request)).toMatchObject({
        kind: 'denied',
        status: 400,
        reason: 'redirect_refused',
      });
    },
  );
});

describe('leaveApp', () => {
  const CHARGE = `https://${SHOP}/admin/charges/1/confirm`;

  it('redirects a page that is not framed', () => {
    expect(createApp().auth.leaveApp(page('/'), CHARGE)).toMatchObject({
      kind: 'redirect',
      location: CHARGE,
    });
  });

  it('tells a fetch with a session token where the window has to go', () => {
    const decision = createApp().auth.leaveApp(script('/api', 'token'), '/auth?shop=x');
    expect(decision).toMatchObject({ kind: 'denied', status: 403, reason: 'leave_app' });
    expect(headersOf(decision)['x-shopify-api-request-failure-reauthorize-url']).toBe(
      `${APP_URL}/auth?shop=x`,
    );
  });

  it.each([
    ['XMLHttpRequest', inbound('/', { 'x-requested-with': 'XMLHttpRequest' })],
    ['fetch', script('/')],
  ])('tells a %s of a non-embedded app where the window has to go', (_, request) => {
    expect(
      createApp({ options: { isEmbeddedApp: false } }).auth.leaveApp(request, CHARGE),
    ).toMatchObject({ kind: 'denied', status: 403 });
  });

  it.each([CHARGE, 'https://docs.example.org/help?a=1&b=2'])(
    'leaves the frame by way of the exit page, which then opens %s',
    async (url) => {
      const { auth } = createApp();
      const decision = auth.leaveApp(page(`/?${FRAME}`), url, SHOP);
      const location = decision.kind === 'redirect' ? decision.location : '';
      expect(location).toMatch(/^\/exitiframe\?/);
      const exit = await auth.exitIframe(page(location));
      expect(exit.kind === 'document' && exit.html).toContain(
        `window.open(${JSON.stringify(url)}, "_top")`,
      );
    },
  );

  it('signs one address: the signature opens no other', async () => {
    const { auth } = createApp();
    const decision = auth.leaveApp(page(`/?${FRAME}`), 'https://docs.example.org/');
    const location = decision.kind === 'redirect' ? decision.location : '';
    expect(
      await auth.exitIframe(page(location.replace('docs.example.org', 'evil.example.com'))),
    ).toMatchObject({
      reason: 'redirect_refused',
    });
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'https://', 'file:///etc/passwd'])(
    'refuses %s',
    (url) => {
      expect(createApp().auth.leaveApp(page('/'), url)).toMatchObject({
        kind: 'denied',
        status: 400,
        reason: 'redirect_refused',
      });
    },
  );
});

describe('offlineSession', () => {
  it('answers the session of the app in a shop', async () => {
    const { auth } = await installedApp();
    expect((await auth.offlineSession(SHOP))?.shop).toBe(SHOP);
    expect(await auth.offlineSession(OTHER_SHOP)).toBeUndefined();
  });

  it('needs none stored for a custom app', async () => {
    expect((await createApp({ options: CUSTOM }).auth.offlineSession(SHOP))?.shop).toBe(SHOP);
  });
});
