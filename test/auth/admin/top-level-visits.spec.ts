import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { DevStore } from '../../../lib/dev-store/index.js';
import { platformApp } from '../../../lib/integrations/remix/index.js';
import type { RemixApp } from '../../../lib/integrations/remix/index.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_KEY, API_SECRET, APP_URL, SHOP, appOptions } from '../../support/app.js';

const SCOPES = ['write_products'];

let store: DevStore;
let app: RemixApp;
let storage: MemorySessionStorage;
let told: string[];

beforeEach(async () => {
  store = await DevStore.open({
    shops: [SHOP],
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
    // The app is not served: no webhook reaches it.
    fetch: async () => new Response(),
  });
  storage = new MemorySessionStorage();
  told = [];
  app = platformApp({
    ...appOptions({ shopOrigin: store.shopOrigin, clock: store.clock }),
    scopes: SCOPES,
    sessionStorage: storage,
    hooks: {
      onReauthorizationNeeded: () => void told.push('onReauthorizationNeeded'),
      onUninstall: () => void told.push('onUninstall'),
    },
  });
});
afterEach(async () => {
  await app.close();
  await store.close();
});

/** Loads a page of the app in a window of its own. @returns where the browser is sent */
async function visit(): Promise<string> {
  const request = new Request(`${APP_URL}/?shop=${SHOP}`, {
    headers: { accept: 'text/html', 'sec-fetch-dest': 'document' },
  });
  const answer = await app.authenticate.admin(request).catch((thrown: unknown) => thrown);
  return new URL((answer as Response).headers.get('location')!).pathname;
}

describe('a page of an embedded app in a window of its own', () => {
  beforeEach(async () => {
    const shop = store.shop();
    shop.install(API_KEY, { scopes: SCOPES });
    const authorization = `Bearer ${shop.sessionToken(API_KEY)}`;
    await app.authenticate.admin(new Request(`${APP_URL}/`, { headers: { authorization } }));
  });

  // The shop is asked for its consent at once: there is nobody to be called back.
  it('asks a shop that has uninstalled unheard for its consent, and runs no hook', async () => {
    store.shop().uninstallWithDeferredWebhook(API_KEY);
    expect(await visit()).toContain(`/apps/${API_KEY}`);
    expect(await visit()).toContain('/oauth/authorize');
    await app.close();
    const [stored] = await storage.findSessionsByShop(SHOP);
    expect({ told, token: stored?.accessToken }).toEqual({ told: [], token: undefined });
  });

  it('leads into the admin again and again while the shop has the app', async () => {
    for (let time = 0; time < 3; time++) expect(await visit()).toContain(`/apps/${API_KEY}`);
    expect((await storage.findSessionsByShop(SHOP))[0]?.accessToken).toBeDefined();
  });
});
