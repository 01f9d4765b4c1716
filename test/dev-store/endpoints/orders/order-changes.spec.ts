import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('the changes of an order', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop([
      'orders',
      'customers',
      'products',
      'merchant_managed_fulfillment_orders',
    ]);
  });
  afterAll(() => fixture.devStore.close());

  const create = async (customer?: object, more: object = {}): Promise<Data> => {
    const { orderCreate } = await fixture.call(
      `mutation ($order: OrderCreateOrderInput!) { orderCreate(order: $order) {
        order {
          id email customer { id firstName email } paymentGatewayNames
          lineItems(first: 1) { nodes { customAttributes { key value } } }
          fulfillmentOrders(first: 1) { nodes { id } }
        }
        userErrors { message }
      } }`,
      {
        order: {
          lineItems: [{ title: 'Kite', quantity: 1, properties: [{ name: 'To', value: 'Ada' }] }],
          ...(customer ? { customer } : {}),
          ...more,
        },
      },
    );
    expect(orderCreate!['userErrors']).toEqual([]);
    return orderCreate!['order'] as Data;
  };

  it('are its end and its return to the open ones, with the date', async () => {
    const { id } = await create();
    const move = async (name: string): Promise<unknown> => {
      const { payload } = await fixture.call(
        `mutation ($id: ID!) { payload: ${name}(input: { id: $id }) {
          order { closed closedAt } userErrors { field message }
        } }`,
        { id },
      );
      return payload;
    };
    expect(await move('orderClose')).toEqual({
      order: { closed: true, closedAt: expect.any(String) },
      userErrors: [],
    });
    expect(await move('orderOpen')).toEqual({
      order: { closed: false, closedAt: null },
      userErrors: [],
    });
    const { orderClose } = await fixture.call(`mutation {
      orderClose(input: { id: "gid://shopify/Order/1" }) { order { id } userErrors { field message } }
    }`);
    expect(orderClose).toEqual({
      order: null,
      userErrors: [{ field: ['id'], message: 'Order does not exist' }],
    });
  });

  it('are new numbers of the parcels of a fulfillment', async () => {
    const { fulfillmentOrders } = await create();
    const [{ id: fulfillmentOrderId }] = (fulfillmentOrders as { nodes: [{ id: string }] }).nodes;
    const { fulfillmentCreate } = await fixture.call(
      `mutation ($fulfillment: FulfillmentInput!) {
        fulfillmentCreate(fulfillment: $fulfillment) { fulfillment { id } userErrors { message } }
      }`,
      {
        fulfillment: {
          lineItemsByFulfillmentOrder: [{ fulfillmentOrderId }],
          trackingInfo: { number: '1Z', company: 'UPS' },
        },
      },
    );
    const { id } = fulfillmentCreate!['fulfillment'] as { id: string };
    const track = `mutation ($id: ID!, $info: FulfillmentTrackingInput!) {
      fulfillmentTrackingInfoUpdate(fulfillmentId: $id, trackingInfoInput: $info) {
        fulfillment { trackingInfo { number company url } } userErrors { field message }
      }
    }`;
    const info = { numbers: ['A', 'B'], urls: ['https://a.example', 'https://b.example'] };
    const { fulfillmentTrackingInfoUpdate } = await fixture.call(track, { id, info });
    expect(fulfillmentTrackingInfoUpdate).toEqual({
      fulfillment: {
        trackingInfo: [
          { number: 'A', company: null, url: 'https://a.example' },
          { number: 'B', company: null, url: 'https://b.example' },
        ],
      },
      userErrors: [],
    });
    const unknown = await fixture.call(track, { id: 'gid://shopify/Fulfillment/1', info });
    expect(unknown['fulfillmentTrackingInfoUpdate']).toEqual({
      fulfillment: null,
      userErrors: [{ field: ['fulfillmentId'], message: 'Fulfillment does not exist.' }],
    });
  });

  it('begin with a customer who is there, or who is written along', async () => {
    const { id } = fixture.shop.nodes.create('Customer', { firstName: 'Ada', email: 'ada@a.test' });
    const ada = { id, firstName: 'Ada', email: 'ada@a.test' };
    expect((await create({ toAssociate: { id } }))['customer']).toEqual(ada);
    const upsert = (fields: object): Promise<Data> => create({ toUpsert: fields });
    expect((await upsert({ email: 'ada@a.test', firstName: 'Augusta' }))['customer']).toEqual({
      ...ada,
      firstName: 'Augusta',
    });
    expect((await upsert({ email: 'new@a.test', firstName: 'Mia' }))['customer']).toMatchObject({
      firstName: 'Mia',
      email: 'new@a.test',
    });
    expect(fixture.shop.nodes.all(['Customer'])).toHaveLength(2);
  });

  it('begin with the customer of their email', async () => {
    const { customer, email } = await create(undefined, { email: 'Bo@a.test' });
    expect({ customer, email }).toEqual({
      ...{ email: 'Bo@a.test' },
      customer: { id: expect.any(String), firstName: null, email: 'bo@a.test' },
    });
    const later = await create(undefined, { email: 'bo@a.test' });
    expect(later['customer']).toEqual(customer);
    const { id } = customer as Data;
    const named = await create({ toUpsert: { email: 'cy@a.test' } }, { email: 'bo@a.test' });
    expect((named['customer'] as Data)['id']).not.toBe(id);
    expect((await create())['customer']).toBeNull();
  });

  it('begin with the properties of their lines', async () => {
    expect((await create())['lineItems']).toEqual({
      nodes: [{ customAttributes: [{ key: 'To', value: 'Ada' }] }],
    });
  });

  it('begin with how they were paid', async () => {
    const amountSet = { shopMoney: { amount: '1.00', currencyCode: 'EUR' } };
    const paid = (gateway: string, status: string): object => ({
      ...{ kind: 'SALE', status, gateway, amountSet },
    });
    const { paymentGatewayNames } = await create(undefined, {
      transactions: [
        ...[paid('card', 'SUCCESS'), paid('card', 'SUCCESS')],
        ...[paid('gift_card', 'SUCCESS'), paid('cash', 'FAILURE')],
      ],
    });
    expect(paymentGatewayNames).toEqual(['card', 'gift_card']);
    expect((await create())['paymentGatewayNames']).toEqual([]);
  });
});
