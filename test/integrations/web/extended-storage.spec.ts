import { afterAll, beforeAll, expect, it } from '@jest/globals';

import { DevStore } from '../../../lib/dev-store/index.js';
import { platformApp } from '../../../lib/integrations/remix/index.js';
import { API_KEY, API_SECRET, APP_URL, appOptions } from '../../support/app.js';
import { EncryptingStorage } from '../../support/encrypting.storage.js';

const SHOP = 'dev-shop.myshopify.com';

let store: DevStore;
beforeAll(async () => {
  store = await DevStore.open({
    apps: [
      {
        apiKey: API_KEY,
        apiSecretKey: API_SECRET,
        appUrl: APP_URL,
        optionalScopes: ['read_orders'],
      },
    ],
    shops: [SHOP],
  });
});
afterAll(() => store.close());

// Born of apps that extend the official storage of Prisma: their tokens were never renewed.
it('stores a renewed token by the methods of a class that extends a storage', async () => {
  const sessionStorage = new EncryptingStorage();
  const app = platformApp({ ...appOptions(), shopOrigin: store.shopOrigin, sessionStorage });
  const shop = store.shop(SHOP);
  shop.install(API_KEY, { scopes: ['write_products'] });
  await app.authenticate.admin(new Request(shop.embeddedUrl(API_KEY, '/app')));
  shop.expireTokens(API_KEY);

  for (let call = 0; call < 2; call += 1) {
    const { admin } = await app.unauthenticated.admin(SHOP);
    const { data } = await admin.graphql('query { shop { myshopifyDomain } }');
    expect(data.shop).toEqual({ myshopifyDomain: SHOP });
  }
  expect(shop.tokenRequests.map(({ grant }) => grant)).toEqual(['token_exchange', 'refresh_token']);
  const [stored] = await sessionStorage.findSessionsByShop(SHOP);
  expect(stored?.accessToken).toMatch(/^sealed (?!sealed)/);
});

// The table was listed, and its sealed tokens were sealed once more.
it('stores other scopes by the methods of such a class', async () => {
  const sessionStorage = new EncryptingStorage();
  const app = platformApp({
    ...appOptions(),
    scopes: ['write_products'],
    shopOrigin: store.shopOrigin,
    sessionStorage,
  });
  const shop = store.shop(SHOP);
  shop.install(API_KEY, { scopes: ['write_products', 'read_orders'] });
  const { scopes } = await app.authenticate.admin(new Request(shop.embeddedUrl(API_KEY, '/app')));
  await scopes.revoke(['read_orders']);

  const [stored] = await sessionStorage.findSessionsByShop(SHOP);
  expect(stored?.scope).toBe('write_products');
  expect(stored?.accessToken).toMatch(/^sealed (?!sealed)/);
  const { admin } = await app.unauthenticated.admin(SHOP);
  const { data } = await admin.graphql('{ shop { myshopifyDomain } }');
  expect(data).toEqual({ shop: { myshopifyDomain: SHOP } });
});
