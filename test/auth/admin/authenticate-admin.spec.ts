import { describe, expect, it } from '@jest/globals';

import { AppDistribution } from '../../../lib/core/config/config.options.js';
import type { InboundRequest } from '../../../lib/core/http/inbound-request.js';
import { Session } from '../../../lib/sessions/session.js';
import {
  ACCESS_TOKEN,
  API_KEY,
  APP_URL,
  HOST,
  OTHER_SHOP,
  SECRET,
  SHOP,
  createApp,
  headersOf,
  inbound,
  offlineSession,
  offlineToken,
  page,
  query,
  script,
  sessionCookieFor,
  sessionToken,
  signJwt,
} from '../auth.fixture.js';
import type { App, AppSetup } from '../auth.fixture.js';

const REAUTHORIZE_URL = `${APP_URL}/auth?${query({ shop: SHOP, host: HOST })}`;
const FRAME = query({ shop: SHOP, host: HOST, embedded: '1' });

async function installedApp(
  setup: AppSetup = {},
  session: Session = offlineSession(),
): Promise<App> {
  const app = createApp(setup);
  await app.storage.storeSession(session);
  return app;
}

/** A page load inside the admin, with a session token in its URL. */
function framed(path: string, token: string, more: Record<string, string> = {}): InboundRequest {
  const target = `${path}?${query({ embedded: '1', shop: SHOP, host: HOST, ...more, id_token: token })}`;
  return page(target, { 'sec-fetch-dest': 'iframe' });
}

/** Where the page that fetches a session token leads back to. */
function reloadOf({ auth }: App, decision: { kind: string; location?: string }): URL {
  const served = auth.sessionTokenPage(inbound(decision.location ?? ''));
  const page = served.kind === 'document' ? served.html : '';
  const [, reload] = /set\("shopify-reload", ("[^"]*")\)/.exec(page) ?? [];
  return new URL(JSON.parse(reload ?? '""') as string);
}

describe('a request with a good session token', () => {
  it.each<[string, (token: string) => InboundRequest]>([
    ['in its header', (token) => script('/api/products', token)],
    [
      'under a scheme in lower case',
      (token) => inbound('/api/products', { authorization: `bearer ${token}` }),
    ],
    ['in the URL the admin opens', (token) => framed('/', token)],
  ])('is granted with the session of its shop: token %s', async (_, request) => {
    const app = await installedApp();
    const decision = await app.auth.authenticateAdmin(request(sessionToken(app.clock)));
    expect(decision).toMatchObject({
      kind: 'granted',
      sessionToken: { sub: '42' },
      session: { id: `offline_${SHOP}` },
    });
    expect(decision.kind === 'granted' && decision.admin.session).toBe(
      decision.kind === 'granted' && decision.session,
    );
  });

  it('asks the storage only, never the platform', async () => {
    const app = await installedApp();
    await app.auth.authenticateAdmin(script('/', sessionToken(app.clock)));
    expect(app.calls).toEqual([]);
  });

  it('is granted with the user’s own session when online tokens are on', async () => {
    const online = offlineSession({ id: `${SHOP}_42`, isOnline: true });
    const app = await installedApp({ options: { useOnlineTokens: true } }, online);
    await expect(
      app.auth.authenticateAdmin(script('/', sessionToken(app.clock))),
    ).resolves.toMatchObject({
      session: { id: `${SHOP}_42` },
    });
    expect(app.calls).toEqual([]);
  });

  it('is granted when signed with the previous secret', async () => {
    const app = await installedApp({
      options: { apiSecretKey: ['new-secret', 'hush-hush-secret'] },
    });
    await expect(
      app.auth.authenticateAdmin(script('/', sessionToken(app.clock))),
    ).resolves.toMatchObject({ kind: 'granted' });
  });

  it('is refused in the name of another shop than the one in the address', async () => {
    const app = await installedApp();
    await app.storage.storeSession(offlineSession({ shop: OTHER_SHOP }));
    const token = sessionToken(app.clock);
    for (const request of [
      script(`/?shop=${OTHER_SHOP}`, token),
      framed('/', token, { shop: OTHER_SHOP }),
    ]) {
      await expect(app.auth.authenticateAdmin(request)).resolves.toMatchObject({
        kind: 'denied',
        status: 403,
        reason: 'shop_mismatch',
      });
    }
    await expect(
      app.auth.authenticateAdmin(script('/?shop=evil.example.com', token)),
    ).resolves.toMatchObject({
      kind: 'denied',
      status: 400,
      reason: 'shop_invalid',
    });
  });

  it('never gets a session that a storage mixed up', async () => {
    const mixedUp = new Session({
      ...offlineSession().toObject(),
      shop: OTHER_SHOP,
      accessToken: 'shpat_of_the_other_shop',
    });
    const app = await installedApp({}, mixedUp);
    await expect(
      app.auth.authenticateAdmin(script('/', sessionToken(app.clock))),
    ).resolves.toMatchObject({
      session: { shop: SHOP, accessToken: ACCESS_TOKEN },
    });
    expect(app.calls).toHaveLength(1);
  });
});

describe('a session that cannot be used', () => {
  const wanting: [string, string, Session | undefined][] = [
    ['is not there', 'session_missing', undefined],
    ['has no token', 'session_missing', offlineSession({ accessToken: undefined })],
    ['has a token no header can carry', 'session_missing', offlineSession({ accessToken: 'a\nb' })],
    [
      'has expired',
      'session_expired',
      offlineSession({ expires: new Date('2026-01-15T12:00:00.400Z') }),
    ],
    [
      'lacks a scope the app asks for',
      'scopes_changed',
      offlineSession({ scope: 'read_products' }),
    ],
  ];

  it.each(wanting)(
    'because it %s is replaced by trading the session token in, for a fetch and for a page alike',
    async (_, _reason, session) => {
      for (const request of [
        (token: string) => script(`/api?${FRAME}`, token),
        (token: string) => framed('/products', token),
      ]) {
        const app = createApp({ token: () => offlineToken({ access_token: 'shpat_fresh' }) });
        if (session) await app.storage.storeSession(session);
        const token = sessionToken(app.clock);
        await expect(app.auth.authenticateAdmin(request(token))).resolves.toMatchObject({
          kind: 'granted',
          session: { id: `offline_${SHOP}`, accessToken: 'shpat_fresh' },
          sessionToken: { sub: '42' },
        });
        expect(app.calls.map(({ url, body }) => [url, body])).toEqual([
          [
            `https://${SHOP}/admin/oauth/access_token`,
            {
              client_id: API_KEY,
              client_secret: SECRET,
              grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
              subject_token: token,
              subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
              requested_token_type: 'urn:shopify:params:oauth:token-type:offline-access-token',
              expiring: '1',
            },
          ],
        ]);
        await expect(app.storage.loadSession(`offline_${SHOP}`)).resolves.toMatchObject({
          accessToken: 'shpat_fresh',
        });
      }
    },
  );

  it('is used when it expires later, and when it grants more than is asked', async () => {
    const app = await installedApp(
      {},
      offlineSession({
        expires: new Date('2026-01-15T12:05:01Z'),
        scope: 'read_orders,write_products',
      }),
    );
    await expect(
      app.auth.authenticateAdmin(script('/', sessionToken(app.clock))),
    ).resolves.toMatchObject({ kind: 'granted' });
    expect(app.calls).toEqual([]);
  });
});

describe('a fresh token that lacks a scope the app asks for', () => {
  const less = (): Response => offlineToken({ scope: 'read_products' });

  it('answers a fetch with where the window has to go', async () => {
    const app = createApp({ token: less });
    const decision = await app.auth.authenticateAdmin(
      script(`/api?${FRAME}`, sessionToken(app.clock)),
    );
    expect(decision).toMatchObject({ kind: 'denied', status: 403, reason: 'scopes_changed' });
    expect(headersOf(decision)).toEqual({
      'x-shopify-api-request-failure-reauthorize': '1',
      'x-shopify-api-request-failure-reauthorize-url': REAUTHORIZE_URL,
      'access-control-expose-headers':
        'x-shopify-api-request-failure-reauthorize, x-shopify-api-request-failure-reauthorize-url',
    });
  });

  it('takes a page out of the frame and to OAuth', async () => {
    const app = createApp({ token: less });
    const decision = await app.auth.authenticateAdmin(framed('/products', sessionToken(app.clock)));
    expect(decision).toMatchObject({ kind: 'redirect', reason: 'exit_iframe' });
    const location = new URL(decision.kind === 'redirect' ? decision.location : '', APP_URL);
    expect(location.searchParams.get('redirectUri')).toBe(REAUTHORIZE_URL);
    expect(location.href).not.toContain('id_token');
  });

  it('is not asked for again within a minute', async () => {
    const app = createApp({ token: less });
    for (let request = 0; request < 3; request++)
      await app.auth.authenticateAdmin(script('/api', sessionToken(app.clock)));
    expect(app.calls).toHaveLength(1);
    app.clock.advance(60_000);
    await app.auth.authenticateAdmin(script('/api', sessionToken(app.clock)));
    expect(app.calls).toHaveLength(2);
  });
});

describe('a request with a session token that counts for nothing', () => {
  const lasting: [string, (app: App) => string][] = [
    ['forged', ({ clock }) => sessionToken(clock, {}, 'another-secret')],
    ['of another app', ({ clock }) => sessionToken(clock, { aud: 'another-app' })],
    [
      'of another algorithm',
      ({ clock }) => signJwt({ alg: 'HS512' }, { exp: clock.seconds }, SECRET),
    ],
  ];
  const passing: [string, (app: App) => string][] = [
    ['expired', ({ clock }) => sessionToken(clock, { exp: clock.seconds - 60 })],
    ['of the future', ({ clock }) => sessionToken(clock, { nbf: clock.seconds + 60 })],
    [
      'with issuer and destination apart',
      ({ clock }) => sessionToken(clock, { iss: `https://${OTHER_SHOP}/admin` }),
    ],
    [
      'of a foreign domain',
      ({ clock }) =>
        sessionToken(clock, {
          iss: 'https://evil.example.com/admin',
          dest: 'https://evil.example.com',
        }),
    ],
    ['that is none', () => 'not-a-token'],
  ];
  const bad = [...lasting, ...passing];

  it.each(bad)('%s, sent by a script, is refused and told to try again', async (_, token) => {
    const app = await installedApp();
    const sent = token(app);
    const decision = await app.auth.authenticateAdmin(script('/api', sent));
    expect(decision).toMatchObject({
      kind: 'denied',
      status: 401,
      reason: 'session_token_invalid',
    });
    expect(headersOf(decision)).toEqual({ 'x-shopify-retry-invalid-session-request': '1' });
    expect(JSON.stringify(decision) + app.lines.join('\n')).not.toContain(sent);
  });

  // With the wrong secret, or a key of another app, the page and the one that fetches tokens sent
  // the browser to each other for ever.
  it.each(lasting)(
    '%s, in the URL of a page that has come back, is refused with the reason',
    async (_, token) => {
      const app = await installedApp();
      const first = await app.auth.authenticateAdmin(framed('/products', token(app)));
      const marked = Object.fromEntries(reloadOf(app, first).searchParams);
      const decision = await app.auth.authenticateAdmin(framed('/products', token(app), marked));
      expect(decision).toMatchObject({
        kind: 'denied',
        status: 401,
        reason: 'session_token_invalid',
        message: expect.stringMatching(/: .+/),
      });
      expect(app.lines).toContainEqual(
        expect.stringMatching(/WARNING.*check apiKey, apiSecretKey and the clock/),
      );
    },
  );

  // So did a machine whose clock is wrong.
  it.each([...passing, ['that is missing', () => ''] as (typeof passing)[number]])(
    '%s, in the URL of a page that has just been sent for a fresh one, is refused with the reason',
    async (_, token) => {
      const app = await installedApp();
      const first = await app.auth.authenticateAdmin(framed('/products', token(app)));
      const reload = reloadOf(app, first);
      app.clock.advance(20_000);
      const second = await app.auth.authenticateAdmin(
        framed('/products', token(app), Object.fromEntries(reload.searchParams)),
      );
      expect(second).toMatchObject({
        kind: 'denied',
        status: 401,
        reason: expect.stringMatching(/^session_token_(?:invalid|missing)$/),
      });
    },
  );

  it('that was good when the page came back is exchanged again when the page is loaded again later', async () => {
    const app = await installedApp();
    const reload = reloadOf(app, await app.auth.authenticateAdmin(framed('/products', '')));
    const again = framed(
      '/products',
      sessionToken(app.clock),
      Object.fromEntries(reload.searchParams),
    );
    await expect(app.auth.authenticateAdmin(again)).resolves.toMatchObject({ kind: 'granted' });
    app.clock.advance(71_000);
    const later = await app.auth.authenticateAdmin(again);
    expect(later).toMatchObject({ kind: 'redirect', reason: 'session_token_needed' });
    expect(reloadOf(app, later).searchParams.getAll('bounced-at')).toEqual([
      String(app.clock.seconds),
    ]);
  });

  it.each(bad)('%s, in the URL of a page, is exchanged for a fresh one', async (_, token) => {
    const app = await installedApp();
    const decision = await app.auth.authenticateAdmin(
      framed('/products', token(app), { q: 'a b' }),
    );
    const reload = `${APP_URL}/products?${query({ embedded: '1', shop: SHOP, host: HOST, q: 'a b' })}`;
    expect(decision).toEqual({
      kind: 'redirect',
      reason: 'session_token_needed',
      location: `/auth/session-token?${query({ embedded: '1', shop: SHOP, host: HOST, q: 'a b', 'shopify-reload': reload })}`,
    });
  });

  it.each([
    ['no Authorization header', script('/api')],
    ['another scheme', inbound('/api', { authorization: 'Basic dXNlcjpwYXNz' })],
    ['a scheme without a token', inbound('/api', { authorization: 'Bearer' })],
  ])('because it has %s is refused and told to try again', async (_, request) => {
    const decision = await createApp().auth.authenticateAdmin(request);
    expect(decision).toMatchObject({
      kind: 'denied',
      status: 401,
      reason: 'session_token_missing',
    });
    expect(headersOf(decision)).toEqual({ 'x-shopify-retry-invalid-session-request': '1' });
  });
});

describe('a page of an embedded app without a session token', () => {
  it('fetches one when it is inside the admin', async () => {
    const decision = await createApp().auth.authenticateAdmin(page(`/?${FRAME}`));
    expect(decision).toMatchObject({ kind: 'redirect', reason: 'session_token_needed' });
  });

  it('does not carry what the admin signed, nor an older address, into the new one', async () => {
    const app = createApp();
    const target = `/?${FRAME}&${query({ hmac: 'h', session: 's', timestamp: '1', 'shopify-reload': 'https://evil.example.com' })}`;
    const decision = await app.auth.authenticateAdmin(page(target));
    expect(decision).toMatchObject({
      location: `/auth/session-token?${FRAME}&${query({ 'shopify-reload': `${APP_URL}/?${FRAME}` })}`,
    });
  });

  it.each(['', 'not base64!', Buffer.from('evil.example.com').toString('base64')])(
    'puts the host “%s” right',
    async (host) => {
      const decision = await createApp().auth.authenticateAdmin(
        page(`/?${query({ shop: SHOP, host, embedded: '1' })}`),
      );
      expect(decision).toMatchObject({ location: expect.stringContaining(`?${FRAME}&`) });
    },
  );

  it('goes into the admin, page and query kept, when the app is installed', async () => {
    const app = await installedApp();
    const decision = await app.auth.authenticateAdmin(
      page(`/products/1?${query({ tab: 'a&b', shop: SHOP, host: HOST, hmac: 'h' })}`),
    );
    expect(decision).toEqual({
      kind: 'redirect',
      reason: 'embed_app',
      location: `https://admin.shopify.com/store/dev-shop/apps/${API_KEY}/products/1?tab=a%26b`,
    });
  });

  it('goes into the admin of a shop that lives elsewhere', async () => {
    const app = await installedApp({ options: { shopOrigin: () => 'http://localhost:4000' } });
    const decision = await app.auth.authenticateAdmin(page(`/?shop=${SHOP}`));
    expect(decision).toMatchObject({ location: `http://localhost:4000/admin/apps/${API_KEY}` });
  });

  it('begins OAuth when the app is not installed', async () => {
    const decision = await createApp().auth.authenticateAdmin(page(`/?shop=${SHOP}`));
    expect(decision).toMatchObject({ kind: 'redirect', reason: 'begin_oauth' });
  });

  it('is refused when it names no shop', async () => {
    await expect(createApp().auth.authenticateAdmin(page('/'))).resolves.toMatchObject({
      status: 400,
      reason: 'shop_missing',
    });
  });
});

describe('a request to a non-embedded app', () => {
  const options = { isEmbeddedApp: false };
  const cookieFor = (app: App, id: string): Record<string, string> => ({
    cookie: sessionCookieFor(app, `${app.clock.seconds}.${id}`),
  });

  it.each([
    ['offline', offlineSession()],
    ['online', offlineSession({ id: 'e1d5bd1c-4d7d-4c56-9a0e-000000000000', isOnline: true })],
  ])('is granted with the %s session in its cookie', async (_, session) => {
    const app = await installedApp({ options }, session);
    await expect(
      app.auth.authenticateAdmin(page('/', cookieFor(app, session.id))),
    ).resolves.toMatchObject({
      kind: 'granted',
      session: { id: session.id, accessToken: ACCESS_TOKEN },
    });
  });

  it('begins OAuth for a page when the cookie is not signed by the app', async () => {
    const app = await installedApp({ options });
    const { cookie = '' } = cookieFor(app, `offline_${SHOP}`);
    const request = page(`/?shop=${SHOP}`, { cookie: cookie.split('; ')[0] ?? '' });
    await expect(app.auth.authenticateAdmin(request)).resolves.toMatchObject({
      kind: 'redirect',
      reason: 'begin_oauth',
    });
  });

  // A cookie was good for ever: a dismissed member of staff stayed in until the secret changed.
  it('begins OAuth a day after the cookie was issued', async () => {
    const app = await installedApp({ options });
    const request = page(`/?shop=${SHOP}`, cookieFor(app, `offline_${SHOP}`));
    app.clock.advance(24 * 60 * 60 * 1000);
    await expect(app.auth.authenticateAdmin(request)).resolves.toMatchObject({
      kind: 'redirect',
      reason: 'begin_oauth',
    });
  });

  it('still learns the shop from an old cookie, for a month', async () => {
    const app = await installedApp({ options });
    const request = page('/', cookieFor(app, `offline_${SHOP}`));
    app.clock.advance(29 * 24 * 60 * 60 * 1000);
    const decision = await app.auth.authenticateAdmin(request);
    expect(decision).toMatchObject({
      kind: 'redirect',
      location: expect.stringContaining(`https://${SHOP}/admin/oauth/authorize`),
    });
    app.clock.advance(24 * 60 * 60 * 1000);
    await expect(app.auth.authenticateAdmin(request)).resolves.toMatchObject({
      kind: 'denied',
      reason: 'shop_missing',
    });
  });

  // Browsers send Basic along with every page of a staging site behind a password: such pages were
  // answered with JSON.
  it('begins OAuth for a page that comes with a password for the site', async () => {
    const app = createApp({ options });
    const request = page(`/?shop=${SHOP}`, { authorization: 'Basic dXNlcjpwYXNz' });
    await expect(app.auth.authenticateAdmin(request)).resolves.toMatchObject({
      kind: 'redirect',
      reason: 'begin_oauth',
    });
  });

  it('begins OAuth for the shop in the address, not for the one in the cookie', async () => {
    const app = await installedApp({ options });
    const decision = await app.auth.authenticateAdmin(
      page(`/?shop=${OTHER_SHOP}`, cookieFor(app, `offline_${SHOP}`)),
    );
    expect(decision).toMatchObject({
      kind: 'redirect',
      location: expect.stringContaining(`https://${OTHER_SHOP}/admin/oauth/authorize`),
    });
  });

  it('tells a fetch where to go when the shop in the address is another', async () => {
    const app = await installedApp({ options });
    const request = inbound(`/api?shop=${OTHER_SHOP}`, {
      ...cookieFor(app, `offline_${SHOP}`),
      'x-requested-with': 'XMLHttpRequest',
    });
    await expect(app.auth.authenticateAdmin(request)).resolves.toMatchObject({
      kind: 'denied',
      status: 403,
      reason: 'session_missing',
    });
  });

  it('finds the shop of an expired session by itself', async () => {
    const app = await installedApp({ options }, offlineSession({ expires: new Date(0) }));
    const decision = await app.auth.authenticateAdmin(page('/', cookieFor(app, `offline_${SHOP}`)));
    expect(decision).toMatchObject({
      kind: 'redirect',
      reason: 'begin_oauth',
      location: expect.stringContaining(SHOP),
    });
  });

  it('does not take the app’s token for a user’s when online tokens are on', async () => {
    const app = await installedApp({ options: { ...options, useOnlineTokens: true } });
    const decision = await app.auth.authenticateAdmin(page('/', cookieFor(app, `offline_${SHOP}`)));
    expect(decision).toMatchObject({ kind: 'redirect', reason: 'begin_oauth' });
  });

  it('is refused when nothing says which shop it is about', async () => {
    const app = createApp({ options });
    await expect(app.auth.authenticateAdmin(page('/'))).resolves.toMatchObject({
      status: 400,
      reason: 'shop_missing',
    });
    await expect(app.auth.authenticateAdmin(script('/'))).resolves.toMatchObject({
      status: 401,
      reason: 'session_missing',
    });
  });
});

describe('a request to a custom app that is not embedded', () => {
  const options = {
    distribution: AppDistribution.PlatformAdmin,
    adminApiAccessToken: 'shpat_fixed',
    isEmbeddedApp: false,
  };

  it('is granted a session made up for its shop', async () => {
    const decision = await createApp({ options }).auth.authenticateAdmin(page(`/?shop=${SHOP}`));
    expect(decision).toMatchObject({
      kind: 'granted',
      session: { id: '', shop: SHOP, isOnline: false },
    });
  });

  it('is granted for the shop of its session token when the address names none', async () => {
    const app = createApp({ options });
    const decision = await app.auth.authenticateAdmin(script('/', sessionToken(app.clock)));
    expect(decision).toMatchObject({ kind: 'granted', session: { shop: SHOP } });
  });

  it.each<[string, number, string, (app: App) => InboundRequest]>([
    ['without a shop', 400, 'shop_missing', () => page('/')],
    ['with a malformed shop', 400, 'shop_invalid', () => page('/?shop=evil.example.com')],
    [
      'with a bad session token',
      401,
      'session_token_invalid',
      () => script(`/?shop=${SHOP}`, 'not-a-token'),
    ],
    [
      'with the token of another shop',
      403,
      'shop_mismatch',
      ({ clock }) => script(`/?shop=${OTHER_SHOP}`, sessionToken(clock)),
    ],
  ])('is refused %s', async (_, status, reason, request) => {
    const app = createApp({ options });
    await expect(app.auth.authenticateAdmin(request(app))).resolves.toMatchObject({
      kind: 'denied',
      status,
      reason,
    });
  });
});

// Anyone was granted the fixed token, for any shop, even where the admin could say who calls.
describe('a request to an embedded custom app', () => {
  const options = {
    distribution: AppDistribution.PlatformAdmin,
    adminApiAccessToken: 'shpat_fixed',
  };

  it.each([false, true])(
    'is granted a session made up for the shop of its session token: useOnlineTokens %s',
    async (useOnlineTokens) => {
      const app = createApp({ options: { ...options, useOnlineTokens } });
      const session = { id: '', shop: SHOP, isOnline: false };
      const token = sessionToken(app.clock);
      await expect(app.auth.authenticateAdmin(script('/', token))).resolves.toMatchObject({
        kind: 'granted',
        session,
      });
      await expect(app.auth.authenticateAdmin(framed('/', token))).resolves.toMatchObject({
        kind: 'granted',
        session,
      });
    },
  );

  it.each<[string, number, string, (app: App) => InboundRequest]>([
    ['without a session token', 401, 'session_token_missing', () => script(`/?shop=${SHOP}`)],
    [
      'with a bad session token',
      401,
      'session_token_invalid',
      () => script(`/?shop=${SHOP}`, 'not-a-token'),
    ],
    [
      'with the token of another shop',
      403,
      'shop_mismatch',
      ({ clock }) => script(`/?shop=${OTHER_SHOP}`, sessionToken(clock)),
    ],
  ])('is refused %s', async (_, status, reason, request) => {
    const app = createApp({ options });
    await expect(app.auth.authenticateAdmin(request(app))).resolves.toMatchObject({
      kind: 'denied',
      status,
      reason,
    });
  });

  it('is sent for a session token when it is a page without one, into the admin first when it is not there', async () => {
    const { auth } = createApp({ options });
    await expect(auth.authenticateAdmin(page(`/?${FRAME}`))).resolves.toMatchObject({
      kind: 'redirect',
      reason: 'session_token_needed',
    });
    await expect(auth.authenticateAdmin(page(`/?shop=${SHOP}`))).resolves.toMatchObject({
      kind: 'redirect',
      reason: 'embed_app',
    });
  });
});
