import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { RequestedTokenType } from '../../lib/core/vendor.js';
import { DevStore } from '../../lib/dev-store/index.js';
import { PlatformApi } from '../../lib/platform/api/platform.api.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_KEY, API_SECRET, APP_URL, SHOP } from '../support/app.js';
import { resolverOf } from '../support/resolver.js';

const OTHER = 'other-shop.myshopify.com';

let store: DevStore;
let storage: MemorySessionStorage;
let api: PlatformApi;
let close: () => Promise<void>;
let accessToken: string;

beforeEach(async () => {
  const registered = {
    apiKey: API_KEY,
    apiSecretKey: API_SECRET,
    appUrl: APP_URL,
    clientCredentials: true,
  };
  store = await DevStore.open({ shops: [SHOP, OTHER], apps: [registered] });
  accessToken = store.shop(SHOP).install(API_KEY, { scopes: ['write_products'] });
  storage = new MemorySessionStorage();
  const app = resolverOf({
    shopOrigin: store.shopOrigin,
    clock: store.clock,
    sessionStorage: storage,
  });
  api = app.get(PlatformApi);
  close = () => app.close();
});
afterEach(async () => {
  await close();
  await store.close();
});

const sessionToken = (): string => store.shop(SHOP).sessionToken(API_KEY);

describe('api.auth', () => {
  it('trades a session token for the app’s token, which expires unless it is told otherwise, and stores nothing', async () => {
    const params = {
      shop: SHOP,
      sessionToken: sessionToken(),
      requestedTokenType: RequestedTokenType.OfflineAccessToken,
    };
    const { session } = await api.auth.tokenExchange(params);
    expect(session).toMatchObject({
      id: `offline_${SHOP}`,
      state: '',
      isOnline: false,
      expires: expect.any(Date),
    });
    expect(session.refreshToken).toMatch(/^shprt_/);
    expect(
      (await api.auth.tokenExchange({ ...params, expiring: false })).session.expires,
    ).toBeUndefined();
    await expect(storage.findSessionsByShop(SHOP)).resolves.toEqual([]);
  });

  it('trades a session token for a user’s token', async () => {
    const requestedTokenType = RequestedTokenType.OnlineAccessToken;
    const { session } = await api.auth.tokenExchange({
      shop: SHOP,
      sessionToken: sessionToken(),
      requestedTokenType,
    });
    const { id } = store.shop(SHOP).user;
    expect(session).toMatchObject({
      id: `${SHOP}_${id}`,
      isOnline: true,
      onlineAccessInfo: { associated_user: { id } },
    });
  });

  it('sends no session token to another shop than the one it was issued in', async () => {
    const requestedTokenType = RequestedTokenType.OfflineAccessToken;
    await expect(
      api.auth.tokenExchange({ shop: OTHER, sessionToken: sessionToken(), requestedTokenType }),
    ).rejects.toMatchObject({
      code: 'ERR_SESSION_TOKEN_INVALID',
      reason: 'shop_mismatch',
    });
    await expect(
      api.auth.tokenExchange({ shop: SHOP, sessionToken: 'a.b.c', requestedTokenType }),
    ).rejects.toMatchObject({
      code: 'ERR_SESSION_TOKEN_INVALID',
    });
    expect(store.shop(SHOP).tokenRequests.length + store.shop(OTHER).tokenRequests.length).toBe(0);
  });

  it('migrates a token, and refreshes what it got for it', async () => {
    const { session: migrated } = await api.auth.migrateToExpiringToken({
      shop: SHOP,
      nonExpiringOfflineAccessToken: accessToken,
    });
    const { session: refreshed } = await api.auth.refreshToken({
      shop: SHOP,
      refreshToken: migrated.refreshToken!,
    });
    expect(refreshed).toMatchObject({
      id: `offline_${SHOP}`,
      expires: expect.any(Date),
      refreshTokenExpires: expect.any(Date),
    });
    const client = new api.clients.Graphql({ session: refreshed });
    await expect(client.request('{ shop { name } }')).resolves.toMatchObject({
      data: { shop: { name: store.shop(SHOP).name } },
    });
    await expect(
      api.auth.refreshToken({ shop: SHOP, refreshToken: 'shprt_none' }),
    ).rejects.toMatchObject({
      code: 'ERR_HTTP_RESPONSE',
      response: { code: 400, body: { error: 'invalid_grant' } },
    });
  });

  it('gets a token with nothing but the secret, and keeps it where it is asked to', async () => {
    const { session } = await api.auth.clientCredentials({ shop: SHOP });
    expect(session).toMatchObject({ id: `offline_${SHOP}`, expires: expect.any(Date) });
    await expect(storage.findSessionsByShop(SHOP)).resolves.toEqual([]);
    await expect(api.auth.clientCredentials({ shop: 'evil.example.com' })).rejects.toMatchObject({
      code: 'ERR_SHOP_INVALID',
    });
  });
});
