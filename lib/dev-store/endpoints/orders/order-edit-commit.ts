import { randomUUID } from 'node:crypto';
import type { NodeFields } from '../../state/nodes/node-store.js';
import { numberOf } from '../nodes/node-reader.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { listOf } from '../payloads/payload-values.js';
import { cancelQuantity } from './cancelled-quantities.js';
import { addQuantity, createFulfillmentOrder, idsOf } from './fulfillment-orders.js';
import { changesOf, lineTaxes, unitOf, type EditLine, type OrderEdit } from './order-edit.js';
import { amountOf, bagOf, completedLine } from './order-totals.js';

/** The session that an edit is committed in, and what the call says beside. */
interface Committed {
  readonly id: string;
  readonly notifyCustomer?: boolean | null | undefined;
  readonly staffNote?: string | null | undefined;
}

/** Makes an order what an edit of it says, and tells the apps. */
export function commitEdit(writer: NodeWriter, edit: OrderEdit, call: Committed): void {
  const { reader, changed } = writer;
  const { nodes } = reader.store;
  const order = nodes.fieldsOf(edit.order);
  const changes = changesOf(nodes, edit);
  const bag = bagOf(edit.currency);
  const more = (name: string, by: number): NodeFields => ({
    [name]: bag(amountOf(order[name]) + by),
  });
  const waiting = edit.lines.flatMap((line) =>
    line.lineItem ? changeLine(writer, line, edit.currency) : [],
  );
  const added = edit.lines
    .filter(({ lineItem, quantity }) => !lineItem && quantity > 0)
    .map((line) => ({ id: addedLine(writer, line, edit.currency), delta: line.quantity }));
  const increments = edit.lines.flatMap(({ lineItem, quantity, before }) =>
    lineItem && quantity > before ? [{ id: lineItem, delta: quantity - before }] : [],
  );
  for (const { id, delta } of [...increments, ...added])
    reader.store.stock.commitMore(edit.order, id, delta);
  nodes.update(edit.order, {
    lineItems: [...idsOf(order['lineItems']), ...added.map(({ id }) => id)],
    shippingLines: shippingOf(order, edit, bag),
    subtotalLineItemsQuantity:
      Number(order['subtotalLineItemsQuantity'] ?? 0) + Math.max(0, changes.quantity),
    currentSubtotalLineItemsQuantity:
      Number(order['currentSubtotalLineItemsQuantity'] ?? 0) + changes.quantity,
    ...more('subtotalPriceSet', changes.original),
    ...more('currentSubtotalPriceSet', changes.lines),
    ...more('totalDiscountsSet', changes.discounts),
    ...more('currentTotalDiscountsSet', changes.discounts),
    ...more('totalShippingPriceSet', changes.shipping),
    ...more('totalPriceSet', changes.original + Math.max(0, changes.others)),
    ...more('currentTotalPriceSet', changes.lines + changes.others),
    ...more('totalTaxSet', Math.max(0, changes.tax)),
    ...more('currentTotalTaxSet', changes.tax),
    currentTaxLines: changes.taxes,
    edited: true,
    ...{ closed: false, closedAt: null },
  });
  nodes.update(edit.order, payments(nodes.fieldsOf(edit.order), bag));
  createFulfillmentOrder(nodes, edit.order, [
    ...waiting,
    ...added.map(({ id, delta }) => [id, delta] as const),
  ]);
  changed('update', edit.order, nodes.fieldsOf(edit.order));
  writer.notify('orders/edited', {
    order_edit: {
      id: numberOf(call.id),
      app_id: null,
      created_at: reader.store.defaults.now().toISOString(),
      notify_customer: Boolean(call.notifyCustomer),
      order_id: numberOf(edit.order),
      staff_note: call.staffNote ?? '',
      user_id: null,
      line_items: {
        additions: [
          ...edit.lines.flatMap((line) => changeOf(line, (delta) => delta > 0)),
          ...added.map(({ id, delta }) => ({ id: numberOf(id), delta })),
        ],
        removals: edit.lines.flatMap((line) => changeOf(line, (delta) => delta < 0)),
      },
      discounts: { line_item: { additions: [], removals: [] } },
      shipping_lines: { additions: [], removals: [] },
    },
  });
}

/** How many of a line there are more or less, in the payload of the webhook. */
function changeOf(
  { lineItem, quantity, before }: EditLine,
  isWanted: (delta: number) => boolean,
): object[] {
  const delta = quantity - before;
  return lineItem && isWanted(delta) ? [{ id: numberOf(lineItem), delta: Math.abs(delta) }] : [];
}

/** Makes a line of the order what the edit says. Returns what no fulfillment order takes. */
function changeLine(
  { reader }: NodeWriter,
  line: EditLine,
  currency: string,
): Array<readonly [line: string, quantity: number]> {
  const { nodes, stock } = reader.store;
  const { lineItem = '', quantity, before, restock, fields } = line;
  const bag = bagOf(currency);
  const delta = quantity - before;
  const unit = unitOf(line);
  if (delta === 0 && !line.discount) return [];
  if (delta < 0) {
    cancelQuantity(nodes, lineItem, -delta);
    if (restock) stock.release(lineItem, -delta);
    else stock.ship(lineItem, -delta);
  }
  const isTaken = delta <= 0 || addQuantity(nodes, lineItem, delta);
  const all = Number(fields['quantity'] ?? 0) + Math.max(0, delta);
  nodes.update(lineItem, {
    quantity: all,
    taxLines: lineTaxes(fields, all, currency),
    currentQuantity: quantity,
    refundableQuantity: Number(fields['refundableQuantity'] ?? 0) + delta,
    originalTotalSet: bag(all * line.price),
    discountedUnitPriceSet: bag(unit),
    discountedTotalSet: bag(all * unit),
    totalDiscountSet: bag(all * (line.price - unit)),
  });
  return isTaken ? [] : [[lineItem, delta]];
}

/** Adds a line to the order. */
function addedLine({ reader }: NodeWriter, line: EditLine, currency: string): string {
  const { price: _price, ...fields } = line.fields;
  const discount = (line.price - unitOf(line)) * line.quantity;
  const values = {
    ...fields,
    quantity: line.quantity,
    originalUnitPrice: String(line.price),
    ...(discount > 0 ? { appliedDiscount: { value: discount, valueType: 'FIXED_AMOUNT' } } : {}),
  };
  return reader.store.nodes.create('LineItem', completedLine(values, reader, currency)).id;
}

/** The shipping lines of the order, with those that are added, and without those removed. */
function shippingOf(
  order: Readonly<NodeFields>,
  { shipping }: OrderEdit,
  bag: (amount: number) => object,
): unknown[] {
  const kept = shipping.filter(({ stagedStatus }) => stagedStatus !== 'ADDED');
  const added = shipping.filter(({ stagedStatus }) => stagedStatus === 'ADDED');
  return [
    ...listOf(order['shippingLines']).filter((_, at) => kept[at]?.stagedStatus === 'NONE'),
    ...added.map(({ title, price }) => ({
      id: `gid://shopify/ShippingLine/${randomUUID()}`,
      title,
      custom: true,
      priceSet: bag(price),
      originalPriceSet: bag(price),
      discountedPriceSet: bag(price),
    })),
  ];
}

/** How an order is paid after an edit. */
function payments(order: Readonly<NodeFields>, bag: (amount: number) => object): NodeFields {
  const net = amountOf(order['netPaymentSet']);
  const outstanding = amountOf(order['currentTotalPriceSet']) - net;
  const isPaid = net > 0 && outstanding <= 0;
  const status = net > 0 ? (isPaid ? 'PAID' : 'PARTIALLY_PAID') : order['displayFinancialStatus'];
  return {
    totalOutstandingSet: bag(outstanding),
    displayFinancialStatus: status,
    fullyPaid: isPaid,
    totalPrice: amountOf(order['totalPriceSet']).toFixed(2),
  };
}
