import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Answer, type NodeShopFixture } from './node-shop.fixture.js';

describe('access to nodes', () => {
  let store: NodeShopFixture;
  let orderId: string;

  beforeAll(async () => {
    store = await openNodeShop(['products']);
    const destination = { address1: 'Secret Street 1' };
    orderId = store.shop.nodes.create('FulfillmentOrder', { status: 'OPEN', destination }).id;
  });
  afterAll(() => store.devStore.close());

  const ask = (scope: string, query: string): Promise<Answer> =>
    store.answer(query, {}, store.shop.install('key', { scopes: [scope] }));
  const codeOf = ({ errors }: Answer): string | undefined => errors?.[0]?.extensions['code'];

  it('shows fulfillment orders with any of their three scopes, and with no other', async () => {
    const list = '{ fulfillmentOrders(first: 1) { nodes { destination { address1 } } } }';
    const node = `{ node(id: "${orderId}") { id } }`;
    for (const query of [list, node]) {
      expect(codeOf(await ask('read_products', query))).toBe('ACCESS_DENIED');
      for (const kind of ['assigned', 'merchant_managed', 'third_party'])
        expect((await ask(`read_${kind}_fulfillment_orders`, query)).errors).toBeUndefined();
    }
  });

  it('shows and changes inventory items with scopes of products or of inventory', async () => {
    const { id } = store.shop.products[0]!.variants[0]!;
    const gid = `gid://shopify/InventoryItem/${id}`;
    const queries = [
      `{ inventoryItem(id: "${gid}") { tracked } }`,
      '{ inventoryItems(first: 1) { nodes { tracked } } }',
      `{ node(id: "${gid}") { id } }`,
    ];
    const update = `mutation { inventoryItemUpdate(id: "${gid}", input: { tracked: true }) {
      inventoryItem { tracked } userErrors { message } } }`;
    for (const query of queries) {
      expect((await ask('read_products', query)).errors).toBeUndefined();
      expect((await ask('read_inventory', query)).errors).toBeUndefined();
      expect(codeOf(await ask('read_orders', query))).toBe('ACCESS_DENIED');
    }
    expect((await ask('write_products', update)).errors).toBeUndefined();
    expect((await ask('write_inventory', update)).errors).toBeUndefined();
    expect(codeOf(await ask('read_products', update))).toBe('ACCESS_DENIED');
  });

  it('shows levels, and their quantities, with the scope of inventory alone', async () => {
    const { id } = store.shop.products[0]!.variants[0]!;
    const locationId = store.shop.nodes.first('Location')!.id;
    const quantities = 'quantities(names: ["available"]) { quantity }';
    const levels = [
      'inventoryLevels(first: 1) { nodes { id } }',
      `inventoryLevel(locationId: "${locationId}") { ${quantities} }`,
    ];
    const atLocation = `{ location(id: "${locationId}") {
      inventoryLevels(first: 1) { nodes { ${quantities} } } } }`;
    for (const fields of levels) {
      const ofVariant = `{ productVariant(id: "gid://shopify/ProductVariant/${id}") {
        inventoryItem { ${fields} } } }`;
      const ofItem = `{ inventoryItem(id: "gid://shopify/InventoryItem/${id}") { ${fields} } }`;
      expect(codeOf(await ask('read_products', ofVariant))).toBe('ACCESS_DENIED');
      expect((await ask('read_inventory', ofItem)).errors).toBeUndefined();
    }
    expect(codeOf(await ask('read_locations', atLocation))).toBe('ACCESS_DENIED');
  });

  it.each([
    ['companies(first: 1)', 'Company', ['customers', 'companies']],
    ['sellingPlanGroups(first: 1)', 'SellingPlanGroup', ['products', 'purchase_options']],
    ['priceLists(first: 1)', 'PriceList', ['products', 'markets']],
    ['catalogs(first: 1)', 'CompanyLocationCatalog', ['products', 'markets']],
    ['paymentCustomizations(first: 1)', 'PaymentCustomization', ['payment_customizations']],
    ['deliveryCustomizations(first: 1)', 'DeliveryCustomization', ['delivery_customizations']],
    ['validations(first: 1)', 'Validation', ['validations']],
    ['cartTransforms(first: 1)', 'CartTransform', ['cart_transforms']],
    ['productFeeds(first: 1)', 'ProductFeed', ['product_listings']],
  ])('shows what %s lists with the scopes of the platform alone', async (list, type, of) => {
    const { id } = store.shop.nodes.create(type, {});
    for (const query of [`{ ${list} { nodes { id } } }`, `{ node(id: "${id}") { id } }`]) {
      for (const scope of of) expect((await ask(`read_${scope}`, query)).errors).toBeUndefined();
      expect(codeOf(await ask('read_orders', query))).toBe('ACCESS_DENIED');
    }
  });
});
