import type { NodeStore } from '../../state/nodes/node-store.js';
import { idsOf, settle } from './fulfillment-orders.js';

/** Takes a quantity of a line of an order off the fulfillment orders that it waits in. */
export function cancelQuantity(nodes: NodeStore, lineItemId: string, quantity: number): void {
  if (nodes.fieldsOf(lineItemId)['unfulfilledQuantity'] === 0) return;
  let wanted = quantity;
  for (const line of nodes.naming(lineItemId, ['FulfillmentOrderLineItem'])) {
    const taken = cancelLine(nodes, line.id, wanted);
    wanted -= taken;
    if (taken > 0) settle(nodes, String(line.fields['fulfillmentOrder']));
  }
}

/** Takes all that waits off the fulfillment orders of an order. */
export function cancelAll(nodes: NodeStore, orderId: string): void {
  for (const { id, fields } of nodes.naming(orderId, ['FulfillmentOrder'])) {
    const taken = idsOf(fields['lineItems']).map((line) => cancelLine(nodes, line, Infinity));
    if (taken.some((one) => one > 0)) settle(nodes, id);
  }
}

/** Takes a line of a fulfillment order off, as far as it waits. Returns how much of it. */
function cancelLine(nodes: NodeStore, id: string, wanted: number): number {
  const { remainingQuantity, totalQuantity } = nodes.fieldsOf(id);
  const left = Number(remainingQuantity ?? 0);
  const taken = Math.min(left, wanted);
  if (taken > 0)
    nodes.update(id, {
      remainingQuantity: left - taken,
      totalQuantity: Number(totalQuantity ?? 0) - taken,
    });
  return taken;
}
