import { afterEach, describe, expect, it } from '@jest/globals';

import { AppDistribution, SessionNotFoundError } from '../../../lib/integrations/remix/index.js';
import type { RemixAppOptions } from '../../../lib/integrations/remix/index.js';
import {
  APP_URL,
  GRANTED,
  SHOP,
  TOKEN,
  WEB_HOSTS,
  bodySignature,
  install,
  signedPost,
  thrown,
} from './signed.fixture.js';

const QUERY = '{ shop { name } }';
const CUSTOM: Partial<RemixAppOptions> = {
  distribution: AppDistribution.PlatformAdmin,
  adminApiAccessToken: 'admin-token',
  privateAppStorefrontAccessToken: 'storefront-token',
};

const SOURCES = [
  { member: 'flow', payload: { shopify_domain: SHOP, properties: { a: 'é' } } },
  { member: 'fulfillmentService', payload: { kind: 'FULFILLMENT_REQUEST' } },
] as const;
const CASES = WEB_HOSTS.flatMap((host) =>
  SOURCES.map((source) => ({ host, ...source, name: host.name })),
);

let close = async (): Promise<void> => {};
afterEach(() => close());

function open(host: (typeof WEB_HOSTS)[number], options?: Partial<RemixAppOptions>) {
  const opened = host.open(options);
  close = () => opened.app.close();
  return opened;
}

describe.each(CASES)('authenticate.$member of $name', ({ host, member, payload }) => {
  function post(init: RequestInit = signedPost(payload), options?: Partial<RemixAppOptions>) {
    const opened = open(host, options);
    const request = new Request(`${APP_URL}/anywhere?at=all`, init);
    return { ...opened, send: () => opened.app.authenticate[member](request) };
  }

  it('gives the payload, the session and the Admin API of the shop', async () => {
    const { send, platform, ...rest } = post();
    const stored = await install(rest);
    const context = await send();
    expect(context.payload).toEqual(payload);
    expect(context.session).toEqual(stored);
    expect(Object.keys(context).sort()).toEqual(['admin', 'payload', 'session']);
    const answer = await context.admin.graphql(QUERY);
    expect(platform.last).toMatchObject({ headers: { 'x-shopify-access-token': TOKEN } });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { data: { shop: { name: 'Test' } }, headers: { 'Content-Type': ['application/json'] } },
    ]);
  });

  it.each<[string, number, string, RequestInit]>([
    ['GET', 405, 'method_not_allowed', { method: 'GET' }],
    ['PUT', 405, 'method_not_allowed', { ...signedPost(payload), method: 'PUT' }],
    ['no signature', 400, 'missing_hmac', { method: 'POST' }],
    ['no signature but a body', 400, 'missing_hmac', { ...signedPost(payload), headers: {} }],
    [
      'a wrong signature',
      400,
      'invalid_hmac',
      signedPost(payload, { 'x-shopify-hmac-sha256': bodySignature('else') }),
    ],
    [
      'a signature of another form',
      400,
      'invalid_hmac',
      signedPost(payload, { 'x-shopify-hmac-sha256': 'x' }),
    ],
    [
      'a wrong signature and no body',
      400,
      'missing_body',
      { method: 'POST', headers: { 'x-shopify-hmac-sha256': bodySignature('x') } },
    ],
    ['an empty body', 400, 'missing_body', signedPost('')],
    [
      'another secret',
      400,
      'invalid_hmac',
      signedPost(payload, {
        'x-shopify-hmac-sha256': bodySignature(JSON.stringify(payload), 'other'),
      }),
    ],
    ['no JSON', 400, 'invalid_payload', signedPost('{')],
    ['a list', 400, 'invalid_payload', signedPost('[{}]')],
    [
      'a session token in place of a body',
      400,
      'invalid_hmac',
      signedPost('eyJhbGciOiJIUzI1NiJ9.e30'),
    ],
    [
      'a proxied query in place of a body',
      400,
      'invalid_hmac',
      signedPost('[path_prefix=/ashop=a.myshopify.comtimestamp=1'),
    ],
  ])('refuses %s with %d', async (_, status, reason, init) => {
    const headers = { accept: 'application/json', ...(init.headers as object) };
    const { send, ...rest } = post({ ...init, headers });
    await install(rest);
    const response = await thrown(send());
    expect([response.status, response.statusText]).toEqual([
      status,
      status === 405 ? 'Method not allowed' : 'Bad Request',
    ]);
    if (status === 405) expect(response.headers.get('allow')).toBe('POST');
    if (init.method !== 'GET') expect(await response.json()).toMatchObject({ error: reason });
  });

  it('refuses a shop without a session', async () => {
    const response = await thrown(post().send());
    expect([response.status, response.statusText]).toEqual([400, 'Bad Request']);
  });

  it.each([
    undefined,
    '',
    7,
    null,
    [SHOP],
    'shop.example.com',
    'a\nb.myshopify.com',
    'x'.repeat(999),
    SHOP.toUpperCase(),
    `${SHOP}/`,
    'https://admin.shopify.com/store/test-shop',
  ])('refuses a shop of the name %p', async (shop) => {
    const header = typeof shop === 'string' ? shop.replace('\n', ' ') : JSON.stringify(shop ?? '');
    const named =
      member === 'flow'
        ? signedPost({ ...payload, shopify_domain: shop })
        : signedPost(payload, { 'x-shopify-shop-domain': header });
    const { send, ...rest } = post({
      ...named,
      headers: { ...named.headers, accept: 'application/json' },
    });
    await install(rest);
    const response = await thrown(send());
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: 'invalid_shop' },
    ]);
  });

  it.each([
    ['an hour from now', 3_600_000, TOKEN],
    ['half a second from now', 500, GRANTED.token],
    ['a second ago', -1000, GRANTED.token],
  ])('renews a session that ends %s, if necessary', async (_, left, token) => {
    const { send, clock, platform, ...rest } = post();
    const expires = new Date(clock.now().getTime() + left);
    await install(rest, { expires, refreshToken: 'shprt_first' });
    expect((await send()).session).toMatchObject({ id: `offline_${SHOP}`, accessToken: token });
    expect(platform.sent).toHaveLength(token === TOKEN ? 0 : 1);
  });

  it('keeps a session that never ends', async () => {
    const { send, platform, ...rest } = post();
    await install(rest, { refreshToken: 'shprt_first' });
    expect((await send()).session.accessToken).toBe(TOKEN);
    expect(platform.sent).toEqual([]);
  });

  it('refuses a session that has ended for good', async () => {
    const { send, clock, ...rest } = post();
    await install(rest, { expires: new Date(clock.now().getTime() - 1000) });
    expect((await thrown(send())).status).toBe(400);
  });

  it('grants a custom app its shop without a stored session', async () => {
    const { send, platform } = post(undefined, CUSTOM);
    const { session, admin } = await send();
    expect(session).toMatchObject({ shop: SHOP, isOnline: false });
    expect([session.expires, session.refreshToken]).toEqual([undefined, undefined]);
    await admin.graphql(QUERY);
    expect(platform.last.headers).toMatchObject({ 'x-shopify-access-token': 'admin-token' });
  });

  it('answers a body that is too long with 413', async () => {
    const { send } = post(signedPost({ ...payload, long: 'x'.repeat(6_000_000) }));
    expect((await thrown(send())).status).toBe(413);
  });
});

describe.each(WEB_HOSTS)('unauthenticated.storefront of $name', (host) => {
  it('asks the Storefront API with the token of the session', async () => {
    const { app, platform, ...rest } = open(host);
    const stored = await install(rest);
    const { session, storefront } = await app.unauthenticated.storefront(SHOP);
    expect(session).toEqual(stored);
    const answer = await storefront.graphql(QUERY);
    expect(platform.last).toMatchObject({
      url: `https://${SHOP}/api/2026-07/graphql.json`,
      headers: { 'shopify-storefront-private-token': TOKEN },
    });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { data: { shop: { name: 'Test' } }, headers: {} },
    ]);
  });

  it('rejects a shop without a session', async () => {
    const { app } = open(host);
    await expect(app.unauthenticated.storefront(SHOP)).rejects.toThrow(SessionNotFoundError);
  });

  it('renews a session that has ended', async () => {
    const { app, clock, ...rest } = open(host);
    const expires = new Date(clock.now().getTime() - 1000);
    await install(rest, { expires, refreshToken: 'shprt_first' });
    const { session } = await app.unauthenticated.storefront(SHOP);
    expect(session).toMatchObject({ accessToken: GRANTED.token, refreshToken: GRANTED.refresh });
  });

  it('asks with the fixed token of a custom app', async () => {
    const { app, platform } = open(host, CUSTOM);
    const { session, storefront } = await app.unauthenticated.storefront(SHOP);
    expect(session).toMatchObject({ id: '', shop: SHOP, state: '', isOnline: false });
    await storefront.graphql(QUERY);
    expect(platform.last.headers).toMatchObject({
      'shopify-storefront-private-token': 'storefront-token',
    });
  });
});
