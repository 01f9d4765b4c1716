import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { ReauthorizationRequiredError } from '../../lib/auth/auth.errors.js';
import { AuthenticationError } from '../../lib/core/http/http.errors.js';
import { DevStore, signedWebhook } from '../../lib/dev-store/index.js';
import { platformApp } from '../../lib/integrations/remix/index.js';
import type { RemixApp } from '../../lib/integrations/remix/platform-app.js';
import { Session } from '../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_KEY, API_SECRET, APP_URL, SHOP, appOptions } from '../support/app.js';
import { gate } from '../support/gate.js';

const SCOPES = ['write_products'];
const NAME = '{ shop { name } }';
const CREATE =
  'mutation create($product: ProductCreateInput!) { productCreate(product: $product) { product { id } userErrors { message } } }';
const HOUR = 3_600_000;

let store: DevStore;
let storage: MemorySessionStorage;
let told: string[];
const opened: RemixApp[] = [];

beforeEach(async () => {
  store = await DevStore.open({
    shops: [SHOP],
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
    // The app is not served.
    fetch: async () => new Response(),
  });
  storage = new MemorySessionStorage();
  told = [];
});
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
  await store.close();
});

interface Setup {
  readonly useOnlineTokens?: boolean;
  /** Takes the time of a hook. */
  readonly reauthorizing?: Promise<void>;
}

function open({ reauthorizing, ...options }: Setup = {}): RemixApp {
  const app = platformApp({
    ...appOptions({ shopOrigin: store.shopOrigin, clock: store.clock, ...options }),
    scopes: SCOPES,
    sessionStorage: storage,
    hooks: {
      onInstall: () => void told.push('onInstall'),
      onReinstall: () => void told.push('onReinstall'),
      onReauthorizationNeeded: async () => {
        await reauthorizing;
        told.push('onReauthorizationNeeded');
      },
    },
  });
  opened.push(app);
  return app;
}

/** A request as a page inside the admin makes it. */
const request = (path = '/api'): Request =>
  new Request(`${APP_URL}${path}`, {
    headers: { authorization: `Bearer ${store.shop().sessionToken(API_KEY)}` },
  });
const granted = (): string[] => store.shop().tokenRequests.map(({ grant }) => grant);
const stored = (): Promise<Session | undefined> => storage.loadSession(`offline_${SHOP}`);

/** An app that a shop has installed in the admin and opened once. */
async function installed(options?: Setup): Promise<RemixApp> {
  store.shop().install(API_KEY, { scopes: SCOPES });
  const app = open(options);
  await app.authenticate.admin(request());
  store.shop().tokenRequests.length = 0;
  return app;
}

describe('an app that a shop has installed in the admin', () => {
  it('gets its token with the first request, without a consent page', async () => {
    store.shop().install(API_KEY, { scopes: SCOPES });
    const { admin, session } = await open().authenticate.admin(request());
    expect((await admin.graphql<{ shop: { name: string } }>(NAME)).data.shop.name).toBe(
      store.shop().name,
    );
    expect(session.expires?.getTime()).toBeGreaterThan(store.clock.now().getTime() + HOUR - 60_000);
    expect(session).toMatchObject({ refreshToken: expect.stringMatching(/^shprt_/) });
    expect(told).toEqual(['onInstall']);
  });

  it('trades its session token in when the token is about to expire', async () => {
    const app = await installed();
    store.advance(HOUR - 4 * 60_000);
    const { admin } = await app.authenticate.admin(request());
    await admin.graphql(NAME);
    expect(granted()).toEqual(['token_exchange']);
  });
});

describe('work that no request started', () => {
  it('refreshes the token when it has expired, for as many as ask', async () => {
    const app = await installed();
    store.advance(2 * HOUR);
    const clients = await Promise.all(
      Array.from({ length: 20 }, () => app.unauthenticated.admin(SHOP)),
    );
    await Promise.all(clients.map(({ admin }) => admin.graphql(NAME)));
    expect(granted()).toEqual(['refresh_token']);
    await expect(app.api.session.forShop(SHOP)).resolves.toMatchObject({
      accessToken: (await stored())?.accessToken,
    });
  });

  it('goes on with another token when it is refused in the middle, once for all calls', async () => {
    const app = await installed();
    const { admin } = await app.unauthenticated.admin(SHOP);
    store.shop().expireTokens(API_KEY);
    const before = store.shop().products.length;
    await Promise.all([
      ...Array.from({ length: 5 }, () => admin.graphql(NAME)),
      admin.rest.get({ path: 'products' }),
      admin.graphql(CREATE, { variables: { product: { title: 'Lamp' } } }),
    ]);
    expect(store.shop().products).toHaveLength(before + 1);
    let rows = 0;
    for await (const _ of admin.bulk.query('{ products { edges { node { id } } } }')) rows++;
    expect(rows).toBe(before + 1);
    expect(granted()).toEqual(['refresh_token']);
  });

  it('uses the token that another process has stored, without asking for one', async () => {
    const app = await installed();
    const { admin } = await app.unauthenticated.admin(SHOP);
    store.shop().expireTokens(API_KEY);
    await open()
      .unauthenticated.admin(SHOP)
      .then(({ admin: other }) => other.graphql(NAME));
    expect(granted()).toEqual(['refresh_token']);
    await admin.graphql(NAME);
    expect(granted()).toEqual(['refresh_token']);
  });

  it('fails with the typed error when there is no other token, and says what has to be done from then on', async () => {
    const app = await installed();
    const { admin } = await app.unauthenticated.admin(SHOP);
    store.shop().revokeTokens(API_KEY);
    await expect(admin.graphql(NAME)).rejects.toBeInstanceOf(AuthenticationError);
    expect(granted()).toEqual(['refresh_token']);
    expect(told).toEqual(['onInstall', 'onReauthorizationNeeded']);
    store.advance(HOUR);
    await expect(app.unauthenticated.admin(SHOP)).rejects.toBeInstanceOf(
      ReauthorizationRequiredError,
    );
    expect(told).toEqual(['onInstall', 'onReauthorizationNeeded']);
  });

  it('is told what has to be done to the end when the app shuts down meanwhile: nobody is told a second time', async () => {
    const { opened: reauthorizing, open: end } = gate();
    const app = await installed({ reauthorizing });
    store.shop().uninstallWithDeferredWebhook(API_KEY);
    store.advance(2 * HOUR);
    await expect(app.unauthenticated.admin(SHOP)).rejects.toBeInstanceOf(
      ReauthorizationRequiredError,
    );
    const closed = app.close();
    const later = new Promise((resolve) => setTimeout(() => resolve('pending'), 100));
    expect(await Promise.race([closed, later])).toBe('pending');
    end();
    await closed;
    expect(told).toEqual(['onInstall', 'onReauthorizationNeeded']);
  });

  it('fails with the typed error for a token that never expires', async () => {
    const accessToken = store.shop().install(API_KEY, { scopes: SCOPES });
    await storage.storeSession(
      new Session({
        id: `offline_${SHOP}`,
        shop: SHOP,
        state: '',
        isOnline: false,
        scope: 'write_products',
        accessToken,
      }),
    );
    const { admin } = await open().unauthenticated.admin(SHOP);
    store.shop().revokeTokens(API_KEY);
    await expect(admin.rest.get({ path: 'products' })).rejects.toBeInstanceOf(AuthenticationError);
    expect(granted()).toEqual([]);
  });
});

describe('a request whose token is refused', () => {
  it('goes on with the token its session token brings, and an uninstallation nobody heard of is noticed', async () => {
    const app = await installed();
    store.shop().uninstallWithDeferredWebhook(API_KEY);
    store.shop().install(API_KEY, { scopes: SCOPES });
    const { admin } = await app.authenticate.admin(request());
    await Promise.all(Array.from({ length: 10 }, () => admin.graphql(NAME)));
    expect(granted()).toEqual(['refresh_token', 'token_exchange']);
    await app.authenticate.admin(request());
    expect(told).toEqual(['onInstall', 'onReinstall']);
  });

  it('goes on with a user’s token likewise', async () => {
    const app = await installed({ useOnlineTokens: true });
    const { admin, session } = await app.authenticate.admin(request());
    expect(session.isOnline).toBe(true);
    store.shop().revokeTokens(API_KEY);
    await admin.graphql(NAME);
    expect(granted()).toHaveLength(2);
    await app.unauthenticated.admin(SHOP).then(({ admin: own }) => own.graphql(NAME));
    expect(granted()).toHaveLength(2);
  });

  it('falls back on the refresh token when its session token has expired meanwhile', async () => {
    const app = await installed();
    const { admin } = await app.authenticate.admin(request());
    store.advance(2 * HOUR);
    await admin.graphql(NAME);
    expect(granted()).toEqual(['refresh_token']);
  });
});

describe('a delivery', () => {
  const deliver = async (app: RemixApp, topic: string, payload: object = { id: 1 }) => {
    const { headers, body } = signedWebhook({ secret: API_SECRET, shop: SHOP, topic, payload });
    return app.authenticate.webhook(
      new Request(`${APP_URL}/webhooks`, { method: 'POST', headers, body: new Uint8Array(body) }),
    );
  };

  it('is handled with a token that was refreshed for it', async () => {
    const app = await installed();
    store.advance(2 * HOUR);
    const { admin } = await deliver(app, 'products/create');
    await admin?.graphql(NAME);
    expect(granted()).toEqual(['refresh_token']);
    expect((await stored())?.expires?.getTime()).toBeGreaterThan(store.clock.now().getTime());
  });

  it('has an Admin API whose calls fail when its token cannot be renewed', async () => {
    const app = await installed();
    store.shop().expireRefreshTokens(API_KEY);
    store.advance(100 * 24 * HOUR);
    const delivery = await deliver(app, 'products/create');
    expect(delivery.session).toMatchObject({ shop: SHOP });
    await expect(async () => delivery.admin?.graphql(NAME)).rejects.toMatchObject({
      code: 'ERR_HTTP_AUTHENTICATION',
      status: 401,
    });
  });

  it.each([undefined, '', 'not a\ntoken'])(
    'has an Admin API whose calls say that the session has no token (%p)',
    async (accessToken) => {
      const app = await installed();
      const session = await stored();
      await app.sessionStorage.storeSession(
        new Session({ ...session!.toObject(), accessToken, refreshToken: undefined }),
      );
      const { admin, session: given } = await deliver(app, 'products/create');
      expect(given).toMatchObject({ shop: SHOP });
      expect(admin?.session).toBe(given);
      for (const call of [
        () => admin!.graphql(NAME),
        () => admin!.rest.get({ path: 'shop' }),
        () => admin!.bulk,
        () => admin!.paginate,
      ])
        await expect(async () => call()).rejects.toMatchObject({ code: 'ERR_ARGUMENT_MISSING' });
    },
  );

  it('of an uninstallation tries to renew its token, and alarms nobody', async () => {
    const app = await installed();
    store.shop().uninstallWithDeferredWebhook(API_KEY);
    store.advance(2 * HOUR);
    const delivery = await deliver(app, 'app/uninstalled', { myshopify_domain: SHOP });
    expect(delivery.session).toMatchObject({ shop: SHOP });
    expect([granted(), told]).toEqual([['refresh_token'], ['onInstall']]);
    expect(await stored()).toBeUndefined();
  });
});
