import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { DevStore } from '../../lib/dev-store/index.js';
import { createAdminApiClient } from '../../lib/graphql-client/admin-api-client.js';
import { createStorefrontApiClient } from '../../lib/graphql-client/storefront-api-client.js';
import { collect } from '../support/collect.js';

const PRODUCTS = `query Products($first: Int!, $after: String) {
  products(first: $first, after: $after) { nodes { id title variants(first: 5) { nodes { id price } } } pageInfo { hasNextPage endCursor } }
}`;

interface Products {
  products: {
    nodes: { id: string; title: string }[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
}

describe('the GraphQL clients against a store', () => {
  let devStore: DevStore;
  const store = () => ({
    storeDomain: devStore.shop().domain,
    apiVersion: '2026-07',
    customFetchApi: devStore.fetch,
  });

  beforeAll(async () => {
    devStore = await DevStore.open({
      apps: [{ apiKey: 'key', apiSecretKey: 'secret', appUrl: 'https://app.example.com' }],
      limits: { graphql: { capacity: 1000, restoreRate: 4000 } },
    });
  });
  afterAll(() => devStore.close());

  const admin = () =>
    createAdminApiClient({
      ...store(),
      accessToken: devStore.shop().install('key', { scopes: ['write_products'] }),
      errorPolicy: 'throw',
    });

  it('walk all products, however many fit on a page', async () => {
    const client = admin();
    const titles = async (first: number): Promise<string[]> =>
      (
        await collect(
          client.paginate(PRODUCTS, { first }, (data: Products) => data.products, { retries: 3 }),
        )
      ).map(({ title }) => title);
    const all = await titles(20);
    expect(all.length).toBeGreaterThan(3);
    expect(await titles(2)).toEqual(all);
    // 250 products with five variants each cost more than a query may.
    expect(await titles(250)).toEqual(all);
  });

  it('get through an empty bucket by waiting', async () => {
    const client = admin();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        client.request<Products>(PRODUCTS, {
          variables: { first: 20 },
          retries: 3,
          deadline: 20_000,
        }),
      ),
    );
    expect(answers.every(({ data }) => data.products.nodes.length > 0)).toBe(true);
    expect(answers[0]?.cost).toMatchObject({
      requested: expect.any(Number),
      bucket: { capacity: 1000, restoreRate: 4000 },
    });
  });

  it('say what is wrong with a query', async () => {
    await expect(admin().request('query Wrong { shop { nonsense } }')).rejects.toMatchObject({
      code: 'ERR_GRAPHQL_QUERY',
      operation: 'query Wrong',
      requestId: expect.any(String),
    });
    const stranger = createAdminApiClient({ ...store(), accessToken: 'stranger' });
    expect((await stranger.request('{ shop { name } }')).errors).toMatchObject({
      networkStatusCode: 401,
    });
  });

  it('get deferred fragments of a storefront piece by piece', async () => {
    const client = createStorefrontApiClient({
      ...store(),
      publicAccessToken: devStore.shop().storefrontToken(),
    });
    const whole = 'query Shelf { shop { name } products(first: 2) { nodes { handle title } } }';
    const query = `query Shelf { shop { name } ...Products @defer } fragment Products on QueryRoot { products(first: 2) { nodes { handle title } } }`;
    const items = await collect(await client.requestStream(query));
    expect(items.map(({ hasNext, errors }) => [hasNext, errors])).toEqual([
      [true, undefined],
      [false, undefined],
    ]);
    expect(items[0]?.data).toEqual({ shop: { name: expect.any(String) } });
    expect(items.at(-1)?.data).toEqual((await client.request(whole)).data);
  });
});
