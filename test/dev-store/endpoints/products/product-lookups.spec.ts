import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DevStore } from '../../../../lib/dev-store/index.js';
import { openStore, type Call } from '../custom-data.fixture.js';

describe('what the catalog holds', () => {
  let devStore: DevStore;
  let call: Call;
  let narrow: Call;

  beforeAll(async () => {
    const opened = await openStore({ limits: { graphql: 'off' } });
    devStore = opened.devStore;
    call = opened.call('own', 'write_products,write_inventory');
    narrow = opened.call('other', 'write_customers');
  });
  afterAll(() => devStore.close());

  it('is found by handle, identifier, SKU and id', async () => {
    const [mug] = devStore.shop().products;
    const id = `gid://shopify/ProductVariant/${mug!.variants[0]!.id}`;
    const { data, errors } = await call(
      `query ($id: ID!, $handle: String!) {
        productByHandle(handle: $handle) { title }
        productByIdentifier(identifier: { handle: $handle }) { title }
        unknown: productByIdentifier(identifier: { handle: "unknown" }) { title }
        productVariantByIdentifier(identifier: { id: $id }) { sku }
        productVariants(first: 5, query: "sku:MUG-01") { nodes { id product { title } } }
        sorted: productVariants(first: 2, sortKey: SKU) { nodes { sku } }
        productVariantsCount { count }
        some: productVariantsCount(query: "sku:MUG-01 OR sku:THR-01") { count }
        inventoryItems(first: 5, query: "sku:MUG-01") { nodes { sku variant { id } } }
      }`,
      { id, handle: mug!.handle },
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      productByHandle: { title: 'Stoneware mug' },
      productByIdentifier: { title: 'Stoneware mug' },
      unknown: null,
      productVariantByIdentifier: { sku: 'MUG-01' },
      productVariants: { nodes: [{ id, product: { title: 'Stoneware mug' } }] },
      sorted: { nodes: [{ sku: 'BRD-01' }, { sku: 'CAN-01' }] },
      productVariantsCount: { count: devStore.shop().products.length },
      some: { count: 2 },
      inventoryItems: { nodes: [{ sku: 'MUG-01', variant: { id } }] },
    });
  });

  it('is updated by the identifier that a mutation names', async () => {
    const [, towel] = devStore.shop().products;
    const { data } = await call(
      `mutation ($handle: String!) {
        productUpdate(identifier: { handle: $handle }, product: { vendor: "Loom" }) {
          product { vendor } userErrors { message }
        }
      }`,
      { handle: towel!.handle },
    );
    expect(data.productUpdate).toEqual({ product: { vendor: 'Loom' }, userErrors: [] });
    expect(devStore.shop().products[1]!.vendor).toBe('Loom');
  });

  it('has an inventory item for each variant, which stays the same and is found', async () => {
    const [mug] = devStore.shop().products;
    const id = `gid://shopify/ProductVariant/${mug!.variants[0]!.id}`;
    const itemId = `gid://shopify/InventoryItem/${mug!.variants[0]!.id}`;
    const read = `query ($id: ID!, $itemId: ID!) {
      productVariant(id: $id) { inventoryItem { id sku tracked requiresShipping } }
      inventoryItem(id: $itemId) { variant { id } tracked }
      node(id: $itemId) { id __typename }
    }`;
    const { data, errors } = await call(read, { id, itemId });
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      productVariant: {
        inventoryItem: { id: itemId, sku: 'MUG-01', tracked: false, requiresShipping: true },
      },
      inventoryItem: { variant: { id }, tracked: false },
      node: { id: itemId, __typename: 'InventoryItem' },
    });
    await call(
      `mutation ($itemId: ID!) { inventoryItemUpdate(id: $itemId, input: { tracked: true }) {
        inventoryItem { id } userErrors { message } } }`,
      { itemId },
    );
    expect((await call(read, { id, itemId })).data.inventoryItem.tracked).toBe(true);
  });

  it('needs its scope', async () => {
    for (const field of ['productVariants', 'inventoryItems']) {
      const { errors } = await narrow(`{ ${field}(first: 1) { nodes { id } } }`);
      expect(errors![0]!.extensions!.code).toBe('ACCESS_DENIED');
    }
  });

  it('gives what was never set the same id at each read', async () => {
    const id = devStore.shop().nodes.create('Fulfillment').id;
    const customers = `{ fulfillment(id: "${id}") { order { id } } }`;
    const wide = (await openSame('write_orders'))!;
    const first = await wide(customers);
    expect(first.errors).toBeUndefined();
    expect((await wide(customers)).data).toEqual(first.data);
  });

  const openSame = async (scopes: string): Promise<Call | undefined> => {
    const shop = devStore.shop();
    const token = shop.install('own', { scopes });
    return async (query) => {
      const answer = await devStore.fetch(`https://${shop.domain}/admin/api/2026-07/graphql.json`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-shopify-access-token': token },
        body: JSON.stringify({ query }),
      });
      return (await answer.json()) as Awaited<ReturnType<Call>>;
    };
  };
});
