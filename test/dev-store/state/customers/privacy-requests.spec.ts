import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';
import { openReceiver, type AppReceiver } from '../../app-receiver.js';

const DAY = 24 * 3600 * 1000;
const TOPICS = ['customers/data_request', 'customers/redact'];
let app: AppReceiver;
let devStore: DevStore;
let shop: DevShop;
let token: string;
let customer: { readonly id: string; readonly number: number };

beforeAll(async () => {
  app = await openReceiver();
  const webhooks = TOPICS.map((topic) => ({ topic, uri: '/webhooks' }));
  const apps = [{ apiKey: 'key', apiSecretKey: 'hush', appUrl: app.url, webhooks }];
  devStore = await DevStore.open({ apps });
  shop = devStore.shop();
  token = shop.install('key', { scopes: 'write_customers' });
  customer = shop.nodes.create('Customer', { email: 'ada@a.test' });
});
afterAll(async () => {
  await devStore.close();
  await app.close();
});
afterEach(() => void (app.received.length = 0));

const mutate = async (field: string, customerId: string): Promise<unknown> => {
  const query = `mutation ($id: ID!) { payload: ${field}(customerId: $id) {
    customerId userErrors { field message code }
  } }`;
  const response = await fetch(`${shop.origin}/admin/api/2026-07/graphql.json`, {
    method: 'POST',
    headers: { 'X-Shopify-Access-Token': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables: { id: customerId } }),
  });
  return ((await response.json()) as { data: { payload: unknown } }).data.payload;
};
const received = async (): Promise<unknown[]> => {
  await devStore.settled();
  return app.received.map(({ headers, body }) => [
    headers['x-shopify-topic'],
    JSON.parse(body.toString()) as unknown,
  ]);
};
const about = (): object => ({
  shop_id: shop.id,
  shop_domain: shop.domain,
  customer: { id: customer.number, email: 'ada@a.test', phone: null },
});

it('has the data of a customer erased ten days after the request, which can be cancelled', async () => {
  const order = shop.nodes.create('Order', { customer: customer.id });
  const accepted = { customerId: customer.id, userErrors: [] };
  expect(await mutate('customerRequestDataErasure', customer.id)).toEqual(accepted);
  devStore.advance(9 * DAY);
  expect(await received()).toEqual([]);
  expect(await mutate('customerCancelDataErasure', customer.id)).toEqual(accepted);
  expect(await mutate('customerCancelDataErasure', customer.id)).toEqual({
    customerId: null,
    userErrors: [
      {
        field: ['customerId'],
        message: "Customer's data is not scheduled for erasure",
        code: 'NOT_BEING_ERASED',
      },
    ],
  });
  devStore.advance(2 * DAY);
  expect(await received()).toEqual([]);
  await mutate('customerRequestDataErasure', customer.id);
  devStore.advance(10 * DAY);
  expect(await received()).toEqual([
    ['customers/redact', { ...about(), orders_to_redact: [order.number] }],
  ]);
  devStore.advance(10 * DAY);
  expect(await received()).toHaveLength(1);
});

it.each(['customerRequestDataErasure', 'customerCancelDataErasure'])(
  'answers %s for nobody with an error',
  async (field) => {
    expect(await mutate(field, 'gid://shopify/Customer/1')).toEqual({
      customerId: null,
      userErrors: [
        { field: ['customerId'], message: 'Customer does not exist', code: 'DOES_NOT_EXIST' },
      ],
    });
  },
);

it('asks the apps for the data of a customer when the merchant does', async () => {
  await shop.requestCustomerData(customer.number);
  expect(await received()).toEqual([
    [
      'customers/data_request',
      { ...about(), orders_requested: [expect.any(Number)], data_request: { id: 1 } },
    ],
  ]);
  await expect(shop.requestCustomerData('gid://shopify/Customer/1')).rejects.toThrow(TypeError);
});
