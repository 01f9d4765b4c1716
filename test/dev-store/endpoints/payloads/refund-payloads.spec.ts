import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openReceiver, type AppReceiver } from '../../app-receiver.js';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('what the apps are told', () => {
  let store: NodeShopFixture;
  let app: AppReceiver;

  beforeAll(async () => {
    app = await openReceiver();
    store = await openNodeShop(['orders', 'products', 'publications']);
    for (const topic of ['REFUNDS_CREATE', 'ORDERS_UPDATED', 'PRODUCTS_UPDATE'])
      await store.call(
        `mutation { webhookSubscriptionCreate(topic: ${topic}, webhookSubscription: {
          uri: "${app.url}/${topic}" }) { userErrors { message } } }`,
      );
  });
  afterAll(async () => {
    await store.devStore.close();
    await app.close();
  });

  const told = async (topic: string): Promise<Data> => {
    await store.devStore.settled();
    const found = app.received.filter(({ path }) => path === `/${topic}`).at(-1);
    return JSON.parse(String(found!.body)) as Data;
  };

  it('of a refund has ids, and the line that it cancels is not fulfilled', async () => {
    const { orderCreate } = await store.call(
      `mutation { orderCreate(order: { currency: USD,
        lineItems: [{ title: "Cup", quantity: 2, priceSet: { shopMoney: { amount: "5.00", currencyCode: USD } } }],
        transactions: [{ kind: SALE, status: SUCCESS, amountSet: { shopMoney: { amount: "10.00", currencyCode: USD } } }] }) {
          order { id lineItems(first: 1) { nodes { id } } transactions { id } } userErrors { message } } }`,
    );
    const order = orderCreate!['order'] as {
      id: string;
      lineItems: { nodes: Array<{ id: string }> };
      transactions: Array<{ id: string }>;
    };
    const { refundCreate } = await store.call(
      `mutation ($id: ID!, $line: ID!, $sale: ID!) { refundCreate(input: { orderId: $id,
        refundLineItems: [{ lineItemId: $line, quantity: 2, restockType: CANCEL }],
        transactions: [{ orderId: $id, parentId: $sale, amount: "10.00", gateway: "manual", kind: REFUND }] })
          @idempotent(key: "1") { userErrors { message } } }`,
      { id: order.id, line: order.lineItems.nodes[0]!.id, sale: order.transactions[0]!.id },
    );
    expect(refundCreate!['userErrors']).toEqual([]);
    const number = Number(order.id.split('/').at(-1));
    expect(await told('REFUNDS_CREATE')).toMatchObject({
      refund_line_items: [
        {
          id: expect.any(Number),
          line_item: { fulfillment_status: null, fulfillable_quantity: 0 },
        },
      ],
      transactions: [{ order_id: number }],
    });
    expect(await told('ORDERS_UPDATED')).toMatchObject({
      id: number,
      line_items: [{ fulfillment_status: null }],
    });
  });

  it('of a product has the date of GraphQL, or none when it is not published', async () => {
    const id = `gid://shopify/Product/${store.shop.products[0]!.id}`;
    const publicationId = store.shop.nodes.first('Publication')!.id;
    for (const name of ['publishableUnpublish', 'publishablePublish']) {
      const data = await store.call(
        `mutation ($id: ID!, $input: [PublicationInput!]!) { ${name}(id: $id, input: $input) {
          publishable { ... on Product { publishedAt } } userErrors { message } } }`,
        { id, input: [{ publicationId }] },
      );
      const { publishedAt } = data[name]!['publishable'] as Data;
      expect(publishedAt === null).toBe(name === 'publishableUnpublish');
      expect(await told('PRODUCTS_UPDATE')).toMatchObject({ published_at: publishedAt });
    }
  });

  const rest = async (token: string, path: string, body?: object): Promise<Data> => {
    const { devStore, shop } = store;
    const response = await devStore.fetch(`https://${shop.domain}/admin/api/2026-07/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'Content-Type': 'application/json', 'X-Shopify-Access-Token': token },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await response.json()) as Data;
  };

  it('of a payment names its order, also when it came with it', async () => {
    const token = store.shop.install('key', { scopes: ['write_orders'] });
    const { order } = await rest(token, 'orders.json', {
      order: {
        line_items: [{ title: 'Cup', price: '5.00', quantity: 1 }],
        transactions: [{ kind: 'sale', status: 'success', amount: '5.00' }],
      },
    });
    const { id } = order as { id: number };
    expect(await rest(token, `orders/${id}/transactions.json`)).toMatchObject({
      transactions: [{ order_id: id }],
    });
  });

  it('of a customer counts what is paid and leaves out what is cancelled, as GraphQL does', async () => {
    const { nodes } = store.shop;
    const token = store.shop.install('key', { scopes: ['write_orders', 'write_customers'] });
    const customer = nodes.create('Customer', { email: 'q@example.com' });
    const line_items = [{ title: 'Cup', price: '10.00', quantity: 1 }];
    const sale = [{ kind: 'sale', status: 'success', amount: '10.00' }];
    const ordered = async (more: object): Promise<{ id: number; name: string }> => {
      const order = { customer: { id: customer.number }, line_items, ...more };
      return (await rest(token, 'orders.json', { order }))['order'] as never;
    };
    const totals = async (): Promise<unknown[]> => {
      const found = await rest(token, `customers/${customer.number}.json`);
      const { total_spent, last_order_name } = found['customer'] as Data;
      const { data } = await store.answer(
        `{ customer(id: "${customer.id}") { amountSpent { amount } lastOrder { name } } }`,
        {},
        token,
      );
      return [total_spent, last_order_name, data!['customer']];
    };
    const { id } = await ordered({});
    await rest(token, `orders/${id}/cancel.json`, {});
    const none = { amountSpent: { amount: '0.0' }, lastOrder: null };
    expect(await totals()).toEqual(['0.00', null, none]);
    const { name } = await ordered({ transactions: sale });
    const one = { amountSpent: { amount: '10.0' }, lastOrder: { name } };
    expect(await totals()).toEqual(['10.00', name, one]);
  });
});
