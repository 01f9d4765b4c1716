import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';
import type { SimulatedShop } from '../../../../lib/dev-store/simulated-shop.js';
import { openStore, type Call } from '../custom-data.fixture.js';

describe('mutations by convention', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let call: Call;
  let narrow: Call;

  beforeAll(async () => {
    const opened = await openStore({ limits: { graphql: 'off' } });
    devStore = opened.devStore;
    shop = devStore.shop();
    call = opened.call('own', EVERY_SCOPE);
    narrow = opened.call('other', 'write_products');
  });
  afterAll(() => devStore.close());

  it('write no product beside the catalog', async () => {
    const id = `gid://shopify/Product/${shop.products[0]!.id}`;
    const { data } = await call(
      `mutation ($id: ID!) { combinedListingUpdate(parentProductId: $id, title: "Set") {
        product { id } userErrors { code } } }`,
      { id },
    );
    expect(data.combinedListingUpdate).toEqual({
      product: null,
      userErrors: [{ code: 'PARENT_PRODUCT_MUST_BE_A_COMBINED_LISTING' }],
    });
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

  it('leave alone what is of another type than they are about', async () => {
    const order = shop.nodes.create('Order', { note: 'kept' }).id;
    const customer = shop.nodes.create('Customer', { firstName: 'Kay' }).id;
    const { data } = await call(
      `mutation ($order: ID!, $customer: ID!) {
        customerDelete(input: { id: $order }) { deletedCustomerId userErrors { field message } }
        customerUpdate(input: { id: $order, note: "lost" }) { userErrors { message } }
        customerSet(input: { id: $order, note: "lost" }) { userErrors { message } }
        orderClose(input: { id: $customer }) { userErrors { message } }
        themeDelete(id: $customer) { deletedThemeId userErrors { message } }
      }`,
      { order, customer },
    );
    expect(data.customerDelete).toEqual({
      deletedCustomerId: null,
      userErrors: [{ field: ['id'], message: "Customer can't be found" }],
    });
    for (const name of ['customerUpdate', 'customerSet', 'orderClose', 'themeDelete'])
      expect(data[name].userErrors).toHaveLength(1);
    expect(shop.nodes.find(order)!.fields).toEqual({ note: 'kept' });
    expect(shop.nodes.find(customer)!.fields).toEqual({ firstName: 'Kay' });
  });

  it('find what they are about by the type of an id where its name does not say', async () => {
    const order = shop.nodes.create('Order').id;
    const address = shop.nodes.create('MailingAddress', { city: 'Bray' }).id;
    const known = { firstName: 'Kay', addresses: [address] };
    const customer = shop.nodes.create('Customer', known).id;
    const { data, errors } = await call(
      `mutation ($order: ID!, $customer: ID!, $address: ID!) {
        orderCustomerSet(orderId: $order, customerId: $customer) {
          order { id customer { firstName } } userErrors { message }
        }
        customerEmailMarketingConsentUpdate(input: {
          customerId: $customer, emailMarketingConsent: { marketingState: SUBSCRIBED }
        }) { customer { id emailMarketingConsent { marketingState } } userErrors { message } }
        customerAddressDelete(customerId: $customer, addressId: $address) {
          deletedAddressId userErrors { message }
        }
      }`,
      { order, customer, address },
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      orderCustomerSet: { order: { id: order, customer: { firstName: 'Kay' } }, userErrors: [] },
      customerEmailMarketingConsentUpdate: {
        customer: { id: customer, emailMarketingConsent: { marketingState: 'SUBSCRIBED' } },
        userErrors: [],
      },
      customerAddressDelete: { deletedAddressId: address, userErrors: [] },
    });
    expect(shop.nodes.find(address)).toBeUndefined();
    expect(shop.nodes.find(customer)!.fields).not.toHaveProperty('order');
  });

  it('fail as not simulated where they would change something else, or nothing', async () => {
    const channel = shop.nodes.create('Channel', { name: 'Kept' }).id;
    const attempts = {
      channelFullSync: `channelFullSync(channelId: "${channel}") { userErrors { message } }`,
    };
    for (const [name, mutation] of Object.entries(attempts)) {
      const { errors } = await call(`mutation { ${mutation} }`);
      expect(errors![0]).toMatchObject({
        message: expect.stringContaining(`devStore.mutations.${name}`),
        extensions: { code: 'NOT_SIMULATED' },
      });
    }
    expect(shop.nodes.find(channel)!.fields).toEqual({ name: 'Kept' });
  });

  it('refuse what is not there, whatever they would do with it', async () => {
    const { data } = await call(`mutation {
      commentSpam(id: "gid://shopify/Comment/1") { comment { id } userErrors { code field message } }
      channelFullSync(channelId: "gid://shopify/Channel/1") { userErrors { code field message } }
      pointOfSaleDeviceAssignToCashDrawer(
        pointOfSaleDeviceId: "gid://shopify/PointOfSaleDevice/1",
        cashDrawerId: "gid://shopify/CashDrawer/1"
      ) { userErrors { code field message } }
    }`);
    const error = (code: string, field: string, message: string): object => ({
      userErrors: [{ code, field: [field], message }],
    });
    expect(data).toEqual({
      commentSpam: { comment: null, ...error('NOT_FOUND', 'id', 'Comment does not exist') },
      channelFullSync: error('NOT_FOUND', 'channelId', 'Channel does not exist'),
      pointOfSaleDeviceAssignToCashDrawer: error(
        'POINT_OF_SALE_DEVICE_NOT_FOUND',
        'pointOfSaleDeviceId',
        'Point of sale device does not exist',
      ),
    });
  });

  it('refuse titles that are blank or too long, with a code where there is one', async () => {
    const { data } = await call(
      `mutation ($long: String!) {
        storefrontAccessTokenCreate(input: { title: "" }) {
          storefrontAccessToken { id } userErrors { field message } }
        savedSearchCreate(input: { resourceType: PRODUCT, name: $long, query: "a" }) {
          savedSearch { id } userErrors { field message } }
        }`,
      { long: 'x'.repeat(256) },
    );
    expect(data.storefrontAccessTokenCreate).toEqual({
      storefrontAccessToken: null,
      userErrors: [{ field: ['title'], message: "Title can't be blank" }],
    });
    expect(data.savedSearchCreate.savedSearch).toBeNull();
    expect(data.savedSearchCreate.userErrors[0].message).toMatch(/too long/);
  });

  it('create nothing for what is not there', async () => {
    const before = shop.nodes.all().length;
    const { data } = await call(`mutation {
      customerAddressCreate(customerId: "gid://shopify/Customer/1", address: { city: "Galway" }) {
        address { id } userErrors { field message } }
    }`);
    expect(data).toEqual({
      customerAddressCreate: {
        address: null,
        userErrors: [{ field: ['customerId'], message: 'Customer does not exist' }],
      },
    });
    expect(shop.nodes.all()).toHaveLength(before);
  });

  it('need the scope of the node where the schema does not name its type', async () => {
    const id = shop.nodes.create('OnlineStoreTheme', { name: 'Dawn' }).id;
    const mutation = 'mutation ($id: ID!) { themeDelete(id: $id) { deletedThemeId } }';
    const { errors } = await narrow(mutation, { id });
    expect(errors![0]!.extensions!.code).toBe('ACCESS_DENIED');
    expect((await call(mutation, { id })).data.themeDelete).toEqual({ deletedThemeId: id });
  });

  it('leave nothing of what belongs to a deleted object', () => {
    const { nodes, themes, metafields } = shop as SimulatedShop;
    const customer = nodes.create('Customer').id;
    metafields.set(
      { ownerId: customer, namespace: 'a', key: 'b' },
      { type: 'single_line_text_field', value: 'c' },
    );
    const theme = nodes.create('OnlineStoreTheme').id;
    themes.fill(theme);
    const order = nodes.create('Order').id;
    const part = nodes.create('FulfillmentOrder', { order, status: 'OPEN' }).id;
    const draft = nodes.create('DraftOrder', { order }).id;
    for (const id of [customer, theme, order]) expect(nodes.delete(id)).toBe(true);
    expect(metafields.of(customer)).toEqual([]);
    expect(themes.of(theme)).toEqual([]);
    expect(nodes.find(part)).toBeUndefined();
    expect(nodes.find(draft)).toBeDefined();
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
  'publications',
]
  .map((scope) => `write_${scope}`)
  .join();
