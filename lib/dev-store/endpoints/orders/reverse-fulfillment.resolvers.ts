import { typedId } from '../../graphql/graphql.errors.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { idsOf, nodeOf } from './fulfillment-orders.js';
import { INVALID_QUANTITY, missing, type ReturnError } from './return-checks.js';

/** What is done with some of what has come back. */
export interface Disposal {
  readonly reverseFulfillmentOrderLineItemId: string;
  readonly dispositionType: string;
  readonly quantity: number;
  readonly locationId?: string | null;
}

interface DeliveredLine {
  readonly reverseFulfillmentOrderLineItemId: string;
  readonly quantity: number;
}

interface Shipping {
  trackingInput?: Readonly<NodeFields> | null;
  labelInput?: { readonly fileUrl: string } | null;
}

interface DeliveryArgs extends Shipping {
  reverseFulfillmentOrderId: string;
  reverseDeliveryLineItems: readonly DeliveredLine[];
}

interface UpdateArgs extends Shipping {
  reverseDeliveryId: string;
}

/**
 * The resolvers of the mutations of what comes back: its way to the shop, and what becomes of it.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/objects/ReverseFulfillmentOrder
 */
export function reverseFulfillmentRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed, view } = writer;
  const { nodes, defaults } = reader.store;
  const refused = (...userErrors: ReturnError[]): object => ({
    reverseDelivery: null,
    userErrors,
  });

  /** How something is shipped, with what is known of it already. */
  const deliverable = (before: NodeFields, { trackingInput, labelInput }: Shipping): NodeFields => {
    const at = defaults.now();
    const label = labelInput && { publicFileUrl: labelInput.fileUrl, createdAt: at, updatedAt: at };
    return {
      __typename: 'ReverseDeliveryShippingDeliverable',
      tracking: trackingInput
        ? { carrierName: null, ...trackingInput }
        : (before['tracking'] ?? null),
      label: label ?? before['label'] ?? null,
    };
  };

  return {
    reverseDeliveryCreateWithShipping: (args: DeliveryArgs) => {
      const { reverseFulfillmentOrderId: id, reverseDeliveryLineItems: given } = args;
      typedId('ReverseFulfillmentOrder', id);
      for (const { reverseFulfillmentOrderLineItemId: line } of given)
        typedId('ReverseFulfillmentOrderLineItem', line);
      const order = nodeOf(nodes, 'ReverseFulfillmentOrder', id);
      if (!order) return refused(missing('Reverse fulfillment order', 'reverseFulfillmentOrderId'));
      const known = idsOf(order['lineItems']);
      const sums = new Map<string, number>();
      const errors = given.flatMap(
        ({ reverseFulfillmentOrderLineItemId: line, quantity }, index) => {
          const path = ['reverseDeliveryLineItems', String(index)];
          const field = [...path, 'reverseFulfillmentOrderLineItemId'];
          if (!known.includes(line)) return [{ field, message: 'must exist', code: null }];
          if (quantity <= 0)
            return [
              { field: [...path, 'quantity'], message: 'must be greater than 0', code: null },
            ];
          const all = quantity + (sums.get(line) ?? 0);
          sums.set(line, all);
          const message = 'cannot deliver more items than are returned';
          const isTooMany = all > Number(nodes.fieldsOf(line)['totalQuantity']);
          return isTooMany ? [{ field: [...path, 'quantity'], message, code: null }] : [];
        },
      );
      if (errors.length > 0) return refused(...errors);
      const delivered =
        given.length > 0 ? given : known.map((line) => all(nodes.fieldsOf(line), line));
      const { id: made } = nodes.create('ReverseDelivery', {
        reverseFulfillmentOrder: id,
        deliverable: deliverable({}, args),
      });
      const lines = delivered.map(({ reverseFulfillmentOrderLineItemId: line, quantity }) => {
        const fields = { quantity, reverseFulfillmentOrderLineItem: line, dispositions: [] };
        return nodes.create('ReverseDeliveryLineItem', fields).id;
      });
      nodes.update(made, { reverseDeliveryLineItems: lines });
      changed.topic('reverse_deliveries/attach_deliverable', made);
      return { reverseDelivery: view(made), userErrors: [] };
    },

    reverseDeliveryShippingUpdate: (args: UpdateArgs) => {
      const { reverseDeliveryId: id } = args;
      typedId('ReverseDelivery', id);
      const delivery = nodeOf(nodes, 'ReverseDelivery', id);
      if (!delivery) return refused(missing('Reverse delivery', 'reverseDeliveryId'));
      nodes.update(id, { deliverable: deliverable(Object(delivery['deliverable']), args) });
      changed.topic('reverse_deliveries/attach_deliverable', id);
      return { reverseDelivery: view(id), userErrors: [] };
    },

    reverseFulfillmentOrderDispose: ({
      dispositionInputs: given,
    }: {
      dispositionInputs: readonly Disposal[];
    }) => {
      const userErrors = disposalErrors(writer, given, ['dispositionInputs']);
      if (userErrors.length > 0) return { reverseFulfillmentOrderLineItems: null, userErrors };
      dispose(writer, given);
      const lines = given.map((one) => view(one.reverseFulfillmentOrderLineItemId));
      return { reverseFulfillmentOrderLineItems: lines, userErrors: [] };
    },
  };
}

function all({ totalQuantity }: Readonly<NodeFields>, line: string): DeliveredLine {
  return { reverseFulfillmentOrderLineItemId: line, quantity: Number(totalQuantity) };
}

/**
 * Why nothing can be done with what has come back.
 * @param path of the list of disposals
 * @param wanted how many of each line are disposed of by then; those of this list are added
 */
export function disposalErrors(
  { reader }: NodeWriter,
  given: readonly Disposal[],
  path: readonly string[],
  wanted = new Map<string, number>(),
): ReturnError[] {
  const { nodes } = reader.store;
  if (given.length === 0)
    return [{ field: path, message: 'The array cannot be empty.', code: 'BLANK' }];
  const orders = new Set(
    given.map((one) => {
      const line = one.reverseFulfillmentOrderLineItemId;
      return nodeOf(nodes, 'ReverseFulfillmentOrderLineItem', line)
        ? nodes.naming(line, ['ReverseFulfillmentOrder'])[0]
        : undefined;
    }),
  );
  const [order] = orders;
  if (orders.size > 1 || !order) return [{ field: path, message: MANY_ORDERS, code: 'INVALID' }];
  return given.flatMap(({ reverseFulfillmentOrderLineItemId: id, ...one }, index) => {
    const line = nodes.fieldsOf(id);
    const place = [...path, String(index)];
    const { lineItem } = nodes.fieldsOf(String(line['fulfillmentLineItem']));
    const isCustom = nodes.fieldsOf(String(lineItem))['variant'] == null;
    if (isCustom && one.dispositionType === 'RESTOCKED')
      return [{ field: [...place, 'dispositionType'], message: CUSTOM, code: 'INVALID' }];
    const before = (line['dispositions'] as ReadonlyArray<{ quantity: number }>).reduce(
      (sum, { quantity }) => sum + quantity,
      0,
    );
    const sum = one.quantity + (wanted.get(id) ?? before);
    wanted.set(id, sum);
    const isValid =
      order.fields['status'] !== 'CANCELED' &&
      one.quantity > 0 &&
      sum <= Number(line['totalQuantity']);
    return isValid ? [] : [{ ...INVALID_QUANTITY, field: [...place, 'quantity'] }];
  });
}

/** Notes what becomes of what has come back, and puts it into stock again where it should be. */
export function dispose({ reader }: NodeWriter, given: readonly Disposal[]): void {
  const { nodes, stock } = reader.store;
  for (const { reverseFulfillmentOrderLineItemId: id, ...one } of given) {
    const { quantity, dispositionType, locationId } = one;
    const line = nodes.fieldsOf(id);
    const { lineItem } = nodes.fieldsOf(String(line['fulfillmentLineItem']));
    const at =
      dispositionType === 'RESTOCKED'
        ? stock.restock(String(lineItem), quantity, locationId)
        : undefined;
    const disposition = { type: dispositionType, quantity, location: locationId ?? at };
    nodes.update(id, { dispositions: [...(line['dispositions'] as object[]), disposition] });
  }
}

const MANY_ORDERS = 'Cannot dispose items from more than one reverse fulfillment order.';
const CUSTOM = 'RESTOCKED is an invalid disposition type for a custom line item.';
