import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  openNodeShop,
  trackedVariant,
  type Data,
  type NodeShopFixture,
} from '../nodes/node-shop.fixture.js';

const PRICE = (amount: string): object => ({ shopMoney: { amount, currencyCode: 'EUR' } });

describe('what comes back of an order', () => {
  let store: NodeShopFixture;
  let variantId: string;
  let keys = 0;

  beforeAll(async () => {
    store = await openNodeShop([
      'orders',
      'returns',
      'draft_orders',
      'products',
      'inventory',
      'merchant_managed_fulfillment_orders',
      'order_edits',
    ]);
    variantId = await trackedVariant(store);
  });
  afterAll(() => store.devStore.close());

  const stock = async (): Promise<Record<string, number>> => {
    const { productVariant } = await store.call(
      `query ($id: ID!) { productVariant(id: $id) { inventoryItem { inventoryLevels(first: 1) { nodes {
        quantities(names: ["available", "committed", "on_hand"]) { name quantity } } } } } }`,
      { id: variantId },
    );
    const { inventoryLevels } = productVariant!['inventoryItem'] as {
      inventoryLevels: { nodes: Array<{ quantities: Array<{ name: string; quantity: number }> }> };
    };
    const { quantities } = inventoryLevels.nodes[0]!;
    return Object.fromEntries(quantities.map(({ name, quantity }) => [name, quantity]));
  };
  const order = async (more: object = {}, options: object = {}): Promise<Ordered> => {
    const { orderCreate } = await store.call(
      `mutation ($order: OrderCreateOrderInput!, $options: OrderCreateOptionsInput) {
        orderCreate(order: $order, options: $options) {
          order { id displayFinancialStatus lineItems(first: 3) { nodes { id } }
            transactions { id } fulfillmentOrders(first: 1) { nodes { id } } }
          userErrors { message } } }`,
      {
        order: {
          lineItems: [{ variantId, title: 'Mug', quantity: 2, priceSet: PRICE('10.00') }],
          ...more,
        },
        options,
      },
    );
    expect(orderCreate!['userErrors']).toEqual([]);
    return orderCreate!['order'] as unknown as Ordered;
  };
  const PAID = {
    transactions: [
      { kind: 'SALE', status: 'SUCCESS', gateway: 'manual', amountSet: PRICE('25.00') },
    ],
    shippingLines: [{ title: 'Post', priceSet: PRICE('5.00') }],
  };
  const DECREMENT = { inventoryBehaviour: 'DECREMENT_IGNORING_POLICY' };
  const refund = async (input: object, key = `key-${++keys}`): Promise<Data> => {
    const { refundCreate } = await store.call(
      `mutation ($input: RefundInput!, $key: String!) { refundCreate(input: $input) @idempotent(key: $key) {
        refund { note totalRefundedSet { shopMoney { amount } }
          refundLineItems(first: 3) { nodes { quantity restockType restocked lineItem { title } subtotalSet { shopMoney { amount } } } }
          transactions(first: 3) { nodes { kind status gateway amountSet { shopMoney { amount } } } } }
        order { displayFinancialStatus totalRefundedSet { shopMoney { amount } }
          currentTotalPriceSet { shopMoney { amount } } netPaymentSet { shopMoney { amount } }
          refunds { note } transactions { kind } lineItems(first: 1) { nodes { currentQuantity refundableQuantity } } }
        userErrors { field message } } }`,
      { input, key },
    );
    return refundCreate!;
  };
  const fulfil = async (one: Ordered): Promise<string> => {
    const { fulfillmentCreate } = await store.call(
      `mutation ($fulfillment: FulfillmentInput!) { fulfillmentCreate(fulfillment: $fulfillment) {
        fulfillment { fulfillmentLineItems(first: 1) { nodes { id } } } userErrors { message } } }`,
      {
        fulfillment: {
          lineItemsByFulfillmentOrder: [{ fulfillmentOrderId: one.fulfillmentOrders.nodes[0]!.id }],
        },
      },
    );
    const { fulfillmentLineItems } = fulfillmentCreate!['fulfillment'] as {
      fulfillmentLineItems: { nodes: Array<{ id: string }> };
    };
    return fulfillmentLineItems.nodes[0]!.id;
  };

  it('is money, and what is stocked again', async () => {
    const one = await order(PAID);
    const before = await stock();
    const refundLineItems = [
      { lineItemId: one.lineItems.nodes[0]!.id, quantity: 1, restockType: 'RETURN' },
    ];
    const transactions = [
      {
        amount: '15.00',
        gateway: 'manual',
        kind: 'REFUND',
        orderId: one.id,
        parentId: one.transactions[0]!.id,
      },
    ];
    const input = {
      orderId: one.id,
      note: 'half',
      refundLineItems,
      shipping: { amount: '5.00' },
      transactions,
    };
    const money = (amount: string): object => ({ shopMoney: { amount } });
    const first = await refund(input, 'once');
    expect(first).toEqual({
      refund: {
        note: 'half',
        totalRefundedSet: money('15.0'),
        refundLineItems: {
          nodes: [
            {
              quantity: 1,
              restockType: 'RETURN',
              restocked: true,
              lineItem: { title: 'Mug' },
              subtotalSet: money('10.0'),
            },
          ],
        },
        transactions: {
          nodes: [
            { kind: 'REFUND', status: 'SUCCESS', gateway: 'manual', amountSet: money('15.0') },
          ],
        },
      },
      order: {
        displayFinancialStatus: 'PARTIALLY_REFUNDED',
        totalRefundedSet: money('15.0'),
        currentTotalPriceSet: money('10.0'),
        netPaymentSet: money('10.0'),
        refunds: [{ note: 'half' }],
        transactions: [{ kind: 'SALE' }, { kind: 'REFUND' }],
        lineItems: { nodes: [{ currentQuantity: 1, refundableQuantity: 1 }] },
      },
      userErrors: [],
    });
    expect(await stock()).toMatchObject({ available: before['available']! + 1 });
    expect(await refund(input, 'once')).toEqual(first);
    expect(await stock()).toMatchObject({ available: before['available']! + 1 });

    const rest = { ...transactions[0]!, amount: '10.00' };
    expect(await refund({ orderId: one.id, transactions: [rest] })).toMatchObject({
      order: { displayFinancialStatus: 'REFUNDED', netPaymentSet: money('0.0') },
    });
  });

  it('is no more than was bought and paid', async () => {
    const one = await order(PAID);
    const lineItemId = one.lineItems.nodes[0]!.id;
    expect(
      await refund({ orderId: one.id, refundLineItems: [{ lineItemId, quantity: 3 }] }),
    ).toMatchObject({
      refund: null,
      order: { displayFinancialStatus: 'PAID' },
      userErrors: [
        {
          field: ['refundLineItems', '0', 'quantity'],
          message: 'Quantity cannot refund more items than were purchased',
        },
      ],
    });
    const transactions = [{ amount: '999.00', gateway: 'manual', kind: 'REFUND', orderId: one.id }];
    expect(await refund({ orderId: one.id, allowOverRefunding: true, transactions })).toMatchObject(
      {
        refund: null,
        userErrors: [
          {
            field: null,
            message: 'Refund amount €999.00 is greater than net payment received €25.00',
          },
        ],
      },
    );
    expect(await refund({ orderId: 'gid://shopify/Order/1' })).toEqual({
      refund: null,
      order: null,
      userErrors: [{ field: ['orderId'], message: 'Order does not exist' }],
    });
  });

  it('was committed to the order until it is shipped or cancelled', async () => {
    const { available = 0, on_hand: onHand = 0 } = await stock();
    const one = await order({}, DECREMENT);
    expect(one.displayFinancialStatus).toBeNull();
    expect(await stock()).toEqual({ available: available - 2, committed: 2, on_hand: onHand });
    await fulfil(one);
    expect(await stock()).toEqual({ available: available - 2, committed: 0, on_hand: onHand - 2 });

    const other = await order({}, DECREMENT);
    await store.call(
      `mutation ($id: ID!) { orderCancel(orderId: $id, reason: CUSTOMER, restock: true) {
        orderCancelUserErrors { message } } }`,
      { id: other.id },
    );
    expect(await stock()).toEqual({ available: available - 2, committed: 0, on_hand: onHand - 2 });

    const bypassed = await order();
    await fulfil(bypassed);
    expect(await stock()).toEqual({ available: available - 2, committed: 0, on_hand: onHand - 2 });
  });

  const RETURN = `return { id name status closedAt totalQuantity decline { reason note }
      order { returnStatus }
      returnLineItems(first: 3) { nodes { id quantity processedQuantity unprocessedQuantity } }
      reverseFulfillmentOrders(first: 3) { nodes { id status lineItems(first: 3) { nodes { id totalQuantity
        dispositions { type quantity } } } } } }
    userErrors { field message code }`;
  const returned = async (name: string, types: string, variables: object): Promise<Data> => {
    const args = types.replace(/\$(\w+): [^,]+/g, '$1: $$$1');
    const data = await store.call(
      `mutation (${types}) { ${name}(${args}) { ${RETURN} } }`,
      variables,
    );
    return data[name]!;
  };
  const move = (name: string, id: string): Promise<Data> => returned(name, '$id: ID!', { id });

  it('is requested, approved, received and closed', async () => {
    const one = await order();
    const fulfillmentLineItemId = await fulfil(one);
    const returnLineItems = [{ fulfillmentLineItemId, quantity: 1, returnReason: 'UNWANTED' }];
    const requested = await returned('returnRequest', '$input: ReturnRequestInput!', {
      input: { orderId: one.id, returnLineItems },
    });
    const { id, name } = requested['return'] as { id: string; name: string };
    expect(name).toMatch(/^#\d+-R1$/);
    expect(requested).toMatchObject({
      return: {
        status: 'REQUESTED',
        totalQuantity: 1,
        order: { returnStatus: 'RETURN_REQUESTED' },
        returnLineItems: { nodes: [{ quantity: 1, processedQuantity: 0, unprocessedQuantity: 1 }] },
        reverseFulfillmentOrders: { nodes: [] },
      },
      userErrors: [],
    });
    expect(await move('returnClose', id)).toEqual({
      return: null,
      userErrors: [{ field: ['id'], message: 'Return status is invalid.', code: 'INVALID_STATE' }],
    });
    const approved = await returned('returnApproveRequest', '$input: ReturnApproveRequestInput!', {
      input: { id },
    });
    expect(approved).toMatchObject({
      return: {
        status: 'OPEN',
        order: { returnStatus: 'IN_PROGRESS' },
        reverseFulfillmentOrders: {
          nodes: [{ status: 'OPEN', lineItems: { nodes: [{ totalQuantity: 1 }] } }],
        },
      },
    });
    const before = await stock();
    const { reverseFulfillmentOrders } = approved['return'] as {
      reverseFulfillmentOrders: { nodes: Array<{ lineItems: { nodes: Array<{ id: string }> } }> };
    };
    const { reverseFulfillmentOrderDispose: disposed } = await store.call(
      `mutation ($inputs: [ReverseFulfillmentOrderDisposeInput!]!) {
        reverseFulfillmentOrderDispose(dispositionInputs: $inputs) {
          reverseFulfillmentOrderLineItems { dispositions { type quantity } } userErrors { message } } }`,
      {
        inputs: [
          {
            reverseFulfillmentOrderLineItemId:
              reverseFulfillmentOrders.nodes[0]!.lineItems.nodes[0]!.id,
            quantity: 1,
            dispositionType: 'RESTOCKED',
          },
        ],
      },
    );
    expect(disposed).toEqual({
      reverseFulfillmentOrderLineItems: [{ dispositions: [{ type: 'RESTOCKED', quantity: 1 }] }],
      userErrors: [],
    });
    expect(await stock()).toMatchObject({ available: before['available']! + 1 });
    expect(await move('returnClose', id)).toMatchObject({
      return: {
        status: 'CLOSED',
        closedAt: expect.any(String),
        order: { returnStatus: 'RETURNED' },
      },
    });
    expect(await move('returnReopen', id)).toMatchObject({
      return: { status: 'OPEN', closedAt: null },
    });
    expect(await move('returnCancel', id)).toMatchObject({
      return: { status: 'CANCELED', order: { returnStatus: 'NO_RETURN' } },
    });
    expect((await move('returnCancel', id))['userErrors']).toEqual([]);
    const { order: read } = await store.call(
      'query ($id: ID!) { order(id: $id) { returns(first: 3) { nodes { id } } } }',
      { id: one.id },
    );
    expect(read).toEqual({ returns: { nodes: [{ id }] } });
  });

  it('is refused in the words of the platform', async () => {
    const one = await order();
    const fulfillmentLineItemId = await fulfil(one);
    const create = (...lines: object[]): Promise<Data> =>
      returned('returnCreate', '$returnInput: ReturnInput!', {
        returnInput: {
          orderId: one.id,
          returnLineItems: lines.map((line) => ({ returnReason: 'COLOR', quantity: 1, ...line })),
        },
      });
    expect(
      await create(
        { fulfillmentLineItemId },
        { fulfillmentLineItemId: 'gid://shopify/FulfillmentLineItem/9' },
      ),
    ).toEqual({
      return: null,
      userErrors: [
        {
          field: ['returnInput', 'returnLineItems', '1', 'fulfillmentLineItemId'],
          message: 'Fulfillment Line Item was not found.',
          code: 'NOT_FOUND',
        },
      ],
    });
    const made = await create({ fulfillmentLineItemId });
    expect(made).toMatchObject({ return: { status: 'OPEN' }, userErrors: [] });
    const invalid = (...field: string[]): object => ({
      return: null,
      userErrors: [
        { field, message: 'Return line item has an invalid quantity.', code: 'INVALID' },
      ],
    });
    expect(await create({ fulfillmentLineItemId, quantity: 2 })).toEqual(
      invalid('returnInput', 'returnLineItems', '0', 'quantity'),
    );
    const { id, returnLineItems } = made['return'] as {
      id: string;
      returnLineItems: { nodes: Array<{ id: string }> };
    };
    const remove = (quantity: number): Promise<Data> =>
      returned(
        'removeFromReturn',
        '$returnId: ID!, $returnLineItems: [ReturnLineItemRemoveFromReturnInput!]',
        {
          returnId: id,
          returnLineItems: [{ returnLineItemId: returnLineItems.nodes[0]!.id, quantity }],
        },
      );
    expect(await remove(2)).toEqual(invalid('returnLineItems', '0', 'quantity'));
    expect(await remove(1)).toMatchObject({
      return: { totalQuantity: 0, returnLineItems: { nodes: [] } },
    });
    expect(
      await returned('returnDeclineRequest', '$input: ReturnDeclineRequestInput!', {
        input: { id, declineReason: 'OTHER', declineNote: 'worn' },
      }),
    ).toMatchObject({ userErrors: [{ code: 'INVALID_STATE' }] });
  });

  it('is committed when an edit adds it, in an order that commits what it needs', async () => {
    const edited = async (options: object, quantities: readonly number[]): Promise<object[]> => {
      const one = await order({}, options);
      const seen = [await stock()];
      for (const quantity of quantities) {
        const { orderEditBegin } = await store.call(
          `mutation ($id: ID!) { orderEditBegin(id: $id) {
            calculatedOrder { id lineItems(first: 1) { nodes { id } } } userErrors { message } } }`,
          { id: one.id },
        );
        const { id, lineItems } = orderEditBegin!['calculatedOrder'] as Ordered;
        await store.call(
          `mutation ($id: ID!, $line: ID!, $quantity: Int!) {
            orderEditSetQuantity(id: $id, lineItemId: $line, quantity: $quantity, restock: true) {
              userErrors { message } }
            orderEditCommit(id: $id) { userErrors { message } } }`,
          { id, line: lineItems.nodes[0]!.id, quantity },
        );
        seen.push(await stock());
      }
      const [before] = seen;
      return seen.slice(1).map(({ available, committed }) => ({
        available: available! - before!['available']!,
        committed: committed! - before!['committed']!,
      }));
    };
    expect(await edited(DECREMENT, [5, 2])).toEqual([
      { available: -3, committed: 3 },
      { available: 0, committed: 0 },
    ]);
    expect(await edited({}, [5])).toEqual([{ available: 0, committed: 0 }]);
  });
});

interface Ordered {
  readonly id: string;
  readonly displayFinancialStatus: string | null;
  readonly lineItems: { readonly nodes: ReadonlyArray<{ readonly id: string }> };
  readonly transactions: ReadonlyArray<{ readonly id: string }>;
  readonly fulfillmentOrders: { readonly nodes: ReadonlyArray<{ readonly id: string }> };
}
