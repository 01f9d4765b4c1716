import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { shippedBy } from '../shipping/fulfillment-service.resolvers.js';
import {
  hasLeft,
  idsOf,
  nodeOf,
  parcelsIn,
  quantitiesToFulfill,
  takeQuantities,
  total,
} from './fulfillment-orders.js';
import { closeIfDone, orderChanged } from './order.resolvers.js';

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

/** The resolvers of the mutations that ship what an order has, and take a fulfillment back. */
export function fulfillmentRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed, view } = writer;
  const { nodes, stock } = reader.store;
  const refused = (field: readonly string[], message: string): object => ({
    fulfillment: null,
    userErrors: [{ field, message }],
  });

  /** The lines of fulfillment orders leave the shop; negative quantities come back. */
  const shipped = (quantities: ReadonlyMap<string, number>): void => {
    for (const [line, quantity] of quantities)
      stock.ship(String(nodes.fieldsOf(line)['lineItem']), quantity);
  };

  const root = {
    fulfillmentCreate: ({ fulfillment }: FulfillmentArgs) => {
      const { lineItemsByFulfillmentOrder: wanted, trackingInfo } = fulfillment;
      const problem = (message: string): object => refused(['fulfillment'], message);
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
      closeIfDone(writer, orderId);
      changed('create', id, nodes.fieldsOf(id));
      const isDone = nodes.fieldsOf(orderId)['displayFulfillmentStatus'] === 'FULFILLED';
      orderChanged(writer, orderId, isDone ? 'orders/fulfilled' : 'orders/partially_fulfilled');
      return { fulfillment: view(id), userErrors: [] };
    },

    fulfillmentTrackingInfoUpdate: ({ fulfillmentId: id, trackingInfoInput }: TrackingArgs) => {
      if (!nodeOf(nodes, 'Fulfillment', id))
        return refused(['fulfillmentId'], 'Fulfillment does not exist.');
      nodes.update(id, { trackingInfo: parcelsIn(trackingInfoInput) });
      changed('update', id, nodes.fieldsOf(id));
      return { fulfillment: view(id), userErrors: [] };
    },

    fulfillmentCancel: ({ id }: { id: string }) => {
      const fulfillment = nodeOf(nodes, 'Fulfillment', id);
      if (!fulfillment) return refused(['id'], 'Fulfillment not found.');
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
      orderChanged(writer, orderId);
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

const UNFULFILLABLE: readonly string[] = ['CLOSED', 'CANCELLED', 'ON_HOLD', 'SCHEDULED'];
