import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DevStore } from '../../lib/dev-store/index.js';
import { API_KEY, API_SECRET, APP_URL, SHOP } from '../support/app.js';
import { HOSTS, type RunningHost } from '../support/hosts.js';

describe.each(HOSTS)('An app for $name with SHOPWRIGHT_DEV_STORE', ({ open }) => {
  let devStore: DevStore;
  let host: RunningHost | undefined;

  beforeAll(async () => {
    devStore = await DevStore.open({
      shops: [SHOP],
      apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
    });
    process.env['SHOPWRIGHT_DEV_STORE'] = devStore.shop().origin;
  });
  afterEach(async () => host?.close());
  afterAll(async () => {
    delete process.env['SHOPWRIGHT_DEV_STORE'];
    await devStore.close();
  });

  it('gets its token of the simulated store, without a line of code', async () => {
    const shop = devStore.shop();
    shop.install(API_KEY, { scopes: ['write_products'] });
    host = await open();
    const authorization = `Bearer ${shop.sessionToken(API_KEY)}`;
    const response = await fetch(`${host.url}/page`, { headers: { authorization } });
    expect([response.status, await response.json()]).toEqual([200, { shop: SHOP }]);
    expect(shop.tokenRequests.map(({ grant, status }) => `${grant} ${status}`)).toEqual([
      'token_exchange 200',
    ]);
  });
});
