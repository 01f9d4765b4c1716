import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';
import { openStore, type Call } from '../custom-data.fixture.js';

describe('mutations by convention', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let call: Call;
  let narrow: Call;

  beforeAll(async () => {
    const opened = await openStore();
    devStore = opened.devStore;
    shop = devStore.shop();
    shop.limits = { graphql: 'off' };
    call = opened.call('own', EVERY_SCOPE);
    narrow = opened.call('other', 'write_products');
  });
  afterAll(() => devStore.close());

  it.each([
    `productOptionsCreate(productId: $id, options: [{ name: "Size", values: [{ name: "S" }] }]) {
      product { id } userErrors { message } }`,
    `productOptionUpdate(productId: $id, option: { id: "gid://shopify/ProductOption/1" }) {
      product { id } userErrors { message } }`,
    `combinedListingUpdate(parentProductId: $id, title: "Set") {
      product { id } userErrors { message } }`,
  ])('write no product beside the catalog: %s', async (mutation) => {
    const id = `gid://shopify/Product/${shop.products[0]!.id}`;
    const { errors } = await call(`mutation ($id: ID!) { ${mutation} }`, { id });
    expect(errors![0]).toMatchObject({ extensions: { code: 'NOT_SIMULATED' } });
    expect(shop.nodes.all(['Product'])).toEqual([]);
  });

  it('number what they create apart from the products', async () => {
    const { data } = await call(`mutation {
      productCreate(product: { title: "Hat" }) { product { legacyResourceId } }
      customerCreate(input: { firstName: "Ada" }) { customer { legacyResourceId } }
    }`);
    expect(data.customerCreate.customer.legacyResourceId).not.toBe(
      data.productCreate.product.legacyResourceId,
    );
    const numbers = new Set(shop.nodes.all().map(({ number }) => number));
    expect(shop.products.filter(({ id }) => numbers.has(id))).toEqual([]);
  });
});

const EVERY_SCOPE = [
  'orders',
  'customers',
  'products',
  'discounts',
  'themes',
  'content',
  'inventory',
  'markets',
]
  .map((scope) => `write_${scope}`)
  .join();
