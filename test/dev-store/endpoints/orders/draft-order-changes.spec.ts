import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('what is done with draft orders of a simulated shop', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(['draft_orders', 'orders', 'products'], '2026-04');
  });
  afterAll(() => fixture.devStore.close());

  const LINE = { title: 'Kite', quantity: 2, originalUnitPrice: '3.50' };
  const payloadOf = async (field: string, given: string, variables: object): Promise<Data> => {
    const { payload } = await fixture.call(
      `mutation (${given}) { payload: ${field} {
        draftOrder { id name status tags email invoiceUrl completedAt order { id }
          totalPriceSet { shopMoney { amount } } lineItems(first: 5) { nodes { id title } } }
        userErrors { field message } } }`,
      variables,
    );
    return payload!;
  };
  const create = (input: object): Promise<Data> =>
    payloadOf('draftOrderCreate(input: $input)', '$input: DraftOrderInput!', { input });
  const draft = async (input: object = {}): Promise<Data> =>
    (await create({ lineItems: [LINE], ...input }))['draftOrder'] as Data;
  const withId = (field: string, id: unknown): Promise<Data> =>
    payloadOf(`${field}(id: $id)`, '$id: ID!', { id });
  const read = async (id: unknown): Promise<Data | null> => {
    const answer = await fixture.call(
      'query ($id: ID!) { draftOrder(id: $id) { status tags invoiceSentAt } }',
      { id },
    );
    return answer['draftOrder'] ?? null;
  };
  const line = (more: object): object => ({ lineItems: [{ ...LINE, ...more }] });

  it.each<[object, string[] | null, string]>([
    [{ lineItems: [] }, null, 'Add at least 1 product'],
    [
      { lineItems: [{ variantId: 'gid://shopify/ProductVariant/999', quantity: 1 }] },
      null,
      'Product with ID 999 is no longer available.',
    ],
    [line({ title: null }), null, 'Merchandise title is empty.'],
    [
      line({ quantity: 0 }),
      ['lineItems', '0', 'quantity'],
      'Quantity must be greater than or equal to 1',
    ],
    [line({ originalUnitPrice: '-1.00' }), null, 'Cannot send negative price for line_item'],
    [
      { paymentTerms: { paymentSchedules: [] } },
      null,
      'Payment terms template id can not be empty.',
    ],
    [{ reserveInventoryUntil: '2020-01-01T00:00:00Z' }, null, "Reserve until can't be in the past"],
    [{ email: 'not-an-email' }, ['email'], 'Email is invalid'],
    [
      { tags: ['fine', 'x'.repeat(41)] },
      ['tags', '1'],
      'Title Tag exceeds the maximum length of 40 characters',
    ],
    [
      line({ appliedDiscount: { value: 150, valueType: 'PERCENTAGE' } }),
      ['lineItems', '0', 'appliedDiscount', 'value'],
      'Applied discount value must be less than or equal to 100%',
    ],
    [
      { appliedDiscount: { value: 12.345, valueType: 'FIXED_AMOUNT' } },
      ['appliedDiscount', 'value'],
      'Applied discount value can have at most 2 digits after decimal point',
    ],
  ])('refuses %j, and keeps nothing of it', async (input, field, message) => {
    const before = fixture.shop.nodes.all(['DraftOrder', 'DraftOrderLineItem']).length;
    const refused = { draftOrder: null, userErrors: [{ field, message }] };
    expect(await create({ lineItems: [LINE], ...input })).toEqual(refused);
    expect(fixture.shop.nodes.all(['DraftOrder', 'DraftOrderLineItem'])).toHaveLength(before);
  });

  it('names the input when an update is refused', async () => {
    const { id } = await draft();
    const update = (input: object): Promise<Data> =>
      payloadOf('draftOrderUpdate(id: $id, input: $input)', '$id: ID!, $input: DraftOrderInput!', {
        id,
        input,
      });
    expect((await update({ email: 'no' }))['userErrors']).toEqual([
      { field: ['input', 'email'], message: 'Email is invalid' },
    ]);
    expect((await update({ tags: ['x'.repeat(41)] }))['userErrors']).toMatchObject([
      { field: ['input', 'tags', '1'] },
    ]);
    expect(await update({ email: 'ada@example.com' })).toMatchObject({
      draftOrder: { email: 'ada@example.com' },
      userErrors: [],
    });
  });

  it('calculates a draft without keeping it', async () => {
    const before = fixture.shop.nodes.all().length;
    const calculate = async (input: object): Promise<Data> => {
      const { draftOrderCalculate } = await fixture.call(
        `mutation ($input: DraftOrderInput!) { draftOrderCalculate(input: $input) {
          calculatedDraftOrder { currencyCode totalQuantityOfLineItems
            totalPriceSet { shopMoney { amount } } totalShippingPriceSet { shopMoney { amount } }
            lineItems { title quantity custom originalTotalSet { shopMoney { amount } } }
            availableShippingRates { handle } }
          userErrors { field message } } }`,
        { input },
      );
      return draftOrderCalculate!;
    };
    const shippingLine = { title: 'Post', priceWithCurrency: { amount: '5', currencyCode: 'EUR' } };
    expect(await calculate({ lineItems: [LINE], shippingLine })).toEqual({
      calculatedDraftOrder: {
        currencyCode: 'EUR',
        totalQuantityOfLineItems: 2,
        totalPriceSet: { shopMoney: { amount: '12.0' } },
        totalShippingPriceSet: { shopMoney: { amount: '5.0' } },
        lineItems: [
          {
            ...{ title: 'Kite', quantity: 2, custom: true },
            originalTotalSet: { shopMoney: { amount: '7.0' } },
          },
        ],
        availableShippingRates: [],
      },
      userErrors: [],
    });
    expect(await calculate({ lineItems: [] })).toEqual({
      calculatedDraftOrder: null,
      userErrors: [{ field: null, message: 'Add at least 1 product' }],
    });
    expect(fixture.shop.nodes.all()).toHaveLength(before);
  });

  it('copies a draft that is completed into an open one', async () => {
    const source = await draft({ tags: ['wholesale'] });
    const { draftOrder: done } = await withId('draftOrderComplete', source['id']);
    expect(done).toMatchObject({ status: 'COMPLETED', order: { id: expect.any(String) } });
    const { draftOrder: copy, userErrors } = await withId('draftOrderDuplicate', source['id']);
    expect(userErrors).toEqual([]);
    expect(copy).toMatchObject({
      ...{ status: 'OPEN', tags: ['wholesale'], completedAt: null, order: null },
      totalPriceSet: { shopMoney: { amount: '7.0' } },
      lineItems: { nodes: [{ title: 'Kite' }] },
    });
    for (const name of ['id', 'name', 'invoiceUrl', 'lineItems'])
      expect((copy as Data)[name]).not.toEqual(source[name]);
    expect(await withId('draftOrderDuplicate', 'gid://shopify/DraftOrder/9')).toEqual({
      draftOrder: null,
      userErrors: [{ field: ['id'], message: 'Draft order does not exist' }],
    });
  });

  it('makes a draft of the lines of an order', async () => {
    const source = await draft({ email: 'bo@example.com' });
    const { draftOrder } = await withId('draftOrderComplete', source['id']);
    const { id } = (draftOrder as Data)['order'] as Data;
    const made = await payloadOf('draftOrderCreateFromOrder(orderId: $id)', '$id: ID!', { id });
    expect(made).toMatchObject({
      draftOrder: {
        ...{ status: 'OPEN', email: 'bo@example.com', order: null },
        lineItems: { nodes: [{ title: 'Kite' }] },
        totalPriceSet: { shopMoney: { amount: '7.0' } },
      },
      userErrors: [],
    });
  });

  it('sends invoices to who is known, for what is not paid', async () => {
    const send = (id: unknown, email?: object): Promise<Data> =>
      payloadOf('draftOrderInvoiceSend(id: $id, email: $email)', '$id: ID!, $email: EmailInput', {
        id,
        email,
      });
    const errors = (...messages: string[]): object[] =>
      messages.map((message) => ({ field: null, message }));
    const { id } = await draft();
    expect(await send(id)).toMatchObject({
      draftOrder: { id, status: 'OPEN' },
      userErrors: errors("To can't be blank"),
    });
    expect(await send(id, { to: 'ada@example.com' })).toMatchObject({
      draftOrder: { status: 'INVOICE_SENT' },
      userErrors: [],
    });
    expect(await read(id)).toMatchObject({ invoiceSentAt: expect.any(String) });
    await withId('draftOrderComplete', id);
    expect((await send(id))['userErrors']).toEqual(
      errors(
        "To can't be blank",
        "Draft order Invoice can't be sent. This draft order is already paid.",
      ),
    );
    expect(await send('gid://shopify/DraftOrder/9')).toEqual({
      draftOrder: null,
      userErrors: errors('Draft order not found'),
    });
  });

  it('previews an invoice, whatever its message is', async () => {
    const { id } = await draft();
    const { draftOrderInvoicePreview } = await fixture.call(
      `mutation ($id: ID!, $email: EmailInput) { draftOrderInvoicePreview(id: $id, email: $email) {
        previewSubject previewHtml userErrors { message } } }`,
      { id, email: { subject: 'Yours', customMessage: '<script>alert(1)</script>' } },
    );
    expect(draftOrderInvoicePreview).toMatchObject({ previewSubject: 'Yours', userErrors: [] });
    expect(draftOrderInvoicePreview!['previewHtml']).toContain('&lt;script&gt;alert(1)');
  });

  it('changes tags and deletes in the background, by ids or by a search', async () => {
    const { id } = await draft({ tags: ['Base'] });
    const bulk = async (field: string): Promise<Data> => {
      const { payload } = await fixture.call(
        `mutation ($ids: [ID!]) { payload: ${field} {
          job { done } userErrors { message } } }`,
        { ids: [id] },
      );
      return payload!;
    };
    const started = { job: { done: false }, userErrors: [] };
    expect(await bulk('draftOrderBulkAddTags(ids: $ids, tags: ["added", "base"])')).toEqual(
      started,
    );
    expect(await read(id)).toMatchObject({ tags: ['added', 'Base'] });
    const removed = 'draftOrderBulkRemoveTags(search: "tag:added", tags: ["BASE"])';
    const { payload } = await fixture.call(
      `mutation { payload: ${removed} { job { done } userErrors { message } } }`,
    );
    expect(payload).toEqual(started);
    expect(await read(id)).toMatchObject({ tags: ['added'] });
    await bulk('draftOrderBulkDelete(ids: $ids)');
    expect(await read(id)).toBeNull();
  });

  it('lists the saved searches that every shop has', async () => {
    const { draftOrderSavedSearches } = await fixture.call(
      '{ draftOrderSavedSearches(first: 2) { nodes { id name query resourceType searchTerms } } }',
    );
    expect(draftOrderSavedSearches!['nodes']).toEqual([
      {
        ...{ id: expect.any(String), name: 'Open and invoice sent' },
        ...{ query: 'status:open_and_invoice_sent', resourceType: 'DRAFT_ORDER', searchTerms: '' },
      },
      expect.objectContaining({ name: 'Open', query: 'status:open' }),
    ]);
  });
});
