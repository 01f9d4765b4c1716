import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

const NOBODY = 'gid://shopify/Customer/999999999999999';

describe('what the mutations of customers are refused for', () => {
  let fixture: NodeShopFixture;
  let id: string;
  beforeAll(async () => {
    fixture = await openNodeShop(['customers']);
    const { customerCreate } = await fixture.call(`mutation {
      customerCreate(input: { email: "ada@a.test", firstName: "Ada" }) { customer { id } } }`);
    ({ id } = customerCreate!['customer'] as { id: string });
  });
  afterAll(() => fixture.devStore.close());

  const run = async (field: string, type: string, input: object): Promise<unknown> => {
    const data = await fixture.call(
      `mutation ($input: ${type}!) { ${field}(input: $input) {
        customer { id } userErrors { field message } } }`,
      { input },
    );
    return data[field];
  };
  const refused = (path: string | null, message: string): object => ({
    customer: null,
    userErrors: [{ field: path?.split('.') ?? null, message }],
  });

  it('is an id, long texts, bad addresses and consents without an address on creation', async () => {
    const cases: Array<[object, string, string]> = [
      [{ id, firstName: 'Bob' }, 'id', 'Cannot specify ID on creation'],
      [
        { firstName: 'a'.repeat(256) },
        'firstName',
        'First name is too long (maximum is 255 characters)',
      ],
      [
        { firstName: 'Bob', note: 'n'.repeat(5001) },
        'note',
        'Note is too long (maximum is 5000 characters)',
      ],
      [
        { firstName: 'Bob', tags: [Array.from({ length: 251 }, (_, at) => `t${at}`).join(',')] },
        'tags',
        'Tags cannot be more than 250',
      ],
      [
        { firstName: 'Bob', addresses: [{ city: ' ', zip: '' }] },
        'addresses.0',
        'Customer address cannot be blank.',
      ],
      [
        { firstName: 'Bob', addresses: [{ address1: 'x'.repeat(256) }] },
        'addresses.0.address1',
        'Address1 is too long (maximum is 255 characters)',
      ],
      [
        { firstName: 'Bob', smsMarketingConsent: { marketingState: 'SUBSCRIBED' } },
        'smsMarketingConsent',
        'A phone number is required to set the SMS consent state.',
      ],
    ];
    for (const [input, path, message] of cases)
      expect(await run('customerCreate', 'CustomerInput', input)).toEqual(refused(path, message));
  });

  it('is a consent in an update, and a state that nobody can choose', async () => {
    const consent = { marketingState: 'SUBSCRIBED' };
    expect(
      await run('customerUpdate', 'CustomerInput', { id, emailMarketingConsent: consent }),
    ).toEqual(
      refused(
        'emailMarketingConsent',
        'To update emailMarketingConsent, please use the customerEmailMarketingConsentUpdate Mutation instead',
      ),
    );
    const { data, errors } = await fixture.answer(
      `mutation ($input: CustomerEmailMarketingConsentUpdateInput!) {
        customerEmailMarketingConsentUpdate(input: $input) { customer { id } } }`,
      { input: { customerId: id, emailMarketingConsent: { marketingState: 'REDACTED' } } },
    );
    expect(data).toEqual({ customerEmailMarketingConsentUpdate: null });
    expect(errors).toMatchObject([
      {
        message: 'Cannot specify REDACTED as a marketing state input',
        extensions: { code: 'INVALID' },
      },
    ]);
  });

  it('differs between the consents to email and to text messages', async () => {
    const email = (customerId: string, consent: object): Promise<unknown> =>
      run('customerEmailMarketingConsentUpdate', 'CustomerEmailMarketingConsentUpdateInput', {
        customerId,
        emailMarketingConsent: consent,
      });
    const sms = (customerId: string, consent: object): Promise<unknown> =>
      run('customerSmsMarketingConsentUpdate', 'CustomerSmsMarketingConsentUpdateInput', {
        customerId,
        smsMarketingConsent: consent,
      });
    const subscribed = { marketingState: 'SUBSCRIBED' };
    expect(await email(NOBODY, subscribed)).toEqual(
      refused('input.customerId', 'Customer not found'),
    );
    expect(await sms(NOBODY, subscribed)).toEqual(refused(null, 'Customer not found'));
    expect(await sms(id, subscribed)).toEqual(
      refused(
        'input.smsMarketingConsent',
        'A phone number is required to set the SMS consent state.',
      ),
    );
    expect(await email(id, { ...subscribed, consentUpdatedAt: '2999-01-01T00:00:00Z' })).toEqual({
      ...refused(
        'input.emailMarketingConsent.consentUpdatedAt',
        'Consent updated at must not be in the future',
      ),
      customer: { id },
    });
    expect(await email(id, { marketingState: 'PENDING' })).toMatchObject({
      userErrors: [{ field: ['input', 'emailMarketingConsent', 'marketingOptInLevel'] }],
    });
    await email(id, { ...subscribed, consentUpdatedAt: '2026-01-02T00:00:00Z' });
    const { customer } = await fixture.call(
      `query ($id: ID!) { customer(id: $id) { defaultEmailAddress {
        marketingState marketingOptInLevel marketingUpdatedAt } } }`,
      { id },
    );
    expect(customer!['defaultEmailAddress']).toEqual({
      marketingState: 'SUBSCRIBED',
      marketingOptInLevel: 'SINGLE_OPT_IN',
      marketingUpdatedAt: '2026-01-02T00:00:00Z',
    });
  });

  it('is what an identifier does not fit', async () => {
    const set = async (identifier: object | null, input: object): Promise<unknown> => {
      const { customerSet } = await fixture.call(
        `mutation ($identifier: CustomerSetIdentifiers, $input: CustomerSetInput!) {
          customerSet(identifier: $identifier, input: $input) {
            customer { email } userErrors { field message code } } }`,
        { identifier, input },
      );
      return customerSet;
    };
    const errors = async (...args: Parameters<typeof set>): Promise<unknown> =>
      ((await set(...args)) as { userErrors: unknown }).userErrors;
    expect(await errors({ id: NOBODY }, { firstName: 'Ghost' })).toEqual([
      {
        field: ['input'],
        message: 'Resource matching the identifier was not found.',
        code: 'NOT_FOUND',
      },
    ]);
    expect(await errors(null, { email: '' })).toEqual([
      {
        field: ['input'],
        message: 'A name, phone number, or email address must be present',
        code: 'INVALID',
      },
    ]);
    expect(await errors({ email: 'eve@a.test' }, { firstName: 'Eve' })).toMatchObject([
      { message: 'The input field corresponding to the identifier is required.' },
    ]);
    expect(await errors({ email: 'eve@a.test' }, { email: 'ada@a.test' })).toMatchObject([
      {
        message:
          'The identifier value does not match the value of the corresponding field in the input.',
      },
    ]);
    expect(await errors(null, { email: 'ada@a.test' })).toMatchObject([
      { field: ['input', 'email'], message: 'Email has already been taken' },
    ]);
    expect(await set({ email: 'eve@a.test' }, { email: 'eve@a.test' })).toEqual({
      customer: { email: 'eve@a.test' },
      userErrors: [],
    });
  });

  it('is nobody at all, in the words of each mutation', async () => {
    const data = await fixture.call(
      `mutation ($id: ID!) {
        tax: customerAddTaxExemptions(customerId: $id, taxExemptions: [US_CA_RESELLER_EXEMPTION]) {
          userErrors { field message } }
        url: customerGenerateAccountActivationUrl(customerId: $id) {
          accountActivationUrl userErrors { field message } }
        invite: customerSendAccountInviteEmail(customerId: $id) { userErrors { field message } }
        address: customerAddressCreate(customerId: $id, address: {}) { userErrors { field message } }
      }`,
      { id: NOBODY },
    );
    const field = ['customerId'];
    expect(data).toEqual({
      tax: { userErrors: [{ field, message: 'Customer does not exist.' }] },
      url: {
        accountActivationUrl: null,
        userErrors: [{ field, message: "The customer can't be found." }],
      },
      invite: { userErrors: [{ field, message: "Customer can't be found" }] },
      address: { userErrors: [{ field, message: 'Customer does not exist' }] },
    });
  });

  it('is an email address or a phone number that is none, too long, or of another one', async () => {
    const create = (input: object): Promise<unknown> =>
      run('customerCreate', 'CustomerInput', input);
    expect(await create({ phone: '+1 (613) 450-5293', email: 'bo b@A.test' })).toMatchObject({
      userErrors: [],
    });
    for (const identifier of [{ emailAddress: 'BO b@a.test' }, { phoneNumber: '+1 613 450 5293' }])
      expect(
        await fixture.call(
          `query ($identifier: CustomerIdentifierInput!) {
            customerByIdentifier(identifier: $identifier) { email phone } }`,
          { identifier },
        ),
      ).toEqual({ customerByIdentifier: { email: 'bob@a.test', phone: '+16134505293' } });
    expect(await create({ phone: '+16134505293' })).toEqual(
      refused('phone', 'Phone has already been taken'),
    );
    expect(await create({ email: 'Bob@a.test ' })).toEqual(
      refused('email', 'Email has already been taken'),
    );
    for (const [name, value, label] of [
      ['phone', `+${'1'.repeat(255)}`, 'Phone'],
      ['email', `${'a'.repeat(250)}@a.test`, 'Email'],
    ] as const) {
      const errors = (at: string[]): object[] => [
        { field: [...at, name], message: `${label} is too long (maximum is 255 characters)` },
        { field: [...at, name], message: `${label} is invalid` },
      ];
      expect(await create({ [name]: value })).toEqual({ customer: null, userErrors: errors([]) });
      expect(await run('customerSet', 'CustomerSetInput', { [name]: value })).toEqual({
        customer: null,
        userErrors: errors(['input']),
      });
    }
    expect(await run('customerSet', 'CustomerSetInput', { phone: '+1-613-450-5293' })).toEqual(
      refused('input.phone', 'Phone has already been taken'),
    );
  });
});
