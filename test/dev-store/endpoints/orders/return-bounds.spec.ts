import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Data, NodeShopFixture } from '../nodes/node-shop.fixture.js';
import { openReturnsShop, shippedOrder, type ShippedOrder } from './shipped-order.fixture.js';

describe('the bounds of returns of a simulated shop', () => {
  let fixture: NodeShopFixture;
  let order: ShippedOrder;
  beforeAll(async () => {
    fixture = await openReturnsShop();
  });
  afterAll(() => fixture.devStore.close());

  const fieldsOf = (id: unknown): Data => fixture.shop.nodes.find(String(id))!.fields;

  beforeEach(async () => {
    order = await shippedOrder(fixture);
  });

  type Errors = ReadonlyArray<{ field: string[] | null; code: string }>;
  interface Made {
    readonly id: string;
    readonly line: string;
    readonly reverseLine: string;
  }
  /** Calls a mutation with an input. Returns what it refuses. */
  const run = async (name: string, argument: string, input: object): Promise<Errors> => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const { payload } = await fixture.call(
      `mutation ($input: ${type}!) { payload: ${name}(${argument}: $input) {
        userErrors { field code } } }`,
      { input },
    );
    return payload!['userErrors'] as Errors;
  };
  const made = async (): Promise<Made> => {
    const { returnCreate } = await fixture.call(
      `mutation ($input: ReturnInput!) { returnCreate(returnInput: $input) { return { id
        returnLineItems(first: 1) { nodes { id } }
        reverseFulfillmentOrders(first: 1) { nodes { lineItems(first: 1) { nodes { id } } } } } } }`,
      {
        input: {
          orderId: order.id,
          returnLineItems: [
            { fulfillmentLineItemId: order.shipped, quantity: 3, returnReason: 'COLOR' },
          ],
        },
      },
    );
    const { id, returnLineItems, reverseFulfillmentOrders } = returnCreate!['return'] as {
      id: string;
      returnLineItems: { nodes: [{ id: string }] };
      reverseFulfillmentOrders: { nodes: [{ lineItems: { nodes: [{ id: string }] } }] };
    };
    const [{ lineItems }] = reverseFulfillmentOrders.nodes;
    return { id, line: returnLineItems.nodes[0].id, reverseLine: lineItems.nodes[0].id };
  };
  const refund = (
    { id, line }: Made,
    quantities: readonly number[],
    [amount, parentId]: readonly [string, string] = ['1.00', order.transaction],
  ): Promise<Errors> =>
    run('returnRefund', 'returnRefundInput', {
      returnId: id,
      returnRefundLineItems: quantities.map((quantity) => ({ returnLineItemId: line, quantity })),
      orderTransactions: [{ transactionAmount: { amount, currencyCode: 'EUR' }, parentId }],
    });
  const process = ({ id, line }: Made, quantities: readonly number[], more = {}, own = {}) =>
    run('returnProcess', 'input', {
      returnId: id,
      returnLineItems: quantities.map((quantity) => ({ id: line, quantity, ...own })),
      ...more,
    });
  const remove = async ({ id, line }: Made, quantity: number): Promise<unknown> => {
    const { removeFromReturn } = await fixture.call(
      `mutation ($id: ID!, $lines: [ReturnLineItemRemoveFromReturnInput!]) {
        removeFromReturn(returnId: $id, returnLineItems: $lines) { userErrors { field code } } }`,
      { id, lines: [{ returnLineItemId: line, quantity }] },
    );
    return removeFromReturn!['userErrors'];
  };

  it('count a line that is named twice once', async () => {
    const own = await made();
    expect(await process(own, [2, 2])).toEqual([
      { field: ['input', 'returnLineItems', '1', 'quantity'], code: 'INVALID' },
    ]);
    const { reverseLine: reverseFulfillmentOrderLineItemId } = own;
    const dispositionType = 'NOT_RESTOCKED';
    const dispositions = [{ reverseFulfillmentOrderLineItemId, quantity: 2, dispositionType }];
    expect(await process(own, [1, 1], {}, { dispositions })).toEqual([
      {
        field: ['input', 'returnLineItems', '1', 'dispositions', '0', 'quantity'],
        code: 'INVALID',
      },
    ]);
    expect(await refund(own, [2, 2])).toEqual([
      { field: ['returnRefundInput', 'returnRefundLineItems', '1', 'quantity'], code: 'INVALID' },
    ]);
    expect(fieldsOf(own.line)).toMatchObject({ processedQuantity: 0, refundedQuantity: 0 });
    expect(fieldsOf(reverseFulfillmentOrderLineItemId)).toMatchObject({ dispositions: [] });
    expect(await process(own, [2, 1])).toEqual([]);
  });

  it('do what is told with their own lines alone', async () => {
    const own = await made();
    order = await shippedOrder(fixture);
    const other = await made();
    const dispose = (...lines: readonly string[]): Promise<Errors> =>
      process(
        own,
        [1],
        {},
        {
          dispositions: lines.map((reverseFulfillmentOrderLineItemId) => ({
            ...{ reverseFulfillmentOrderLineItemId, quantity: 1 },
            dispositionType: 'NOT_RESTOCKED',
          })),
        },
      );
    expect(await dispose(other.reverseLine)).toEqual([
      {
        field: [
          ...['input', 'returnLineItems', '0', 'dispositions', '0'],
          'reverseFulfillmentOrderLineItemId',
        ],
        code: 'NOT_FOUND',
      },
    ]);
    expect(fieldsOf(other.reverseLine)).toMatchObject({ dispositions: [] });
    expect(fieldsOf(own.line)).toMatchObject({ processedQuantity: 0 });
    expect(await dispose(own.reverseLine)).toEqual([]);
  });

  it('give back the shipping of the order, no more than it was', async () => {
    order = await shippedOrder(fixture, '5.00');
    const own = await made();
    const shipped = (): unknown =>
      (fieldsOf(order.id)['totalRefundedShippingSet'] as { shopMoney: Data }).shopMoney['amount'];
    const part = (amount: string): object => ({
      refundShipping: { shippingRefundAmount: { amount, currencyCode: 'EUR' } },
    });
    const refund = (shipping: object): Promise<Errors> =>
      run('returnRefund', 'returnRefundInput', {
        ...{ returnId: own.id, ...shipping },
        returnRefundLineItems: [{ returnLineItemId: own.line, quantity: 1 }],
      });
    const issueRefund = { orderTransactions: [] };
    expect(await refund(part('2.00'))).toEqual([]);
    expect(Number(shipped())).toBe(2);
    expect(await refund(part('4.00'))).toEqual([{ field: ['returnRefundInput'], code: 'INVALID' }]);
    const more = { financialTransfer: { issueRefund }, ...part('1.00') };
    expect(await process(own, [1], more)).toEqual([]);
    expect(Number(shipped())).toBe(3);
    expect(await refund({ refundShipping: { fullRefund: true } })).toEqual([]);
    expect(Number(shipped())).toBe(5);
  });

  it('give back no more than was paid, with a payment of the order', async () => {
    const own = await made();
    const refused = [{ field: ['returnRefundInput'], code: 'INVALID' }];
    expect(await refund(own, [1], ['1000.00', order.transaction])).toEqual(refused);
    expect(await refund(own, [1], ['1.00', 'gid://shopify/OrderTransaction/9'])).toEqual(refused);
    const issueRefund = {
      orderTransactions: [
        {
          transactionAmount: { amount: '1000.00', currencyCode: 'EUR' },
          parentId: order.transaction,
        },
      ],
    };
    expect(await process(own, [1], { financialTransfer: { issueRefund } })).toEqual([
      { field: ['input', 'financialTransfer', 'issueRefund'], code: 'INVALID' },
    ]);
    expect(fieldsOf(own.line)).toMatchObject({ processedQuantity: 0, refundedQuantity: 0 });
  });

  it('give the money of a line back once', async () => {
    const own = await made();
    expect(await refund(own, [3])).toEqual([]);
    const issueRefund = { orderTransactions: [] };
    expect(await process(own, [1], { financialTransfer: { issueRefund } })).toEqual([
      { field: ['input', 'returnLineItems', '0', 'quantity'], code: 'INVALID' },
    ]);
    expect(await remove(own, 1)).toEqual([
      { field: ['returnLineItems', '0', 'quantity'], code: 'INVALID' },
    ]);
    expect(await process(own, [1])).toEqual([]);
  });

  it('keep what is left to give back when a line is taken off', async () => {
    const own = await made();
    await refund(own, [1]);
    expect(await remove(own, 1)).toEqual([]);
    expect(fieldsOf(own.line)).toMatchObject({ quantity: 2, refundableQuantity: 1 });
  });

  it('leave a return that is cancelled as it is', async () => {
    const own = await made();
    await fixture.call(
      'mutation ($id: ID!) { returnCancel(id: $id) { userErrors { message } } }',
      own,
    );
    const code = 'INVALID_STATE';
    expect(await refund(own, [1])).toEqual([{ field: ['returnRefundInput', 'returnId'], code }]);
    expect(await remove(own, 1)).toEqual([{ field: ['returnId'], code }]);
  });

  it('refuse the ids of other things, and quantities of nothing', async () => {
    const customer = fixture.shop.nodes.create('Customer').id;
    const variant = `gid://shopify/ProductVariant/${fixture.shop.products[0]!.variants[0]!.id}`;
    const exchange = async (variantId: string, quantity: number): Promise<unknown> => {
      const { returnCreate } = await fixture.call(
        `mutation ($input: ReturnInput!) { returnCreate(returnInput: $input) {
          userErrors { field code } } }`,
        {
          input: {
            ...{ orderId: order.id, exchangeLineItems: [{ variantId, quantity }] },
            returnLineItems: [
              { fulfillmentLineItemId: order.shipped, quantity: 1, returnReason: 'COLOR' },
            ],
          },
        },
      );
      return returnCreate!['userErrors'];
    };
    const place = ['returnInput', 'exchangeLineItems', '0'];
    expect(await exchange(customer, 1)).toEqual([
      { field: [...place, 'variantId'], code: 'NOT_FOUND' },
    ]);
    expect(await exchange(variant, -5)).toEqual([
      { field: [...place, 'quantity'], code: 'INVALID' },
    ]);
    const { id, reverseLine } = await made();
    const dispose = await fixture.call(
      `mutation ($id: ID!) { payload: reverseFulfillmentOrderDispose(dispositionInputs: [{
        reverseFulfillmentOrderLineItemId: $id, quantity: 1, dispositionType: NOT_RESTOCKED }]) {
        userErrors { field code } } }`,
      order,
    );
    expect(dispose['payload']).toEqual({
      userErrors: [{ field: ['dispositionInputs'], code: 'INVALID' }],
    });
    const [reverse] = fieldsOf(id)['reverseFulfillmentOrders'] as string[];
    const deliver = await fixture.call(
      `mutation ($id: ID!, $line: ID!) { payload: reverseDeliveryCreateWithShipping(
        reverseFulfillmentOrderId: $id, reverseDeliveryLineItems: [{
          reverseFulfillmentOrderLineItemId: $line, quantity: -3 }]) {
        userErrors { field message } } }`,
      { id: reverse, line: reverseLine },
    );
    expect(deliver['payload']).toEqual({
      userErrors: [
        {
          ...{ field: ['reverseDeliveryLineItems', '0', 'quantity'] },
          message: 'must be greater than 0',
        },
      ],
    });
  });
});
