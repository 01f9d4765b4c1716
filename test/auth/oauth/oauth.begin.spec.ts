import { describe, expect, it } from '@jest/globals';

import { AppDistribution } from '../../../lib/core/config/config.options.js';
import {
  APP_URL,
  HOST,
  OTHER_SHOP,
  SHOP,
  cookiesIn,
  createApp,
  inbound,
  page,
  query,
} from '../auth.fixture.js';

describe('the beginning of an OAuth grant', () => {
  it('sends the browser to the consent page with the documented parameters in the documented order', async () => {
    const { auth } = createApp({
      options: {
        apiKey: 'k',
        scopes: ['write_products', 'read_orders'],
        paths: { auth: '/auth', authCallback: '/cb' },
      },
    });
    const decision = await auth.begin(page(`/auth?shop=${SHOP}`));
    expect(decision).toMatchObject({ kind: 'redirect', reason: 'begin_oauth' });
    const location = new URL(decision.kind === 'redirect' ? decision.location : '');
    const state = location.searchParams.get('state');
    expect(state).toMatch(/^[0-9a-f]{64}$/);
    expect(location.origin + location.pathname).toBe(`https://${SHOP}/admin/oauth/authorize`);
    expect(location.search).toBe(
      `?client_id=k&scope=write_products%2Cread_orders&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcb&state=${state}&grant_options%5B%5D=`,
    );
  });

  it('asks for a user when the token is to be online', async () => {
    const { auth } = createApp();
    const decision = await auth.begin(page('/auth'), { shop: SHOP, isOnline: true });
    expect(locationOf(decision).searchParams.get('grant_options[]')).toBe('per-user');
  });

  it('never uses a state twice', async () => {
    const { auth } = createApp();
    const states = await Promise.all(
      Array.from({ length: 50 }, async () =>
        locationOf(await auth.begin(page(`/auth?shop=${SHOP}`))).searchParams.get('state'),
      ),
    );
    expect(new Set(states).size).toBe(50);
  });

  it('keeps the state in a signed cookie that scripts cannot read, on the callback path alone, for ten minutes', async () => {
    const { auth } = createApp();
    const decision = await auth.begin(page(`/auth?shop=${SHOP}`));
    const [value, signature, ...others] = cookiesIn(decision.headers);
    expect(others).toEqual([]);
    expect(value?.value).toBe(locationOf(decision).searchParams.get('state'));
    expect(value?.name).toMatch(/^shopify_app_state_[0-9a-f]{8}_[0-9a-f]{8}$/);
    expect(signature?.name).toBe(`${value?.name}.sig`);
    for (const cookie of [value, signature]) {
      expect([...(cookie?.attributes ?? [])].sort()).toEqual(
        ['Max-Age=600', 'HttpOnly', 'Path=/auth/callback', 'SameSite=Lax', 'Secure'].sort(),
      );
    }
  });

  it('leaves out Secure, and only that, when the app is served over http', async () => {
    const { auth } = createApp({ options: { appUrl: 'http://localhost:3000' } });
    const decision = await auth.begin(page(`/auth?shop=${SHOP}`));
    expect(locationOf(decision).searchParams.get('redirect_uri')).toBe(
      'http://localhost:3000/auth/callback',
    );
    expect(cookiesIn(decision.headers)[0]?.attributes).not.toContain('Secure');
  });

  it('keeps the states of two shops apart', async () => {
    const { auth } = createApp();
    const [one, other] = await Promise.all(
      [SHOP, OTHER_SHOP].map((shop) => auth.begin(page(`/auth?shop=${shop}`))),
    );
    expect(cookiesIn(one?.headers)[0]?.name).not.toBe(cookiesIn(other?.headers)[0]?.name);
  });

  // Two apps below one origin, one callback path a prefix of the other: both cookies came along,
  // and one name hid the other's state.
  it('keeps the states of two apps apart', async () => {
    const [one, other] = await Promise.all(
      ['api-key', 'another-key'].map((apiKey) =>
        createApp({ options: { apiKey } }).auth.begin(page(`/auth?shop=${SHOP}`)),
      ),
    );
    expect(cookiesIn(one?.headers)[0]?.name).not.toBe(cookiesIn(other?.headers)[0]?.name);
  });

  it('reaches a shop where the app was told it lives', async () => {
    const { auth } = createApp({ options: { shopOrigin: () => 'http://localhost:4000/' } });
    const decision = await auth.begin(page(`/auth?shop=${SHOP}`));
    expect(decision).toMatchObject({
      location: expect.stringMatching(
        /^http:\/\/localhost:4000\/admin\/oauth\/authorize\?client_id=/,
      ),
    });
  });

  it.each([
    ['embedded=1', page(`/auth?${query({ shop: SHOP, host: HOST, embedded: '1' })}`)],
    [
      'a frame',
      inbound(`/auth?${query({ shop: SHOP, host: HOST })}`, { 'sec-fetch-dest': 'iframe' }),
    ],
  ])('leaves the frame first when the request comes with %s', async (_, request) => {
    const { auth } = createApp();
    const decision = await auth.begin(request);
    expect(decision).toMatchObject({ kind: 'redirect', reason: 'exit_iframe' });
    const location = locationOf(decision);
    expect(location.origin + location.pathname).toBe(`${APP_URL}/exitiframe`);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      shop: SHOP,
      host: HOST,
      embedded: '1',
      redirectUri: `${APP_URL}/auth?${query({ shop: SHOP, host: HOST })}`,
    });
    // What the exit page is sent to begins at the top level.
    const next = await auth.begin(
      page(String(location.searchParams.get('redirectUri')).slice(APP_URL.length)),
    );
    expect(next).toMatchObject({ kind: 'redirect', reason: 'begin_oauth' });
  });

  // A fetch cannot follow the redirect: it got the exit page for an answer, and nothing happened.
  it('has App Bridge leave the frame when a script in it begins', async () => {
    const { auth } = createApp();
    const target = `/auth?${query({ shop: SHOP, host: HOST, embedded: '1' })}`;
    const decision = await auth.begin(inbound(target, { authorization: 'Bearer a.b.c' }));
    expect(decision).toMatchObject({ kind: 'denied', status: 403, reason: 'leave_app' });
    expect(Object.fromEntries(decision.headers ?? [])).toMatchObject({
      'x-shopify-api-request-failure-reauthorize': '1',
      'x-shopify-api-request-failure-reauthorize-url': `${APP_URL}/auth?${query({ shop: SHOP, host: HOST })}`,
    });
  });

  it('leads a page in the frame out of it, whatever header a proxy has added', async () => {
    const { auth } = createApp();
    const target = `/auth?${query({ shop: SHOP, host: HOST, embedded: '1' })}`;
    const headers = { authorization: 'Bearer of.a.proxy', 'sec-fetch-dest': 'iframe' };
    expect(await auth.begin(inbound(target, headers))).toMatchObject({ kind: 'redirect' });
  });

  it.each([
    ['/auth', 'shop_missing'],
    ['/auth?shop=', 'shop_missing'],
    ['/auth?shop=evil.example.com', 'shop_invalid'],
    [`/auth?shop=${SHOP}&shop=${OTHER_SHOP}`, 'shop_invalid'],
  ])('refuses %s', async (target, reason) => {
    await expect(createApp().auth.begin(page(target))).resolves.toMatchObject({
      kind: 'denied',
      status: 400,
      reason,
    });
  });

  it('refuses an app that has a fixed token', async () => {
    const { auth } = createApp({
      options: { distribution: AppDistribution.PlatformAdmin, adminApiAccessToken: 'shpat_fixed' },
    });
    await expect(auth.begin(page(`/auth?shop=${SHOP}`))).resolves.toMatchObject({
      kind: 'denied',
      status: 400,
      reason: 'private_app',
    });
  });
});

function locationOf(decision: { kind: string; location?: string }): URL {
  return new URL(decision.location ?? '', APP_URL);
}
