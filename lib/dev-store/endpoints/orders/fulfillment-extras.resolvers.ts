import type { GraphQLResolveInfo } from 'graphql';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { nodeOf } from './fulfillment-orders.js';

interface EventInput {
  readonly fulfillmentId: string;
  readonly status: string;
  readonly estimatedDeliveryAt?: string | null;
  readonly happenedAt?: string | null;
}

interface RerouteArgs {
  fulfillmentOrderIds: readonly string[];
  includedLocationIds?: readonly string[] | null;
  excludedLocationIds?: readonly string[] | null;
}

interface PreparedInput {
  readonly lineItemsByFulfillmentOrder: ReadonlyArray<{ readonly fulfillmentOrderId: string }>;
}

/** The fields of a fulfillment that tell when it came that far. */
const MILESTONES: Readonly<Record<string, string>> = {
  IN_TRANSIT: 'inTransitAt',
  DELIVERED: 'deliveredAt',
};

/**
 * The resolvers of what happens to parcels on their way, of orders that ship from elsewhere, and of
 * those that are picked up.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/fulfillmentEventCreate
 */
export function fulfillmentExtrasRoot({
  reader,
  changed,
  view,
}: NodeWriter): Record<string, unknown> {
  const { nodes, defaults } = reader.store;
  return {
    fulfillmentEventCreate: (
      args: { fulfillmentEvent: EventInput },
      context: GraphqlContext,
      info: GraphQLResolveInfo,
    ) => {
      const { fulfillmentId: id, status, ...event } = args.fulfillmentEvent;
      if (!nodeOf(nodes, 'Fulfillment', id)) {
        const error = { field: ['fulfillmentEvent', 'fulfillmentId'], message: NO_FULFILLMENT };
        return { fulfillmentEvent: null, userErrors: [error] };
      }
      const milestone = MILESTONES[status];
      const { estimatedDeliveryAt, happenedAt } = event;
      const fields: NodeFields = {
        displayStatus: status,
        ...(estimatedDeliveryAt ? { estimatedDeliveryAt } : {}),
        ...(milestone ? { [milestone]: happenedAt ?? defaults.now() } : {}),
      };
      nodes.update(id, fields);
      changed('update', id, nodes.fieldsOf(id));
      return context.missing(undefined, args, context, info);
    },

    fulfillmentOrdersReroute: (args: RerouteArgs) => {
      const { fulfillmentOrderIds: ids, includedLocationIds, excludedLocationIds } = args;
      const refused = (message: string, code: string): object => ({
        movedFulfillmentOrders: null,
        userErrors: [{ field: ['fulfillmentOrderIds'], message, code }],
      });
      if (ids.length === 0)
        return refused('No fulfillment order IDs were provided.', 'NO_FULFILLMENT_ORDER_IDS');
      const orders = ids.map((id) => nodeOf(nodes, 'FulfillmentOrder', id));
      if (orders.includes(undefined))
        return refused('Fulfillment order not found.', 'FULFILLMENT_ORDER_NOT_FOUND');
      const here = orders.map((one) => Object(one?.['assignedLocation']).location as unknown);
      const target = nodes
        .all(['Location'])
        .find(
          ({ id, fields }) =>
            fields['isActive'] !== false &&
            !here.includes(id) &&
            !excludedLocationIds?.includes(id) &&
            (!includedLocationIds?.length || includedLocationIds.includes(id)),
        );
      if (!target) return refused(NO_LOCATION, 'CANNOT_REASSIGN_LOCATION_FOR_FULFILLMENT_ORDERS');
      const assignedLocation = { location: target.id, name: target.fields['name'] };
      for (const id of ids) {
        nodes.update(id, { assignedLocation });
        changed.topic('fulfillment_orders/moved', id);
      }
      return { movedFulfillmentOrders: ids.map((id) => view(id)), userErrors: [] };
    },

    fulfillmentOrderLineItemsPreparedForPickup: ({ input }: { input: PreparedInput }) => {
      const userErrors = input.lineItemsByFulfillmentOrder.flatMap((one, index) => {
        const order = nodeOf(nodes, 'FulfillmentOrder', one.fulfillmentOrderId);
        const { methodType } = Object(order?.['deliveryMethod']) as NodeFields;
        const field = ['input', 'lineItemsByFulfillmentOrder', String(index), 'fulfillmentOrderId'];
        return methodType === 'PICK_UP'
          ? []
          : [{ field, message: NOT_PICKED_UP, code: 'FULFILLMENT_ORDER_INVALID' }];
      });
      for (const one of userErrors.length > 0 ? [] : input.lineItemsByFulfillmentOrder)
        changed.topic('fulfillment_orders/line_items_prepared_for_pickup', one.fulfillmentOrderId);
      return { userErrors };
    },
  };
}

const NO_FULFILLMENT = 'Fulfillment does not exist.';
const NO_LOCATION = 'No other location can fulfill these orders.';
const NOT_PICKED_UP = 'Invalid fulfillment order.';
