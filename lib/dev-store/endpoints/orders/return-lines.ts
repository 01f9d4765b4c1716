import type { NodeStore } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { idsOf } from './fulfillment-orders.js';
import { amountOf, bagOf } from './order-totals.js';
import { reasonFields, type ReturnInput } from './return-checks.js';

/** Adds the lines of a return that is new: what comes back, and what is sent in its place. */
export function addReturnLines(nodes: NodeStore, id: string, input: ReturnInput): void {
  const { currencyCode } = nodes.fieldsOf(input.orderId);
  const bag = bagOf(String(currencyCode));
  const waiting = (quantity: number): object => ({
    quantity,
    ...{ unprocessedQuantity: quantity, processableQuantity: quantity, processedQuantity: 0 },
  });
  const returnLineItems = input.returnLineItems.map((line) => {
    const { fulfillmentLineItemId: fulfillmentLineItem, quantity, restockingFee } = line;
    const { lineItem } = nodes.fieldsOf(fulfillmentLineItem);
    const unit = amountOf(nodes.fieldsOf(String(lineItem))['discountedUnitPriceSet']);
    const fee = (unit * quantity * (restockingFee?.percentage ?? 0)) / 100;
    return nodes.create('ReturnLineItem', {
      ...{ return: id, fulfillmentLineItem, ...waiting(quantity), ...reasonFields(line) },
      ...{ refundableQuantity: quantity, refundedQuantity: 0 },
      returnReasonNote: line.returnReasonNote ?? '',
      customerNote: line['customerNote'] ?? null,
      withCodeDiscountedTotalPriceSet: bag(unit * quantity),
      ...(restockingFee ? { restockingFee: { ...restockingFee, amountSet: bag(fee) } } : {}),
    }).id;
  });
  const exchangeLineItems = (input.exchangeLineItems ?? []).map(
    ({ variantId, quantity }) =>
      nodes.create('ExchangeLineItem', { variantId, ...waiting(quantity), lineItems: [] }).id,
  );
  const fee = input.returnShippingFee?.amount;
  nodes.update(id, {
    ...{ returnLineItems, exchangeLineItems },
    returnShippingFees: fee ? [{ amountSet: bag(Number(fee.amount)) }] : [],
  });
}

/** What comes back of a return is received with a reverse fulfillment order. */
export function addReverseOrder(nodes: NodeStore, id: string): void {
  const { order, returnLineItems } = nodes.fieldsOf(id);
  const lineItems = idsOf(returnLineItems).map((line) => {
    const { fulfillmentLineItem, quantity: totalQuantity } = nodes.fieldsOf(line);
    const fields = { fulfillmentLineItem, returnLineItem: line, totalQuantity, dispositions: [] };
    return nodes.create('ReverseFulfillmentOrderLineItem', fields).id;
  });
  const fields = { order, status: 'OPEN', lineItems };
  const { id: reverse } = nodes.create('ReverseFulfillmentOrder', fields);
  nodes.update(id, { reverseFulfillmentOrders: [reverse] });
}

/** Sets what an order says of its returns. */
export function settleReturns({ reader, changed }: NodeWriter, orderId: string): void {
  const { nodes } = reader.store;
  const all = nodes.naming(orderId, ['Return']).map(({ fields }) => fields['status']);
  const found = ORDER_STATUS.find(([status]) => all.includes(status));
  nodes.update(orderId, { returnStatus: found?.[1] ?? 'NO_RETURN' });
  changed('update', orderId, nodes.fieldsOf(orderId));
}

/** What an order says of its returns, by the first state that one of them has. */
const ORDER_STATUS: ReadonlyArray<readonly [string, string]> = [
  ['OPEN', 'IN_PROGRESS'],
  ['REQUESTED', 'RETURN_REQUESTED'],
  ['CLOSED', 'RETURNED'],
];
