import type { NodeFields } from '../../state/nodes/node-store.js';
import { startedJob } from '../nodes/job.resolvers.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { shippedBy } from '../shipping/fulfillment-service.resolvers.js';
import {
  createFulfillmentOrder,
  hasLeft,
  idsOf,
  nodeOf,
  parcelsIn,
  quantitiesToFulfill,
  takeQuantities,
  total,
} from './fulfillment-orders.js';
import { emptyOrder, owedOf } from './order-refund.js';
import { amountOf, bagOf, orderFields } from './order-totals.js';

interface OrderError {
  readonly field: readonly string[] | null;
  readonly message: string;
  readonly code?: string;
}

interface CompleteArgs {
  id: string;
  paymentPending?: boolean | null;
  sourceName?: string | null;
}

interface CancelArgs {
  orderId: string;
  reason: string;
  refund?: boolean | null;
  refundMethod?: { originalPaymentMethodsRefund?: boolean | null } | null;
  restock?: boolean | null;
  staffNote?: string | null;
}

interface FulfillmentArgs {
  fulfillment: {
    lineItemsByFulfillmentOrder: ReadonlyArray<{
      fulfillmentOrderId: string;
      fulfillmentOrderLineItems?: ReadonlyArray<{ id: string; quantity: number }> | null;
    }>;
    trackingInfo?: Readonly<NodeFields> | null;
  };
}

interface TrackingArgs {
  fulfillmentId: string;
  trackingInfoInput: Readonly<NodeFields>;
}

/**
 * The resolvers of the mutations that move an order on: from a draft, to paid, fulfilled and
 * cancelled.
 */
export function orderRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed, view } = writer;
  const { nodes, defaults, stock } = reader.store;
  const now = (): string => defaults.now().toISOString();
  const refused = (result: string, ...userErrors: OrderError[]): object => ({
    [result]: null,
    userErrors,
  });
  const orderChanged = (id: string, ...topics: string[]): void => {
    changed('update', id, nodes.fieldsOf(id));
    for (const topic of topics) changed.topic(topic, id);
  };

  const createdOrder = (fields: NodeFields): string => {
    const { id } = nodes.create('Order', orderFields(fields, reader, undefined));
    createFulfillmentOrder(nodes, id);
    stock.commit(id);
    changed('create', id, nodes.fieldsOf(id));
    return id;
  };

  /** What a merchant says was paid outside of the shop. */
  const payment = (amountSet: unknown, status = 'SUCCESS'): string =>
    nodes.create('OrderTransaction', {
      kind: 'SALE',
      status,
      gateway: 'manual',
      manualPaymentGateway: true,
      amountSet,
      processedAt: now(),
    }).id;

  const paid = (id: string): void => {
    const order = nodes.fieldsOf(id);
    const bag = bagOf(String(order['currencyCode']));
    const owed = owedOf(order);
    nodes.update(id, {
      displayFinancialStatus: 'PAID',
      transactions: [...idsOf(order['transactions']), payment(bag(owed))],
      paymentGatewayNames: [...new Set([...idsOf(order['paymentGatewayNames']), 'manual'])],
      fullyPaid: true,
      capturable: false,
      canMarkAsPaid: false,
      totalOutstandingSet: bag(0),
      totalReceivedSet: bag(amountOf(order['totalReceivedSet']) + owed),
      netPaymentSet: order['currentTotalPriceSet'],
    });
  };

  /** Closes an order that is paid and fulfilled. */
  const closeIfDone = (id: string): void => {
    const { displayFinancialStatus, displayFulfillmentStatus } = nodes.fieldsOf(id);
    if (displayFinancialStatus === 'PAID' && displayFulfillmentStatus === 'FULFILLED')
      nodes.update(id, { closed: true, closedAt: now() });
  };

  /** The lines of fulfillment orders leave the shop; negative quantities come back. */
  const shipped = (quantities: ReadonlyMap<string, number>): void => {
    for (const [line, quantity] of quantities)
      stock.ship(String(nodes.fieldsOf(line)['lineItem']), quantity);
  };

  const root = {
    draftOrderComplete: ({ id, paymentPending, sourceName }: CompleteArgs) => {
      const draft = nodeOf(nodes, 'DraftOrder', id);
      if (!draft)
        return refused('draftOrder', { field: ['id'], message: 'Draft order does not exist' });
      if (draft['status'] === 'COMPLETED')
        return refused('draftOrder', { field: null, message: 'This order has been paid' });
      const lineItems = idsOf(draft['lineItems']).map((line) => {
        const { custom: _custom, ...values } = nodes.fieldsOf(line);
        return nodes.create('LineItem', values).id;
      });
      const { status: _status, name: _name, number: _number, ...kept } = draft;
      const isPending = paymentPending || draft['paymentTerms'] != null;
      const paying = payment(draft['totalPriceSet'], isPending ? 'PENDING' : 'SUCCESS');
      const order = createdOrder({
        ...kept,
        lineItems,
        sourceName: sourceName ?? 'shopify_draft_order',
        financialStatus: isPending ? 'PENDING' : 'PAID',
        transactions: [paying],
        paymentGatewayNames: ['manual'],
      });
      nodes.update(id, { status: 'COMPLETED', completedAt: now(), order });
      changed('update', id, nodes.fieldsOf(id));
      if (!isPending) changed.topic('orders/paid', order);
      return { draftOrder: view(id), userErrors: [] };
    },

    orderMarkAsPaid: ({ input }: { input: { id: string } }) => {
      const order = nodeOf(nodes, 'Order', input.id);
      if (!order) return refused('order', { field: ['id'], message: 'Order does not exist' });
      if (SETTLED.includes(String(order['displayFinancialStatus'])) || order['cancelledAt'])
        return { order: view(input.id), userErrors: [NOT_PAYABLE] };
      paid(input.id);
      closeIfDone(input.id);
      orderChanged(input.id, 'orders/paid');
      return { order: view(input.id), userErrors: [] };
    },

    orderCancel: (args: CancelArgs) => {
      const { orderId, reason, refund, refundMethod, restock, staffNote } = args;
      const order = nodeOf(nodes, 'Order', orderId);
      const problem = !order
        ? { field: ['orderId'], message: 'Order does not exist', code: 'NOT_FOUND' }
        : order['cancelledAt']
          ? { field: ['orderId'], message: ALREADY_CANCELLED, code: 'INVALID' }
          : refund != null && refundMethod
            ? { field: ['refund'], message: ONE_REFUND, code: 'INVALID' }
            : (staffNote?.length ?? 0) > 255
              ? { field: ['staffNote'], message: LONG_NOTE, code: 'INVALID' }
              : undefined;
      if (!order || problem)
        return { job: null, orderCancelUserErrors: [problem], userErrors: [problem] };
      const pays = Boolean(refund ?? refundMethod?.originalPaymentMethodsRefund);
      emptyOrder(writer, orderId, pays, Boolean(restock));
      const { displayFinancialStatus, totalReceivedSet, currencyCode } = nodes.fieldsOf(orderId);
      const isKept = displayFinancialStatus === null || amountOf(totalReceivedSet) > 0;
      nodes.update(orderId, {
        cancelledAt: now(),
        cancelReason: reason,
        cancellation: { staffNote: staffNote ?? null },
        closed: true,
        closedAt: now(),
        displayFinancialStatus: isKept ? displayFinancialStatus : 'VOIDED',
        totalOutstandingSet: bagOf(String(currencyCode))(0),
      });
      for (const one of nodes.naming(orderId, ['FulfillmentOrder']))
        nodes.update(one.id, { status: 'CLOSED' });
      orderChanged(orderId, 'orders/cancelled');
      return { job: startedJob(nodes), orderCancelUserErrors: [], userErrors: [] };
    },

    fulfillmentCreate: ({ fulfillment }: FulfillmentArgs) => {
      const { lineItemsByFulfillmentOrder: wanted, trackingInfo } = fulfillment;
      const problem = (message: string): object =>
        refused('fulfillment', { field: ['fulfillment'], message });
      const parts: Array<{ id: string; quantities: Map<string, number> }> = [];
      if (wanted.length === 0) return problem("Line items by fulfillment order can't be blank.");
      for (const { fulfillmentOrderId: id, fulfillmentOrderLineItems } of wanted) {
        const order = nodeOf(nodes, 'FulfillmentOrder', id);
        if (!order) return problem('Fulfillment order does not exist.');
        const same = parts.find((part) => part.id === id);
        const lines = fulfillmentOrderLineItems;
        const quantities = quantitiesToFulfill(nodes, id, lines, same?.quantities);
        if (UNFULFILLABLE.includes(String(order['status'])) || quantities.size === 0)
          return problem(
            `Fulfillment order ${id.split('/').at(-1)} has an unfulfillable status= ${String(order['status']).toLowerCase()}.`,
          );
        if (!hasLeft(nodes, id, quantities))
          return problem('Invalid fulfillment order line item quantity requested.');
        if (same) same.quantities = quantities;
        else parts.push({ id, quantities });
      }
      const [first] = parts;
      const orderId = String(first && nodes.fieldsOf(first.id)['order']);
      const order = nodes.fieldsOf(orderId);
      const before = idsOf(order['fulfillments']);
      const fulfillmentLineItems = parts.flatMap(({ quantities }) =>
        [...quantities].map(
          ([line, quantity]) =>
            nodes.create('FulfillmentLineItem', {
              lineItem: nodes.fieldsOf(line)['lineItem'],
              quantity,
            }).id,
        ),
      );
      const { id } = nodes.create('Fulfillment', {
        order: orderId,
        name: `${String(order['name'])}-F${before.length + 1}`,
        status: 'SUCCESS',
        displayStatus: 'FULFILLED',
        fulfillmentLineItems,
        fulfillmentOrders: parts.map((part) => part.id),
        taken: parts.map((part) => ({ id: part.id, quantities: [...part.quantities] })),
        totalQuantity: parts.reduce((sum, { quantities }) => sum + total(quantities), 0),
        trackingInfo: parcelsIn(trackingInfo ?? {}),
        ...shippedBy(nodes, first?.id),
      });
      for (const part of parts) {
        takeQuantities(nodes, part.id, part.quantities);
        shipped(part.quantities);
      }
      nodes.update(orderId, { fulfillments: [...before, id] });
      closeIfDone(orderId);
      changed('create', id, nodes.fieldsOf(id));
      const isDone = nodes.fieldsOf(orderId)['displayFulfillmentStatus'] === 'FULFILLED';
      orderChanged(orderId, isDone ? 'orders/fulfilled' : 'orders/partially_fulfilled');
      return { fulfillment: view(id), userErrors: [] };
    },

    fulfillmentTrackingInfoUpdate: ({ fulfillmentId: id, trackingInfoInput }: TrackingArgs) => {
      if (!nodeOf(nodes, 'Fulfillment', id)) {
        const message = 'Fulfillment does not exist.';
        return refused('fulfillment', { field: ['fulfillmentId'], message });
      }
      nodes.update(id, { trackingInfo: parcelsIn(trackingInfoInput) });
      changed('update', id, nodes.fieldsOf(id));
      return { fulfillment: view(id), userErrors: [] };
    },

    fulfillmentCancel: ({ id }: { id: string }) => {
      const fulfillment = nodeOf(nodes, 'Fulfillment', id);
      if (!fulfillment)
        return refused('fulfillment', { field: ['id'], message: 'Fulfillment not found.' });
      const orderId = String(fulfillment['order']);
      const isEnded = nodes.fieldsOf(orderId)['cancelledAt'] != null;
      const isRepeated = fulfillment['status'] === 'CANCELLED';
      const taken = isEnded || isRepeated ? [] : (fulfillment['taken'] as Taken);
      for (const part of taken) {
        const back = part.quantities.map(([line, quantity]) => [line, -quantity] as const);
        takeQuantities(nodes, part.id, new Map(back));
        shipped(new Map(back));
      }
      nodes.update(id, { status: 'CANCELLED', displayStatus: 'CANCELED' });
      if (taken.length > 0) nodes.update(orderId, { closed: false, closedAt: null });
      changed('update', id, nodes.fieldsOf(id));
      orderChanged(orderId);
      return { fulfillment: view(id), userErrors: [] };
    },
  };
  const { fulfillmentCreate, fulfillmentTrackingInfoUpdate } = root;
  return {
    ...root,
    fulfillmentCreateV2: fulfillmentCreate,
    fulfillmentTrackingInfoUpdateV2: fulfillmentTrackingInfoUpdate,
  };
}

/** What a fulfillment has taken of which fulfillment orders. */
type Taken = ReadonlyArray<{
  readonly id: string;
  readonly quantities: ReadonlyArray<readonly [string, number]>;
}>;

/** What an order says that was paid, or will never be. */
const SETTLED: readonly string[] = ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED', 'VOIDED'];
const UNFULFILLABLE: readonly string[] = ['CLOSED', 'CANCELLED', 'ON_HOLD', 'SCHEDULED'];
const ALREADY_CANCELLED = 'Cannot cancel an order that has already been canceled';
const NOT_PAYABLE: OrderError = { field: ['id'], message: 'Order cannot be marked as paid.' };
const LONG_NOTE = 'Staff note is too long. Maximum length is 255 characters.';
const ONE_REFUND = 'Only one of the arguments `refund` or `refund_method` is allowed.';
