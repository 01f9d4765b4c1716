import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { webhookSample } from '../../../../lib/cli/samples/webhook-samples.js';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';
import { openReceiver, type AppReceiver } from '../../app-receiver.js';

const TOPICS = [
  'collections/create',
  'collections/delete',
  'customers/create',
  'customers/delete',
  'discounts/create',
  'draft_orders/create',
  'fulfillments/create',
  'locations/update',
  'orders/create',
  'orders/fulfilled',
  'orders/paid',
  'orders/updated',
];
type Json = Record<string, unknown>;

describe('the payloads of what a simulated store does', () => {
  let app: AppReceiver;
  let devStore: DevStore;
  let shop: DevShop;
  let token: string;
  beforeAll(async () => {
    app = await openReceiver();
    const webhooks = TOPICS.map((topic) => ({ topic, uri: '/webhooks' }));
    const apps = [{ apiKey: 'key', apiSecretKey: 'hush', appUrl: app.url, webhooks }];
    devStore = await DevStore.open({ apps, limits: { graphql: 'off' } });
    shop = devStore.shop();
    const scopes =
      'customers orders draft_orders products discounts locations merchant_managed_fulfillment_orders';
    token = shop.install('key', { scopes: scopes.split(' ').map((scope) => `write_${scope}`) });
  });
  afterAll(async () => {
    await devStore.close();
    await app.close();
  });
  afterEach(() => void (app.received.length = 0));

  const run = async (query: string, variables: object = {}): Promise<Record<string, Json>> => {
    const response = await fetch(`${shop.origin}/admin/api/2026-07/graphql.json`, {
      method: 'POST',
      headers: { 'X-Shopify-Access-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as {
      data: Record<string, Json>;
      errors: unknown;
    };
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };

  /** The payload of a topic that the app has received, once. */
  const received = async (topic: string): Promise<Json> => {
    await devStore.settled();
    const found = app.received.filter(({ headers }) => headers['x-shopify-topic'] === topic);
    expect(found).toHaveLength(1);
    return JSON.parse(found[0]!.body.toString()) as Json;
  };

  const idOf = (data: Record<string, Json>, mutation: string, result: string): string =>
    (data[mutation]![result] as { id: string }).id;

  const createCustomer = async (): Promise<string> => {
    const data = await run(
      `mutation ($input: CustomerInput!) { customerCreate(input: $input) {
        customer { id } userErrors { message }
      } }`,
      {
        input: {
          firstName: 'Erin',
          lastName: 'Walsh',
          email: 'erin@example.com',
          tags: ['vip', 'a'],
          addresses: [{ address1: '1 Quay', city: 'Galway', zip: 'H91', countryCode: 'IE' }],
        },
      },
    );
    return idOf(data, 'customerCreate', 'customer');
  };
  const createOrder = async (customer: string): Promise<string> => {
    const [product] = shop.products;
    const variantId = `gid://shopify/ProductVariant/${product!.variants[0]!.id}`;
    const data = await run(
      `mutation ($order: OrderCreateOrderInput!) { orderCreate(order: $order) {
        order { id } userErrors { message }
      } }`,
      {
        order: {
          email: 'erin@example.com',
          customer: { toAssociate: { id: customer } },
          tags: ['b', 'a'],
          note: 'ring twice',
          customAttributes: [{ key: 'gift', value: 'yes' }],
          lineItems: [{ variantId, quantity: 2 }],
          shippingAddress: { firstName: 'Erin', address1: '1 Quay', countryCode: 'IE' },
          shippingLines: [
            {
              title: 'Standard',
              priceSet: { shopMoney: { amount: '5.00', currencyCode: 'EUR' } },
            },
          ],
        },
      },
    );
    return idOf(data, 'orderCreate', 'order');
  };

  it('have every field of a customer that the platform names, with the same kinds of values', async () => {
    const id = await createCustomer();
    const payload = await received('customers/create');
    expect(differences(payload, 'CUSTOMERS_CREATE')).toEqual([]);
    expect(payload).toMatchObject({
      id: Number(id.split('/').at(-1)),
      admin_graphql_api_id: id,
      first_name: 'Erin',
      state: 'disabled',
      addresses: [{ city: 'Galway', country: 'Ireland', country_code: 'IE', default: true }],
      default_address: { zip: 'H91' },
    });
    await run(`mutation ($id: ID!) { customerDelete(input: { id: $id }) { deletedCustomerId } }`, {
      id,
    });
    expect(differences(await received('customers/delete'), 'CUSTOMERS_DELETE')).toEqual([]);
  });

  it('have every field of an order, with numbers for ids and the names of the REST API', async () => {
    const customer = await createCustomer();
    const id = await createOrder(customer);
    const payload = await received('orders/create');
    expect(differences(payload, 'ORDERS_CREATE')).toEqual([]);
    const [product] = shop.products;
    expect(payload).toMatchObject({
      id: Number(id.split('/').at(-1)),
      admin_graphql_api_id: id,
      email: 'erin@example.com',
      financial_status: 'pending',
      fulfillment_status: null,
      tags: 'a, b',
      note: 'ring twice',
      note_attributes: [{ name: 'gift', value: 'yes' }],
      total_price: '53.00',
      subtotal_price: '48.00',
      total_shipping_price_set: { shop_money: { amount: '5.00', currency_code: 'EUR' } },
      customer: { id: Number(customer.split('/').at(-1)), first_name: 'Erin' },
      shipping_address: { address1: '1 Quay', country: 'Ireland' },
      shipping_lines: [{ title: 'Standard', price: '5.00' }],
      line_items: [
        {
          title: product!.title,
          quantity: 2,
          price: '24.00',
          sku: 'MUG-01',
          product_id: product!.id,
          variant_id: product!.variants[0]!.id,
          vendor: 'Dev Shop',
          fulfillment_status: null,
        },
      ],
    });
  });

  it('tell that an order was paid and fulfilled, and what was shipped', async () => {
    const id = await createOrder(shop.nodes.all(['Customer'])[0]!.id);
    await run(
      'mutation ($id: ID!) { orderMarkAsPaid(input: { id: $id }) { userErrors { message } } }',
      { id },
    );
    expect(await received('orders/paid')).toMatchObject({
      financial_status: 'paid',
      total_outstanding: '0.00',
    });
    const { order } = await run(
      'query ($id: ID!) { order(id: $id) { fulfillmentOrders(first: 1) { nodes { id } } } }',
      { id },
    );
    const { nodes } = order!['fulfillmentOrders'] as { nodes: Array<{ id: string }> };
    await run(
      `mutation ($fulfillment: FulfillmentInput!) { fulfillmentCreate(fulfillment: $fulfillment) {
        fulfillment { id } userErrors { message }
      } }`,
      {
        fulfillment: {
          lineItemsByFulfillmentOrder: [{ fulfillmentOrderId: nodes[0]!.id }],
          trackingInfo: { number: '1Z', company: 'UPS', url: 'https://ups.example/1Z' },
        },
      },
    );
    const fulfillment = await received('fulfillments/create');
    expect(differences(fulfillment, 'FULFILLMENTS_CREATE')).toEqual([]);
    expect(fulfillment).toMatchObject({
      order_id: Number(id.split('/').at(-1)),
      name: expect.stringMatching(/^#\d+\.1$/),
      status: 'success',
      tracking_numbers: ['1Z'],
      tracking_company: 'UPS',
      line_items: [{ quantity: 2, fulfillment_status: 'fulfilled' }],
    });
    const done = await received('orders/fulfilled');
    // The sample repeats in an order what deliveries about the fulfillment itself have besides.
    const own = /fulfillments\[\]\.(?:email|destination) is missing$/;
    expect(differences(done, 'ORDERS_FULFILLED').filter((one) => !own.test(one))).toEqual([]);
    expect(done).toMatchObject({ fulfillment_status: 'fulfilled', financial_status: 'paid' });
    expect(done['closed_at']).toEqual(expect.any(String));

    app.received.length = 0;
    const made = `gid://shopify/Fulfillment/${String(fulfillment['id'])}`;
    await run('mutation ($id: ID!) { fulfillmentCancel(id: $id) { userErrors { message } } }', {
      id: made,
    });
    expect(await received('orders/updated')).toMatchObject({
      fulfillment_status: null,
      closed_at: null,
    });
  });

  it('are those of collections, drafts, discounts and locations as well', async () => {
    const created = await run(`mutation {
      collectionCreate(input: { title: "Tea", descriptionHtml: "<p>Hot</p>" }) { collection { id } }
      draftOrderCreate(input: { lineItems: [{ title: "Kite", quantity: 1, originalUnitPriceWithCurrency: { amount: 3, currencyCode: EUR } }] }) { draftOrder { id } }
      discountCodeBasicCreate(basicCodeDiscount: { title: "Half", code: "HALF", startsAt: "2026-01-01T00:00:00Z" }) { codeDiscountNode { id } }
    }`);
    const collection = await received('collections/create');
    expect(differences(collection, 'COLLECTIONS_CREATE')).toEqual([]);
    expect(collection).toMatchObject({
      title: 'Tea',
      handle: 'tea',
      body_html: '<p>Hot</p>',
      sort_order: 'best-selling',
    });
    expect(await received('draft_orders/create')).toMatchObject({
      name: '#D1',
      status: 'open',
      order_id: null,
      total_price: '3.00',
      line_items: [{ title: 'Kite', price: '3.00', custom: true, variant_id: null }],
    });
    expect(await received('discounts/create')).toEqual({
      admin_graphql_api_id: idOf(created, 'discountCodeBasicCreate', 'codeDiscountNode'),
      title: 'Half',
      status: 'ACTIVE',
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    const id = idOf(created, 'collectionCreate', 'collection');
    await run(
      'mutation ($id: ID!) { collectionDelete(input: { id: $id }) { deletedCollectionId } }',
      {
        id,
      },
    );
    expect(differences(await received('collections/delete'), 'COLLECTIONS_DELETE')).toEqual([]);
  });
});

/** Where a payload has other names than the platform's sample of its topic, or other kinds of values. */
function differences(payload: Json, topic: string): string[] {
  return differencesOf(payload, webhookSample(topic, 'dev-shop.myshopify.com') as Json, '');
}

function differencesOf(value: unknown, sample: unknown, place: string): string[] {
  if (Array.isArray(value) && Array.isArray(sample))
    return value.length === 0 || sample.length === 0
      ? []
      : differencesOf(value[0], sample[0], `${place}[]`);
  // Either may have nothing where the other has something.
  if (value === null || sample === null) return [];
  if (kindOf(value) !== kindOf(sample)) return [`${place}: ${kindOf(value)} for ${kindOf(sample)}`];
  if (kindOf(value) !== 'object') return [];
  const [own, theirs] = [value as Json, sample as Json];
  if (Object.keys(theirs).length === 0) return [];
  const names = new Set([...Object.keys(own), ...Object.keys(theirs)]);
  return [...names].flatMap((name) => {
    if (!(name in own)) return [`${place}.${name} is missing`];
    if (!(name in theirs)) return [`${place}.${name} is too many`];
    return differencesOf(own[name], theirs[name], `${place}.${name}`);
  });
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}
