import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';

/** Where what is ordered is shipped from: one fulfillment order with every line. */
export function createFulfillmentOrder(nodes: NodeStore, orderId: string): void {
  const order = nodes.fieldsOf(orderId);
  const lines = idsOf(order['lineItems']);
  const [location] = nodes.all(['Location']);
  if (lines.length === 0) return;
  const { id } = nodes.create('FulfillmentOrder', {
    order: orderId,
    orderId,
    orderName: order['name'],
    status: 'OPEN',
    requestStatus: 'UNSUBMITTED',
    supportedActions: ['CREATE_FULFILLMENT', 'MOVE', 'HOLD'].map((action) => ({ action })),
    assignedLocation: location && { location: location.id, name: location.fields['name'] },
    destination: order['shippingAddress'],
  });
  const lineItems = lines.map((lineItem) => {
    const { quantity, sku, title, variant, requiresShipping } = nodes.fieldsOf(lineItem);
    return nodes.create('FulfillmentOrderLineItem', {
      lineItem,
      sku,
      variant,
      requiresShipping,
      productTitle: title,
      totalQuantity: quantity,
      remainingQuantity: quantity,
      fulfillmentOrder: id,
    }).id;
  });
  nodes.update(id, { lineItems });
}

/**
 * The lines of a fulfillment order and how many of each are to be fulfilled: all that are left.
 * @param taken how many of them the same fulfillment takes already
 */
export function quantitiesToFulfill(
  nodes: NodeStore,
  fulfillmentOrderId: string,
  wanted: ReadonlyArray<{ readonly id: string; readonly quantity: number }> | null | undefined,
  taken: ReadonlyMap<string, number> = new Map(),
): Map<string, number> {
  const lines = idsOf(nodes.fieldsOf(fulfillmentOrderId)['lineItems']);
  const left = (id: string): number => Number(nodes.fieldsOf(id)['remainingQuantity'] ?? 0);
  const all = lines.map((id): [string, number] => [id, left(id)]);
  const some = wanted?.map(({ id, quantity }): [string, number] => [id, quantity]);
  const sums = new Map(taken);
  for (const [id, quantity] of some?.length ? some : all)
    if (quantity > 0) sums.set(id, quantity + (sums.get(id) ?? 0));
  return sums;
}

/** Whether lines have as many left as are to be fulfilled. */
export function hasLeft(
  nodes: NodeStore,
  fulfillmentOrderId: string,
  quantities: ReadonlyMap<string, number>,
): boolean {
  const lines = idsOf(nodes.fieldsOf(fulfillmentOrderId)['lineItems']);
  return [...quantities].every(
    ([id, quantity]) =>
      lines.includes(id) && quantity <= Number(nodes.fieldsOf(id)['remainingQuantity'] ?? 0),
  );
}

/**
 * Takes quantities from a fulfillment order, or gives negative ones back, and sets its status and
 * that of its order.
 */
export function takeQuantities(
  nodes: NodeStore,
  fulfillmentOrderId: string,
  quantities: ReadonlyMap<string, number>,
): void {
  for (const [id, quantity] of quantities) {
    const line = nodes.fieldsOf(id);
    const remainingQuantity = Number(line['remainingQuantity'] ?? 0) - quantity;
    nodes.update(id, { remainingQuantity });
    if (typeof line['lineItem'] === 'string')
      nodes.update(line['lineItem'], {
        unfulfilledQuantity: remainingQuantity,
        fulfillableQuantity: remainingQuantity,
      });
  }
  settle(nodes, fulfillmentOrderId);
}

/** Sets the status of a fulfillment order and of its order. */
function settle(nodes: NodeStore, fulfillmentOrderId: string): void {
  const { order, lineItems } = nodes.fieldsOf(fulfillmentOrderId);
  const lines = idsOf(lineItems).map((id) => nodes.fieldsOf(id));
  const sum = (name: string): number =>
    lines.reduce((total, line) => total + Number(line[name] ?? 0), 0);
  const [left, all] = [sum('remainingQuantity'), sum('totalQuantity')];
  nodes.update(fulfillmentOrderId, {
    status: left === 0 ? 'CLOSED' : left < all ? 'IN_PROGRESS' : 'OPEN',
  });
  const displayFulfillmentStatus =
    left === all ? 'UNFULFILLED' : left === 0 ? 'FULFILLED' : 'PARTIALLY_FULFILLED';
  if (typeof order === 'string') nodes.update(order, { displayFulfillmentStatus });
}

/** Takes a quantity of a line of an order off the fulfillment order that it waits in. */
export function cancelQuantity(nodes: NodeStore, lineItemId: string, quantity: number): void {
  for (const line of nodes.naming(lineItemId, ['FulfillmentOrderLineItem'])) {
    const left = Number(line.fields['remainingQuantity'] ?? 0);
    const taken = Math.min(left, quantity);
    const totalQuantity = Number(line.fields['totalQuantity'] ?? 0) - taken;
    nodes.update(line.id, { remainingQuantity: left - taken, totalQuantity });
    nodes.update(lineItemId, {
      unfulfilledQuantity: left - taken,
      fulfillableQuantity: left - taken,
    });
    settle(nodes, String(line.fields['fulfillmentOrder']));
  }
}

/** The ids in a list of nodes. */
export function idsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : [];
}

/** The values of a node that is there; undefined when there is none of the type. */
export function nodeOf(nodes: NodeStore, type: string, id: string): NodeFields | undefined {
  const node = nodes.find(id);
  return node?.type === type ? node.fields : undefined;
}

/** The parcels in the input of a fulfillment: one, or as many as there are numbers. */
export function parcelsIn({ number, numbers, url, urls, company }: Readonly<NodeFields>): object[] {
  return (Array.isArray(numbers) ? numbers : number ? [number] : []).map((one: unknown, index) => ({
    number: one,
    company,
    url: Array.isArray(urls) ? urls[index] : url,
  }));
}

/** How many there are of all lines. */
export function total(quantities: ReadonlyMap<string, number>): number {
  return [...quantities.values()].reduce((sum, quantity) => sum + quantity, 0);
}
