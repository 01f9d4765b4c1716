import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('draft orders of a simulated shop', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(['draft_orders', 'orders', 'products', 'customers']);
  });
  afterAll(() => fixture.devStore.close());

  const FIELDS = `id name status note2
    totalDiscountsSet { shopMoney { amount } } totalShippingPriceSet { shopMoney { amount } }
    totalPriceSet { shopMoney { amount } }
    lineItems(first: 5) { nodes { title name sku originalUnitPriceSet { shopMoney { amount } } } }`;

  const draft = async (field: string, given: string, variables: object): Promise<Data> => {
    const { payload } = await fixture.call(
      `mutation (${given}) {
        payload: ${field} { draftOrder { ${FIELDS} } userErrors { message } }
      }`,
      variables,
    );
    expect(payload!['userErrors']).toEqual([]);
    return payload!['draftOrder'] as Data;
  };
  const create = (input: object): Promise<Data> =>
    draft('draftOrderCreate(input: $input)', '$input: DraftOrderInput!', { input });
  const update = (id: unknown, input: object): Promise<Data> =>
    draft('draftOrderUpdate(id: $id, input: $input)', '$id: ID!, $input: DraftOrderInput!', {
      id,
      input,
    });
  const complete = (id: unknown): Promise<Data> =>
    draft('draftOrderComplete(id: $id)', '$id: ID!', { id });
  const money = (amount: string): object => ({ shopMoney: { amount } });

  const PRICED = {
    lineItems: [{ title: 'Kite', quantity: 2, originalUnitPrice: '10.00' }],
    appliedDiscount: { value: 3, valueType: 'FIXED_AMOUNT' },
    shippingLine: { title: 'Post', priceWithCurrency: { amount: '5.00', currencyCode: 'EUR' } },
  };

  it('keep their discount and their shipping when only a note is updated', async () => {
    const { id } = await create(PRICED);
    expect(await update(id, { note: 'careful' })).toMatchObject({
      note2: 'careful',
      status: 'OPEN',
      totalDiscountsSet: money('3.0'),
      totalShippingPriceSet: money('5.0'),
      totalPriceSet: money('22.0'),
    });
    expect(await update(id, { appliedDiscount: null, shippingLine: null })).toMatchObject({
      totalDiscountsSet: money('0.0'),
      totalShippingPriceSet: money('0.0'),
      totalPriceSet: money('20.0'),
    });
  });

  it('stay completed when they are updated afterwards', async () => {
    const { id } = await create(PRICED);
    expect(await complete(id)).toMatchObject({ status: 'COMPLETED' });
    expect(await update(id, { note: 'late' })).toMatchObject({
      note2: 'late',
      status: 'COMPLETED',
    });
  });

  it('take title, SKU and price of a line from its variant', async () => {
    const { product } = fixture.shop.createProduct({
      title: 'Boat',
      variants: [{ price: '12.50', sku: 'BOAT' }],
    });
    const variantId = `gid://shopify/ProductVariant/${product!.variants[0]!.id}`;
    const { id, lineItems } = await create({
      lineItems: [
        { variantId, quantity: 1, title: 'Mine', sku: 'MINE', originalUnitPrice: '1.00' },
        { title: 'Own', sku: 'OWN', quantity: 1, originalUnitPrice: '1.00' },
      ],
    });
    expect((lineItems as { nodes: unknown }).nodes).toEqual([
      { title: 'Boat', name: 'Boat', sku: 'BOAT', originalUnitPriceSet: money('12.5') },
      { title: 'Own', name: 'Own', sku: 'OWN', originalUnitPriceSet: money('1.0') },
    ]);
    expect(await update(id, { note: 'again' })).toMatchObject({ totalPriceSet: money('13.5') });
    await complete(id);
    const { draftOrder } = await fixture.call(
      `query ($id: ID!) { draftOrder(id: $id) { order {
        totalPriceSet { shopMoney { amount } } lineItems(first: 5) { nodes { title sku } }
      } } }`,
      { id },
    );
    expect(draftOrder!['order']).toEqual({
      totalPriceSet: money('13.5'),
      lineItems: {
        nodes: [
          { title: 'Boat', sku: 'BOAT' },
          { title: 'Own', sku: 'OWN' },
        ],
      },
    });
    const overridden = await create({
      lineItems: [
        { variantId, quantity: 2, priceOverride: { amount: '2.00', currencyCode: 'EUR' } },
      ],
    });
    expect(overridden).toMatchObject({ totalPriceSet: money('4.0') });
  });

  it('take no other thing for a variant', async () => {
    const { number, id: variantId } = fixture.shop.nodes.create('Customer');
    const { draftOrderCreate } = await fixture.call(
      `mutation ($input: DraftOrderInput!) { draftOrderCreate(input: $input) {
        draftOrder { id } userErrors { message } } }`,
      { input: { lineItems: [{ variantId, quantity: 1 }] } },
    );
    expect(draftOrderCreate).toEqual({
      draftOrder: null,
      userErrors: [{ message: `Product with ID ${number} is no longer available.` }],
    });
  });

  it('have the customer of their email', async () => {
    const customerOf = async (input: object): Promise<unknown> => {
      const { id } = await create({ ...PRICED, ...input });
      const { draftOrder } = await fixture.call(
        'query ($id: ID!) { draftOrder(id: $id) { email customer { id email displayName } } }',
        { id },
      );
      return draftOrder!['customer'];
    };
    const bo = { id: expect.any(String), email: 'bo@a.test', displayName: 'bo@a.test' };
    const first = await customerOf({ email: 'Bo@a.test' });
    expect(first).toEqual(bo);
    expect(await customerOf({ email: 'bo@a.test' })).toEqual(first);
    const { id } = fixture.shop.nodes.create('Customer', { email: 'ada@a.test' });
    expect(await customerOf({ email: 'bo@a.test', customerId: id })).toMatchObject({ id });
    expect(await customerOf({})).toBeNull();
  });

  it.each<[string, object, object]>([
    ['at once', {}, { status: 'SUCCESS', order: 'PAID' }],
    [
      'later, by their terms',
      { paymentTerms: { paymentTermsTemplateId: 'gid://shopify/PaymentTermsTemplate/1' } },
      { status: 'PENDING', order: 'PENDING' },
    ],
  ])('are paid %s', async (_when, terms, expected) => {
    const { id } = await create({ ...PRICED, ...terms });
    await complete(id);
    const { draftOrder } = await fixture.call(
      `query ($id: ID!) { draftOrder(id: $id) { order { id displayFinancialStatus
        paymentGatewayNames transactions { kind status gateway } } } }`,
      { id },
    );
    const { status, order: financial } = expected as Data;
    const order = draftOrder!['order'] as Data;
    expect(order).toEqual({
      ...{ id: expect.any(String), displayFinancialStatus: financial },
      paymentGatewayNames: ['manual'],
      transactions: [{ kind: 'SALE', status, gateway: 'manual' }],
    });
  });

  it('are numbered apart from orders, and no number is given twice', async () => {
    const { nodes } = fixture.shop;
    const orderName = async (): Promise<unknown> => {
      const { orderCreate } = await fixture.call(`mutation {
        orderCreate(order: { lineItems: [{ title: "Kite", quantity: 1 }] }) {
          order { id name number } userErrors { message }
        }
      }`);
      return orderCreate!['order'];
    };
    const first = (await orderName()) as { id: string; name: string; number: number };
    expect(first.name).toBe(`#${first.number}`);
    await fixture.call(
      'mutation ($id: ID!) { orderDelete(orderId: $id) { deletedId userErrors { message } } }',
      { id: first.id },
    );
    expect(await orderName()).toMatchObject({
      name: `#${first.number + 1}`,
      number: first.number + 1,
    });
    const seeded = nodes.create('Order');
    const { order } = await fixture.call('query ($id: ID!) { order(id: $id) { name number } }', {
      id: seeded.id,
    });
    expect(order).toEqual({ name: `#${first.number + 2}`, number: first.number + 2 });
    expect(await orderName()).toMatchObject({ name: `#${first.number + 3}` });
  });
});
