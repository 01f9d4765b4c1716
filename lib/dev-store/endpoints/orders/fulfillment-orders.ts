import type { NodeFields, NodeStore, StoredNode } from '../../state/nodes/node-store.js';

/**
 * Where what is ordered is shipped from: one fulfillment order with every line, or with some.
 * Returns its id; undefined without lines.
 */
export function createFulfillmentOrder(
  nodes: NodeStore,
  orderId: string,
  lines: ReadonlyArray<readonly [line: string, quantity: unknown]> = idsOf(
    nodes.fieldsOf(orderId)['lineItems'],
  ).map((line) => [line, nodes.fieldsOf(line)['quantity']]),
): string | undefined {
  const order = nodes.fieldsOf(orderId);
  const location = nodes.first('Location');
  if (lines.length === 0) return undefined;
  const { id } = nodes.create('FulfillmentOrder', {
    order: orderId,
    orderId,
    orderName: order['name'],
    status: 'OPEN',
    requestStatus: 'UNSUBMITTED',
    fulfillAt: `${String(nodes.find(orderId)?.createdAt.toISOString()).slice(0, 13)}:00:00Z`,
    assignedLocation: location && { location: location.id, name: location.fields['name'] },
    destination: order['shippingAddress'],
  });
  const lineItems = lines.map(([lineItem, quantity]) => {
    const { sku, title, variant, requiresShipping } = nodes.fieldsOf(lineItem);
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
  settle(nodes, id);
  return id;
}

/**
 * Adds a quantity of a line of an order to the fulfillment order that it waits in. Returns whether
 * there is one.
 */
export function addQuantity(nodes: NodeStore, lineItemId: string, quantity: number): boolean {
  const waiting = nodes.naming(lineItemId, ['FulfillmentOrderLineItem']).find(({ fields }) => {
    const { status } = nodes.fieldsOf(String(fields['fulfillmentOrder']));
    return status === 'OPEN';
  });
  if (!waiting) return false;
  const more = (name: string): number => Number(waiting.fields[name] ?? 0) + quantity;
  nodes.update(waiting.id, {
    remainingQuantity: more('remainingQuantity'),
    totalQuantity: more('totalQuantity'),
  });
  settle(nodes, String(waiting.fields['fulfillmentOrder']));
  return true;
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
    const left = Number(nodes.fieldsOf(id)['remainingQuantity'] ?? 0);
    nodes.update(id, { remainingQuantity: left - quantity });
  }
  settle(nodes, fulfillmentOrderId);
}

/**
 * Sets the status of a fulfillment order and that of its order. Unless the status is told, it
 * follows from what is left of the lines; one that waits, is cancelled or was accepted stays so as
 * long as anything is left.
 */
export function settle(nodes: NodeStore, fulfillmentOrderId: string, told?: string): void {
  const { order, lineItems, status: before, requestStatus } = nodes.fieldsOf(fulfillmentOrderId);
  const [left, all] = quantitiesOf(nodes, fulfillmentOrderId);
  const isKept = before === 'CANCELLED' || (left > 0 && WAITING.includes(String(before)));
  const isStarted = left < all || ACCEPTED.includes(String(requestStatus));
  const status =
    told ?? (isKept ? before : left === 0 ? 'CLOSED' : isStarted ? 'IN_PROGRESS' : 'OPEN');
  const isReleased = before === 'ON_HOLD' && status === 'CLOSED';
  nodes.update(fulfillmentOrderId, {
    status,
    ...(isReleased ? { fulfillmentHolds: [] } : {}),
  });
  const orders =
    typeof order === 'string'
      ? nodes.naming(order, ['FulfillmentOrder'])
      : [nodes.find(fulfillmentOrderId)].flatMap((node) => node ?? []);
  const alive = orders.filter(({ fields }) => fields['status'] !== 'CANCELLED');
  recount(nodes, idsOf(lineItems), alive);
  if (typeof order !== 'string') return;
  const sums = alive.map(({ id }) => quantitiesOf(nodes, id));
  const [waiting, ordered] = [0, 1].map((at) => sums.reduce((sum, one) => sum + one[at]!, 0));
  const displayFulfillmentStatus =
    waiting === ordered
      ? (['ON_HOLD', 'IN_PROGRESS'].find((one) =>
          alive.some(({ fields }) => fields['status'] === one),
        ) ?? 'UNFULFILLED')
      : waiting === 0
        ? 'FULFILLED'
        : 'PARTIALLY_FULFILLED';
  nodes.update(order, { displayFulfillmentStatus });
}

const WAITING: readonly string[] = ['ON_HOLD', 'SCHEDULED'];
/** The answers of a service that fulfills on. */
const ACCEPTED: readonly string[] = ['ACCEPTED', 'CANCELLATION_REJECTED'];

/**
 * Sets how many of the lines of an order can be fulfilled: none of what is on hold.
 * @param changed lines of a fulfillment order
 * @param orders the fulfillment orders of the order that are not cancelled
 */
function recount(
  nodes: NodeStore,
  changed: readonly string[],
  orders: readonly StoredNode[],
): void {
  const none = { unfulfilledQuantity: 0, fulfillableQuantity: 0 };
  const lineOf = (id: string): string => String(nodes.fieldsOf(id)['lineItem']);
  const counts = new Map(changed.map((id) => [lineOf(id), { ...none }]));
  for (const { fields } of orders)
    for (const id of idsOf(fields['lineItems'])) {
      const count = counts.get(lineOf(id));
      if (!count) continue;
      const left = Number(nodes.fieldsOf(id)['remainingQuantity'] ?? 0);
      count.unfulfilledQuantity += left;
      if (fields['status'] !== 'ON_HOLD') count.fulfillableQuantity += left;
    }
  for (const [line, count] of counts) nodes.update(line, count);
}

/**
 * Moves quantities of the lines of a fulfillment order to another one, or to a new one like it.
 * Returns its id; undefined when there are none.
 */
export function splitOff(
  nodes: NodeStore,
  id: string,
  taken: ReadonlyMap<string, number>,
  into?: string,
): string | undefined {
  const fields = nodes.fieldsOf(id);
  const moved = [...taken].filter(([, quantity]) => quantity > 0);
  if (moved.length === 0) return undefined;
  const other =
    into ??
    nodes.create('FulfillmentOrder', {
      ...fields,
      ...{ lineItems: [], fulfillmentHolds: [], merchantRequests: [] },
      requestStatus: 'UNSUBMITTED',
    }).id;
  for (const [line, quantity] of moved) {
    const { totalQuantity, remainingQuantity, ...kept } = nodes.fieldsOf(line);
    const left = (all: unknown): number => Number(all ?? 0) - quantity;
    nodes.update(line, {
      totalQuantity: left(totalQuantity),
      remainingQuantity: left(remainingQuantity),
    });
    const twin = idsOf(nodes.fieldsOf(other)['lineItems']).find(
      (one) => nodes.fieldsOf(one)['lineItem'] === kept['lineItem'],
    );
    const more = (name: string): number => Number(nodes.fieldsOf(twin ?? '')[name] ?? 0) + quantity;
    const values = {
      totalQuantity: more('totalQuantity'),
      remainingQuantity: more('remainingQuantity'),
    };
    if (twin) nodes.update(twin, values);
    else {
      const { id: made } = nodes.create('FulfillmentOrderLineItem', {
        ...{ ...kept, ...values },
        fulfillmentOrder: other,
      });
      const lines = idsOf(nodes.fieldsOf(other)['lineItems']);
      nodes.update(other, { lineItems: [...lines, made] });
    }
  }
  const rest = idsOf(fields['lineItems']).filter(
    (line) => Number(nodes.fieldsOf(line)['totalQuantity'] ?? 0) > 0,
  );
  // One with nothing left keeps its lines, with no quantity.
  if (rest.length > 0) nodes.update(id, { lineItems: rest });
  settle(nodes, id, rest.length > 0 ? String(fields['status']) : 'CLOSED');
  settle(nodes, other, String(nodes.fieldsOf(other)['status']));
  return other;
}

/** How much of a fulfillment order is left, and how much there was. */
function quantitiesOf(nodes: NodeStore, fulfillmentOrderId: string): readonly [number, number] {
  const lines = idsOf(nodes.fieldsOf(fulfillmentOrderId)['lineItems']);
  const sum = (name: string): number =>
    lines.reduce((total, line) => total + Number(nodes.fieldsOf(line)[name] ?? 0), 0);
  return [sum('remainingQuantity'), sum('totalQuantity')];
}

/** What can be done with a fulfillment order next. */
export function actionsOf(nodes: NodeStore, id: string): ReadonlyArray<{ action: string }> {
  const { status, order } = nodes.fieldsOf(id);
  const [left] = quantitiesOf(nodes, id);
  const others = nodes
    .naming(String(order), ['FulfillmentOrder'])
    .filter((one) => one.id !== id && one.fields['status'] === 'OPEN');
  const actions = [
    ...(ACTIONS[String(status)] ?? []),
    ...(status === 'OPEN' && left > 1 ? ['SPLIT'] : []),
    ...(status === 'OPEN' && others.length > 0 ? ['MERGE'] : []),
  ];
  return actions.map((action) => ({ action }));
}

const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  OPEN: ['CREATE_FULFILLMENT', 'REPORT_PROGRESS', 'MOVE', 'HOLD'],
  IN_PROGRESS: ['CREATE_FULFILLMENT', 'REPORT_PROGRESS', 'HOLD', 'MARK_AS_OPEN'],
  INCOMPLETE: ['REQUEST_FULFILLMENT', 'CREATE_FULFILLMENT', 'HOLD', 'MOVE'],
  ON_HOLD: ['RELEASE_HOLD', 'HOLD', 'MOVE'],
  SCHEDULED: ['MARK_AS_OPEN', 'MOVE'],
};

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
