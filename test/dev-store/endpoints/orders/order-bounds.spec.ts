import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  openNodeShop,
  trackedVariant,
  type Data,
  type NodeShopFixture,
} from '../nodes/node-shop.fixture.js';

const PRICE = (amount: string): object => ({ shopMoney: { amount, currencyCode: 'EUR' } });
const MONEY = (amount: string): object => ({ shopMoney: { amount } });

describe('an order gives no more than it has', () => {
  let store: NodeShopFixture;
  let variantId: string;
  let keys = 0;

  beforeAll(async () => {
    store = await openNodeShop([
      'orders',
      'returns',
      'products',
      'inventory',
      'merchant_managed_fulfillment_orders',
    ]);
    variantId = await trackedVariant(store);
  });
  afterAll(() => store.devStore.close());

  const available = (): number =>
    store.shop.products[0]!.variants[0]!.levels[0]!.quantities.available ?? 0;
  const order = async (price = '10.00', paid = '35.00'): Promise<Ordered> => {
    const { orderCreate } = await store.call(
      `mutation ($order: OrderCreateOrderInput!, $options: OrderCreateOptionsInput) {
        orderCreate(order: $order, options: $options) {
          order { id lineItems(first: 3) { nodes { id } } transactions { id }
            fulfillmentOrders(first: 1) { nodes { id lineItems(first: 3) { nodes { id } } } } }
          userErrors { message } } }`,
      {
        order: {
          lineItems: [{ variantId, title: 'Mug', quantity: 3, priceSet: PRICE(price) }],
          shippingLines: [{ title: 'Post', priceSet: PRICE('5.00') }],
          transactions: paid
            ? [{ kind: 'SALE', status: 'SUCCESS', gateway: 'cash', amountSet: PRICE(paid) }]
            : [],
        },
        options: { inventoryBehaviour: 'DECREMENT_IGNORING_POLICY' },
      },
    );
    const made = orderCreate!['order'] as unknown as Made;
    const [fulfillmentOrder] = made.fulfillmentOrders.nodes;
    return {
      id: made.id,
      line: made.lineItems.nodes[0]!.id,
      sale: made.transactions[0]?.id,
      fulfillmentOrder: fulfillmentOrder!.id,
      fulfillmentOrderLine: fulfillmentOrder!.lineItems.nodes[0]!.id,
    };
  };
  const read = async (id: string, fields: string): Promise<Data> =>
    (await store.call(`query ($id: ID!) { order(id: $id) { ${fields} } }`, { id }))['order']!;
  const refund = async (input: object): Promise<Data> => {
    const { refundCreate } = await store.call(
      `mutation ($input: RefundInput!, $key: String!) {
        refundCreate(input: $input) @idempotent(key: $key) {
          refund { totalRefundedSet { shopMoney { amount } } transactions(first: 2) { nodes { gateway } } }
          userErrors { field message } } }`,
      { input, key: `key-${++keys}` },
    );
    return refundCreate!;
  };
  const cancel = async (orderId: string, more: object): Promise<Data> => {
    const { orderCancel } = await store.call(
      `mutation ($orderId: ID!, $refund: Boolean, $refundMethod: OrderCancelRefundMethodInput) {
        orderCancel(orderId: $orderId, reason: OTHER, restock: true, refund: $refund, refundMethod: $refundMethod) {
          orderCancelUserErrors { field message code } } }`,
      { orderId, ...more },
    );
    return orderCancel!;
  };
  const fulfil = async (...lineItemsByFulfillmentOrder: object[]): Promise<Data> => {
    const { fulfillmentCreate } = await store.call(
      `mutation ($fulfillment: FulfillmentInput!) { fulfillmentCreate(fulfillment: $fulfillment) {
        fulfillment { id totalQuantity fulfillmentLineItems(first: 1) { nodes { id } } } userErrors { message } } }`,
      { fulfillment: { lineItemsByFulfillmentOrder } },
    );
    return fulfillmentCreate!;
  };
  const some = (one: Ordered, quantity: number): object => ({
    fulfillmentOrderId: one.fulfillmentOrder,
    fulfillmentOrderLineItems: [{ id: one.fulfillmentOrderLine, quantity }],
  });
  const undo = async (made: Data): Promise<void> => {
    const { id } = made['fulfillment'] as { id: string };
    const mutation = `mutation ($id: ID!) { fulfillmentCancel(id: $id) { userErrors { message } } }`;
    const { fulfillmentCancel } = await store.call(mutation, { id });
    expect(fulfillmentCancel).toEqual({ userErrors: [] });
  };
  const WAITING = `displayFulfillmentStatus fulfillmentOrders(first: 1) {
    nodes { status lineItems(first: 1) { nodes { totalQuantity remainingQuantity } } } }`;
  const waiting = (order: string, status: string, ...[total, left]: number[]): object => ({
    displayFulfillmentStatus: order,
    fulfillmentOrders: {
      nodes: [
        { status, lineItems: { nodes: [{ totalQuantity: total, remainingQuantity: left }] } },
      ],
    },
  });
  const FINANCE = `displayFinancialStatus totalRefundedSet { shopMoney { amount } }
    netPaymentSet { shopMoney { amount } } currentTotalPriceSet { shopMoney { amount } }
    currentSubtotalPriceSet { shopMoney { amount } } currentSubtotalLineItemsQuantity`;

  it.each([{ refund: true }, { refundMethod: { originalPaymentMethodsRefund: true } }])(
    'when it is cancelled with %j',
    async (way) => {
      const before = available();
      const one = await order();
      expect(available()).toBe(before - 3);
      expect(await cancel(one.id, way)).toEqual({ orderCancelUserErrors: [] });
      expect(
        await read(
          one.id,
          `${FINANCE} ${WAITING} closed refunds { totalRefundedSet { shopMoney { amount } } }
            transactions { kind gateway } lineItems(first: 1) { nodes {
              fulfillableQuantity: unfulfilledQuantity currentQuantity refundableQuantity } }`,
        ),
      ).toEqual({
        displayFinancialStatus: 'REFUNDED',
        totalRefundedSet: MONEY('35.0'),
        netPaymentSet: MONEY('0.0'),
        currentTotalPriceSet: MONEY('0.0'),
        currentSubtotalPriceSet: MONEY('0.0'),
        currentSubtotalLineItemsQuantity: 0,
        ...waiting('UNFULFILLED', 'CLOSED', 0, 0),
        closed: true,
        refunds: [{ totalRefundedSet: MONEY('35.0') }],
        transactions: [
          { kind: 'SALE', gateway: 'cash' },
          { kind: 'REFUND', gateway: 'cash' },
        ],
        lineItems: {
          nodes: [{ fulfillableQuantity: 0, currentQuantity: 0, refundableQuantity: 0 }],
        },
      });
      expect(available()).toBe(before);
      const line = { lineItemId: one.line, quantity: 3, restockType: 'RETURN' };
      expect(await refund({ orderId: one.id, refundLineItems: [line] })).toMatchObject({
        refund: null,
      });
      expect(available()).toBe(before);
      const message = 'Cannot cancel an order that has already been canceled';
      expect(await cancel(one.id, way)).toEqual({
        orderCancelUserErrors: [{ field: ['orderId'], message, code: 'INVALID' }],
      });
    },
  );

  it('when it is cancelled without money, or with two ways for it', async () => {
    const one = await order('10.00', '');
    expect(
      await cancel(one.id, {
        refund: false,
        refundMethod: { originalPaymentMethodsRefund: true },
      }),
    ).toMatchObject({ orderCancelUserErrors: [{ field: ['refund'], code: 'INVALID' }] });
    await cancel(one.id, {});
    expect(
      await read(one.id, `${FINANCE} totalOutstandingSet { shopMoney { amount } }`),
    ).toMatchObject({
      displayFinancialStatus: null,
      currentTotalPriceSet: MONEY('0.0'),
      totalOutstandingSet: MONEY('0.0'),
    });
  });

  it('when parts of it are refunded', async () => {
    const one = await order();
    const { id: orderId, line: lineItemId, sale: parentId } = one;
    const line = (quantity: number): object => ({ lineItemId, quantity, restockType: 'RETURN' });
    const pay = (more: object): object => ({
      transactions: [{ orderId, parentId, kind: 'REFUND', gateway: 'cash', amount: '1', ...more }],
    });
    const refused: ReadonlyArray<readonly [object, string[] | null, string]> = [
      [
        { refundLineItems: [line(3), line(3)] },
        ['refundLineItems', '1', 'quantity'],
        'Quantity cannot refund more items than were purchased',
      ],
      [
        { refundLineItems: [line(-5)] },
        ['refundLineItems', '0', 'quantity'],
        'Quantity must be greater than 0',
      ],
      [pay({ amount: '-10' }), ['transactions'], 'Amount must be greater than 0'],
      [pay({ kind: 'AUTHORIZATION' }), null, 'Kind authorization is not a valid transaction'],
      [
        pay({ parentId: 'gid://shopify/OrderTransaction/9' }),
        ['transactions'],
        'Transactions require a parent_id associated with the order',
      ],
      [
        { shipping: { amount: '5.01' } },
        ['shipping', 'amount'],
        'Refund shipping amount must be between 0 and what is left of the shipping',
      ],
    ];
    for (const [input, field, message] of refused)
      expect(await refund({ orderId, ...input })).toEqual({
        refund: null,
        userErrors: [{ field, message }],
      });
    const shipping = { shipping: { fullRefund: true }, ...pay({ amount: '5', gateway: 'other' }) };
    expect(await refund({ orderId, ...shipping })).toMatchObject({
      refund: { transactions: { nodes: [{ gateway: 'cash' }] } },
      userErrors: [],
    });
    expect(await refund({ orderId, shipping: { amount: '1.00' } })).toMatchObject({ refund: null });
    await refund({ orderId, shipping: { fullRefund: true }, refundLineItems: [line(1)] });
    expect(await read(orderId, FINANCE)).toEqual({
      displayFinancialStatus: 'PARTIALLY_REFUNDED',
      totalRefundedSet: MONEY('5.0'),
      netPaymentSet: MONEY('30.0'),
      currentTotalPriceSet: MONEY('20.0'),
      currentSubtotalPriceSet: MONEY('20.0'),
      currentSubtotalLineItemsQuantity: 2,
    });
    const { orderMarkAsPaid } = await store.call(
      `mutation ($id: ID!) { orderMarkAsPaid(input: { id: $id }) { userErrors { message } } }`,
      { id: orderId },
    );
    expect(orderMarkAsPaid).toEqual({
      userErrors: [{ message: 'Order cannot be marked as paid.' }],
    });
  });

  it('to the cent', async () => {
    const { id: orderId } = await order('0.10', '5.30');
    const pay = async (amount: string): Promise<Data> =>
      refund({ orderId, transactions: [{ orderId, kind: 'REFUND', gateway: 'cash', amount }] });
    for (const amount of ['5.10', '0.10', '0.10']) await pay(amount);
    expect(await read(orderId, `displayFinancialStatus netPayment`)).toEqual({
      displayFinancialStatus: 'REFUNDED',
      netPayment: '0.00',
    });
  });

  it('when it is fulfilled in parts', async () => {
    const one = await order();
    expect(await fulfil(some(one, 2), some(one, 2))).toEqual({
      fulfillment: null,
      userErrors: [{ message: 'Invalid fulfillment order line item quantity requested.' }],
    });
    expect(await fulfil()).toMatchObject({ fulfillment: null, userErrors: [expect.anything()] });
    expect(await fulfil(some(one, 1), some(one, 1))).toMatchObject({
      fulfillment: { totalQuantity: 2 },
    });
    expect(await read(one.id, WAITING)).toEqual(
      waiting('PARTIALLY_FULFILLED', 'IN_PROGRESS', 3, 1),
    );
    const line = { lineItemId: one.line, quantity: 1, restockType: 'CANCEL' };
    await refund({ orderId: one.id, refundLineItems: [line] });
    expect(await read(one.id, WAITING)).toEqual(waiting('FULFILLED', 'CLOSED', 2, 0));
  });

  it('is closed with its fulfillment, and open again without it', async () => {
    const one = await order();
    const made = await fulfil(some(one, 3));
    expect(await read(one.id, 'closed')).toEqual({ closed: true });
    await undo(made);
    expect(await read(one.id, `closed ${WAITING}`)).toEqual({
      closed: false,
      ...waiting('UNFULFILLED', 'OPEN', 3, 3),
    });
    const part = await fulfil(some(one, 1));
    await cancel(one.id, {});
    await undo(part);
    expect(await read(one.id, `closed fulfillmentOrders(first: 1) { nodes { status } }`)).toEqual({
      closed: true,
      fulfillmentOrders: { nodes: [{ status: 'CLOSED' }] },
    });
  });

  const RETURN = `return { id totalQuantity returnLineItems(first: 2) { nodes { id } }
    reverseFulfillmentOrders(first: 1) { nodes { status lineItems(first: 1) { nodes { id totalQuantity } } } } }
    userErrors { field message }`;
  const shipped = async (one: Ordered): Promise<{ line: string; made: Data }> => {
    const made = await fulfil(some(one, 3));
    const { fulfillmentLineItems } = made['fulfillment'] as {
      fulfillmentLineItems: { nodes: Array<{ id: string }> };
    };
    return { line: fulfillmentLineItems.nodes[0]!.id, made };
  };
  const takeBack = async (one: Ordered, ...lines: Array<[string, number]>): Promise<Data> => {
    const returnLineItems = lines.map(([fulfillmentLineItemId, quantity]) => ({
      fulfillmentLineItemId,
      quantity,
      returnReason: 'UNKNOWN',
    }));
    const { returnCreate } = await store.call(
      `mutation ($input: ReturnInput!) { returnCreate(returnInput: $input) { ${RETURN} } }`,
      { input: { orderId: one.id, returnLineItems } },
    );
    return returnCreate!;
  };

  it('when parcels come back', async () => {
    const one = await order();
    const other = await order();
    const { line, made } = await shipped(one);
    const { line: foreign } = await shipped(other);
    const path = (index: string, name: string): string[] => [
      'returnInput',
      'returnLineItems',
      index,
      name,
    ];
    const invalid = 'Return line item has an invalid quantity.';
    expect(await takeBack(one, [line, 3], [line, 3])).toEqual({
      return: null,
      userErrors: [{ field: path('1', 'quantity'), message: invalid }],
    });
    expect(await takeBack(one, [foreign, 1])).toEqual({
      return: null,
      userErrors: [
        {
          field: path('0', 'fulfillmentLineItemId'),
          message: 'Fulfillment Line Item was not found.',
        },
      ],
    });
    await undo(made);
    expect(await takeBack(one, [line, 1])).toMatchObject({
      return: null,
      userErrors: [{ message: invalid }],
    });
  });

  it('when a return is cancelled, or parts of it are removed', async () => {
    const one = await order();
    const { line } = await shipped(one);
    const made = (await takeBack(one, [line, 3]))['return'] as unknown as Returned;
    const reverseLine = made.reverseFulfillmentOrders.nodes[0]!.lineItems.nodes[0]!.id;
    const { removeFromReturn } = await store.call(
      `mutation ($id: ID!, $lines: [ReturnLineItemRemoveFromReturnInput!]) {
        removeFromReturn(returnId: $id, returnLineItems: $lines) { ${RETURN} } }`,
      {
        id: made.id,
        lines: [{ returnLineItemId: made.returnLineItems.nodes[0]!.id, quantity: 1 }],
      },
    );
    expect(removeFromReturn).toMatchObject({
      return: {
        totalQuantity: 2,
        reverseFulfillmentOrders: {
          nodes: [{ status: 'OPEN', lineItems: { nodes: [{ totalQuantity: 2 }] } }],
        },
      },
    });
    const before = available();
    const dispose = async (...quantities: number[]): Promise<unknown> => {
      const inputs = quantities.map((quantity) => ({
        reverseFulfillmentOrderLineItemId: reverseLine,
        quantity,
        dispositionType: 'RESTOCKED',
      }));
      const { reverseFulfillmentOrderDispose } = await store.call(
        `mutation ($inputs: [ReverseFulfillmentOrderDisposeInput!]!) {
          reverseFulfillmentOrderDispose(dispositionInputs: $inputs) { userErrors { field } } }`,
        { inputs },
      );
      return reverseFulfillmentOrderDispose;
    };
    expect(await dispose(2, 2)).toEqual({
      userErrors: [{ field: ['dispositionInputs', '1', 'quantity'] }],
    });
    const { returnCancel } = await store.call(
      `mutation ($id: ID!) { returnCancel(id: $id) { ${RETURN} } }`,
      { id: made.id },
    );
    expect(returnCancel).toMatchObject({
      return: { reverseFulfillmentOrders: { nodes: [{ status: 'CANCELED' }] } },
    });
    expect(await dispose(1)).toMatchObject({ userErrors: [expect.anything()] });
    expect(available()).toBe(before);
  });
});

interface Ordered {
  readonly id: string;
  readonly line: string;
  readonly sale: string | undefined;
  readonly fulfillmentOrder: string;
  readonly fulfillmentOrderLine: string;
}

interface Ids {
  readonly nodes: ReadonlyArray<{ readonly id: string }>;
}

interface Made {
  readonly id: string;
  readonly lineItems: Ids;
  readonly transactions: Ids['nodes'];
  readonly fulfillmentOrders: {
    readonly nodes: ReadonlyArray<{ readonly id: string; readonly lineItems: Ids }>;
  };
}

interface Returned {
  readonly id: string;
  readonly returnLineItems: Ids;
  readonly reverseFulfillmentOrders: { readonly nodes: ReadonlyArray<{ readonly lineItems: Ids }> };
}
