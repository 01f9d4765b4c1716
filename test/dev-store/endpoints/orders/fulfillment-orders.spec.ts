import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

interface FulfillmentOrder {
  readonly id: string;
  readonly status: string;
  readonly supportedActions: ReadonlyArray<{ action: string }>;
  readonly lineItems: {
    readonly nodes: ReadonlyArray<{ id: string; totalQuantity: number; remainingQuantity: number }>;
  };
}

describe('fulfillment orders', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(['orders', 'locations', 'merchant_managed_fulfillment_orders']);
  });
  afterAll(() => fixture.devStore.close());

  const FIELDS = `id status requestStatus supportedActions { action }
    fulfillmentHolds { id handle reason displayReason heldByRequestingApp }
    merchantRequests(first: 5) { nodes { kind message requestOptions } }
    assignedLocation { name location { id } }
    lineItems(first: 5) { nodes {
      id totalQuantity remainingQuantity lineItem { id quantity fulfillableQuantity }
    } }`;
  const order = async (...quantities: number[]): Promise<{ id: string; at: FulfillmentOrder }> => {
    const { orderCreate } = await fixture.call(
      `mutation ($order: OrderCreateOrderInput!) { orderCreate(order: $order) {
        order { id fulfillmentOrders(first: 1) { nodes { ${FIELDS} } } } userErrors { message }
      } }`,
      {
        order: {
          lineItems: quantities.map((quantity, at) => ({ title: `Line ${at}`, quantity })),
        },
      },
    );
    const made = orderCreate!['order'] as {
      id: string;
      fulfillmentOrders: { nodes: [FulfillmentOrder] };
    };
    return { id: made.id, at: made.fulfillmentOrders.nodes[0] };
  };
  const run = async (
    name: string,
    args: string,
    selection = `fulfillmentOrder { ${FIELDS} }`,
    errors = 'field message',
  ): Promise<Data> => {
    const { payload } = await fixture.call(
      `mutation { payload: fulfillmentOrder${name}(${args}) { ${selection} userErrors { ${errors} } } }`,
    );
    return payload!;
  };
  const all = async (id: string): Promise<Data> => {
    const { order: found } = await fixture.call(
      `query ($id: ID!) { order(id: $id) {
        displayFulfillmentStatus fulfillmentOrders(first: 9) { nodes { id status } }
      } }`,
      { id },
    );
    return found!;
  };
  const fulfil = async (id: string): Promise<unknown> => {
    const { fulfillmentCreate } = await fixture.call(
      `mutation ($id: ID!) {
        fulfillmentCreate(fulfillment: { lineItemsByFulfillmentOrder: [{ fulfillmentOrderId: $id }] }) {
          userErrors { message }
        }
      }`,
      { id },
    );
    return (fulfillmentCreate!['userErrors'] as Array<{ message: string }>).map(({ message }) =>
      message.replace(/^.*(?= has an)/, '...'),
    );
  };
  const actions = (...names: string[]): object[] => names.map((action) => ({ action }));
  const line = ({ lineItems }: FulfillmentOrder, at = 0): string => lineItems.nodes[at]!.id;

  it('say what can be done with them', async () => {
    const { at } = await order(2);
    expect(at.supportedActions).toEqual(
      actions('CREATE_FULFILLMENT', 'REPORT_PROGRESS', 'MOVE', 'HOLD', 'SPLIT'),
    );
    const { at: single } = await order(1);
    expect(single.supportedActions).toEqual(
      actions('CREATE_FULFILLMENT', 'REPORT_PROGRESS', 'MOVE', 'HOLD'),
    );
  });

  it('are not fulfilled while they wait', async () => {
    const { at } = await order(2);
    await run('Hold', `id: "${at.id}", fulfillmentHold: { reason: OTHER }`);
    expect(await fulfil(at.id)).toEqual(['... has an unfulfillable status= on_hold.']);
    await run('ReleaseHold', `id: "${at.id}"`);
    const later = `id: "${at.id}", fulfillAt: "2999-01-01T00:00:00Z"`;
    expect(await run('Reschedule', later)).toEqual({
      fulfillmentOrder: null,
      userErrors: [{ field: null, message: 'Fulfillment order must be scheduled.' }],
    });
    fixture.devStore.shop().nodes.update(at.id, { status: 'SCHEDULED' });
    await run('Reschedule', later);
    expect(await fulfil(at.id)).toEqual(['... has an unfulfillable status= scheduled.']);
    await run('Open', `id: "${at.id}"`);
    expect(await fulfil(at.id)).toEqual([]);
  });

  it('keep their states when a part of the order is refunded', async () => {
    const refund = async (orderId: string): Promise<unknown[]> => {
      const { order: found } = await fixture.call(
        'query ($id: ID!) { order(id: $id) { lineItems(first: 1) { nodes { id } } } }',
        { id: orderId },
      );
      const { nodes } = found!['lineItems'] as { nodes: [{ id: string }] };
      const refundLineItems = [{ lineItemId: nodes[0].id, quantity: 1, restockType: 'CANCEL' }];
      const { refundCreate } = await fixture.call(
        `mutation ($input: RefundInput!, $key: String!) {
          refundCreate(input: $input) @idempotent(key: $key) { userErrors { message } }
        }`,
        { input: { orderId, refundLineItems }, key: `refund-${orderId}-${++refunds}` },
      );
      expect(refundCreate!['userErrors']).toEqual([]);
      const { fulfillmentOrders } = await all(orderId);
      return (fulfillmentOrders as { nodes: Data[] }).nodes.map(({ status }) => status);
    };
    let refunds = 0;
    const { id: held, at } = await order(2);
    await run('Hold', `id: "${at.id}", fulfillmentHold: { reason: OTHER }`);
    expect(await refund(held)).toEqual(['ON_HOLD']);
    expect(await refund(held)).toEqual(['CLOSED']);
    const { id: accepted, at: asked } = await order(2);
    await run('SubmitFulfillmentRequest', `id: "${asked.id}"`, 'submittedFulfillmentOrder { id }');
    await run('AcceptFulfillmentRequest', `id: "${asked.id}"`);
    expect(await refund(accepted)).toEqual(['IN_PROGRESS']);
    const { id: again, at: gone } = await order(2);
    await run('Cancel', `id: "${gone.id}"`);
    expect(await refund(again)).toEqual(['CANCELLED', 'OPEN']);
    expect(await refund(again)).toEqual(['CANCELLED', 'CLOSED']);
  });

  it('are held in part, and released hold by hold', async () => {
    const { id, at } = await order(2, 3);
    const hold = (handle: string, lines = ''): Promise<Data> =>
      run(
        'Hold',
        `id: "${at.id}", fulfillmentHold: { reason: OTHER, handle: "${handle}" ${lines} }`,
        `fulfillmentHold { id } fulfillmentOrder { ${FIELDS} } remainingFulfillmentOrder { ${FIELDS} }`,
        'field message code',
      );
    const lines = `fulfillmentOrderLineItems: [
      { id: "${line(at)}", quantity: 2 }, { id: "${line(at, 1)}", quantity: 1 }
    ]`;
    const held = await hold('first', lines);
    expect(held).toMatchObject({
      fulfillmentOrder: {
        id: at.id,
        status: 'ON_HOLD',
        supportedActions: actions('RELEASE_HOLD', 'HOLD', 'MOVE'),
        fulfillmentHolds: [
          { handle: 'first', reason: 'OTHER', displayReason: 'Other', heldByRequestingApp: true },
        ],
        lineItems: {
          nodes: [
            { totalQuantity: 2, lineItem: { quantity: 2, fulfillableQuantity: 0 } },
            { totalQuantity: 1, lineItem: { quantity: 3, fulfillableQuantity: 2 } },
          ],
        },
      },
      remainingFulfillmentOrder: {
        status: 'OPEN',
        requestStatus: 'UNSUBMITTED',
        fulfillmentHolds: [],
        lineItems: { nodes: [{ totalQuantity: 2, remainingQuantity: 2 }] },
      },
      userErrors: [],
    });
    expect(await all(id)).toMatchObject({ displayFulfillmentStatus: 'ON_HOLD' });
    expect(await hold('second', lines)).toMatchObject({
      fulfillmentHold: null,
      userErrors: [
        {
          field: ['fulfillmentHold', 'fulfillmentOrderLineItems'],
          message: 'The fulfillment order is not in a splittable state.',
          code: 'FULFILLMENT_ORDER_NOT_SPLITTABLE',
        },
      ],
    });
    expect(await hold('first')).toMatchObject({
      userErrors: [{ code: 'DUPLICATE_FULFILLMENT_HOLD_HANDLE' }],
    });
    expect(await hold('second')).toMatchObject({
      fulfillmentOrder: { fulfillmentHolds: [{ handle: 'first' }, { handle: 'second' }] },
      remainingFulfillmentOrder: null,
    });
    const { id: first } = held['fulfillmentHold'] as { id: string };
    expect(await run('ReleaseHold', `id: "${at.id}", holdIds: ["${first}"]`)).toMatchObject({
      fulfillmentOrder: { status: 'ON_HOLD', fulfillmentHolds: [{ handle: 'second' }] },
    });
    expect(await run('ReleaseHold', `id: "${at.id}"`)).toMatchObject({
      fulfillmentOrder: { status: 'OPEN', fulfillmentHolds: [] },
    });
    expect(await all(id)).toMatchObject({ displayFulfillmentStatus: 'UNFULFILLED' });
  });

  it('are split and merged again', async () => {
    const { at } = await order(2, 3);
    const split = (lines: string): Promise<Data> =>
      run(
        'Split',
        `fulfillmentOrderSplits: [{ fulfillmentOrderId: "${at.id}", fulfillmentOrderLineItems: [${lines}] }]`,
        `fulfillmentOrderSplits { fulfillmentOrder { ${FIELDS} } remainingFulfillmentOrder { ${FIELDS} } }`,
        'field message code',
      );
    expect(await split('')).toEqual({
      fulfillmentOrderSplits: null,
      userErrors: [
        {
          field: ['fulfillmentOrderSplits', '0', 'fulfillmentOrderLineItems'],
          message: 'There must be at least one item selected in this fulfillment to split it.',
          code: 'NO_LINE_ITEMS_PROVIDED_TO_SPLIT',
        },
      ],
    });
    const { fulfillmentOrderSplits } = await split(
      `{ id: "${line(at)}", quantity: 1 }, { id: "${line(at, 1)}", quantity: 1 }`,
    );
    expect(fulfillmentOrderSplits).toMatchObject([
      {
        fulfillmentOrder: {
          id: at.id,
          supportedActions: expect.arrayContaining(actions('SPLIT', 'MERGE')),
          lineItems: { nodes: [{ totalQuantity: 1 }, { totalQuantity: 2 }] },
        },
        remainingFulfillmentOrder: {
          status: 'OPEN',
          lineItems: {
            nodes: [
              { totalQuantity: 1, lineItem: { fulfillableQuantity: 2 } },
              { totalQuantity: 1, lineItem: { fulfillableQuantity: 3 } },
            ],
          },
        },
      },
    ]);
    const [{ remainingFulfillmentOrder: other }] = fulfillmentOrderSplits as [
      { remainingFulfillmentOrder: FulfillmentOrder },
    ];
    const merged = await run(
      'Merge',
      `fulfillmentOrderMergeInputs: [{ mergeIntents: [
        { fulfillmentOrderId: "${at.id}" }, { fulfillmentOrderId: "${other.id}" }
      ] }]`,
      `fulfillmentOrderMerges { fulfillmentOrder { ${FIELDS} } }`,
    );
    expect(merged).toMatchObject({
      fulfillmentOrderMerges: [
        {
          fulfillmentOrder: {
            id: at.id,
            status: 'OPEN',
            supportedActions: actions(
              'CREATE_FULFILLMENT',
              'REPORT_PROGRESS',
              'MOVE',
              'HOLD',
              'SPLIT',
            ),
            lineItems: { nodes: [{ totalQuantity: 2 }, { totalQuantity: 3 }] },
          },
        },
      ],
      userErrors: [],
    });
  });

  it('are requested of a service in part, accepted, and cancelled with its consent', async () => {
    const { at } = await order(2);
    const submitted = await run(
      'SubmitFulfillmentRequest',
      `id: "${at.id}", message: "Please", notifyCustomer: false,
        fulfillmentOrderLineItems: [{ id: "${line(at)}", quantity: 1 }]`,
      `originalFulfillmentOrder { ${FIELDS} } submittedFulfillmentOrder { id requestStatus }
        unsubmittedFulfillmentOrder { requestStatus lineItems(first: 5) { nodes { totalQuantity } } }`,
    );
    expect(submitted).toMatchObject({
      originalFulfillmentOrder: {
        id: at.id,
        status: 'OPEN',
        requestStatus: 'SUBMITTED',
        merchantRequests: {
          nodes: [
            {
              kind: 'FULFILLMENT_REQUEST',
              message: 'Please',
              requestOptions: { notify_customer: false },
            },
          ],
        },
        lineItems: { nodes: [{ totalQuantity: 1 }] },
      },
      submittedFulfillmentOrder: { id: at.id },
      unsubmittedFulfillmentOrder: {
        requestStatus: 'UNSUBMITTED',
        lineItems: { nodes: [{ totalQuantity: 1 }] },
      },
      userErrors: [],
    });
    const states = async (name: string): Promise<unknown> => {
      const { fulfillmentOrder } = await run(name, `id: "${at.id}"`);
      const { status, requestStatus } = Object(fulfillmentOrder) as Data;
      return [status, requestStatus];
    };
    expect(await states('AcceptFulfillmentRequest')).toEqual(['IN_PROGRESS', 'ACCEPTED']);
    expect(await run('AcceptCancellationRequest', `id: "${at.id}"`)).toEqual({
      fulfillmentOrder: null,
      userErrors: [
        {
          field: null,
          message: 'Expected fulfillment order status to be valid but it was in_progress.',
        },
      ],
    });
    expect(await states('SubmitCancellationRequest')).toEqual(['IN_PROGRESS', 'ACCEPTED']);
    expect(await states('AcceptCancellationRequest')).toEqual(['CLOSED', 'CANCELLATION_ACCEPTED']);

    const { at: other } = await order(1);
    await run('SubmitFulfillmentRequest', `id: "${other.id}"`, 'submittedFulfillmentOrder { id }');
    await run('AcceptFulfillmentRequest', `id: "${other.id}"`);
    expect(await run('Close', `id: "${other.id}"`)).toMatchObject({
      fulfillmentOrder: {
        status: 'INCOMPLETE',
        requestStatus: 'CLOSED',
        supportedActions: actions('REQUEST_FULFILLMENT', 'CREATE_FULFILLMENT', 'HOLD', 'MOVE'),
      },
    });
  });

  it('are moved, started, cancelled for another one, and unknown', async () => {
    const { id, at } = await order(2);
    const { id: depot } = fixture.shop.nodes.create('Location', { name: 'Depot', isActive: true });
    expect(
      await run(
        'Move',
        `id: "${at.id}", newLocationId: "${depot}"`,
        `movedFulfillmentOrder { ${FIELDS} } remainingFulfillmentOrder { id }`,
      ),
    ).toMatchObject({
      movedFulfillmentOrder: {
        id: at.id,
        assignedLocation: { name: 'Depot', location: { id: depot } },
      },
      remainingFulfillmentOrder: null,
    });
    expect(await run('ReportProgress', `id: "${at.id}"`)).toMatchObject({
      fulfillmentOrder: { status: 'IN_PROGRESS' },
    });
    expect(await all(id)).toMatchObject({ displayFulfillmentStatus: 'IN_PROGRESS' });
    expect(await run('Open', `id: "${at.id}"`)).toMatchObject({
      fulfillmentOrder: { status: 'OPEN' },
    });
    const cancelled = await run(
      'Cancel',
      `id: "${at.id}"`,
      `fulfillmentOrder { ${FIELDS} } replacementFulfillmentOrder { ${FIELDS} }`,
    );
    expect(cancelled).toMatchObject({
      fulfillmentOrder: { status: 'CANCELLED', supportedActions: [] },
      replacementFulfillmentOrder: {
        status: 'OPEN',
        lineItems: { nodes: [{ totalQuantity: 2, lineItem: { fulfillableQuantity: 2 } }] },
      },
    });
    expect(await run('Open', `id: "${at.id}"`)).toEqual({
      fulfillmentOrder: null,
      userErrors: [{ field: ['id'], message: 'Fulfillment order must be scheduled.' }],
    });
    const { errors } = await fixture.answer(
      'mutation { fulfillmentOrderOpen(id: "gid://shopify/FulfillmentOrder/1") { userErrors { message } } }',
    );
    expect(errors).toMatchObject([
      {
        message: 'Invalid id: gid://shopify/FulfillmentOrder/1',
        extensions: { code: 'RESOURCE_NOT_FOUND' },
      },
    ]);
  });

  it('are not moved, cancelled or closed after progress that was reported by hand', async () => {
    const { at } = await order(1);
    const { userErrors: closed } = await run('Close', `id: "${at.id}"`);
    expect(closed).toEqual([
      {
        field: null,
        message: "The fulfillment order's assigned fulfillment service must be of api type",
      },
    ]);
    await run('ReportProgress', `id: "${at.id}"`);
    const cancelled = await run('Cancel', `id: "${at.id}"`, undefined, 'field message code');
    expect(cancelled['userErrors']).toEqual([
      {
        field: ['id'],
        message:
          'Cannot cancel fulfillment order that has had progress reported. Mark as unfulfilled first.',
        code: 'FULFILLMENT_ORDER_HAS_MANUALLY_REPORTED_PROGRESS',
      },
    ]);
    const depot = fixture.devStore.shop().nodes.all(['Location'])[0]!.id;
    const moved = await run(
      'Move',
      `id: "${at.id}", newLocationId: "${depot}"`,
      'movedFulfillmentOrder { id }',
      'field code',
    );
    expect(moved['userErrors']).toEqual([
      { field: ['id'], code: 'CANNOT_MOVE_FULFILLMENT_ORDER_WITH_REPORTED_PROGRESS' },
    ]);
    await run('Open', `id: "${at.id}"`);
    expect(await run('Cancel', `id: "${at.id}"`)).toMatchObject({ userErrors: [] });
    const started = await run('ReportProgress', `id: "${at.id}"`, undefined, 'field code');
    expect(started['userErrors']).toEqual([
      { field: ['id'], code: 'FULFILLMENT_ORDER_STATUS_INVALID' },
    ]);
  });

  it('are merged only as long as they are open, with lines and quantities of theirs', async () => {
    const { at } = await order(2);
    const { at: other } = await order(1);
    const merge = async (id: string, lines = ''): Promise<unknown> => {
      const { userErrors } = await run(
        'Merge',
        `fulfillmentOrderMergeInputs: [{ mergeIntents: [
          { fulfillmentOrderId: "${id}" ${lines} } ] }]`,
        'fulfillmentOrderMerges { fulfillmentOrder { id } }',
        'field message code',
      );
      return userErrors;
    };
    const lines = (id: string, quantity: number): string =>
      `fulfillmentOrderLineItems: [{ id: "${id}", quantity: ${quantity} }]`;
    const refused = (message: string, code: string | null = null): object[] => [
      { field: null, message, code },
    ];
    expect(await merge('gid://shopify/FulfillmentOrder/1')).toEqual(
      refused('Fulfillment order does not exist.', 'FULFILLMENT_ORDER_NOT_FOUND'),
    );
    expect(await merge(at.id, lines(line(other), 1))).toEqual(
      refused('Fulfillment order line item does not exist.'),
    );
    expect(await merge(at.id, lines(line(at), 3))).toEqual(
      refused('Invalid fulfillment order line item quantity requested.'),
    );
    await run('Cancel', `id: "${at.id}"`);
    expect(await merge(at.id)).toEqual(
      refused(
        `Fulfillment order: ${at.id.split('/').at(-1)} is currently not in a mergeable state.`,
      ),
    );
  });

  it('are merged and split with no more than they have, whatever is named twice', async () => {
    const merge = async (...ids: string[]): Promise<unknown> => {
      const { userErrors } = await run(
        'Merge',
        `fulfillmentOrderMergeInputs: [{ mergeIntents: [${ids.join()}] }]`,
        'fulfillmentOrderMerges { fulfillmentOrder { id } }',
      );
      return userErrors;
    };
    const split = async (...parts: string[]): Promise<Data> =>
      run(
        'Split',
        `fulfillmentOrderSplits: [${parts.join()}]`,
        `fulfillmentOrderSplits { remainingFulfillmentOrder { ${FIELDS} } }`,
      );
    const part = (id: string, lineId: string, quantity: number): string =>
      `{ fulfillmentOrderId: "${id}", fulfillmentOrderLineItems: [
        { id: "${lineId}", quantity: ${quantity} }] }`;
    const { at } = await order(4);
    const { at: foreign } = await order(1);
    const whole = (id: string): string => `{ fulfillmentOrderId: "${id}" }`;
    const message = 'Invalid fulfillment order line item quantity requested.';
    const twice = part(at.id, line(at), 3);
    expect((await split(twice, twice))['userErrors']).toEqual([
      {
        field: ['fulfillmentOrderSplits', '1', 'fulfillmentOrderLineItems'],
        message,
      },
    ]);
    const { fulfillmentOrderSplits } = await split(part(at.id, line(at), 2));
    const [{ remainingFulfillmentOrder: other }] = fulfillmentOrderSplits as [
      { remainingFulfillmentOrder: FulfillmentOrder },
    ];
    const again = part(other.id, line(other), 2);
    expect(await merge(whole(at.id), again, again)).toEqual([{ field: null, message }]);
    expect(await merge(whole(at.id), whole(foreign.id))).toEqual([
      { field: null, message: 'Fulfillment orders must belong to the same order.' },
    ]);
    expect(await merge(whole(at.id), again)).toEqual([]);
  });

  it('are held with lines that are named once, of which there is any', async () => {
    const { at } = await order(2);
    const hold = async (rest: string): Promise<unknown> => {
      const { userErrors } = await run(
        'Hold',
        `id: "${at.id}", fulfillmentHold: { reason: OTHER, ${rest} }`,
        'fulfillmentHold { id }',
        'field code',
      );
      return userErrors;
    };
    const part = (quantity: number): string => `{ id: "${line(at)}", quantity: ${quantity} }`;
    const field = ['fulfillmentHold', 'fulfillmentOrderLineItems'];
    expect(await hold(`fulfillmentOrderLineItems: [${part(1)}, ${part(1)}]`)).toEqual([
      { field, code: 'DUPLICATED_FULFILLMENT_ORDER_LINE_ITEMS' },
    ]);
    expect(await hold(`fulfillmentOrderLineItems: [${part(0)}]`)).toEqual([
      { field, code: 'GREATER_THAN_ZERO' },
    ]);
    expect(await hold(`handle: "${'x'.repeat(65)}"`)).toEqual([
      { field: ['fulfillmentHold', 'handle'], code: null },
    ]);
  });
});
