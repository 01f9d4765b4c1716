import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { idsOf, nodeOf } from './fulfillment-orders.js';

interface ReturnInput {
  readonly orderId: string;
  readonly requestedAt?: string | null;
  readonly returnLineItems: readonly ReturnLine[];
}

interface ReturnLine extends NodeFields {
  readonly fulfillmentLineItemId: string;
  readonly quantity: number;
}

interface DeclineInput {
  readonly id: string;
  readonly declineReason: string;
  readonly declineNote?: string | null;
}

interface Removal {
  readonly returnLineItemId: string;
  readonly quantity: number;
}

interface Disposal {
  readonly reverseFulfillmentOrderLineItemId: string;
  readonly dispositionType: string;
  readonly quantity: number;
  readonly locationId?: string | null;
}

interface ReturnError {
  readonly field: readonly string[] | null;
  readonly message: string;
  readonly code: string;
}

/** What a change of state is allowed from, makes it, and tells. */
interface Move {
  readonly from: readonly string[];
  readonly to: string;
  readonly topic: string;
  readonly fields?: NodeFields;
}

/**
 * The resolvers of the mutations of returns: from a request, to open, closed, declined and
 * cancelled.
 * @see https://shopify.dev/docs/apps/build/orders-fulfillment/returns-apps
 */
export function returnRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed, view } = writer;
  const { nodes, defaults, stock } = reader.store;
  const refused = (...userErrors: ReturnError[]): object => ({ return: null, userErrors });
  const missing = (what: string, ...field: string[]): ReturnError => ({
    field,
    message: `${what} was not found.`,
    code: 'NOT_FOUND',
  });

  /** How many of what was shipped may still come back: none of what was not shipped at last. */
  const returnable = (fulfillmentLine: string, fulfillment: Readonly<NodeFields>): number => {
    if (fulfillment['status'] === 'CANCELLED') return 0;
    const shipped = Number(nodes.fieldsOf(fulfillmentLine)['quantity'] ?? 0);
    const lines = nodes.naming(fulfillmentLine, ['ReturnLineItem']).filter(({ fields }) => {
      const { status } = nodes.fieldsOf(String(fields['return']));
      return status !== 'CANCELED' && status !== 'DECLINED';
    });
    return lines.reduce((left, { fields }) => left - Number(fields['quantity'] ?? 0), shipped);
  };

  const lineErrors = (input: ReturnInput, argument: string): ReturnError[] => {
    const left = new Map<string, number>();
    return input.returnLineItems.flatMap(({ fulfillmentLineItemId: id, quantity }, index) => {
      const path = [argument, 'returnLineItems', String(index)];
      const [fulfillment] = nodes.naming(id, ['Fulfillment']);
      if (fulfillment?.fields['order'] !== input.orderId)
        return [missing('Fulfillment Line Item', ...path, 'fulfillmentLineItemId')];
      const rest = (left.get(id) ?? returnable(id, fulfillment.fields)) - quantity;
      left.set(id, rest);
      const isValid = quantity > 0 && rest >= 0;
      return isValid ? [] : [{ ...INVALID_QUANTITY, field: [...path, 'quantity'] }];
    });
  };

  /** Sets what an order says of its returns. */
  const settle = (orderId: string): void => {
    const all = nodes.naming(orderId, ['Return']).map(({ fields }) => fields['status']);
    const found = ORDER_STATUS.find(([status]) => all.includes(status));
    nodes.update(orderId, { returnStatus: found?.[1] ?? 'NO_RETURN' });
    changed('update', orderId, nodes.fieldsOf(orderId));
  };

  /** What comes back is received with a reverse fulfillment order. */
  const addReverseOrder = (id: string): void => {
    const { order, returnLineItems } = nodes.fieldsOf(id);
    const lineItems = idsOf(returnLineItems).map((line) => {
      const { fulfillmentLineItem, quantity: totalQuantity } = nodes.fieldsOf(line);
      const fields = { fulfillmentLineItem, returnLineItem: line, totalQuantity, dispositions: [] };
      return nodes.create('ReverseFulfillmentOrderLineItem', fields).id;
    });
    const { id: reverse } = nodes.create('ReverseFulfillmentOrder', {
      order,
      status: 'OPEN',
      lineItems,
    });
    nodes.update(id, { reverseFulfillmentOrders: [reverse] });
  };

  const created = (input: ReturnInput, argument: string, status: 'OPEN' | 'REQUESTED'): object => {
    const order = nodeOf(nodes, 'Order', input.orderId);
    if (!order) return refused(missing('Order', argument, 'orderId'));
    const errors = lineErrors(input, argument);
    if (errors.length > 0) return refused(...errors);
    const number = nodes.naming(input.orderId, ['Return']).length + 1;
    const { id } = nodes.create('Return', {
      order: input.orderId,
      name: `${String(order['name'])}-R${number}`,
      status,
      totalQuantity: input.returnLineItems.reduce((sum, { quantity }) => sum + quantity, 0),
    });
    const returnLineItems = input.returnLineItems.map(({ fulfillmentLineItemId, ...line }) => {
      const fields = { ...line, fulfillmentLineItem: fulfillmentLineItemId, return: id };
      const { quantity } = line;
      const left = { unprocessedQuantity: quantity, processableQuantity: quantity };
      const refundable = { refundableQuantity: quantity, processedQuantity: 0 };
      return nodes.create('ReturnLineItem', { ...fields, ...left, ...refundable }).id;
    });
    nodes.update(id, { returnLineItems });
    if (status === 'OPEN') addReverseOrder(id);
    settle(input.orderId);
    changed.topic(status === 'OPEN' ? 'returns/approve' : 'returns/request', id);
    return { return: view(id), userErrors: [] };
  };

  const moved = (
    id: string,
    { from, to, topic, fields }: Move,
    path: readonly string[],
  ): object => {
    const before = nodeOf(nodes, 'Return', id);
    if (!before) return refused(missing('Return', ...path));
    const { status } = before;
    if (status !== to && !from.includes(String(status)))
      return refused({ field: path, message: 'Return status is invalid.', code: 'INVALID_STATE' });
    if (status !== to) {
      nodes.update(id, { status: to, ...fields });
      if (status === 'REQUESTED' && to === 'OPEN') addReverseOrder(id);
      if (to === 'CANCELED')
        for (const reverse of idsOf(before['reverseFulfillmentOrders']))
          nodes.update(reverse, { status: to });
      settle(String(before['order']));
      changed.topic(topic, id);
    }
    return { return: view(id), userErrors: [] };
  };
  const now = (): string => defaults.now().toISOString();

  return {
    returnCreate: ({ returnInput }: { returnInput: ReturnInput }) =>
      created(returnInput, 'returnInput', 'OPEN'),
    returnRequest: ({ input }: { input: ReturnInput }) => created(input, 'input', 'REQUESTED'),
    returnApproveRequest: ({ input }: { input: { id: string } }) => {
      const fields = { requestApprovedAt: now() };
      const move = { from: ['REQUESTED'], to: 'OPEN', topic: 'returns/approve', fields };
      return moved(input.id, move, ['input', 'id']);
    },
    returnDeclineRequest: ({ input }: { input: DeclineInput }) => {
      const decline = { reason: input.declineReason, note: input.declineNote ?? null };
      const move = { from: ['REQUESTED'], to: 'DECLINED', topic: 'returns/decline' };
      return moved(input.id, { ...move, fields: { decline } }, ['input', 'id']);
    },
    returnClose: ({ id }: { id: string }) => {
      const fields = { closedAt: now() };
      return moved(id, { from: ['OPEN'], to: 'CLOSED', topic: 'returns/close', fields }, ['id']);
    },
    returnReopen: ({ id }: { id: string }) => {
      const fields = { closedAt: null };
      return moved(id, { from: ['CLOSED'], to: 'OPEN', topic: 'returns/reopen', fields }, ['id']);
    },
    returnCancel: ({ id }: { id: string }) => {
      const isProcessed = idsOf(nodes.fieldsOf(id)['returnLineItems']).some(
        (line) => Number(nodes.fieldsOf(line)['processedQuantity'] ?? 0) > 0,
      );
      const from = isProcessed ? [] : ['OPEN', 'REQUESTED'];
      return moved(id, { from, to: 'CANCELED', topic: 'returns/cancel' }, ['id']);
    },

    removeFromReturn: ({
      returnId,
      returnLineItems,
    }: {
      returnId: string;
      returnLineItems?: readonly Removal[] | null;
    }) => {
      const known = nodeOf(nodes, 'Return', returnId);
      if (!known) return refused(missing('Return', 'returnId'));
      const lines = idsOf(known['returnLineItems']);
      const removed = new Map<string, number>();
      const errors = (returnLineItems ?? []).flatMap(({ returnLineItemId, quantity }, index) => {
        const path = ['returnLineItems', String(index)];
        if (!lines.includes(returnLineItemId))
          return [missing('Return line item', ...path, 'returnLineItemId')];
        const left = Number(nodes.fieldsOf(returnLineItemId)['unprocessedQuantity'] ?? 0);
        if (quantity <= 0) return [NOT_POSITIVE];
        const all = quantity + (removed.get(returnLineItemId) ?? 0);
        removed.set(returnLineItemId, all);
        return all > left ? [{ ...INVALID_QUANTITY, field: [...path, 'quantity'] }] : [];
      });
      if (errors.length > 0) return refused(...errors);
      for (const [returnLineItemId, quantity] of removed) {
        const left = Number(nodes.fieldsOf(returnLineItemId)['quantity'] ?? 0) - quantity;
        const unprocessed =
          Number(nodes.fieldsOf(returnLineItemId)['unprocessedQuantity'] ?? 0) - quantity;
        nodes.update(returnLineItemId, {
          quantity: left,
          unprocessedQuantity: unprocessed,
          processableQuantity: unprocessed,
          refundableQuantity: left,
        });
        for (const line of nodes.naming(returnLineItemId, ['ReverseFulfillmentOrderLineItem']))
          nodes.update(line.id, { totalQuantity: left });
      }
      const kept = lines.filter((line) => Number(nodes.fieldsOf(line)['quantity'] ?? 0) > 0);
      const quantities = kept.map((line) => Number(nodes.fieldsOf(line)['quantity'] ?? 0));
      const totalQuantity = quantities.reduce((sum, quantity) => sum + quantity, 0);
      nodes.update(returnId, { returnLineItems: kept, totalQuantity });
      changed.topic('returns/update', returnId);
      return { return: view(returnId), userErrors: [] };
    },

    reverseFulfillmentOrderDispose: ({
      dispositionInputs,
    }: {
      dispositionInputs: readonly Disposal[];
    }) => {
      const payload = (lines: readonly string[] | null, ...userErrors: ReturnError[]): object => ({
        reverseFulfillmentOrderLineItems: lines?.map((id) => view(id)) ?? null,
        userErrors,
      });
      const disposed = (id: string): number =>
        (nodes.fieldsOf(id)['dispositions'] as ReadonlyArray<{ quantity: number }>).reduce(
          (sum, { quantity }) => sum + quantity,
          0,
        );
      const wanted = new Map<string, number>();
      for (const [index, one] of dispositionInputs.entries()) {
        const { reverseFulfillmentOrderLineItemId: id, quantity } = one;
        const path = ['dispositionInputs', String(index)];
        const line = nodeOf(nodes, 'ReverseFulfillmentOrderLineItem', id);
        if (!line)
          return payload(
            null,
            missing(
              'Reverse fulfillment order line item',
              ...path,
              'reverseFulfillmentOrderLineItemId',
            ),
          );
        const all = quantity + (wanted.get(id) ?? disposed(id));
        wanted.set(id, all);
        const [reverse] = nodes.naming(id, ['ReverseFulfillmentOrder']);
        const isOpen = reverse?.fields['status'] !== 'CANCELED';
        const isValid = isOpen && quantity > 0 && all <= Number(line['totalQuantity']);
        if (!isValid) return payload(null, { ...INVALID_QUANTITY, field: [...path, 'quantity'] });
      }
      for (const one of dispositionInputs) {
        const { reverseFulfillmentOrderLineItemId: id, quantity, dispositionType } = one;
        const line = nodes.fieldsOf(id);
        const { lineItem } = nodes.fieldsOf(String(line['fulfillmentLineItem']));
        const at =
          dispositionType === 'RESTOCKED'
            ? stock.restock(String(lineItem), quantity, one.locationId)
            : undefined;
        const disposition = { type: dispositionType, quantity, location: one.locationId ?? at };
        nodes.update(id, { dispositions: [...(line['dispositions'] as object[]), disposition] });
      }
      return payload(dispositionInputs.map((one) => one.reverseFulfillmentOrderLineItemId));
    },
  };
}

/** What an order says of its returns, by the first state that one of them has. */
const ORDER_STATUS: ReadonlyArray<readonly [string, string]> = [
  ['OPEN', 'IN_PROGRESS'],
  ['REQUESTED', 'RETURN_REQUESTED'],
  ['CLOSED', 'RETURNED'],
];

const INVALID_QUANTITY = {
  message: 'Return line item has an invalid quantity.',
  code: 'INVALID',
};
const NOT_POSITIVE: ReturnError = {
  field: null,
  message: 'Quantity must be greater than 0',
  code: 'GREATER_THAN',
};
