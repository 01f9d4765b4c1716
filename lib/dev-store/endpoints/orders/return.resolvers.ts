import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { idsOf, nodeOf } from './fulfillment-orders.js';
import {
  exchangeErrors,
  INVALID_QUANTITY,
  lineErrors,
  missing,
  wrongStatus,
  type ReturnError,
  type ReturnInput,
} from './return-checks.js';
import { addReturnLines, addReverseOrder, settleReturns } from './return-lines.js';

interface DeclineInput {
  readonly id: string;
  readonly declineReason: string;
  readonly declineNote?: string | null;
}

interface Removal {
  readonly returnLineItemId: string;
  readonly quantity: number;
}

interface RemovalArgs {
  returnId: string;
  returnLineItems?: readonly Removal[] | null;
  exchangeLineItems?: ReadonlyArray<{ exchangeLineItemId: string; quantity: number }> | null;
}

/** What a change of state is allowed from, makes it, and tells. */
interface Move {
  readonly from: readonly string[];
  readonly to: string;
  readonly topic: string;
  readonly fields?: NodeFields;
  /** Why it is refused, by the state that the return has. Default: without a word about it. */
  readonly refusal?: (status: unknown) => string;
}

/**
 * The resolvers of the mutations of returns: from a request, to open, closed, declined and
 * cancelled.
 * @see https://shopify.dev/docs/apps/build/orders-fulfillment/returns-apps
 */
export function returnRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed, view } = writer;
  const { nodes, defaults } = reader.store;
  const refused = (...userErrors: ReturnError[]): object => ({ return: null, userErrors });

  const created = (input: ReturnInput, argument: string, status: 'OPEN' | 'REQUESTED'): object => {
    const order = nodeOf(nodes, 'Order', input.orderId);
    if (!order) return refused(missing('Order', argument, 'orderId'));
    const errors = [
      ...lineErrors(nodes, input, argument),
      ...exchangeErrors(reader, input, argument),
    ];
    if (errors.length > 0) return refused(...errors);
    const number = nodes.naming(input.orderId, ['Return']).length + 1;
    const { id } = nodes.create('Return', {
      order: input.orderId,
      name: `${String(order['name'])}-R${number}`,
      status,
      totalQuantity: input.returnLineItems.reduce((sum, { quantity }) => sum + quantity, 0),
    });
    addReturnLines(nodes, id, input);
    if (status === 'OPEN') addReverseOrder(nodes, id);
    settleReturns(writer, input.orderId);
    changed.topic(status === 'OPEN' ? 'returns/approve' : 'returns/request', id);
    return { return: view(id), userErrors: [] };
  };

  const moved = (
    id: string,
    { from, to, topic, fields, refusal }: Move,
    path: readonly string[],
  ): object => {
    const before = nodeOf(nodes, 'Return', id);
    if (!before) return refused(missing('Return', ...path));
    const { status } = before;
    const isRepeated = status === to && path.length === 1;
    if (!isRepeated && !from.includes(String(status))) {
      const message = refusal?.(status) ?? 'Return status is invalid.';
      return refused({ field: path, message, code: 'INVALID_STATE' });
    }
    if (status !== to) {
      nodes.update(id, { status: to, ...fields });
      if (status === 'REQUESTED' && to === 'OPEN') addReverseOrder(nodes, id);
      if (to === 'CANCELED')
        for (const reverse of idsOf(before['reverseFulfillmentOrders']))
          nodes.update(reverse, { status: to });
      settleReturns(writer, String(before['order']));
      changed.topic(topic, id);
    }
    return { return: view(id), userErrors: [] };
  };
  /** Takes lines off a return. */
  const removed = ({ returnId, returnLineItems, exchangeLineItems }: RemovalArgs): object => {
    const known = nodeOf(nodes, 'Return', returnId);
    if (!known) return refused(missing('Return', 'returnId'));
    if (!CHANGEABLE.includes(String(known['status']))) return refused(wrongStatus('returnId'));
    const removed = new Map<string, number>();
    const errors = removalsIn(returnLineItems, exchangeLineItems).flatMap((one) => {
      const { list, index, key, line, quantity } = one;
      const path = [list, String(index)];
      if (!idsOf(known[list]).includes(line)) return [missing(WORDS[list], ...path, key)];
      if (quantity <= 0) return [NOT_POSITIVE];
      const all = quantity + (removed.get(line) ?? 0);
      removed.set(line, all);
      const { unprocessedQuantity, refundableQuantity } = nodes.fieldsOf(line);
      const left = Math.min(
        Number(unprocessedQuantity ?? 0),
        Number(refundableQuantity ?? Infinity),
      );
      return all > left ? [{ ...INVALID_QUANTITY, field: [...path, 'quantity'] }] : [];
    });
    if (errors.length > 0) return refused(...errors);
    for (const [line, quantity] of removed) {
      const { quantity: before, unprocessedQuantity, refundableQuantity } = nodes.fieldsOf(line);
      const unprocessed = Number(unprocessedQuantity) - quantity;
      const left = Number(before) - quantity;
      nodes.update(line, {
        ...{ quantity: left, unprocessedQuantity: unprocessed, processableQuantity: unprocessed },
        ...(refundableQuantity === undefined
          ? {}
          : { refundableQuantity: Number(refundableQuantity) - quantity }),
      });
      for (const one of nodes.naming(line, ['ReverseFulfillmentOrderLineItem']))
        nodes.update(one.id, { totalQuantity: left });
    }
    const lines = idsOf(known['returnLineItems']);
    const kept = lines.filter((line) => Number(nodes.fieldsOf(line)['quantity'] ?? 0) > 0);
    const quantities = kept.map((line) => Number(nodes.fieldsOf(line)['quantity'] ?? 0));
    const totalQuantity = quantities.reduce((sum, quantity) => sum + quantity, 0);
    nodes.update(returnId, { returnLineItems: kept, totalQuantity });
    changed.topic('returns/update', returnId);
    return { return: view(returnId), userErrors: [] };
  };

  const now = (): string => defaults.now().toISOString();

  return {
    returnCreate: ({ returnInput }: { returnInput: ReturnInput }) =>
      created(returnInput, 'returnInput', 'OPEN'),
    returnRequest: ({ input }: { input: ReturnInput }) => created(input, 'input', 'REQUESTED'),
    returnApproveRequest: ({ input }: { input: { id: string } }) => {
      const fields = { requestApprovedAt: now() };
      const move = { from: ['REQUESTED'], to: 'OPEN', topic: 'returns/approve', fields };
      return moved(input.id, { ...move, refusal: () => NOT_APPROVABLE }, ['input', 'id']);
    },
    returnDeclineRequest: ({ input }: { input: DeclineInput }) => {
      const decline = { reason: input.declineReason, note: input.declineNote ?? null };
      const move = { from: ['REQUESTED'], to: 'DECLINED', topic: 'returns/decline' };
      const refusal = (status: unknown): string =>
        status === 'DECLINED' ? 'The return is already declined.' : NOT_DECLINABLE;
      return moved(input.id, { ...move, fields: { decline }, refusal }, ['input', 'id']);
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
      const refusal = (): string => 'Return is not cancelable.';
      return moved(id, { from, to: 'CANCELED', topic: 'returns/cancel', refusal }, ['id']);
    },

    removeFromReturn: removed,
    returnLineItemRemoveFromReturn: removed,
  };
}

interface RemovedLine {
  readonly list: keyof typeof WORDS;
  readonly index: number;
  readonly key: string;
  readonly line: string;
  readonly quantity: number;
}

/** The lines that are taken off a return, of both kinds. */
function removalsIn(
  returned: RemovalArgs['returnLineItems'],
  exchanged: RemovalArgs['exchangeLineItems'],
): RemovedLine[] {
  return [
    ...(returned ?? []).map(({ returnLineItemId: line, quantity }, index) => ({
      ...{ list: 'returnLineItems' as const, index, key: 'returnLineItemId', line, quantity },
    })),
    ...(exchanged ?? []).map(({ exchangeLineItemId: line, quantity }, index) => ({
      ...{ list: 'exchangeLineItems' as const, index, key: 'exchangeLineItemId', line, quantity },
    })),
  ];
}

/** The states of a return that lines may be taken off. */
const CHANGEABLE = ['OPEN', 'REQUESTED'];
const WORDS = { returnLineItems: 'Return line item', exchangeLineItems: 'Exchange line item' };

const NOT_APPROVABLE =
  'Return is not approvable. Only returns with status REQUESTED can be approved.';
const NOT_DECLINABLE =
  'Return is not declinable. Only non-refunded returns with status REQUESTED can be declined.';
const NOT_POSITIVE: ReturnError = {
  field: null,
  message: 'Quantity must be greater than 0',
  code: 'GREATER_THAN',
};
