import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';
import { openReceiver } from '../../app-receiver.js';

type Answer = Record<string, Record<string, unknown>>;

describe('orders of a simulated shop', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let app: Awaited<ReturnType<typeof openReceiver>>;
  let token: string;

  beforeAll(async () => {
    app = await openReceiver();
    const apps = [{ apiKey: 'key', apiSecretKey: 'secret of app', appUrl: app.url }];
    devStore = await DevStore.open({ apps, limits: { graphql: 'off' } });
    shop = devStore.shop();
    const scopes = ['draft_orders', 'orders', 'products', 'merchant_managed_fulfillment_orders'];
    token = shop.install('key', { scopes: scopes.map((scope) => `write_${scope}`) });
  });
  afterAll(async () => {
    await devStore.close();
    await app.close();
  });

  const call = async (query: string, variables = {}): Promise<Answer> => {
    const response = await devStore.fetch(`https://${shop.domain}/admin/api/2026-07/graphql.json`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Shopify-Access-Token': token },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: Answer; errors?: unknown };
    expect(errors).toBeUndefined();
    return data;
  };

  const createDraft = async (input: object): Promise<Record<string, unknown>> => {
    const { draftOrderCreate } = await call(
      `mutation ($input: DraftOrderInput!) { draftOrderCreate(input: $input) {
        draftOrder {
          id name status totalQuantityOfLineItems
          subtotalPriceSet { shopMoney { amount currencyCode } }
          totalDiscountsSet { shopMoney { amount } }
          totalShippingPriceSet { shopMoney { amount } }
          totalPriceSet { shopMoney { amount } }
          lineItems(first: 5) { nodes {
            title quantity sku custom variant { id }
            originalTotalSet { shopMoney { amount } } discountedTotalSet { shopMoney { amount } }
          } }
        }
        userErrors { message }
      } }`,
      { input },
    );
    expect(draftOrderCreate!['userErrors']).toEqual([]);
    return draftOrderCreate!['draftOrder'] as Record<string, unknown>;
  };

  const money = (amount: string): object => ({ shopMoney: { amount } });

  it('begin as drafts, of which the lines, the discount and the shipping add up', async () => {
    const product = shop.createProduct({
      title: 'Kite',
      variants: [{ price: '10.25', sku: 'KITE' }],
    }).product!;
    const variantId = `gid://shopify/ProductVariant/${product.variants[0]!.id}`;
    const draft = await createDraft({
      lineItems: [
        { variantId, quantity: 2 },
        {
          title: 'Ribbon',
          quantity: 3,
          originalUnitPriceWithCurrency: { amount: '4.00', currencyCode: 'EUR' },
          appliedDiscount: { value: 50, valueType: 'PERCENTAGE' },
        },
      ],
      appliedDiscount: { value: 1.5, valueType: 'FIXED_AMOUNT' },
      shippingLine: {
        title: 'Post',
        priceWithCurrency: { amount: '7.25', currencyCode: 'EUR' },
      },
    });
    // 2 × 10.25 + 3 × 4 = 32.50, less 6.00 and 1.50, and 7.25 for shipping.
    expect(draft).toMatchObject({
      name: '#D1',
      status: 'OPEN',
      totalQuantityOfLineItems: 5,
      subtotalPriceSet: { shopMoney: { amount: '25.0', currencyCode: 'EUR' } },
      totalDiscountsSet: money('7.5'),
      totalShippingPriceSet: money('7.25'),
      totalPriceSet: money('32.25'),
      lineItems: {
        nodes: [
          {
            title: 'Kite',
            quantity: 2,
            sku: 'KITE',
            custom: false,
            variant: { id: variantId },
            originalTotalSet: money('20.5'),
            discountedTotalSet: money('20.5'),
          },
          {
            title: 'Ribbon',
            custom: true,
            variant: null,
            originalTotalSet: money('12.0'),
            discountedTotalSet: money('6.0'),
          },
        ],
      },
    });
  });

  const COMPLETE = `mutation ($id: ID!, $pending: Boolean) {
    draftOrderComplete(id: $id, paymentPending: $pending) {
      draftOrder { status completedAt order {
        id name note displayFinancialStatus displayFulfillmentStatus
        currentTotalPriceSet { shopMoney { amount } }
        fulfillmentOrders(first: 3) { nodes { id status lineItems(first: 5) { nodes {
          id totalQuantity remainingQuantity lineItem { title } } } } }
      } }
      userErrors { field message }
    }
  }`;

  interface Order {
    id: string;
    fulfillmentOrders: {
      nodes: Array<{ id: string; lineItems: { nodes: Array<{ id: string }> } }>;
    };
  }

  const completed = async (pending: boolean): Promise<Order & Record<string, unknown>> => {
    const { id } = await createDraft({
      note: 'careful',
      lineItems: [{ title: 'Kite', quantity: 3, originalUnitPrice: '10.00' }],
    });
    const { draftOrderComplete } = await call(COMPLETE, { id, pending });
    expect(draftOrderComplete!['userErrors']).toEqual([]);
    const draft = draftOrderComplete!['draftOrder'] as { status: string; order: Order };
    expect(draft.status).toBe('COMPLETED');
    const again = await call(COMPLETE, { id, pending });
    expect(again['draftOrderComplete']!['userErrors']).toEqual([
      { field: null, message: 'This order has been paid' },
    ]);
    return draft.order as Order & Record<string, unknown>;
  };

  it('come from drafts, once, and get one fulfillment order with every line', async () => {
    const order = await completed(false);
    expect(order).toMatchObject({
      name: '#1001',
      note: 'careful',
      displayFinancialStatus: 'PAID',
      displayFulfillmentStatus: 'UNFULFILLED',
      currentTotalPriceSet: money('30.0'),
      fulfillmentOrders: {
        nodes: [
          {
            status: 'OPEN',
            lineItems: {
              nodes: [{ totalQuantity: 3, remainingQuantity: 3, lineItem: { title: 'Kite' } }],
            },
          },
        ],
      },
    });
    expect((await completed(true))['displayFinancialStatus']).toBe('PENDING');
  });

  const FULFILL = `mutation ($fulfillment: FulfillmentInput!) {
    fulfillmentCreate(fulfillment: $fulfillment) {
      fulfillment { id name status totalQuantity trackingInfo { number company url } }
      userErrors { field message }
    }
  }`;
  const READ = `query ($id: ID!) { order(id: $id) {
    displayFulfillmentStatus fulfillments(first: 5) { id status }
    fulfillmentOrders(first: 1) { nodes { status } }
  } }`;

  it('are fulfilled in parts, never with more than is left, and given back', async () => {
    const { id, fulfillmentOrders } = await completed(false);
    const [{ id: fulfillmentOrderId, lineItems }] = fulfillmentOrders.nodes as [
      Order['fulfillmentOrders']['nodes'][0],
    ];
    const [line] = lineItems.nodes;
    const fulfill = async (quantity?: number): Promise<Record<string, unknown>> => {
      const fulfillmentOrderLineItems = quantity === undefined ? [] : [{ id: line!.id, quantity }];
      const { fulfillmentCreate } = await call(FULFILL, {
        fulfillment: {
          lineItemsByFulfillmentOrder: [{ fulfillmentOrderId, fulfillmentOrderLineItems }],
          trackingInfo: { number: '1Z', company: 'UPS' },
        },
      });
      return fulfillmentCreate!;
    };
    expect(await fulfill(4)).toEqual({
      fulfillment: null,
      userErrors: [
        {
          field: ['fulfillment'],
          message: 'Invalid fulfillment order line item quantity requested.',
        },
      ],
    });
    expect((await fulfill(1))['fulfillment']).toMatchObject({
      status: 'SUCCESS',
      totalQuantity: 1,
      trackingInfo: [{ number: '1Z', company: 'UPS', url: null }],
    });
    expect((await call(READ, { id }))['order']).toMatchObject({
      displayFulfillmentStatus: 'PARTIALLY_FULFILLED',
      fulfillmentOrders: { nodes: [{ status: 'IN_PROGRESS' }] },
    });
    const { fulfillment } = (await fulfill()) as { fulfillment: { id: string } };
    expect((await call(READ, { id }))['order']).toMatchObject({
      displayFulfillmentStatus: 'FULFILLED',
      fulfillments: [{ status: 'SUCCESS' }, { status: 'SUCCESS' }],
      fulfillmentOrders: { nodes: [{ status: 'CLOSED' }] },
    });
    expect((await fulfill())['userErrors']).toHaveLength(1);
    await call('mutation ($id: ID!) { fulfillmentCancel(id: $id) { fulfillment { status } } }', {
      id: fulfillment.id,
    });
    expect((await call(READ, { id }))['order']).toMatchObject({
      displayFulfillmentStatus: 'PARTIALLY_FULFILLED',
      fulfillments: [{ status: 'SUCCESS' }, { status: 'CANCELLED' }],
    });
  });

  it('are paid later, created with transactions, and cancelled once', async () => {
    const { id } = await completed(true);
    const paid = `mutation ($id: ID!) { orderMarkAsPaid(input: { id: $id }) {
      order { displayFinancialStatus paymentGatewayNames totalReceivedSet { shopMoney { amount } } }
      userErrors { message }
    } }`;
    const settled = {
      ...{ displayFinancialStatus: 'PAID', paymentGatewayNames: ['manual'] },
      totalReceivedSet: money('30.0'),
    };
    expect((await call(paid, { id }))['orderMarkAsPaid']).toEqual({
      order: settled,
      userErrors: [],
    });
    expect((await call(paid, { id }))['orderMarkAsPaid']).toEqual({
      order: settled,
      userErrors: [{ message: 'Order cannot be marked as paid.' }],
    });
    const { orderCreate } = await call(
      `mutation ($order: OrderCreateOrderInput!) { orderCreate(order: $order) {
        order { id displayFinancialStatus totalCapturable fulfillmentOrders(first: 1) { nodes { status } } }
        userErrors { message }
      } }`,
      {
        order: {
          lineItems: [
            {
              title: 'Kite',
              quantity: 1,
              priceSet: { shopMoney: { amount: '31.90', currencyCode: 'EUR' } },
            },
          ],
          transactions: [
            {
              kind: 'AUTHORIZATION',
              status: 'SUCCESS',
              amountSet: { shopMoney: { amount: '31.90', currencyCode: 'EUR' } },
            },
          ],
        },
      },
    );
    expect(orderCreate!['order']).toMatchObject({
      displayFinancialStatus: 'AUTHORIZED',
      totalCapturable: '31.90',
      fulfillmentOrders: { nodes: [{ status: 'OPEN' }] },
    });
    const cancel = `mutation ($id: ID!) {
      orderCancel(orderId: $id, reason: OTHER, restock: true, notifyCustomer: false) {
        job { id done } orderCancelUserErrors { field message code }
      }
    }`;
    const orderId = (orderCreate!['order'] as { id: string }).id;
    const { orderCancel } = await call(cancel, { id: orderId });
    expect(orderCancel).toMatchObject({ job: { done: false }, orderCancelUserErrors: [] });
    expect((await call(cancel, { id: orderId }))['orderCancel']).toMatchObject({
      job: null,
      orderCancelUserErrors: [{ field: ['orderId'], code: 'INVALID' }],
    });
    const { order } = await call('query ($id: ID!) { order(id: $id) { cancelReason closed } }', {
      id: orderId,
    });
    expect(order).toEqual({ cancelReason: 'OTHER', closed: true });
    const unknown = await call(cancel, { id: 'gid://shopify/Order/1' });
    expect(unknown['orderCancel']!['orderCancelUserErrors']).toEqual([
      { field: ['orderId'], message: 'Order does not exist', code: 'NOT_FOUND' },
    ]);
  });

  it('take tags, as products do', async () => {
    const { id } = await completed(false);
    const change = (name: string): string => `mutation ($id: ID!, $tags: [String!]!) {
      ${name}(id: $id, tags: $tags) {
        node { ... on Order { tags } ... on Product { tags } } userErrors { field message }
      }
    }`;
    const product = `gid://shopify/Product/${shop.products[0]!.id}`;
    for (const tagged of [id, product]) {
      const added = await call(change('tagsAdd'), { id: tagged, tags: ['zeta', ' alpha', 'zeta'] });
      const { tags } = added['tagsAdd']!['node'] as { tags: string[] };
      expect(tags).toEqual(expect.arrayContaining(['alpha', 'zeta']));
      const removed = await call(change('tagsRemove'), { id: tagged, tags: ['ALPHA'] });
      expect((removed['tagsRemove']!['node'] as { tags: string[] }).tags).not.toContain('alpha');
    }
    const missing = await call(change('tagsAdd'), { id: 'gid://shopify/Product/1', tags: ['a'] });
    expect(missing['tagsAdd']).toEqual({
      node: null,
      userErrors: [{ field: ['id'], message: 'Product does not exist' }],
    });
  });
});
