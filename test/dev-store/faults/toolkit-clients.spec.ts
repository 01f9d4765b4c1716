import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DevStore } from '../../../lib/dev-store/index.js';
import { createAdminApiClient } from '../../../lib/graphql-client/admin-api-client.js';
import type { AdminApiClient } from '../../../lib/graphql-client/index.js';
import { createAdminRestApiClient } from '../../../lib/rest-client/admin-rest-api-client.js';

/** What the clients of the toolkit make of a store that misbehaves. */
describe('Our clients over a store with faults', () => {
  let devStore: DevStore;
  let graphql: AdminApiClient<'throw'>;
  let rest: ReturnType<typeof createAdminRestApiClient>;

  beforeEach(async () => {
    devStore = await DevStore.open({
      apps: [{ apiKey: 'key', apiSecretKey: 'hush', appUrl: 'http://localhost:3000' }],
    });
    const options = {
      storeDomain: devStore.shop().domain,
      apiVersion: '2026-07',
      accessToken: devStore.shop().install('key', { scopes: 'write_products' }),
      customFetchApi: devStore.fetch,
    };
    graphql = createAdminApiClient({ ...options, errorPolicy: 'throw' });
    rest = createAdminRestApiClient({ ...options, retries: 3, defaultRetryTime: 1 });
  });
  afterEach(() => devStore.close());

  const SHOP = 'query Shop { shop { name } }';
  const CREATE = 'mutation Add { productCreate(product: { title: "Sent" }) { product { id } } }';
  const created = (): number =>
    devStore.shop().products.filter(({ title }) => title === 'Sent').length;

  it.each([
    ['a status', { status: 502 }],
    ['a lost connection', { reset: true }],
    ['the limits', { throttled: true }],
  ])('read again after %s', async (_what, fault) => {
    devStore.faults.add({ on: { operation: 'Shop' }, times: 2, ...fault });
    devStore.faults.add({ on: { path: '*/shop.json' }, times: 2, ...fault });
    const { data } = await graphql.request(SHOP, { retries: 3 });
    expect(data).toEqual({ shop: { name: 'Dev Shop' } });
    expect((await rest.get('shop')).status).toBe(200);
    expect(devStore.faults.active).toEqual([]);
  });

  it('do not write twice when the answer to what was done is lost', async () => {
    devStore.faults.add({ on: { operation: 'Add' }, times: 1, reset: true, executed: true });
    await expect(graphql.request(CREATE, { retries: 3 })).rejects.toMatchObject({
      code: 'ERR_HTTP_REQUEST',
    });
    expect(created()).toBe(1);
  });

  it.each([
    ['HTML with 200', { html: true }, 'ERR_HTTP_MALFORMED_REPLY'],
    ['half an answer', { truncated: true }, 'ERR_HTTP_REQUEST'],
    ['a server error', { status: 500 }, 'ERR_HTTP_INTERNAL'],
    ['a revoked token', { revokesTokens: true }, 'ERR_HTTP_AUTHENTICATION'],
    ['throttling without end', { throttled: true }, 'ERR_GRAPHQL_THROTTLED'],
  ])('say what is wrong with %s', async (_what, fault, code) => {
    devStore.faults.add({ on: {}, ...fault });
    await expect(graphql.request(SHOP)).rejects.toMatchObject({ code });
  });
});
