import { cents } from '../../base/amounts.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { cancelAll, cancelQuantity } from './cancelled-quantities.js';
import { idsOf } from './fulfillment-orders.js';
import { amountOf, bagOf } from './order-totals.js';

/** What a refund gives back: lines, shipping and money. */
export interface RefundInput {
  readonly orderId: string;
  readonly note?: string | null;
  readonly processedAt?: string | null;
  readonly refundLineItems?: readonly RefundLine[] | null;
  readonly shipping?: { readonly amount?: unknown; readonly fullRefund?: boolean | null } | null;
  readonly transactions?: readonly RefundTransaction[] | null;
}

interface RefundLine {
  readonly lineItemId: string;
  readonly locationId?: string | null;
  readonly quantity: number;
  readonly restockType?: 'CANCEL' | 'LEGACY_RESTOCK' | 'NO_RESTOCK' | 'RETURN' | null;
}

interface RefundTransaction {
  readonly amount: string | number;
  readonly gateway: string;
  readonly kind: string;
  readonly parentId?: string | null;
}

/**
 * Gives money of an order back and takes lines off it, without asking whether that is allowed, and
 * without telling that the order has changed. Returns the id of the refund.
 */
export function refundOrder(writer: NodeWriter, input: RefundInput): string {
  const { reader, changed } = writer;
  const { nodes, defaults } = reader.store;
  const { orderId } = input;
  const order = nodes.fieldsOf(orderId);
  const bag = bagOf(String(order['currencyCode']));
  const lines = (input.refundLineItems ?? []).map((one) => refundLine(one, writer, bag));
  const transactions = (input.transactions ?? []).map(({ amount, gateway, kind, parentId }) => {
    const parent = parentId ? nodes.fieldsOf(parentId) : {};
    return nodes.create('OrderTransaction', {
      order: orderId,
      amountSet: bag(Number(amount)),
      amount: String(amount),
      gateway: parent['gateway'] ?? gateway,
      kind,
      status: 'SUCCESS',
      processedAt: defaults.now(),
      parentTransaction: parentId,
    }).id;
  });
  const money = sum((input.transactions ?? []).map(({ amount }) => Number(amount)));
  const { id } = nodes.create('Refund', {
    order: orderId,
    note: input.note ?? null,
    processedAt: input.processedAt ?? defaults.now(),
    totalRefundedSet: bag(money),
    totalRefunded: bag(money),
    refundLineItems: lines.map(({ fields }) => fields),
    transactions,
  });
  const off = {
    money,
    lines: sum(lines.map(({ subtotal }) => subtotal)),
    quantity: sum(lines.map(({ fields }) => Number(fields['quantity']))),
    shipping: shippingOf(input, order),
  };
  nodes.update(orderId, {
    ...refunded(order, off, bag),
    refunds: [...idsOf(order['refunds']), id],
    transactions: [...idsOf(order['transactions']), ...transactions],
  });
  changed('create', id, nodes.fieldsOf(id));
  return id;
}

/** Takes every line off an order that is cancelled, and gives its money back if `pays`. */
export function emptyOrder(
  writer: NodeWriter,
  orderId: string,
  pays: boolean,
  restock: boolean,
): void {
  const { nodes, stock } = writer.reader.store;
  const order = nodes.fieldsOf(orderId);
  const lines = idsOf(order['lineItems']);
  const parentId = idsOf(order['transactions']).find((id) => {
    const { kind, status } = nodes.fieldsOf(id);
    return ['SALE', 'CAPTURE'].includes(String(kind)) && status !== 'PENDING';
  });
  const amount = pays ? amountOf(order['netPaymentSet']) : 0;
  const payment = { amount, gateway: 'manual', kind: 'REFUND', parentId: parentId ?? null };
  const restockType = restock ? 'CANCEL' : 'NO_RESTOCK';
  // All lines at once: each by itself would count the whole order again.
  cancelAll(nodes, orderId);
  refundOrder(writer, {
    orderId,
    refundLineItems: lines.flatMap((lineItemId) => {
      const quantity = Number(nodes.fieldsOf(lineItemId)['refundableQuantity'] ?? 0);
      return quantity > 0 ? [{ lineItemId, quantity, restockType }] : [];
    }),
    shipping: { fullRefund: true },
    transactions: amount > 0 ? [payment] : [],
  });
  for (const line of lines) {
    if (restock) stock.release(line, Infinity);
    else stock.ship(line, Infinity);
  }
}

/** Takes a quantity off a line, and into stock. */
function refundLine(
  { lineItemId, quantity, restockType, locationId }: RefundLine,
  { reader }: NodeWriter,
  bag: (amount: number) => object,
): { fields: NodeFields; subtotal: number } {
  const { nodes, stock } = reader.store;
  const line = nodes.fieldsOf(lineItemId);
  const type = restockType ?? 'NO_RESTOCK';
  const unit = amountOf(line['discountedUnitPriceSet']);
  // The parts of a price that cannot be divided into cents add up to it.
  const all = Number(line['quantity'] ?? 0);
  const before = all - Number(line['refundableQuantity'] ?? 0);
  const costOf = (pieces: number): number =>
    cents((amountOf(line['discountedTotalSet']) * pieces) / (all || 1));
  const subtotal = cents(costOf(before + quantity) - costOf(before));
  const left = (name: string): number => Math.max(0, Number(line[name] ?? 0) - quantity);
  if (type === 'CANCEL') {
    stock.release(lineItemId, quantity);
    cancelQuantity(nodes, lineItemId, quantity);
  }
  const location =
    type === 'RETURN' || type === 'LEGACY_RESTOCK'
      ? stock.restock(lineItemId, quantity, locationId)
      : undefined;
  nodes.update(lineItemId, {
    refundableQuantity: left('refundableQuantity'),
    currentQuantity: left('currentQuantity'),
  });
  const fields = {
    lineItem: lineItemId,
    quantity,
    restockType: type,
    restocked: type !== 'NO_RESTOCK',
    location: locationId ?? location ?? null,
    price: unit.toFixed(2),
    priceSet: bag(unit),
    subtotal: subtotal.toFixed(2),
    subtotalSet: bag(subtotal),
  };
  return { fields, subtotal };
}

/** What an order says after a refund. @param off what is taken off it */
function refunded(
  order: Readonly<NodeFields>,
  off: { money: number; lines: number; quantity: number; shipping: number },
  bag: (amount: number) => object,
): NodeFields {
  const amount = (name: string): number => amountOf(order[name]);
  const less = (name: string, by: number): object => bag(Math.max(0, amount(name) - by));
  const total = cents(amount('totalRefundedSet') + off.money);
  const net = cents(amount('totalReceivedSet') - total);
  const quantity = Number(order['currentSubtotalLineItemsQuantity'] ?? 0) - off.quantity;
  const status = net > 0 ? 'PARTIALLY_REFUNDED' : 'REFUNDED';
  return {
    totalRefundedSet: bag(total),
    totalRefundedShippingSet: bag(amount('totalRefundedShippingSet') + off.shipping),
    netPaymentSet: bag(net),
    netPayment: net.toFixed(2),
    currentTotalPriceSet: less('currentTotalPriceSet', off.lines + off.shipping),
    currentSubtotalPriceSet: less('currentSubtotalPriceSet', off.lines),
    currentSubtotalLineItemsQuantity: Math.max(0, quantity),
    ...(off.money > 0 ? { displayFinancialStatus: status } : {}),
  };
}

/** How much of the shipping a refund gives back. */
export function shippingOf({ shipping }: RefundInput, order: Readonly<NodeFields>): number {
  return shipping?.fullRefund ? shippingLeft(order) : Number(shipping?.amount ?? 0);
}

/** How much of the shipping was not given back yet. */
export function shippingLeft(order: Readonly<NodeFields>): number {
  const { totalShippingPriceSet, totalRefundedShippingSet } = order;
  return cents(amountOf(totalShippingPriceSet) - amountOf(totalRefundedShippingSet));
}

/** What is still to be paid of an order, as it is after edits and refunds. */
export function owedOf(order: Readonly<NodeFields>): number {
  return sum([amountOf(order['currentTotalPriceSet']), -amountOf(order['netPaymentSet'])]);
}

/** Adds amounts up, to the cent. */
export function sum(amounts: readonly number[]): number {
  return cents(amounts.reduce((all, one) => all + one, 0));
}
