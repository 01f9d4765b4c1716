import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('payments of orders in a simulated shop', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(['orders'], '2026-04');
  });
  afterAll(() => fixture.devStore.close());

  const money = (amount: string): object => ({ shopMoney: { amount, currencyCode: 'EUR' } });
  /** An order over 25.00 with one transaction, or none. @returns the ids */
  const ordered = async (kind?: string): Promise<readonly [string, string]> => {
    const transactions = kind
      ? [{ kind, status: 'SUCCESS', gateway: 'manual', amountSet: money('25.00') }]
      : [];
    const { orderCreate } = await fixture.call(
      `mutation ($order: OrderCreateOrderInput!) { orderCreate(order: $order) {
        order { id transactions { id } } userErrors { message } } }`,
      {
        order: {
          lineItems: [{ title: 'Kite', quantity: 1, priceSet: money('25.00') }],
          transactions,
        },
      },
    );
    const order = orderCreate!['order'] as { id: string; transactions: Data[] };
    return [order.id, String(order.transactions[0]?.['id'])];
  };
  const capture = async (id: string, parentTransactionId: string, input: object): Promise<Data> => {
    const { orderCapture } = await fixture.call(
      `mutation ($input: OrderCaptureInput!) { orderCapture(input: $input) {
        transaction { kind status gateway amountSet { shopMoney { amount } }
          parentTransaction { id kind } }
        userErrors { field message } } }`,
      { input: { id, parentTransactionId, ...input } },
    );
    return orderCapture!;
  };
  const voided = async (id: string): Promise<Data> => {
    const { transactionVoid } = await fixture.call(
      `mutation ($id: ID!) { transactionVoid(parentTransactionId: $id) {
        transaction { kind status parentTransaction { id } } userErrors { field message code } } }`,
      { id },
    );
    return transactionVoid!;
  };
  const standing = async (id: string): Promise<Data> => {
    const { order } = await fixture.call(
      `query ($id: ID!) { order(id: $id) { displayFinancialStatus capturable totalCapturable
        totalCapturableSet { shopMoney { amount } } totalReceivedSet { shopMoney { amount } }
        totalOutstandingSet { shopMoney { amount } } paymentGatewayNames } }`,
      { id },
    );
    return order!;
  };
  const shown = (amount: string): object => ({ shopMoney: { amount } });

  it('keep capturable what a partial capture leaves', async () => {
    const [id, authorization] = await ordered('AUTHORIZATION');
    expect(await capture(id, authorization, { amount: '10.00' })).toEqual({
      transaction: {
        ...{ kind: 'CAPTURE', status: 'SUCCESS', gateway: 'manual', amountSet: shown('10.0') },
        parentTransaction: { id: authorization, kind: 'AUTHORIZATION' },
      },
      userErrors: [],
    });
    expect(await standing(id)).toEqual({
      displayFinancialStatus: 'PARTIALLY_PAID',
      capturable: true,
      totalCapturable: '15.00',
      totalCapturableSet: shown('15.0'),
      totalReceivedSet: shown('10.0'),
      totalOutstandingSet: shown('15.0'),
      paymentGatewayNames: ['manual'],
    });
    await capture(id, authorization, { amount: '15.00', currency: 'EUR' });
    expect(await standing(id)).toMatchObject({
      displayFinancialStatus: 'PAID',
      capturable: false,
      totalCapturableSet: shown('0.0'),
    });
  });

  it.each([
    [{ amount: '0.00' }, null, 'Amount must be greater than zero for capture transactions'],
    [{ amount: '99' }, null, 'Cannot capture more than the authorized 25.00 for this payment.'],
    [
      { amount: '5', currency: 'USD' },
      ['currency'],
      'Currency Currency must match parent transaction EUR',
    ],
    [
      { amount: '5', parentTransactionId: 'gid://shopify/OrderTransaction/9' },
      null,
      'Unable to find parent transaction',
    ],
    [{ amount: '5', id: 'gid://shopify/Order/9' }, ['id'], 'Order does not exist'],
  ])('refuse to capture %j', async (input, field, message) => {
    const [id, authorization] = await ordered('AUTHORIZATION');
    expect(await capture(id, authorization, input)).toEqual({
      transaction: null,
      userErrors: [{ field, message }],
    });
  });

  it('give an authorization up that nothing was captured of', async () => {
    const [id, authorization] = await ordered('AUTHORIZATION');
    expect(await voided(authorization)).toEqual({
      transaction: { kind: 'VOID', status: 'SUCCESS', parentTransaction: { id: authorization } },
      userErrors: [],
    });
    expect(await standing(id)).toMatchObject({
      displayFinancialStatus: 'VOIDED',
      capturable: false,
      totalCapturableSet: shown('0.0'),
    });
    const error = async (transaction: string): Promise<unknown> =>
      ((await voided(transaction))['userErrors'] as Data[])[0];
    const field = ['parentTransactionId'];
    expect(await error(authorization)).toEqual({
      field,
      message: 'Parent transaction require a parent_id referring to a voidable transaction',
      code: 'AUTH_NOT_VOIDABLE',
    });
    const [, sale] = await ordered('SALE');
    expect(await error(sale)).toEqual({
      field,
      message: 'Parent transaction must be a successful authorization',
      code: 'AUTH_NOT_SUCCESSFUL',
    });
    expect(await error('gid://shopify/OrderTransaction/9')).toEqual({
      field,
      message: 'Transaction does not exist',
      code: 'TRANSACTION_NOT_FOUND',
    });
  });

  it('are recorded by hand, as far as anything is owed', async () => {
    const [id] = await ordered();
    const pay = async (more: string, order = id): Promise<Data> => {
      const { payload } = await fixture.call(
        `mutation ($id: ID!) { payload: orderCreateManualPayment(id: $id ${more}) {
          order { displayFinancialStatus transactions { kind gateway } }
          userErrors { field message code } } }`,
        { id: order },
      );
      return payload!;
    };
    const some = (amount: string): string =>
      `amount: { amount: "${amount}", currencyCode: EUR }, paymentMethodName: "Cash"`;
    expect(await pay(some('26'))).toMatchObject({
      order: null,
      userErrors: [{ field: ['amount'], code: 'AMOUNT_EXCEEDS_BALANCE' }],
    });
    for (const processedAt of ['', '2026-99-99T00', '2999-01-01T00:00:00Z'])
      expect(await pay(`processedAt: "${processedAt}"`)).toMatchObject({
        order: null,
        userErrors: [{ field: ['processedAt'], code: 'PROCESSED_AT_INVALID' }],
      });
    expect(await pay(some('5'))).toEqual({
      order: {
        displayFinancialStatus: 'PARTIALLY_PAID',
        transactions: [{ kind: 'SALE', gateway: 'Cash' }],
      },
      userErrors: [],
    });
    expect(await pay('')).toMatchObject({ order: { displayFinancialStatus: 'PAID' } });
    expect(await pay('', 'gid://shopify/Order/9')).toEqual({
      order: null,
      userErrors: [{ field: ['id'], message: 'Order does not exist', code: 'ORDER_NOT_FOUND' }],
    });
  });

  it('are made on a mandate once for each key', async () => {
    const [id] = await ordered();
    const pay = async (amount?: string, currencyCode = 'EUR'): Promise<Data> => {
      const { payload } = await fixture.call(
        `mutation ($id: ID!, $amount: MoneyInput) { payload: orderCreateMandatePayment(id: $id
          amount: $amount mandateId: "gid://shopify/PaymentMandate/1" idempotencyKey: "one") {
          job { id } paymentReferenceId userErrors { field message } } }`,
        { id, ...(amount ? { amount: { amount, currencyCode } } : {}) },
      );
      return payload!;
    };
    for (const [amount, currency, message] of [
      ['5', 'JPY', 'Currency does not match the order'],
      ['25.01', 'EUR', 'Amount exceeds the balance'],
      ['1e999', 'EUR', 'Amount exceeds the balance'],
      ['0', 'EUR', 'Amount must be greater than 0'],
    ] as const)
      expect(await pay(amount, currency)).toEqual({
        ...{ job: null, paymentReferenceId: null },
        userErrors: [{ field: ['amount'], message }],
      });
    const first = await pay();
    expect(first).toEqual({
      job: { id: expect.any(String) },
      paymentReferenceId: `${id}/one`,
      userErrors: [],
    });
    expect(await pay()).toEqual(first);
    expect(await standing(id)).toMatchObject({
      displayFinancialStatus: 'PAID',
      totalReceivedSet: shown('25.0'),
    });
  });
});
