import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DevStore } from '../../../../lib/dev-store/index.js';
import { openStore, type Call } from '../custom-data.fixture.js';

// The refusals are those of the platform, with their words.

const USER_ERRORS = 'userErrors { field message code }';
const template = (number: number) => `gid://shopify/PaymentTermsTemplate/${number}`;
const TERMS = `paymentTerms { id due overdue dueInDays paymentTermsName paymentTermsType
  paymentSchedules(first: 2) { nodes { id issuedAt dueAt completedAt due
    balanceDue { amount currencyCode } } } }`;

describe('payment terms', () => {
  let devStore: DevStore;
  let call: Call;

  beforeAll(async () => {
    const opened = await openStore({ limits: { graphql: 'off' } });
    devStore = opened.devStore;
    call = opened.call('own', 'write_payment_terms,write_draft_orders,write_orders');
  });
  afterAll(() => devStore.close());

  const draft = async (): Promise<string> => {
    const { data } = await call(`mutation { draftOrderCreate(input: {
      lineItems: [{ title: "Hat", quantity: 1, originalUnitPrice: "18.50" }]
    }) { draftOrder { id } } }`);
    return data.draftOrderCreate.draftOrder.id;
  };
  const create = async (referenceId: string, attributes: object) => {
    const { data } = await call(
      `mutation ($referenceId: ID!, $attributes: PaymentTermsCreateInput!) {
        paymentTermsCreate(referenceId: $referenceId, paymentTermsAttributes: $attributes) {
          ${TERMS} ${USER_ERRORS} } }`,
      { referenceId, attributes },
    );
    return data.paymentTermsCreate;
  };
  const refusal = (verb: string, message: string) => [
    { field: null, message, code: `PAYMENT_TERMS_${verb}_UNSUCCESSFUL` },
  ];

  it('have the templates of every shop', async () => {
    const { data } = await call(`{ all: paymentTermsTemplates { id name paymentTermsType }
      net: paymentTermsTemplates(paymentTermsType: NET) { description dueInDays } }`);
    expect(data.all.map(({ name }: { name: string }) => name)).toEqual(
      'Due on receipt,Due on fulfillment,Net 7,Net 15,Net 30,Net 45,Net 60,Net 90,Fixed'.split(','),
    );
    expect(data.all[1]).toMatchObject({ id: template(9), paymentTermsType: 'FULFILLMENT' });
    expect(data.net[0]).toEqual({ description: 'Within 7 days', dueInDays: 7 });
  });

  it('are of orders and drafts, which have them once', async () => {
    const { nodes } = devStore.shop();
    const customer = nodes.create('Customer', {}).id;
    const receipt = { paymentTermsTemplateId: template(1) };
    expect(await create(customer, receipt)).toMatchObject({
      paymentTerms: null,
      userErrors: [{ code: 'PAYMENT_TERMS_CREATION_UNSUCCESSFUL' }],
    });
    expect(nodes.find(customer)?.fields).toEqual({});
    const order = await draft();
    await create(order, receipt);
    const { paymentTerms } = await create(order, { paymentTermsTemplateId: template(9) });
    expect(paymentTerms).toMatchObject({ paymentTermsType: 'FULFILLMENT' });
    expect(nodes.all(['PaymentTerms'])).toHaveLength(1);
  });

  it('are set, changed and deleted for a draft', async () => {
    const order = await draft();
    const { paymentTerms } = await create(order, {
      paymentTermsTemplateId: template(4),
      paymentSchedules: [{ issuedAt: '2026-01-01T00:00:00Z' }],
    });
    expect(paymentTerms).toMatchObject({
      overdue: true,
      dueInDays: 30,
      paymentTermsName: 'Net 30',
      paymentTermsType: 'NET',
      paymentSchedules: {
        nodes: [
          {
            issuedAt: '2026-01-01T00:00:00Z',
            dueAt: '2026-01-31T00:00:00Z',
            completedAt: null,
            due: true,
            balanceDue: { amount: '18.5' },
          },
        ],
      },
    });
    const { data } = await call(
      `mutation ($id: ID!, $schedule: ID!, $template: ID!, $order: ID!) {
        sent: paymentReminderSend(paymentScheduleId: $schedule) { success ${USER_ERRORS} }
        paymentTermsUpdate(input: { paymentTermsId: $id,
          paymentTermsAttributes: { paymentTermsTemplateId: $template } }) {
          ${TERMS} ${USER_ERRORS} }
        late: paymentReminderSend(paymentScheduleId: $schedule) { success ${USER_ERRORS} }
        first: paymentTermsDelete(input: { paymentTermsId: $id }) { deletedId ${USER_ERRORS} }
        again: paymentTermsDelete(input: { paymentTermsId: $id }) { deletedId ${USER_ERRORS} }
        draftOrderUpdate(id: $order, input: { note: "n" }) {
          draftOrder { paymentTerms { id } } } }`,
      {
        id: paymentTerms.id,
        schedule: paymentTerms.paymentSchedules.nodes[0].id,
        template: template(1),
        order,
      },
    );
    expect(data).toMatchObject({
      sent: { success: true, userErrors: [] },
      paymentTermsUpdate: {
        paymentTerms: {
          id: paymentTerms.id,
          due: false,
          paymentTermsName: 'Due on receipt',
          paymentSchedules: { nodes: [] },
        },
      },
      late: {
        success: null,
        userErrors: [
          {
            field: null,
            message: 'Payment schedule does not exist',
            code: 'PAYMENT_REMINDER_SEND_UNSUCCESSFUL',
          },
        ],
      },
      first: { deletedId: paymentTerms.id, userErrors: [] },
      again: { deletedId: null, userErrors: refusal('DELETE', 'Could not find payment terms.') },
      draftOrderUpdate: { draftOrder: { paymentTerms: null } },
    });
  });

  it.each([
    [9999, [{ issuedAt: '2026-01-01T00:00:00Z' }], 'Could not find payment terms template.'],
    [7, [{}], 'A due date is required with fixed or net payment terms.'],
    [1, [{ dueAt: '2026-01-01T00:00:00Z' }], 'A due date cannot be set with event payment terms.'],
    [4, [{}, {}], 'Cannot create payment terms with multiple payment schedules.'],
  ])('are refused: template %d, %j', async (number, paymentSchedules, message) => {
    const order = await draft();
    const attributes = { paymentTermsTemplateId: template(number), paymentSchedules };
    expect(await create(order, attributes)).toEqual({
      paymentTerms: null,
      userErrors: refusal('CREATION', message),
    });
  });

  it.each([
    ['gid://shopify/Order/123', 'Cannot find the specific Order with id 123.'],
    ['gid://shopify/DraftOrder/42', 'Cannot find the specific Draft order with id 42.'],
  ])('are refused for %s', async (id, message) => {
    const answer = await create(id, { paymentTermsTemplateId: template(4) });
    expect(answer).toEqual({ paymentTerms: null, userErrors: refusal('CREATION', message) });
  });
});

describe('payment customizations', () => {
  let devStore: DevStore;
  let call: Call;

  beforeAll(async () => {
    const opened = await openStore();
    devStore = opened.devStore;
    call = opened.call('own', 'write_payment_customizations');
  });
  afterAll(() => devStore.close());

  const create = async (input: object) => {
    const { data } = await call(
      `mutation ($input: PaymentCustomizationInput!) {
        paymentCustomizationCreate(paymentCustomization: $input) {
          paymentCustomization { id title enabled functionId } ${USER_ERRORS} } }`,
      { input },
    );
    return data.paymentCustomizationCreate;
  };
  const GONE = 'gid://shopify/PaymentCustomization/0';
  const full = { title: 'Hide cash', enabled: true, functionId: '019dc65a' };
  const notFound = (field: string, message: string) => [
    { field: [field], message, code: 'PAYMENT_CUSTOMIZATION_NOT_FOUND' },
  ];

  it.each([
    [
      { ...full, functionHandle: 'hide-cash' },
      [],
      'Only one of function_id or function_handle can be provided, not both.',
      'MULTIPLE_FUNCTION_IDENTIFIERS',
    ],
    [
      { ...full, functionId: null },
      ['functionHandle'],
      'Either function_id or function_handle must be provided.',
      'MISSING_FUNCTION_IDENTIFIER',
    ],
    [
      { ...full, title: null },
      ['title'],
      'Required input field must be present.',
      'REQUIRED_INPUT_FIELD',
    ],
    [
      { ...full, enabled: null },
      ['enabled'],
      'Required input field must be present.',
      'REQUIRED_INPUT_FIELD',
    ],
    [
      { ...full, functionId: 'gid://shopify/ShopifyFunction/0' },
      ['functionId'],
      'Function gid://shopify/ShopifyFunction/0 not found. Ensure that it is released in the current app (own), and that the app is installed.',
      'FUNCTION_NOT_FOUND',
    ],
  ])('are refused: %j', async (input, field, message, code) => {
    expect(await create(input)).toEqual({
      paymentCustomization: null,
      userErrors: [{ field: ['paymentCustomization', ...field], message, code }],
    });
  });

  it('keep the metafields of their inputs', async () => {
    const metafield = (value: string) => ({
      ...{ namespace: 'n', key: 'k', value, type: 'single_line_text_field' },
    });
    const { id } = (await create({ ...full, metafields: [metafield('a')] })).paymentCustomization;
    const read = async () => {
      const { data } = await call(
        `query ($id: ID!) { paymentCustomization(id: $id) {
          metafield(namespace: "n", key: "k") { value } } }`,
        { id },
      );
      return data.paymentCustomization.metafield;
    };
    expect(await read()).toEqual({ value: 'a' });
    await call(
      `mutation ($id: ID!, $input: PaymentCustomizationInput!) {
        paymentCustomizationUpdate(id: $id, paymentCustomization: $input) { ${USER_ERRORS} } }`,
      { id, input: { metafields: [metafield('b')] } },
    );
    expect(await read()).toEqual({ value: 'b' });
  });

  it('are created, changed, switched off and deleted', async () => {
    const { paymentCustomization } = await create(full);
    const { id } = paymentCustomization;
    expect(paymentCustomization).toEqual({ id, ...full });
    const { data } = await call(
      `mutation ($id: ID!, $gone: ID!) {
        renamed: paymentCustomizationUpdate(id: $id, paymentCustomization: { title: "New" }) {
          paymentCustomization { title functionId } ${USER_ERRORS} }
        other: paymentCustomizationUpdate(id: $id, paymentCustomization: { functionId: "x" }) {
          paymentCustomization { id } ${USER_ERRORS} }
        unknown: paymentCustomizationUpdate(id: $gone, paymentCustomization: { title: "N" }) {
          paymentCustomization { id } ${USER_ERRORS} }
        off: paymentCustomizationActivation(ids: [$id, $gone], enabled: false) {
          ids ${USER_ERRORS} }
        none: paymentCustomizationActivation(ids: [], enabled: false) { ids ${USER_ERRORS} }
        deleted: paymentCustomizationDelete(id: $id) { deletedId ${USER_ERRORS} }
        again: paymentCustomizationDelete(id: $gone) { deletedId ${USER_ERRORS} } }`,
      { id, gone: GONE },
    );
    const missing = notFound('id', `Could not find PaymentCustomization with id: ${GONE}`);
    expect(data).toEqual({
      renamed: {
        paymentCustomization: { title: 'New', functionId: full.functionId },
        userErrors: [],
      },
      other: {
        paymentCustomization: null,
        userErrors: [
          {
            field: ['paymentCustomization', 'functionId'],
            message: 'Function ID cannot be changed.',
            code: 'FUNCTION_ID_CANNOT_BE_CHANGED',
          },
        ],
      },
      unknown: { paymentCustomization: null, userErrors: missing },
      off: {
        ids: [id],
        userErrors: notFound('ids', `Could not find payment customizations with IDs: ${GONE}`),
      },
      none: { ids: [], userErrors: [] },
      deleted: { deletedId: id, userErrors: [] },
      again: { deletedId: null, userErrors: missing },
    });
  });
});
