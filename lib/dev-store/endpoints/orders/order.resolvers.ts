import type { NodeFields } from '../../state/nodes/node-store.js';
import { startedJob } from '../nodes/job.resolvers.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { createFulfillmentOrder, idsOf, nodeOf } from './fulfillment-orders.js';
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

/** The resolvers of the mutations that move an order on: from a draft, to paid and cancelled. */
export function orderRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed, view } = writer;
  const { nodes, defaults, stock } = reader.store;
  const now = (): string => defaults.now().toISOString();
  const refused = (result: string, ...userErrors: OrderError[]): object => ({
    [result]: null,
    userErrors,
  });

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

  return {
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
      closeIfDone(writer, input.id);
      orderChanged(writer, input.id, 'orders/paid');
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
      orderChanged(writer, orderId, 'orders/cancelled');
      return { job: startedJob(nodes), orderCancelUserErrors: [], userErrors: [] };
    },
  };
}

/** Closes an order that is paid and fulfilled. */
export function closeIfDone({ reader }: NodeWriter, id: string): void {
  const { nodes, defaults } = reader.store;
  const { displayFinancialStatus, displayFulfillmentStatus } = nodes.fieldsOf(id);
  if (displayFinancialStatus === 'PAID' && displayFulfillmentStatus === 'FULFILLED')
    nodes.update(id, { closed: true, closedAt: defaults.now().toISOString() });
}

/** Tells the apps that an order has changed. @param topics what has happened, e.g. `orders/paid` */
export function orderChanged(
  { reader, changed }: NodeWriter,
  id: string,
  ...topics: readonly string[]
): void {
  changed('update', id, reader.store.nodes.fieldsOf(id));
  for (const topic of topics) changed.topic(topic, id);
}

/** What an order says that was paid, or will never be. */
const SETTLED: readonly string[] = ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED', 'VOIDED'];
const ALREADY_CANCELLED = 'Cannot cancel an order that has already been canceled';
const NOT_PAYABLE: OrderError = { field: ['id'], message: 'Order cannot be marked as paid.' };
const LONG_NOTE = 'Staff note is too long. Maximum length is 255 characters.';
const ONE_REFUND = 'Only one of the arguments `refund` or `refund_method` is allowed.';
