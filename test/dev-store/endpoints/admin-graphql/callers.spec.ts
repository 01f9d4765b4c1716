import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('the callers of the Admin GraphQL API of a simulated shop', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(['products']);
  });
  afterAll(() => fixture.devStore.close());

  /** Which of the areas a token may read. */
  const readable = async (accessToken?: string): Promise<string[]> => {
    const areas = ['products', 'customers', 'codeDiscountNodes'];
    const allowed = areas.map(async (area) => {
      const query = `{ ${area}(first: 1) { nodes { id } } }`;
      const { errors } = await fixture.answer(query, {}, accessToken);
      return errors ? [] : [area];
    });
    return (await Promise.all(allowed)).flat();
  };

  it('may do what the scopes of their tokens cover at the time', async () => {
    const { shop } = fixture;
    const token = shop.install('other', { scopes: ['read_customers'] });
    const online = shop.issueOnlineToken('other').token;
    expect(await readable()).toEqual(['products']);
    expect(await readable(token)).toEqual(['customers']);
    expect(await readable(online)).toEqual(['customers']);
    shop.setScopes('other', ['read_discounts']);
    expect(await readable(token)).toEqual(['codeDiscountNodes']);
    expect(await readable(online)).toEqual(['codeDiscountNodes']);
    shop.setScopes('other', ['read_discounts', 'write_products']);
    expect(await readable(token)).toEqual(['products', 'codeDiscountNodes']);
    expect(await readable()).toEqual(['products']);
  });

  it('are told apart, however many there are', async () => {
    const { shop } = fixture;
    shop.setScopes('other', ['read_customers']);
    const tokens = Array.from({ length: 60 }, () => shop.issueOnlineToken('other').token);
    const ask = (token: string): Promise<unknown> =>
      fixture.call('{ customers(first: 1) { nodes { id } } app { apiKey } }', {}, token);
    const answers = await Promise.all([...tokens, ...tokens].map(ask));
    for (const answer of answers)
      expect(answer).toEqual({ customers: { nodes: [] }, app: { apiKey: 'other' } });
    expect(await fixture.call('{ app { apiKey } }')).toEqual({ app: { apiKey: 'key' } });
  });

  it('get the answers of the version that they call', async () => {
    const { devStore, shop } = fixture;
    const token = shop.install('key', { scopes: ['write_products'] });
    const called = async (version: string, path: number): Promise<unknown> => {
      const query = `mutation { payload: webhookSubscriptionCreate(topic: PRODUCTS_CREATE
        webhookSubscription: { uri: "https://app.example/${path}" }) {
        webhookSubscription { apiVersion { handle } } } }`;
      const url = `https://${shop.domain}/admin/api/${version}/graphql.json`;
      const response = await devStore.fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Shopify-Access-Token': token },
        body: JSON.stringify({ query }),
      });
      return ((await response.json()) as { data: { payload: unknown } }).data.payload;
    };
    for (const [path, handle] of ['2026-04', '2026-07', '2026-04'].entries())
      expect(await called(handle, path)).toEqual({
        webhookSubscription: { apiVersion: { handle } },
      });
  });

  it('find the resolvers that a test adds between two calls, over those of the store', async () => {
    const { devStore, call } = fixture;
    const { queries } = devStore;
    await call(
      `mutation { bulkOperationRunQuery(query: "{ products { edges { node { id } } } }") {
        bulkOperation { id } } }`,
    );
    const READ = '{ shop { name } bulkOperations(first: 1) { nodes { id } } }';
    const before = await call(READ);
    expect(before['bulkOperations']!['nodes']).toHaveLength(1);
    queries['shop'] = () => ({ name: 'Own' });
    queries['bulkOperations'] = () => undefined;
    expect(await call(READ)).toEqual({ ...before, shop: { name: 'Own' } });
    delete queries['shop'];
    delete queries['bulkOperations'];
    expect(await call(READ)).toEqual(before);
  });

  it('are shown the owners of metafields, whatever a test resolves `node` with', async () => {
    const { devStore, shop } = fixture;
    const token = shop.issueOnlineToken('key').token;
    const owner = `gid://shopify/Product/${shop.products[0]!.id}`;
    const set = await fixture.call(
      `mutation { metafieldsSet(metafields: [{ ownerId: "${owner}", namespace: "n", key: "k"
        type: "boolean", value: "true" }]) { userErrors { code } } }`,
    );
    expect(set).toEqual({ metafieldsSet: { userErrors: [] } });
    const owners = async (): Promise<unknown> => {
      const { product } = await fixture.call(
        `{ product(id: "${owner}") { metafields(first: 2) { nodes { owner { __typename } } } } }`,
        {},
        token,
      );
      return (product!['metafields'] as { nodes: unknown }).nodes;
    };
    const nodes = [{ owner: { __typename: 'Product' } }];
    devStore.queries['node'] = () => undefined;
    expect(await owners()).toEqual(nodes);
    delete devStore.queries['node'];
    expect(await owners()).toEqual(nodes);
  });
});
