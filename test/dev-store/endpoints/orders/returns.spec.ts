import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Data, NodeShopFixture } from '../nodes/node-shop.fixture.js';
import { openReturnsShop, shippedOrder, type ShippedOrder } from './shipped-order.fixture.js';

describe('returns of a simulated shop', () => {
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

  const RETURN = `return { id status totalQuantity
    returnLineItems(first: 5) { nodes { id quantity processedQuantity unprocessedQuantity
      returnReason } }
    reverseFulfillmentOrders(first: 5) { nodes { id lineItems(first: 5) { nodes { id } } } } }
    userErrors { field message code }`;
  interface Made {
    readonly id: string;
    readonly returnLineItems: { nodes: Array<{ id: string }> };
    readonly reverseFulfillmentOrders: {
      nodes: Array<{ id: string; lineItems: { nodes: Array<{ id: string }> } }>;
    };
  }
  const create = async (line: object = {}, more: object = {}): Promise<Data> => {
    const { returnCreate } = await fixture.call(
      `mutation ($input: ReturnInput!) { returnCreate(returnInput: $input) { ${RETURN} } }`,
      {
        input: {
          orderId: order.id,
          returnLineItems: [
            { fulfillmentLineItemId: order.shipped, quantity: 2, returnReason: 'COLOR', ...line },
          ],
          ...more,
        },
      },
    );
    return returnCreate!;
  };
  const made = async (line: object = {}, more: object = {}): Promise<Made> =>
    (await create(line, more))['return'] as Made;
  const process = async (returnId: string, input: object): Promise<Data> => {
    const { returnProcess } = await fixture.call(
      `mutation ($input: ReturnProcessInput!) { returnProcess(input: $input) { ${RETURN} } }`,
      { input: { returnId, ...input } },
    );
    return returnProcess!;
  };

  it('need a reason, and a note for another one', async () => {
    const problem = async (line: object): Promise<unknown> =>
      ((await create(line))['userErrors'] as Data[])[0];
    expect(await problem({ returnReason: null })).toEqual({
      field: ['returnInput', 'returnLineItems', '0'],
      message:
        'Return line items Either return reason or return reason definition must be provided',
      code: 'NOT_FOUND',
    });
    expect(await problem({ returnReason: 'OTHER' })).toEqual({
      field: ['returnInput', 'returnLineItems', '0', 'returnReasonNote'],
      message:
        'Return line items return reason note The note is required when the return reason is "Other"',
      code: 'BLANK',
    });
    const definition = 'gid://shopify/ReturnReasonDefinition/7';
    const { returnLineItems } = await made({
      ...{ returnReason: null, returnReasonDefinitionId: definition },
    });
    expect(returnLineItems.nodes).toMatchObject([{ returnReason: 'SIZE_TOO_SMALL' }]);
    const { returnRequest } = await fixture.call(
      `mutation ($id: ID!, $line: ID!) { returnRequest(input: { orderId: $id, returnLineItems: [
        { fulfillmentLineItemId: $line, quantity: 1 }] }) { ${RETURN} } }`,
      { id: order.id, line: order.shipped },
    );
    expect(returnRequest!['userErrors']).toEqual([
      {
        field: ['input', 'returnLineItems', '0', 'returnReason'],
        message: "Return reason can't be blank",
        code: 'BLANK',
      },
    ]);
  });

  it('are approved or declined once', async () => {
    const request = async (): Promise<string> => {
      const { returnRequest } = await fixture.call(
        `mutation ($id: ID!, $line: ID!) { returnRequest(input: { orderId: $id, returnLineItems: [
          { fulfillmentLineItemId: $line, quantity: 1, returnReason: OTHER }] }) { ${RETURN} } }`,
        { id: order.id, line: order.shipped },
      );
      return (returnRequest!['return'] as Made).id;
    };
    const answer = async (name: string, id: string, more = ''): Promise<Data> => {
      const { payload } = await fixture.call(
        `mutation ($id: ID!) { payload: ${name}(input: { id: $id ${more} }) { ${RETURN} } }`,
        { id },
      );
      return payload!;
    };
    const error = (message: string): object => ({
      return: null,
      userErrors: [{ field: ['input', 'id'], message, code: 'INVALID_STATE' }],
    });
    const [open, declined] = [await request(), await request()];
    const decline = 'declineReason: OTHER';
    expect(await answer('returnApproveRequest', open)).toMatchObject({
      return: { status: 'OPEN' },
    });
    expect(await answer('returnApproveRequest', open)).toEqual(
      error('Return is not approvable. Only returns with status REQUESTED can be approved.'),
    );
    expect(await answer('returnDeclineRequest', open, decline)).toEqual(
      error(
        'Return is not declinable. Only non-refunded returns with status REQUESTED can be declined.',
      ),
    );
    await answer('returnDeclineRequest', declined, decline);
    expect(await answer('returnDeclineRequest', declined, decline)).toEqual(
      error('The return is already declined.'),
    );
  });

  it('are processed, and closed once nothing is left', async () => {
    const { id, returnLineItems } = await made();
    const line = returnLineItems.nodes[0]!.id;
    expect(await process(id, { returnLineItems: [{ id: line, quantity: 3 }] })).toMatchObject({
      return: null,
      userErrors: [{ field: ['input', 'returnLineItems', '0', 'quantity'], code: 'INVALID' }],
    });
    expect(await process(id, { returnLineItems: [{ id: line, quantity: 1 }] })).toMatchObject({
      return: { status: 'OPEN', returnLineItems: { nodes: [{ unprocessedQuantity: 1 }] } },
    });
    expect(await process(id, { returnLineItems: [{ id: line, quantity: 1 }] })).toMatchObject({
      return: {
        status: 'OPEN',
        returnLineItems: { nodes: [{ processedQuantity: 2, unprocessedQuantity: 0 }] },
      },
      userErrors: [],
    });
    const read = await fixture.call(
      'query ($id: ID!) { return(id: $id) { status closedAt order { returnStatus } } }',
      { id },
    );
    expect(read['return']).toEqual({
      ...{ status: 'CLOSED', closedAt: expect.any(String) },
      order: { returnStatus: 'RETURNED' },
    });
    expect(await process('gid://shopify/Return/9', {})).toMatchObject({
      userErrors: [{ field: ['input', 'returnId'], message: 'Return was not found.' }],
    });
  });

  it('give money back, and send what was exchanged', async () => {
    const { product } = fixture.shop.createProduct({
      title: 'Boat',
      variants: [{ price: '12.50', sku: 'BOAT' }],
    });
    const variantId = `gid://shopify/ProductVariant/${product!.variants[0]!.id}`;
    const { id, returnLineItems } = await made(
      {},
      { exchangeLineItems: [{ variantId, quantity: 1 }] },
    );
    const exchange = (fieldsOf(id)['exchangeLineItems'] as string[])[0]!;
    const { userErrors } = await process(id, {
      returnLineItems: [{ id: returnLineItems.nodes[0]!.id, quantity: 2 }],
      exchangeLineItems: [{ id: exchange, quantity: 1 }],
      financialTransfer: {
        issueRefund: {
          orderTransactions: [
            {
              transactionAmount: { amount: '27.50', currencyCode: 'EUR' },
              parentId: order.transaction,
            },
          ],
        },
      },
    });
    expect(userErrors).toEqual([]);
    const read = await fixture.call(
      `query ($id: ID!) { return(id: $id) { status
        refunds(first: 2) { nodes { totalRefundedSet { shopMoney { amount } } } }
        exchangeLineItems(first: 2) { nodes { processedQuantity lineItems { title } } }
        order { lineItems(first: 5) { nodes { title } }
          fulfillmentOrders(first: 5) { nodes { status } } } } }`,
      { id },
    );
    expect(read['return']).toEqual({
      status: 'CLOSED',
      refunds: { nodes: [{ totalRefundedSet: { shopMoney: { amount: '27.5' } } }] },
      exchangeLineItems: { nodes: [{ processedQuantity: 1, lineItems: [{ title: 'Boat' }] }] },
      order: {
        lineItems: { nodes: [{ title: 'Kite' }, { title: 'Boat' }] },
        fulfillmentOrders: { nodes: [{ status: 'CLOSED' }, { status: 'OPEN' }] },
      },
    });
  });

  it('come back with a delivery of their own', async () => {
    const { reverseFulfillmentOrders } = await made();
    const [reverse] = reverseFulfillmentOrders.nodes;
    const line = reverse!.lineItems.nodes[0]!.id;
    const deliver = (lines: object[], id = reverse!.id): ReturnType<typeof fixture.answer> =>
      fixture.answer(
        `mutation ($id: ID!, $lines: [ReverseDeliveryLineItemInput!]!) {
          payload: reverseDeliveryCreateWithShipping(reverseFulfillmentOrderId: $id
            reverseDeliveryLineItems: $lines trackingInput: { number: "R1" }
            labelInput: { fileUrl: "https://example.com/label.pdf" }) {
            reverseDelivery { id reverseDeliveryLineItems(first: 5) { nodes { quantity } }
              deliverable { __typename ... on ReverseDeliveryShippingDeliverable {
                tracking { number carrierName } label { publicFileUrl } } } }
            userErrors { code field message } } }`,
        { id, lines },
      );
    const place = ['reverseDeliveryLineItems', '0'];
    const reverseFulfillmentOrderLineItemId = line;
    expect(
      (await deliver([{ reverseFulfillmentOrderLineItemId, quantity: 3 }])).data!['payload'],
    ).toEqual({
      reverseDelivery: null,
      userErrors: [
        {
          ...{ code: null, field: [...place, 'quantity'] },
          message: 'cannot deliver more items than are returned',
        },
      ],
    });
    expect((await deliver([], 'gid://shopify/ReverseFulfillmentOrder/9')).data!['payload']).toEqual(
      {
        reverseDelivery: null,
        userErrors: [
          {
            ...{ code: 'NOT_FOUND', field: ['reverseFulfillmentOrderId'] },
            message: 'Reverse fulfillment order was not found.',
          },
        ],
      },
    );
    const foreign = 'gid://shopify/Return/1';
    expect(
      (await deliver([{ reverseFulfillmentOrderLineItemId: foreign, quantity: 1 }])).errors,
    ).toMatchObject([
      { message: `Invalid id: ${foreign}`, extensions: { code: 'RESOURCE_NOT_FOUND' } },
    ]);
    const { data } = await deliver([]);
    const { reverseDelivery, userErrors } = data!['payload'] as { [name: string]: Data };
    expect(userErrors).toEqual([]);
    expect(reverseDelivery).toMatchObject({
      reverseDeliveryLineItems: { nodes: [{ quantity: 2 }] },
      deliverable: {
        __typename: 'ReverseDeliveryShippingDeliverable',
        tracking: { number: 'R1', carrierName: null },
        label: { publicFileUrl: 'https://example.com/label.pdf' },
      },
    });
    const { reverseDeliveryShippingUpdate } = await fixture.call(
      `mutation ($id: ID!) { reverseDeliveryShippingUpdate(reverseDeliveryId: $id
        trackingInput: { number: "R2" }) { reverseDelivery { deliverable {
          ... on ReverseDeliveryShippingDeliverable { tracking { number } label { publicFileUrl } }
        } } userErrors { message } } }`,
      { id: reverseDelivery!['id'] },
    );
    expect(reverseDeliveryShippingUpdate).toEqual({
      reverseDelivery: {
        deliverable: {
          tracking: { number: 'R2' },
          label: { publicFileUrl: 'https://example.com/label.pdf' },
        },
      },
      userErrors: [],
    });
  });

  it('are disposed of, one reverse fulfillment order at a time', async () => {
    const { reverseFulfillmentOrders } = await made();
    const line = reverseFulfillmentOrders.nodes[0]!.lineItems.nodes[0]!.id;
    const dispose = async (inputs: object[]): Promise<unknown> => {
      const { reverseFulfillmentOrderDispose } = await fixture.call(
        `mutation ($inputs: [ReverseFulfillmentOrderDisposeInput!]!) {
          reverseFulfillmentOrderDispose(dispositionInputs: $inputs) {
            reverseFulfillmentOrderLineItems { dispositions { type quantity } }
            userErrors { field message code } } }`,
        { inputs },
      );
      return reverseFulfillmentOrderDispose!;
    };
    const input = (dispositionType: string, id = line): object => ({
      ...{ reverseFulfillmentOrderLineItemId: id, quantity: 1, dispositionType },
    });
    const refused = (field: string[], message: string, code: string): object => ({
      reverseFulfillmentOrderLineItems: null,
      userErrors: [{ field, message, code }],
    });
    const list = ['dispositionInputs'];
    expect(await dispose([])).toEqual(refused(list, 'The array cannot be empty.', 'BLANK'));
    expect(
      await dispose([input('NOT_RESTOCKED', 'gid://shopify/ReverseFulfillmentOrderLineItem/9')]),
    ).toEqual(
      refused(
        list,
        'Cannot dispose items from more than one reverse fulfillment order.',
        'INVALID',
      ),
    );
    expect(await dispose([input('RESTOCKED')])).toEqual(
      refused(
        [...list, '0', 'dispositionType'],
        'RESTOCKED is an invalid disposition type for a custom line item.',
        'INVALID',
      ),
    );
    expect(await dispose([input('NOT_RESTOCKED')])).toEqual({
      reverseFulfillmentOrderLineItems: [
        { dispositions: [{ type: 'NOT_RESTOCKED', quantity: 1 }] },
      ],
      userErrors: [],
    });
  });

  it('are calculated before they are made', async () => {
    const { returnableFulfillments, returnCalculate, returnReasonDefinitions } = await fixture.call(
      `query ($id: ID!, $input: CalculateReturnInput!) {
        returnableFulfillments(orderId: $id, first: 5) { nodes {
          fulfillment { order { id } } returnableFulfillmentLineItems(first: 5) { nodes {
            quantity fulfillmentLineItem { id } } } } }
        returnReasonDefinitions(first: 2) { nodes { id name handle deleted } }
        returnCalculate(input: $input) { returnLineItems { quantity
          restockingFee { percentage amountSet { shopMoney { amount } } }
          subtotalSet { shopMoney { amount } } totalTaxSet { shopMoney { amount } } }
          returnShippingFee { amountSet { shopMoney { amount } } } } }`,
      {
        id: order.id,
        input: {
          orderId: order.id,
          returnLineItems: [
            {
              ...{ fulfillmentLineItemId: order.shipped, quantity: 1 },
              restockingFee: { percentage: 10 },
            },
          ],
        },
      },
    );
    expect(returnableFulfillments!['nodes']).toEqual([
      {
        fulfillment: { order: { id: order.id } },
        returnableFulfillmentLineItems: {
          nodes: [{ quantity: 3, fulfillmentLineItem: { id: order.shipped } }],
        },
      },
    ]);
    expect(returnReasonDefinitions!['nodes']).toEqual([
      {
        ...{ id: 'gid://shopify/ReturnReasonDefinition/1', name: 'Unknown', handle: 'unknown' },
        deleted: false,
      },
      expect.objectContaining({ handle: 'changed-my-mind' }),
    ]);
    expect(returnCalculate).toEqual({
      returnLineItems: [
        {
          quantity: 1,
          restockingFee: { percentage: 10, amountSet: { shopMoney: { amount: '2.0' } } },
          subtotalSet: { shopMoney: { amount: '-20.0' } },
          totalTaxSet: { shopMoney: { amount: '-1.0' } },
        },
      ],
      returnShippingFee: null,
    });
  });
});
