import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('store credit in a simulated shop', () => {
  let fixture: NodeShopFixture;
  let customer: string;
  beforeAll(async () => {
    fixture = await openNodeShop(['customers', 'store_credit_account_transactions'], '2026-04');
    const { customerCreate } = await fixture.call(
      'mutation { customerCreate(input: { firstName: "Ada" }) { customer { id } } }',
    );
    customer = (customerCreate!['customer'] as Data)['id'] as string;
  });
  afterAll(() => fixture.devStore.close());

  const move = async (
    kind: string,
    id: string,
    amount: string,
    more: object = {},
  ): Promise<Data> => {
    const verb = kind.toLowerCase();
    const { payload } = await fixture.call(
      `mutation ($id: ID!, $input: StoreCreditAccount${kind}Input!) {
        payload: storeCreditAccount${kind}(id: $id, ${verb}Input: $input) {
          storeCreditAccountTransaction { event origin amount { amount }
            balanceAfterTransaction { amount } account { id owner { ... on Customer { id } } } }
          userErrors { field message code } } }`,
      { id, input: { [`${verb}Amount`]: { amount, currencyCode: 'EUR' }, ...more } },
    );
    return payload!;
  };
  const errorOf = (payload: Data): unknown => (payload['userErrors'] as Data[])[0];

  it('opens an account with the first credit of an owner, and adds up', async () => {
    const { storeCreditAccountTransaction: first, userErrors } = await move(
      'Credit',
      customer,
      '7.23',
    );
    expect(userErrors).toEqual([]);
    expect(first).toMatchObject({
      event: 'ADJUSTMENT',
      origin: null,
      amount: { amount: '7.23' },
      balanceAfterTransaction: { amount: '7.23' },
      account: { owner: { id: customer } },
    });
    const { id } = (first as Data)['account'] as Data;
    expect(await move('Debit', id as string, '2.23')).toMatchObject({
      storeCreditAccountTransaction: {
        amount: { amount: '-2.23' },
        balanceAfterTransaction: { amount: '5.0' },
        account: { id },
      },
    });
    const read = await fixture.call(
      `query ($id: ID!) { customer(id: $id) { storeCreditAccounts(first: 2) {
        nodes { balance { amount } transactions(first: 5) { nodes { amount { amount } } } } } } }`,
      { id: customer },
    );
    expect(read['customer']!['storeCreditAccounts']).toEqual({
      nodes: [
        {
          balance: { amount: '5.0' },
          transactions: {
            nodes: [{ amount: { amount: '7.23' } }, { amount: { amount: '-2.23' } }],
          },
        },
      ],
    });
  });

  it('is refused in the words of the platform', async () => {
    await move('Credit', customer, '1');
    const nobody = 'gid://shopify/Customer/999999999999999';
    expect(errorOf(await move('Credit', nobody, '1'))).toEqual({
      field: ['id'],
      message: 'Owner does not exist',
      code: 'OWNER_NOT_FOUND',
    });
    const none = { field: ['id'], message: 'Store credit account does not exist' };
    const unknown = 'gid://shopify/StoreCreditAccount/999999999999999';
    expect(errorOf(await move('Credit', unknown, '0'))).toMatchObject(none);
    expect(errorOf(await move('Debit', nobody, '1'))).toMatchObject(none);
    expect(
      errorOf(await move('Credit', customer, '-5', { expiresAt: '2000-01-01T00:00:00Z' })),
    ).toEqual({
      field: ['creditInput', 'expiresAt'],
      message: 'The expiry date must be in the future',
      code: 'EXPIRES_AT_IN_PAST',
    });
    expect(errorOf(await move('Debit', customer, '0'))).toEqual({
      field: ['debitInput', 'debitAmount', 'amount'],
      message: 'A positive amount must be used to debit a store credit account',
      code: 'NEGATIVE_OR_ZERO_AMOUNT',
    });
    expect(errorOf(await move('Debit', customer, '9999'))).toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
    });
    expect(errorOf(await move('Credit', customer, '100000'))).toMatchObject({
      code: 'CREDIT_LIMIT_EXCEEDED',
    });
  });
});
