import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openReceiver, type AppReceiver } from '../../app-receiver.js';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

interface Nodes<T> {
  readonly nodes: T[];
}

describe('the edits of an order', () => {
  let fixture: NodeShopFixture;
  let receiver: AppReceiver;
  beforeAll(async () => {
    fixture = await openNodeShop([
      'orders',
      'order_edits',
      'products',
      'merchant_managed_fulfillment_orders',
    ]);
    receiver = await openReceiver();
    const { webhookSubscriptionCreate } = await fixture.call(
      `mutation ($url: String!) {
        webhookSubscriptionCreate(topic: ORDERS_EDITED, webhookSubscription: { uri: $url }) {
          userErrors { message }
        }
      }`,
      { url: receiver.url },
    );
    expect(webhookSubscriptionCreate!['userErrors']).toEqual([]);
  });
  afterAll(async () => {
    await receiver.close();
    await fixture.devStore.close();
  });

  const price = (amount: string): object => ({ shopMoney: { amount, currencyCode: 'EUR' } });
  const create = async (order: object): Promise<string> => {
    const { orderCreate } = await fixture.call(
      `mutation ($order: OrderCreateOrderInput!) {
        orderCreate(order: $order) { order { id } userErrors { message } }
      }`,
      { order: { currency: 'EUR', ...order } },
    );
    expect(orderCreate!['userErrors']).toEqual([]);
    return (orderCreate!['order'] as { id: string }).id;
  };
  const MONEY = '{ shopMoney { amount } }';
  const CALCULATED = `calculatedOrder {
    id subtotalLineItemsQuantity subtotalPriceSet ${MONEY} totalPriceSet ${MONEY}
    lineItems(first: 9) { nodes { id title quantity sku variant { id } } }
    addedLineItems(first: 9) { nodes { id title quantity variant { id } } }
  }`;
  const LINE = `calculatedLineItem {
    id title quantity hasStagedLineItemDiscount originalUnitPriceSet ${MONEY}
    discountedUnitPriceSet ${MONEY}
    calculatedDiscountAllocations { discountApplication { id description } }
  }`;
  const run = async (name: string, args: string, selection: string): Promise<Data> => {
    const { payload } = await fixture.call(
      `mutation { payload: orderEdit${name}(${args}) { ${selection} userErrors { field message } } }`,
    );
    return payload!;
  };
  const begin = async (order: string): Promise<{ id: string; lines: string[]; answer: Data }> => {
    const answer = await run('Begin', `id: "${order}"`, `${CALCULATED} orderEditSession { id }`);
    const { id, lineItems } = answer['calculatedOrder'] as {
      id: string;
      lineItems: Nodes<{ id: string }>;
    };
    return { id, lines: lineItems.nodes.map((one) => one.id), answer };
  };
  const commit = (id: string, more = ''): Promise<Data> =>
    run(
      'Commit',
      `id: "${id}"${more}`,
      `order { id closed totalOutstandingSet ${MONEY} } successMessages`,
    );
  const read = async (id: string): Promise<Data> => {
    const { order } = await fixture.call(
      `query ($id: ID!) { order(id: $id) {
        displayFinancialStatus displayFulfillmentStatus currentSubtotalLineItemsQuantity
        subtotalPriceSet ${MONEY} currentSubtotalPriceSet ${MONEY} totalTaxSet ${MONEY}
        currentTotalTaxSet ${MONEY} totalPriceSet ${MONEY} currentTotalPriceSet ${MONEY}
        currentTaxLines { title rate priceSet ${MONEY} }
        lineItems(first: 9) { nodes { id title quantity currentQuantity variant { id } } }
        fulfillmentOrders(first: 9) { nodes {
          status supportedActions { action }
          lineItems(first: 9) { nodes { totalQuantity remainingQuantity lineItem { id } } }
        } }
      } }`,
      { id },
    );
    return order!;
  };
  const amount = (value: string): object => ({ shopMoney: { amount: value } });

  it('add variants and custom items, and take lines off', async () => {
    const { product } = fixture.shop.createProduct({
      title: 'Snowboard',
      variants: [{ price: '949.95', sku: 'board' }],
    });
    const variant = `gid://shopify/ProductVariant/${product!.variants[0]!.id}`;
    const order = await create({
      lineItems: [{ title: 'Wax', quantity: 3, priceSet: price('10.00') }],
    });
    const { id, lines, answer } = await begin(order);
    expect(id).toMatch(/^gid:\/\/shopify\/CalculatedOrder\/\d+$/);
    expect(answer).toMatchObject({
      calculatedOrder: {
        lineItems: { nodes: [{ title: 'Wax', quantity: 3, sku: null, variant: null }] },
        addedLineItems: { nodes: [] },
      },
      orderEditSession: { id: id.replace('CalculatedOrder', 'OrderEditSession') },
      userErrors: [],
    });
    expect(
      await run('SetQuantity', `id: "${id}", lineItemId: "${lines[0]}", quantity: 1`, LINE),
    ).toMatchObject({ calculatedLineItem: { id: lines[0], quantity: 1 }, userErrors: [] });
    const addVariant = (more: string): Promise<Data> =>
      run('AddVariant', `id: "${id}", variantId: "${variant}", ${more}`, `${CALCULATED} ${LINE}`);
    expect(await addVariant('quantity: 2')).toMatchObject({
      calculatedOrder: {
        subtotalLineItemsQuantity: 3,
        subtotalPriceSet: amount('1909.9'),
        lineItems: { nodes: [{ quantity: 1 }] },
        addedLineItems: {
          nodes: [{ title: 'Snowboard', quantity: 2, variant: { id: variant } }],
        },
      },
      calculatedLineItem: { originalUnitPriceSet: amount('949.95') },
    });
    const twice = "Snowboard was not added because it's already on the order.";
    expect(await addVariant('quantity: 1')).toMatchObject({
      calculatedOrder: null,
      userErrors: [{ field: ['id'], message: twice }],
    });
    // What is not committed is no part of the order.
    expect(await read(order)).toMatchObject({ currentTotalPriceSet: amount('30.0') });

    expect(await commit(id, ', staffNote: "Bigger"')).toMatchObject({
      order: { id: order },
      successMessages: ['Order updated'],
      userErrors: [],
    });
    expect(await read(order)).toMatchObject({
      displayFinancialStatus: null,
      currentSubtotalLineItemsQuantity: 3,
      currentSubtotalPriceSet: amount('1909.9'),
      currentTotalPriceSet: amount('1909.9'),
      lineItems: {
        nodes: [
          { title: 'Wax', quantity: 3, currentQuantity: 1 },
          { title: 'Snowboard', quantity: 2, currentQuantity: 2, variant: { id: variant } },
        ],
      },
      fulfillmentOrders: {
        nodes: [
          { status: 'OPEN', lineItems: { nodes: [{ totalQuantity: 1, remainingQuantity: 1 }] } },
          { status: 'OPEN', lineItems: { nodes: [{ totalQuantity: 2, remainingQuantity: 2 }] } },
        ],
      },
    });
    expect(await commit(id)).toMatchObject({
      order: null,
      userErrors: [{ field: ['id'], message: 'The calculated order does not exist.' }],
    });
  });

  it('calculate taxes and discounts, and keep what the order was', async () => {
    const taxed = await create({
      lineItems: [
        {
          title: 'Taxed',
          quantity: 2,
          priceSet: price('100.00'),
          taxLines: [{ title: 'VAT', rate: 0.13, priceSet: price('26.00') }],
        },
      ],
    });
    expect(await read(taxed)).toMatchObject({
      totalTaxSet: amount('26.0'),
      totalPriceSet: amount('226.0'),
    });
    const { id, lines } = await begin(taxed);
    const answer = await run(
      'SetQuantity',
      `id: "${id}", lineItemId: "${lines[0]}", quantity: 1`,
      CALCULATED,
    );
    expect(answer).toMatchObject({
      calculatedOrder: { subtotalPriceSet: amount('100.0'), totalPriceSet: amount('113.0') },
    });
    await commit(id);
    expect(await read(taxed)).toMatchObject({
      subtotalPriceSet: amount('200.0'),
      currentSubtotalPriceSet: amount('100.0'),
      totalTaxSet: amount('26.0'),
      currentTotalTaxSet: amount('13.0'),
      totalPriceSet: amount('226.0'),
      currentTotalPriceSet: amount('113.0'),
      currentTaxLines: [{ title: 'VAT', rate: 0.13, priceSet: amount('13.0') }],
    });

    const reduced = await create({
      lineItems: [{ title: 'Reduced', quantity: 1, priceSet: price('100.00') }],
    });
    const edit = await begin(reduced);
    const discount =
      'discount: { description: "Loyal", fixedValue: { amount: "20.00", currencyCode: EUR } }';
    const added = await run(
      'AddLineItemDiscount',
      `id: "${edit.id}", lineItemId: "${edit.lines[0]}", ${discount}`,
      `${CALCULATED} ${LINE} addedDiscountStagedChange { id description }`,
    );
    expect(added).toMatchObject({
      addedDiscountStagedChange: { description: 'Loyal' },
      calculatedOrder: { subtotalPriceSet: amount('80.0'), totalPriceSet: amount('80.0') },
      calculatedLineItem: {
        hasStagedLineItemDiscount: true,
        originalUnitPriceSet: amount('100.0'),
        discountedUnitPriceSet: amount('80.0'),
      },
    });
    const { calculatedDiscountAllocations } = added['calculatedLineItem'] as {
      calculatedDiscountAllocations: [{ discountApplication: { id: string } }];
    };
    const [{ discountApplication }] = calculatedDiscountAllocations;
    const remove = (application: string): Promise<Data> =>
      run(
        'RemoveDiscount',
        `id: "${edit.id}", discountApplicationId: "${application}"`,
        CALCULATED,
      );
    expect(await remove(discountApplication.id)).toMatchObject({
      calculatedOrder: { totalPriceSet: amount('100.0') },
    });
    expect(await remove(discountApplication.id)).toMatchObject({
      userErrors: [{ field: ['discountApplicationId'] }],
    });
    await run(
      'AddLineItemDiscount',
      `id: "${edit.id}", lineItemId: "${edit.lines[0]}", discount: { percentValue: 20 }`,
      CALCULATED,
    );
    await commit(edit.id);
    expect(await read(reduced)).toMatchObject({
      subtotalPriceSet: amount('80.0'),
      totalPriceSet: amount('80.0'),
      currentTotalPriceSet: amount('80.0'),
    });
  });

  it('make a paid order owed or owing, open it again, and tell the apps', async () => {
    const order = await create({
      lineItems: [{ title: 'Paid', quantity: 2, priceSet: price('10.00') }],
      transactions: [{ kind: 'SALE', status: 'SUCCESS', amountSet: price('20.00') }],
    });
    await fixture.call(
      'mutation ($id: ID!) { orderClose(input: { id: $id }) { order { closed } } }',
      { id: order },
    );
    const { id, lines } = await begin(order);
    await run('SetQuantity', `id: "${id}", lineItemId: "${lines[0]}", quantity: 1`, CALCULATED);
    await fixture.devStore.settled();
    receiver.received.length = 0;
    expect(await commit(id, ', notifyCustomer: true')).toEqual({
      order: { id: order, closed: false, totalOutstandingSet: amount('-10.0') },
      successMessages: ['Order updated', 'Order unarchived', 'Notification sent'],
      userErrors: [],
    });
    await fixture.devStore.settled();
    expect(receiver.received.map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual([
      {
        order_edit: expect.objectContaining({
          order_id: Number(order.split('/').at(-1)),
          notify_customer: true,
          line_items: {
            additions: [],
            removals: [{ id: Number(lines[0]!.split('/').at(-1)), delta: 1 }],
          },
        }),
      },
    ]);
    const more = await begin(order);
    await run(
      'SetQuantity',
      `id: "${more.id}", lineItemId: "${more.lines[0]}", quantity: 3`,
      CALCULATED,
    );
    await commit(more.id);
    expect(await read(order)).toMatchObject({
      displayFinancialStatus: 'PARTIALLY_PAID',
      currentTotalPriceSet: amount('30.0'),
      lineItems: { nodes: [{ quantity: 4, currentQuantity: 3 }] },
      fulfillmentOrders: { nodes: [{ lineItems: { nodes: [{ remainingQuantity: 3 }] } }] },
    });
    const { orderMarkAsPaid } = await fixture.call(
      `mutation ($id: ID!) { orderMarkAsPaid(input: { id: $id }) {
        order { displayFinancialStatus netPaymentSet ${MONEY} totalReceivedSet ${MONEY}
          transactions { amountSet ${MONEY} } }
        userErrors { message }
      } }`,
      { id: order },
    );
    expect(orderMarkAsPaid).toEqual({
      order: {
        displayFinancialStatus: 'PAID',
        ...{ netPaymentSet: amount('30.0'), totalReceivedSet: amount('30.0') },
        transactions: [{ amountSet: amount('20.0') }, { amountSet: amount('10.0') }],
      },
      userErrors: [],
    });
  });

  it('keep the taxes of shipping, and those that the order states', async () => {
    const tax = (title: string, value: string): object => ({
      ...{ title, rate: 0.1, priceSet: price(value) },
    });
    const line = { title: 'Taxed', quantity: 2, priceSet: price('100.00') };
    const taxed = [{ ...line, taxLines: [tax('VAT', '20.00')] }];
    const shippingLines = [
      { title: 'Post', priceSet: price('5.00'), taxLines: [tax('VAT', '0.50')] },
    ];
    for (const [more, before, after] of [
      [{ lineItems: taxed, shippingLines }, '225.5', '115.5'],
      [{ lineItems: [line], taxLines: [tax('City', '7.00')] }, '207.0', '107.0'],
    ] as const) {
      const order = await create(more);
      expect(await read(order)).toMatchObject({ currentTotalPriceSet: amount(before) });
      const { id, lines } = await begin(order);
      await run('SetQuantity', `id: "${id}", lineItemId: "${lines[0]}", quantity: 1`, CALCULATED);
      await commit(id);
      expect(await read(order)).toMatchObject({ currentTotalPriceSet: amount(after) });
      for (const quantity of [4, 2]) {
        const again = await begin(order);
        const named = `id: "${again.id}", lineItemId: "${lines[0]}"`;
        await run('SetQuantity', `${named}, quantity: ${quantity}`, CALCULATED);
        await commit(again.id);
      }
      expect(await read(order)).toMatchObject({ currentTotalPriceSet: amount(before) });
    }
  });

  it('are refused in the words of the platform', async () => {
    const order = await create({
      lineItems: [{ title: 'Wax', quantity: 1, priceSet: price('1') }],
    });
    const { id, lines } = await begin(order);
    const errors = async (name: string, args: string): Promise<unknown> => {
      const { calculatedOrder, userErrors } = await run(name, args, 'calculatedOrder { id }');
      expect(calculatedOrder).toBeNull();
      return (userErrors as Array<{ field: string[]; message: string }>).map(
        ({ field, message }) => `${field.join('.')}: ${message}`,
      );
    };
    const gone = 'gid://shopify/CalculatedOrder/1';
    const variant = 'gid://shopify/ProductVariant/0';
    const item = (title: string, more = ''): string =>
      `id: "${id}", title: "${title}", ${more || 'quantity: 1'}, price: { amount: "1", currencyCode: EUR }`;
    const cases: ReadonlyArray<[string, string, string[]]> = [
      ['Begin', 'id: "gid://shopify/Order/1"', ['id: The order does not exist.']],
      [
        'AddVariant',
        `id: "${gone}", variantId: "${variant}", quantity: 1`,
        ['id: The calculated order does not exist.'],
      ],
      [
        'SetQuantity',
        `id: "${id}", lineItemId: "${lines[0]}", quantity: -1`,
        ['quantity: must be greater than or equal to 0'],
      ],
      [
        'AddVariant',
        `id: "${id}", variantId: "${variant}", quantity: 0`,
        ['quantity: must be greater than 0'],
      ],
      [
        'AddVariant',
        `id: "${id}", variantId: "${variant}", quantity: -3`,
        ['quantity: must be greater than 0', 'quantity: must be greater than or equal to 0'],
      ],
      [
        'AddVariant',
        `id: "${id}", variantId: "${variant}", quantity: 1`,
        ["variantId: can't convert Integer[0] to a positive Integer to use as an untrusted id"],
      ],
      ['AddCustomItem', item(''), ["title: can't be blank"]],
      ['AddCustomItem', item('x'.repeat(256)), ['title: is too long (maximum is 255 characters)']],
      ['AddCustomItem', item('Wax', 'quantity: -1'), ['quantity: must be greater than 0']],
      [
        'AddCustomItem',
        item('Wax').replace('"1"', '"-5"'),
        ['price.amount: must be greater than or equal to 0'],
      ],
    ];
    for (const [name, args, expected] of cases) expect(await errors(name, args)).toEqual(expected);
  });

  it('need a scope of their own', async () => {
    const without = fixture.shop.install('key', { scopes: ['write_orders'] });
    const { errors } = await fixture.answer(
      'mutation { orderEditBegin(id: "gid://shopify/Order/1") { userErrors { message } } }',
      {},
      without,
    );
    expect(errors![0]!.message).toContain('`write_order_edits`');
  });
});
