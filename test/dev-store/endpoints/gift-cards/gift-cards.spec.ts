import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('gift cards of a simulated shop', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(['gift_cards', 'customers'], '2026-04');
  });
  afterAll(() => fixture.devStore.close());

  const issue = async (input: object, shop = fixture): Promise<Data> => {
    const { giftCardCreate } = await shop.call(
      `mutation ($input: GiftCardCreateInput!) { giftCardCreate(input: $input) {
        giftCard { id enabled maskedCode lastCharacters balance { amount currencyCode } }
        giftCardCode userErrors { field code message } } }`,
      { input },
    );
    return giftCardCreate!;
  };
  const card = async (input: object = {}): Promise<string> => {
    const { giftCard } = await issue({ initialValue: '10.00', ...input });
    return (giftCard as Data)['id'] as string;
  };
  const move = async (kind: 'Credit' | 'Debit', id: string, input: object): Promise<Data> => {
    const argument = `${kind.toLowerCase()}Input`;
    const { payload } = await fixture.call(
      `mutation ($id: ID!, $input: GiftCard${kind}Input!) {
        payload: giftCard${kind}(id: $id, ${argument}: $input) {
          transaction: giftCard${kind}Transaction { __typename note amount { amount }
            giftCard { balance { amount } } }
          userErrors { field code message } } }`,
      { id, input },
    );
    return payload!;
  };
  const eur = (amount: string): object => ({ amount, currencyCode: 'EUR' });
  const deactivate = (id: string): Promise<Record<string, Data>> =>
    fixture.call(
      `mutation ($id: ID!) { giftCardDeactivate(id: $id) {
        giftCard { enabled deactivatedAt } userErrors { field code message } } }`,
      { id },
    );

  it('are issued with a code that only the answer tells', async () => {
    expect(await issue({ initialValue: '10.00', code: 'SPRINGTIDE26' })).toMatchObject({
      giftCard: {
        enabled: true,
        maskedCode: '•••• •••• •••• de26',
        lastCharacters: 'de26',
        balance: { amount: '10.0', currencyCode: 'EUR' },
      },
      giftCardCode: 'springtide26',
      userErrors: [],
    });
    const { giftCardCode } = await issue({ initialValue: '1' });
    expect(giftCardCode).toMatch(/^[\da-f]{16}$/);
    expect((await issue({ initialValue: '1', code: 'SpringTide26' }))['userErrors']).toEqual([
      { field: ['input', 'code'], code: null, message: 'Code has already been taken' },
    ]);
  });

  it('are issued with an amount in the currency of the shop', async () => {
    const later = await openNodeShop(['gift_cards'], '2026-10');
    expect(await issue({ initialAmount: eur('10.006') }, later)).toMatchObject({
      giftCard: { balance: { amount: '10.01', currencyCode: 'EUR' } },
    });
    const initialAmount = { amount: '10', currencyCode: 'JPY' };
    expect(await issue({ initialAmount }, later)).toMatchObject({
      giftCard: null,
      userErrors: [{ field: ['input', 'initialAmount', 'currencyCode'], code: 'INVALID' }],
    });
    await later.devStore.close();
  });

  it.each([
    [{ initialValue: '0' }, 'initialValue', 'GREATER_THAN', 'must be greater than 0'],
    [
      { initialValue: '3000.01' },
      'initialValue',
      'GIFT_CARD_LIMIT_EXCEEDED',
      "can't exceed €3,000.00 EUR",
    ],
    [{ code: 'abc' }, 'code', 'TOO_SHORT', 'Code must be at least 8 characters long'],
    [{ code: 'x'.repeat(25) }, 'code', 'TOO_LONG', 'Code must be at most 20 characters long'],
    [
      { code: 'bad!code' },
      'code',
      'INVALID',
      'Code can only contain letters(a-z) and numbers(0-9)',
    ],
    [
      { code: 'abc', customerId: 'gid://shopify/Customer/9' },
      'customerId',
      'CUSTOMER_NOT_FOUND',
      'The customer could not be found.',
    ],
  ])('are refused with %j', async (given, field, code, message) => {
    expect(await issue({ initialValue: '10', ...given })).toEqual({
      giftCard: null,
      giftCardCode: null,
      userErrors: [{ field: ['input', field], code, message }],
    });
  });

  it('are presents to customers that are there, with a text that fits', async () => {
    const { customerCreate } = await fixture.call(
      `mutation { customerCreate(input: { firstName: "Ada" }) { customer { id } } }`,
    );
    const { id } = customerCreate!['customer'] as Data;
    const problem = async (recipient: object): Promise<unknown> => {
      const recipientAttributes = { id, ...recipient };
      return (await issue({ initialValue: '1', recipientAttributes }))['userErrors'];
    };
    const refused = (field: string, message: string, code = 'INVALID'): object[] => [
      { field: ['input', 'recipientAttributes', field], code, message },
    ];
    expect(await problem({ id: 'gid://shopify/Customer/9' })).toEqual(
      refused('id', 'Recipient could not be found', 'RECIPIENT_NOT_FOUND'),
    );
    expect(await problem({ message: '' })).toEqual(refused('message', "Message can't be blank"));
    expect(await problem({ preferredName: '<b>Ada</b>' })).toEqual(
      refused('preferredName', 'Preferred name cannot contain HTML tags'),
    );
    expect(await problem({ sendNotificationAt: '2000-01-01T00:00:00Z' })).toEqual(
      refused('sendNotificationAt', 'Send notification at must be within 90 days from now'),
    );
    expect(await problem({ message: 'Enjoy' })).toEqual([]);
    const { errors } = await fixture.answer(
      `mutation ($id: ID!, $message: String!) {
        giftCardCreate(input: { initialValue: "1", recipientAttributes: { id: $id, message: $message } }) {
          userErrors { message } } }`,
      { id, message: 'x'.repeat(201) },
    );
    expect(errors).toMatchObject([
      {
        message: 'message is too long (maximum is 200)',
        extensions: { code: 'INVALID_FIELD_ARGUMENTS' },
      },
    ]);
  });

  it('are credited and debited, in their currency and within their limits', async () => {
    const id = await card();
    expect(await move('Credit', id, { creditAmount: eur('2.00'), note: 'sorry' })).toEqual({
      transaction: {
        __typename: 'GiftCardCreditTransaction',
        note: 'sorry',
        amount: { amount: '2.0' },
        giftCard: { balance: { amount: '12.0' } },
      },
      userErrors: [],
    });
    expect(await move('Debit', id, { debitAmount: eur('3.00') })).toMatchObject({
      transaction: { amount: { amount: '-3.0' }, giftCard: { balance: { amount: '9.0' } } },
    });
    const { giftCard } = await fixture.call(
      `query ($id: ID!) { giftCard(id: $id) { transactions(first: 5) {
        nodes { __typename amount { amount } } } } }`,
      { id },
    );
    expect(giftCard!['transactions']).toEqual({
      nodes: [
        { __typename: 'GiftCardCreditTransaction', amount: { amount: '2.0' } },
        { __typename: 'GiftCardDebitTransaction', amount: { amount: '-3.0' } },
      ],
    });
    expect((await move('Debit', id, { debitAmount: eur('9999') }))['userErrors']).toEqual([
      {
        field: ['debitInput', 'debitAmount', 'amount'],
        code: 'INSUFFICIENT_FUNDS',
        message: 'The gift card does not have sufficient funds to satisfy the request.',
      },
    ]);
    const credited = async (input: object): Promise<unknown> =>
      ((await move('Credit', id, { creditAmount: eur('5'), ...input }))['userErrors'] as Data[])[0];
    expect(await credited({ creditAmount: eur('-1') })).toMatchObject({
      field: ['creditInput', 'creditAmount', 'amount'],
      code: 'NEGATIVE_OR_ZERO_AMOUNT',
    });
    expect(await credited({ creditAmount: eur('3000') })).toMatchObject({
      code: 'GIFT_CARD_LIMIT_EXCEEDED',
      message: "The gift card's value exceeds the allowed limits.",
    });
    const foreign = { amount: '5', currencyCode: 'USD' };
    expect(await credited({ creditAmount: foreign })).toMatchObject({
      field: ['creditInput', 'creditAmount', 'currencyCode'],
      code: 'MISMATCHING_CURRENCY',
    });
    expect(await credited({ processedAt: '2099-01-01T00:00:00Z' })).toMatchObject({
      field: ['creditInput', 'processedAt'],
      message: 'The processed date must not be in the future.',
    });
    for (const processedAt of ['1969-12-31T23:59:59Z', '', '2026-99-99T00'])
      expect(await credited({ processedAt })).toMatchObject({
        message: 'A valid processed date must be used.',
      });
    expect(await credited({ creditAmount: eur('0.004') })).toMatchObject({
      code: 'NEGATIVE_OR_ZERO_AMOUNT',
    });
  });

  it('are of no use once they are deactivated or have expired', async () => {
    const [off, late] = [await card(), await card({ expiresOn: '2020-01-01' })];
    expect(await deactivate(off)).toMatchObject({
      giftCardDeactivate: { giftCard: { enabled: false, deactivatedAt: expect.any(String) } },
    });
    for (const [id, message] of [
      [off, 'The gift card is deactivated.'],
      [late, 'The gift card has expired.'],
      ['gid://shopify/GiftCard/9', 'The gift card could not be found.'],
    ] as const) {
      const error = { field: ['id'], message };
      expect(await move('Credit', id, { creditAmount: eur('1') })).toMatchObject({
        transaction: null,
        userErrors: [error],
      });
    }
    const update = async (input: object, id = off): Promise<unknown> => {
      const { giftCardUpdate } = await fixture.call(
        `mutation ($id: ID!, $input: GiftCardUpdateInput!) { giftCardUpdate(id: $id, input: $input) {
          giftCard { note } userErrors { field message } } }`,
        { id, input },
      );
      return giftCardUpdate!;
    };
    expect(await update({ note: 'spent', expiresOn: '2099-12-31' })).toEqual({
      giftCard: null,
      userErrors: [{ field: ['input', 'expiresOn'], message: 'The gift card is deactivated.' }],
    });
    expect(await update({ note: 'spent' })).toEqual({
      giftCard: { note: 'spent' },
      userErrors: [],
    });
    expect(await update({})).toMatchObject({
      userErrors: [
        { field: ['input'], message: 'At least one argument is required in the input.' },
      ],
    });
    expect(await update({ note: 'x' }, 'gid://shopify/GiftCard/9')).toMatchObject({
      userErrors: [{ field: ['id'], message: 'The gift card could not be found.' }],
    });
  });

  it('are sent to people who can be reached', async () => {
    const person = async (input: object): Promise<string> => {
      const { customerCreate } = await fixture.call(
        `mutation ($input: CustomerInput!) { customerCreate(input: $input) { customer { id } } }`,
        { input },
      );
      return (customerCreate!['customer'] as Data)['id'] as string;
    };
    const send = async (whom: string, id: string): Promise<Data> => {
      const { sent } = await fixture.call(
        `mutation ($id: ID!) { sent: giftCardSendNotificationTo${whom}(id: $id) {
          giftCard { id } userErrors { field code message } } }`,
        { id },
      );
      return sent!;
    };
    const refused = (message: string): object => ({
      giftCard: null,
      userErrors: [{ field: null, code: 'INVALID', message }],
    });
    const nobody = await person({ firstName: 'Bo' });
    const somebody = await person({ email: 'cy@example.com' });
    expect(await send('Customer', await card())).toEqual(refused('The gift card has no customer.'));
    expect(await send('Recipient', await card())).toEqual(
      refused('The gift card has no recipient.'),
    );
    expect(await send('Recipient', await card({ recipientAttributes: { id: nobody } }))).toEqual(
      refused('The recipient has no contact information (e.g. email address or phone number).'),
    );
    const id = await card({ customerId: somebody });
    expect(await send('Customer', id)).toEqual({ giftCard: { id }, userErrors: [] });
  });

  it('have the limits that the configuration tells', async () => {
    expect(
      await fixture.call(
        '{ giftCardConfiguration { issueLimit { amount } purchaseLimit { amount } } }',
      ),
    ).toEqual({
      giftCardConfiguration: {
        issueLimit: { amount: '3000.0' },
        purchaseLimit: { amount: '14000.0' },
      },
    });
  });
});
