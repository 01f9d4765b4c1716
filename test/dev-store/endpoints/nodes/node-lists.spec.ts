import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from './node-shop.fixture.js';

describe('lists of nodes', () => {
  let store: NodeShopFixture;
  let customer: string;

  beforeAll(async () => {
    store = await openNodeShop([
      'orders',
      'customers',
      'products',
      'locations',
      'themes',
      'inventory',
      'merchant_managed_fulfillment_orders',
    ]);
    const { nodes } = store.shop;
    customer = nodes.create('Customer', { email: 'ada@example.com' }).id;
    for (const [totalPrice, displayFinancialStatus, closed, name] of [
      ['100.00', 'PAID', false, '#1'],
      ['20.00', 'PENDING', true, '#2'],
      ['3.00', 'PAID', false, '#3'],
    ])
      nodes.create('Order', { customer, totalPrice, displayFinancialStatus, closed, name });
  });
  afterAll(() => store.devStore.close());

  const orders = async (args: string): Promise<unknown> => {
    const { orders: found } = await store.call(`{ orders(first: 5, ${args}) { nodes { name } } }`);
    return (found!['nodes'] as Array<{ name: string }>).map(({ name }) => name);
  };

  it.each([
    ['query: "financial_status:paid"', ['#1', '#3']],
    ['query: "status:open"', ['#1', '#3']],
    ['query: "status:closed"', ['#2']],
    ['query: "fulfillment_status:unfulfilled AND financial_status:pending"', ['#2']],
    ['sortKey: TOTAL_PRICE', ['#3', '#2', '#1']],
  ])('of orders know %s', async (args, names) => {
    expect(await orders(args)).toEqual(names);
  });

  it('are searched and sorted in objects, too', async () => {
    const { customer: read } = await store.call(
      `query ($id: ID!) { customer(id: $id) {
        paid: orders(first: 5, query: "financial_status:paid", sortKey: TOTAL_PRICE) { nodes { name } }
        all: orders(first: 5, reverse: true) { nodes { name } } } }`,
      { id: customer },
    );
    expect(read).toEqual({
      paid: { nodes: [{ name: '#3' }, { name: '#1' }] },
      all: { nodes: [{ name: '#3' }, { name: '#2' }, { name: '#1' }] },
    });
  });

  it('have what their other arguments say', async () => {
    const { nodes } = store.shop;
    nodes.create('MetafieldDefinition', { ownerType: 'PRODUCT', namespace: 'a', key: 'x' });
    nodes.create('MetafieldDefinition', { ownerType: 'CUSTOMER', namespace: 'b', key: 'y' });
    nodes.create('Location', { name: 'Closed', isActive: false });
    nodes.create('FulfillmentOrder', { status: 'CLOSED' });
    nodes.create('FulfillmentOrder', { status: 'OPEN' });
    const data = await store.call(`{
      products: metafieldDefinitions(first: 5, ownerType: PRODUCT) { nodes { key } }
      named: metafieldDefinitions(first: 5, ownerType: CUSTOMER, namespace: "a") { nodes { key } }
      active: locations(first: 5) { nodes { name } }
      locations(first: 5, includeInactive: true) { nodes { name } }
      open: fulfillmentOrders(first: 5) { nodes { status } }
      fulfillmentOrders(first: 5, includeClosed: true) { nodes { status } }
    }`);
    expect(data).toEqual({
      products: { nodes: [{ key: 'x' }] },
      named: { nodes: [] },
      active: { nodes: [{ name: 'Shop location' }] },
      locations: { nodes: [{ name: 'Closed' }, { name: 'Shop location' }] },
      open: { nodes: [{ status: 'OPEN' }] },
      fulfillmentOrders: { nodes: [{ status: 'CLOSED' }, { status: 'OPEN' }] },
    });
  });

  it('have the levels of a location', async () => {
    const item = `gid://shopify/InventoryItem/${store.shop.products[0]!.variants[0]!.id}`;
    const { location } = await store.call(
      `query ($id: ID!, $item: ID!) { location(id: $id) { hasActiveInventory
        inventoryLevels(first: 2) { nodes { item { sku } location { name } } }
        inventoryLevel(inventoryItemId: $item) { quantities(names: ["available"]) { quantity } } } }`,
      { id: store.shop.nodes.all(['Location'])[0]!.id, item },
    );
    expect(location).toEqual({
      hasActiveInventory: true,
      inventoryLevels: {
        nodes: [
          { item: { sku: 'MUG-01' }, location: { name: 'Shop location' } },
          { item: { sku: 'TWL-01' }, location: { name: 'Shop location' } },
        ],
      },
      inventoryLevel: { quantities: [{ quantity: 0 }] },
    });
  });

  it('of collections are those of a product, without what was deleted', async () => {
    const create = async (): Promise<{ id: string; handle: string }> => {
      const { collectionCreate } = await store.call(
        'mutation { collectionCreate(input: { title: "Late Summer" }) { collection { id handle } } }',
      );
      return collectionCreate!['collection'] as { id: string; handle: string };
    };
    const [first, second] = [await create(), await create()];
    expect([first.handle, second.handle]).toEqual(['late-summer', 'late-summer-1']);
    const [one, other] = store.shop.products.map((each) => `gid://shopify/Product/${each.id}`);
    await store.call(
      `mutation ($id: ID!, $products: [ID!]!) {
        collectionAddProducts(id: $id, productIds: $products) { userErrors { message } } }`,
      { id: first.id, products: [one, other] },
    );
    await store.call(
      `mutation ($id: ID!, $gone: ID!) {
        collectionUpdate(input: { id: $id, title: "Autumn" }) { userErrors { message } }
        productDelete(input: { id: $gone }) { deletedProductId } }`,
      { id: first.id, gone: other },
    );
    const data = await store.call(
      `query ($id: ID!, $product: ID!) {
        collection(id: $id) { title handle productsCount { count } }
        collectionByHandle(handle: "late-summer") { id }
        product(id: $product) { collections(first: 5) { nodes { title } } } }`,
      { id: first.id, product: one },
    );
    expect(data).toEqual({
      collection: { title: 'Autumn', handle: 'late-summer', productsCount: { count: 1 } },
      collectionByHandle: { id: first.id },
      product: { collections: { nodes: [{ title: 'Autumn' }] } },
    });
  });
});
