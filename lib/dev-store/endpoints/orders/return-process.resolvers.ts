import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { createFulfillmentOrder, idsOf, nodeOf } from './fulfillment-orders.js';
import { refundOrder, type RefundInput } from './order-refund.js';
import { amountOf, bagOf, completedLine } from './order-totals.js';
import { INVALID_QUANTITY, missing, type ReturnError } from './return-checks.js';
import { settleReturns } from './return-lines.js';
import { disposalErrors, dispose, type Disposal } from './reverse-fulfillment.resolvers.js';

interface ProcessedLine {
  readonly id: string;
  readonly quantity: number;
  readonly dispositions?: readonly Disposal[] | null;
}

interface Payment {
  readonly transactionAmount: { readonly amount: unknown };
  readonly parentId: string;
}

type Shipping = RefundInput['shipping'];

interface ProcessInput {
  readonly returnId: string;
  readonly note?: string | null;
  readonly returnLineItems?: readonly ProcessedLine[] | null;
  readonly exchangeLineItems?: readonly ProcessedLine[] | null;
  readonly refundShipping?: Shipping;
  readonly financialTransfer?: {
    readonly issueRefund?: { readonly orderTransactions: readonly Payment[] } | null;
  } | null;
}

interface RefundedInput {
  readonly returnId: string;
  readonly returnRefundLineItems: ReadonlyArray<{ returnLineItemId: string; quantity: number }>;
  readonly orderTransactions?: readonly Payment[] | null;
  readonly refundShipping?: Shipping;
}

type Lines = ReadonlyArray<{ readonly id: string; readonly quantity: number }>;

/**
 * The resolvers of the mutations that receive what comes back, send what is exchanged for it, and
 * give money back.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/returnProcess
 */
export function returnProcessRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed, view } = writer;
  const { nodes, defaults } = reader.store;

  /** Why quantities of lines of a return cannot be taken. @param left the field with the rest */
  const lineErrors = (
    known: readonly string[],
    lines: Lines,
    [left, key, words]: readonly [left: string, key: string, words: string],
    path: readonly string[],
  ): ReturnError[] =>
    lines.flatMap(({ id, quantity }, index) => {
      const place = [...path, String(index)];
      if (!known.includes(id)) return [missing(words, ...place, key)];
      const isValid = quantity > 0 && quantity <= Number(nodes.fieldsOf(id)[left]);
      return isValid ? [] : [{ ...INVALID_QUANTITY, field: [...place, 'quantity'] }];
    });

  const processed = (lines: Lines): void => {
    for (const { id, quantity } of lines) {
      const { processedQuantity, unprocessedQuantity } = nodes.fieldsOf(id);
      const left = Number(unprocessedQuantity) - quantity;
      nodes.update(id, {
        processedQuantity: Number(processedQuantity) + quantity,
        ...{ unprocessedQuantity: left, processableQuantity: left },
      });
    }
  };

  /** Gives money back for lines of a return. Returns the id of the refund. */
  const refunded = (
    returnId: string,
    lines: Lines,
    payments: readonly Payment[],
    more: Pick<RefundInput, 'note' | 'shipping'>,
  ): string => {
    const orderId = String(nodes.fieldsOf(returnId)['order']);
    const id = refundOrder(writer, {
      ...{ ...more, orderId },
      refundLineItems: lines.map(({ id: line, quantity }) => ({
        lineItemId: String(
          nodes.fieldsOf(String(nodes.fieldsOf(line)['fulfillmentLineItem']))['lineItem'],
        ),
        quantity,
        restockType: 'NO_RESTOCK' as const,
      })),
      transactions: payments.map(({ transactionAmount, parentId }) => ({
        ...{
          amount: String(transactionAmount.amount),
          gateway: 'manual',
          kind: 'REFUND',
          parentId,
        },
      })),
    });
    nodes.update(id, { return: returnId });
    for (const { id: line, quantity } of lines) {
      const { refundableQuantity, refundedQuantity } = nodes.fieldsOf(line);
      nodes.update(line, {
        refundableQuantity: Number(refundableQuantity) - quantity,
        refundedQuantity: Number(refundedQuantity ?? 0) + quantity,
      });
    }
    return id;
  };

  /** Adds to an order what is sent in place of what comes back. */
  const exchanged = (orderId: string, lines: Lines): void => {
    const { currencyCode, lineItems, ...order } = nodes.fieldsOf(orderId);
    const currency = String(currencyCode);
    const added = lines.map(({ id, quantity }) => {
      const { variantId: variant, lineItems: before } = nodes.fieldsOf(id);
      const { id: line } = nodes.create(
        'LineItem',
        completedLine({ variant, quantity }, reader, currency),
      );
      nodes.update(id, { lineItem: line, lineItems: [...idsOf(before), line] });
      return [line, quantity] as const;
    });
    if (added.length === 0) return;
    const price = added.reduce(
      (sum, [line]) => sum + amountOf(nodes.fieldsOf(line)['originalTotalSet']),
      0,
    );
    const bag = bagOf(currency);
    const more = (name: string): object => bag(amountOf(order[name]) + price);
    const fields: NodeFields = { lineItems: [...idsOf(lineItems), ...added.map(([line]) => line)] };
    for (const name of ['currentTotalPriceSet', 'currentSubtotalPriceSet', 'totalOutstandingSet'])
      fields[name] = more(name);
    nodes.update(orderId, fields);
    createFulfillmentOrder(nodes, orderId, added);
  };

  /** Closes a return of which everything was received and sent. */
  const closeIfDone = (id: string): void => {
    const { returnLineItems, exchangeLineItems, status, order } = nodes.fieldsOf(id);
    const lines = [...idsOf(returnLineItems), ...idsOf(exchangeLineItems)];
    const isDone = lines.every((line) => nodes.fieldsOf(line)['unprocessedQuantity'] === 0);
    if (!isDone || status !== 'OPEN') return;
    nodes.update(id, { status: 'CLOSED', closedAt: defaults.now() });
    settleReturns(writer, String(order));
    changed.topic('returns/close', id);
  };

  return {
    returnProcess: ({ input }: { input: ProcessInput }) => {
      const { returnId, note = null, refundShipping } = input;
      const refused = (...userErrors: ReturnError[]): object => ({ return: null, userErrors });
      const known = nodeOf(nodes, 'Return', returnId);
      const path = ['input', 'returnId'];
      if (!known) return refused(missing('Return', ...path));
      if (known['status'] !== 'OPEN')
        return refused({
          ...{ field: path, message: 'Return status is invalid.', code: 'INVALID_STATE' },
        });
      const returned = input.returnLineItems ?? [];
      const exchanges = input.exchangeLineItems ?? [];
      const errors = [
        ...lineErrors(
          idsOf(known['returnLineItems']),
          returned,
          ['processableQuantity', 'id', 'Return line item'],
          ['input', 'returnLineItems'],
        ),
        ...lineErrors(
          idsOf(known['exchangeLineItems']),
          exchanges,
          ['processableQuantity', 'id', 'Exchange line item'],
          ['input', 'exchangeLineItems'],
        ),
        ...returned.flatMap(({ dispositions }, index) =>
          dispositions?.length
            ? disposalErrors(writer, dispositions, [
                ...['input', 'returnLineItems', String(index), 'dispositions'],
              ])
            : [],
        ),
      ];
      if (errors.length > 0) return refused(...errors);
      for (const { dispositions } of returned) dispose(writer, dispositions ?? []);
      processed([...returned, ...exchanges]);
      exchanged(String(known['order']), exchanges);
      const { issueRefund } = input.financialTransfer ?? {};
      if (issueRefund)
        refunded(returnId, returned, issueRefund.orderTransactions, {
          ...{ note, shipping: refundShipping ?? null },
        });
      // The platform closes it in the background.
      nodes.afterCall(() => closeIfDone(returnId));
      changed.topic('returns/process', returnId);
      return { return: view(returnId), userErrors: [] };
    },

    returnRefund: ({ returnRefundInput: input }: { returnRefundInput: RefundedInput }) => {
      const refused = (...userErrors: ReturnError[]): object => ({ refund: null, userErrors });
      const { returnId } = input;
      const known = nodeOf(nodes, 'Return', returnId);
      if (!known) return refused(missing('Return', 'returnRefundInput', 'returnId'));
      const lines = input.returnRefundLineItems.map(({ returnLineItemId: id, quantity }) => ({
        ...{ id, quantity },
      }));
      const errors = lineErrors(
        idsOf(known['returnLineItems']),
        lines,
        ['refundableQuantity', 'returnLineItemId', 'Return line item'],
        ['returnRefundInput', 'returnRefundLineItems'],
      );
      if (errors.length > 0) return refused(...errors);
      const id = refunded(returnId, lines, input.orderTransactions ?? [], {
        shipping: input.refundShipping ?? null,
      });
      const order = String(known['order']);
      changed('update', order, nodes.fieldsOf(order));
      return { refund: view(id), userErrors: [] };
    },
  };
}
