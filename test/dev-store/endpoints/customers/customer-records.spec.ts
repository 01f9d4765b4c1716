import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

/** The fields of a payload that are objects. */
type Payload = Readonly<Record<string, { readonly id?: string } | undefined>>;

describe('what the customers of a simulated shop have', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(['customers', 'orders', 'gift_cards']);
  });
  afterAll(() => fixture.devStore.close());

  const create = async (input: object): Promise<string> => {
    const { payload } = await fixture.call(
      `mutation ($input: CustomerInput!) {
        payload: customerCreate(input: $input) { customer { id } userErrors { message } } }`,
      { input },
    );
    return (payload!['customer'] as { id: string }).id;
  };

  it('is addresses, of which one is the default', async () => {
    const id = await create({ email: 'ada@a.test', firstName: 'Ada', lastName: 'Lovelace' });
    const add = async (address: object, setAsDefault?: boolean): Promise<Payload> => {
      const { payload } = await fixture.call(
        `mutation ($id: ID!, $address: MailingAddressInput!, $setAsDefault: Boolean) {
          payload: customerAddressCreate(customerId: $id, address: $address
            setAsDefault: $setAsDefault) {
            address { id name city country formattedArea } userErrors { field message } } }`,
        { id, address, setAsDefault },
      );
      return payload as unknown as Payload;
    };
    const ottawa = { city: ' Ottawa ', countryCode: 'CA', provinceCode: 'ON' };
    const { address: first } = await add(ottawa);
    expect(first).toEqual({
      id: expect.stringMatching(/MailingAddress/),
      ...{ name: 'Ada Lovelace', city: 'Ottawa', country: 'Canada' },
      formattedArea: 'Ottawa ON, Canada',
    });
    expect((await add(ottawa))['userErrors']).toEqual([
      { field: ['address'], message: 'Address already exists' },
    ]);
    expect((await add({ city: 'https://evil.example' }))['userErrors']).toEqual([
      { field: ['address', 'city'], message: 'City cannot contain URL' },
    ]);
    const { address: second } = await add({ city: 'Toronto', countryCode: 'CA' });
    const read = async (): Promise<unknown> => {
      const { customer } = await fixture.call(
        `query ($id: ID!) { customer(id: $id) {
          defaultAddress { city } addressesV2(first: 5) { nodes { city } } } }`,
        { id },
      );
      return customer;
    };
    const cities = (...names: string[]): object => ({ nodes: names.map((city) => ({ city })) });
    expect(await read()).toEqual({
      defaultAddress: { city: 'Ottawa' },
      addressesV2: cities('Ottawa', 'Toronto'),
    });
    await fixture.call(
      `mutation ($id: ID!, $address: ID!) {
        customerUpdateDefaultAddress(customerId: $id, addressId: $address) { customer { id } }
        customerAddressUpdate(customerId: $id, addressId: $address, address: { city: "Québec" }) {
          address { name } }
      }`,
      { id, address: second?.id },
    );
    expect(await read()).toEqual({
      defaultAddress: { city: 'Québec' },
      addressesV2: cities('Ottawa', 'Québec'),
    });
    const remove = `mutation ($id: ID!, $address: ID!) {
      customerAddressDelete(customerId: $id, addressId: $address) {
        deletedAddressId userErrors { field message } } }`;
    const other = await create({ firstName: 'Bob' });
    expect(await fixture.call(remove, { id: other, address: second?.id })).toEqual({
      customerAddressDelete: {
        deletedAddressId: null,
        userErrors: [{ field: ['addressId'], message: 'Address does not exist' }],
      },
    });
    await fixture.call(remove, { id, address: second?.id });
    expect(await read()).toEqual({
      defaultAddress: { city: 'Ottawa' },
      addressesV2: cities('Ottawa'),
    });
    const { data, errors } = await fixture.answer(remove, { id, address: second?.id });
    expect(data).toEqual({ customerAddressDelete: null });
    expect(errors![0]!.extensions['code']).toBe('RESOURCE_NOT_FOUND');
  });

  it('is addresses with the names of their provinces, until other ones are set', async () => {
    const id = await create({ email: 'eve@a.test' });
    const set = async (addresses: object[] | null): Promise<unknown> => {
      const { payload } = await fixture.call(
        `mutation ($id: ID!, $input: CustomerSetInput!) {
          payload: customerSet(identifier: { id: $id }, input: $input) {
            customer { addressesV2(first: 20) { nodes { province country } } }
            userErrors { field message } } }`,
        { id, input: { email: 'eve@a.test', addresses } },
      );
      return (payload!['customer'] as Payload)['addressesV2'];
    };
    const nodes = [
      { province: 'Ontario', country: 'Canada' },
      { province: 'Washington', country: 'United States' },
      { province: null, country: 'Canada' },
      { province: null, country: 'Ireland' },
    ];
    const given = [
      { countryCode: 'CA', provinceCode: 'ON' },
      { countryCode: 'US', provinceCode: 'WA' },
      { countryCode: 'CA', provinceCode: 'WA' },
      { countryCode: 'IE', provinceCode: 'constructor' },
    ];
    expect(await set(given)).toEqual({ nodes });
    expect(await set(null)).toEqual({ nodes });
    expect(await set([])).toEqual({ nodes: [] });
    const beyond = [
      ...[
        ['AS', 'American Samoa'],
        ['FM', 'Federated States of Micronesia'],
        ['GU', 'Guam'],
      ],
      ...[
        ['MH', 'Marshall Islands'],
        ['MP', 'Northern Mariana Islands'],
        ['PW', 'Palau'],
      ],
      ...[
        ['PR', 'Puerto Rico'],
        ['VI', 'Virgin Islands'],
        ['AA', 'Armed Forces Americas'],
      ],
      ...[
        ['AE', 'Armed Forces Europe'],
        ['AP', 'Armed Forces Pacific'],
      ],
    ];
    expect(
      await set(beyond.map(([provinceCode]) => ({ countryCode: 'US', provinceCode }))),
    ).toEqual({
      nodes: beyond.map(([, province]) => ({ province, country: 'United States' })),
    });
  });

  it('is exemptions from taxes, each once', async () => {
    const id = await create({ firstName: 'Tax' });
    const change = async (verb: string, ...taxExemptions: string[]): Promise<unknown> => {
      const { payload } = await fixture.call(
        `mutation ($id: ID!, $taxExemptions: [TaxExemption!]!) {
          payload: customer${verb}TaxExemptions(customerId: $id, taxExemptions: $taxExemptions) {
            customer { taxExemptions taxExempt } userErrors { message } } }`,
        { id, taxExemptions },
      );
      return payload!['customer'];
    };
    const [bc, ca] = ['CA_BC_RESELLER_EXEMPTION', 'US_CA_RESELLER_EXEMPTION'];
    await change('Add', bc!);
    expect(await change('Add', ca!, bc!)).toEqual({ taxExemptions: [bc, ca], taxExempt: false });
    expect(await change('Remove', bc!)).toEqual({ taxExemptions: [ca], taxExempt: false });
    expect(await change('Replace', bc!, bc!)).toEqual({ taxExemptions: [bc], taxExempt: false });
  });

  it('goes to the second of two that are merged', async () => {
    const one = await create({
      email: 'one@a.test',
      firstName: 'Merge',
      note: 'first',
      tags: ['a'],
    });
    const two = await create({ email: 'two@a.test', lastName: 'Two', note: 'second', tags: ['b'] });
    const order = fixture.shop.nodes.create('Order', { customer: one });
    const { customerMergePreview } = await fixture.call(
      `query ($one: ID!, $two: ID!) { customerMergePreview(customerOneId: $one, customerTwoId: $two) {
        resultingCustomerId defaultFields { displayName note tags email { emailAddress } }
        alternateFields { email { emailAddress } } blockingFields { note } customerMergeErrors { message }
      } }`,
      { one, two },
    );
    expect(customerMergePreview).toEqual({
      resultingCustomerId: two,
      defaultFields: {
        ...{ displayName: 'Merge Two', note: 'second first', tags: ['b', 'a'] },
        email: { emailAddress: 'two@a.test' },
      },
      alternateFields: { email: { emailAddress: 'one@a.test' } },
      ...{ blockingFields: null, customerMergeErrors: null },
    });
    const merge = async (first: string, second: string): Promise<Payload> => {
      const { customerMerge } = await fixture.call(
        `mutation ($one: ID!, $two: ID!) { customerMerge(customerOneId: $one, customerTwoId: $two
          overrideFields: { note: "merged" }) {
          resultingCustomerId job { id done } userErrors { field message code } } }`,
        { one: first, two: second },
      );
      return customerMerge as unknown as Payload;
    };
    const code = 'INVALID_CUSTOMER_ID';
    expect(await merge(one, one)).toMatchObject({
      userErrors: [{ field: null, message: 'Customers IDs should not match', code }],
    });
    expect(await merge(one, 'gid://shopify/Customer/9')).toMatchObject({
      job: null,
      userErrors: [
        { field: ['customerTwoId'], message: 'Customer does not exist with ID 9', code },
      ],
    });
    const balance = { amount: '5.0', currencyCode: 'EUR' };
    for (const [type, fields, words, blocker] of [
      ['GiftCard', { customer: one }, 'has gift cards', 'GIFT_CARDS'],
      ['StoreCreditAccount', { owner: one, balance }, 'has store credit', 'STORE_CREDIT'],
      ['SubscriptionContract', { customer: one }, 'has subscriptions', 'SUBSCRIPTIONS'],
      ['CompanyContact', { customer: one }, 'is a company contact', 'COMPANY_CONTACT'],
      [
        'CustomerPaymentMethod',
        { customer: one },
        'has payment methods',
        'CUSTOMER_PAYMENT_METHODS',
      ],
    ] as const) {
      const made = fixture.shop.nodes.create(type, fields);
      const message = `Merge ${words} and can’t be merged.`;
      expect(await merge(one, two)).toEqual({
        ...{ resultingCustomerId: null, job: null },
        userErrors: [{ field: ['customerOneId'], message, code: 'INVALID_CUSTOMER' }],
      });
      const { preview } = await fixture.call(
        `query ($one: ID!, $two: ID!) { preview: customerMergePreview(customerOneId: $one
          customerTwoId: $two) { customerMergeErrors { errorFields message } } }`,
        { one, two },
      );
      expect(preview).toEqual({ customerMergeErrors: [{ errorFields: [blocker], message }] });
      fixture.shop.nodes.delete(made.id);
    }
    const merged = await merge(one, two);
    expect(merged).toEqual({
      resultingCustomerId: two,
      job: { id: expect.any(String), done: false },
      userErrors: [],
    });
    const data = await fixture.call(
      `query ($one: ID!, $two: ID!, $job: ID!) { one: customer(id: $one) { id }
        two: customer(id: $two) { firstName note orders(first: 2) { nodes { id } } }
        customerMergeJobStatus(jobId: $job) { status resultingCustomerId customerMergeErrors { message } } }`,
      { one, two, job: merged['job']?.id },
    );
    expect(data).toEqual({
      one: null,
      two: { firstName: 'Merge', note: 'merged', orders: { nodes: [{ id: order.id }] } },
      customerMergeJobStatus: {
        ...{ status: 'COMPLETED', resultingCustomerId: two, customerMergeErrors: [] },
      },
    });
  });

  it('is store credit, an account for each currency', async () => {
    const id = await create({ firstName: 'Credit' });
    const move = async (verb: 'credit' | 'debit', amount: string, more = {}): Promise<Payload> => {
      const name = verb === 'credit' ? 'Credit' : 'Debit';
      const { payload } = await fixture.call(
        `mutation ($id: ID!, $input: StoreCreditAccount${name}Input!) {
          payload: storeCreditAccount${name}(id: $id, ${verb}Input: $input) {
            storeCreditAccountTransaction { amount { amount } balanceAfterTransaction { amount currencyCode }
              event origin { __typename } account { balance { amount } owner { ... on Customer { id } } } }
            userErrors { field message code } } }`,
        { id, input: { [`${verb}Amount`]: { amount, currencyCode: 'USD' }, ...more } },
      );
      return payload as unknown as Payload;
    };
    const error = (path: string, message: string, code: string): object => ({
      storeCreditAccountTransaction: null,
      userErrors: [{ field: path.split('.'), message, code }],
    });
    expect(await move('debit', '1.00')).toEqual(
      error('id', 'Store credit account does not exist', 'ACCOUNT_NOT_FOUND'),
    );
    expect(await move('credit', '7.23')).toEqual({
      storeCreditAccountTransaction: {
        amount: { amount: '7.23' },
        balanceAfterTransaction: { amount: '7.23', currencyCode: 'USD' },
        ...{ event: 'ADJUSTMENT', origin: null },
        account: { balance: { amount: '7.23' }, owner: { id } },
      },
      userErrors: [],
    });
    expect(await move('credit', '0.00')).toEqual(
      error(
        'creditInput.creditAmount.amount',
        'A positive amount must be used to credit a store credit account',
        'NEGATIVE_OR_ZERO_AMOUNT',
      ),
    );
    expect(await move('credit', '100000.00')).toMatchObject({
      userErrors: [{ code: 'CREDIT_LIMIT_EXCEEDED' }],
    });
    expect(await move('credit', '1.00', { expiresAt: '2000-01-01T00:00:00Z' })).toEqual(
      error('creditInput.expiresAt', 'The expiry date must be in the future', 'EXPIRES_AT_IN_PAST'),
    );
    expect(await move('debit', '9999.00')).toMatchObject({
      userErrors: [{ code: 'INSUFFICIENT_FUNDS' }],
    });
    const debited = await move('debit', '0.23');
    expect(debited['storeCreditAccountTransaction']).toMatchObject({
      balanceAfterTransaction: { amount: '7.0' },
    });
  });

  it('is the wish that their data is not sold, by email', async () => {
    const optOut = async (email: string): Promise<unknown> =>
      (
        await fixture.call(
          `mutation ($email: String!) { dataSaleOptOut(email: $email) {
            customerId userErrors { field message code } } }`,
          { email },
        )
      )['dataSaleOptOut'];
    expect(await optOut('not-an-email')).toEqual({
      customerId: null,
      userErrors: [{ field: null, message: 'Data sale opt out failed.', code: 'FAILED' }],
    });
    for (const email of ['a@b.co2', 'a@b.c-o', `${'a'.repeat(129)}@b.co`])
      expect(await optOut(email)).toMatchObject({ customerId: null });
    const { customerId } = (await optOut('sel ler@a.test')) as { customerId: string };
    const { customer } = await fixture.call(
      'query ($id: ID!) { customer(id: $id) { email dataSaleOptOut } }',
      { id: customerId },
    );
    expect(customer).toEqual({ email: 'seller@a.test', dataSaleOptOut: true });
  });
});
