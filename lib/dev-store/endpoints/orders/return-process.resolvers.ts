import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { createFulfillmentOrder, idsOf, nodeOf } from './fulfillment-orders.js';
import { refundOrder, type RefundInput } from './order-refund.js';
import { amountOf, bagOf, completedLine } from './order-totals.js';
import { refundProblems } from './refund.resolvers.js';
import { INVALID_QUANTITY, missing, wrongStatus, type ReturnError } from './return-checks.js';
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

/** The shipping that is given back: all of it, or an amount. */
interface Shipping {
  readonly fullRefund?: boolean | null;
  readonly shippingRefundAmount?: { readonly amount: unknown } | null;
}

interface ProcessInput {
  readonly returnId: string;
  readonly note?: string | null;
  readonly returnLineItems?: readonly ProcessedLine[] | null;
  readonly exchangeLineItems?: readonly ProcessedLine[] | null;
  readonly refundShipping?: Shipping | null;
  readonly financialTransfer?: {
    readonly issueRefund?: { readonly orderTransactions: readonly Payment[] } | null;
  } | null;
}

interface RefundedInput {
  readonly returnId: string;
  readonly returnRefundLineItems: ReadonlyArray<{ returnLineItemId: string; quantity: number }>;
  readonly orderTransactions?: readonly Payment[] | null;
  readonly refundShipping?: Shipping | null;
}

const REVERSE_LINE = 'Reverse fulfillment order line item';

/** The states of a return whose money may be given back. */
const REFUNDABLE = ['OPEN', 'CLOSED'];

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
  ): ReturnError[] => {
    const sums = new Map<string, number>();
    return lines.flatMap(({ id, quantity }, index) => {
      const place = [...path, String(index)];
      if (!known.includes(id)) return [missing(words, ...place, key)];
      const sum = quantity + (sums.get(id) ?? 0);
      sums.set(id, sum);
      const isValid = quantity > 0 && sum <= Number(nodes.fieldsOf(id)[left]);
      return isValid ? [] : [{ ...INVALID_QUANTITY, field: [...place, 'quantity'] }];
    });
  };

  /** Why nothing can be done, for a line of a return, with what has come back of another. */
  const foreignErrors = (
    id: string,
    dispositions: readonly Disposal[],
    path: readonly string[],
  ): ReturnError[] =>
    dispositions.flatMap(({ reverseFulfillmentOrderLineItemId: line }, index) =>
      nodes.fieldsOf(line)['returnLineItem'] === id
        ? []
        : [missing(REVERSE_LINE, ...path, String(index), 'reverseFulfillmentOrderLineItemId')],
    );

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

  /** The refund of the order that gives money back for lines of a return. */
  const refundOf = (
    returnId: string,
    lines: Lines,
    payments: readonly Payment[],
    { note = null, refundShipping }: Pick<ProcessInput, 'note' | 'refundShipping'>,
  ): RefundInput => {
    const orderId = String(nodes.fieldsOf(returnId)['order']);
    const { fullRefund = null, shippingRefundAmount } = refundShipping ?? {};
    return {
      ...{ note, orderId, shipping: { fullRefund, amount: shippingRefundAmount?.amount } },
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
    };
  };

  /** Why a refund is refused: more than was bought or paid, or no payment of the order. */
  const refundErrors = (input: RefundInput, ...field: string[]): ReturnError[] =>
    refundProblems(input, nodes.fieldsOf(input.orderId), (id) => nodes.fieldsOf(id)).map(
      ({ message }) => ({ field, message, code: 'INVALID' }),
    );

  /** Gives money back for lines of a return. Returns the id of the refund. */
  const refunded = (returnId: string, lines: Lines, input: RefundInput): string => {
    const id = refundOrder(writer, input);
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
      const { returnId } = input;
      const refused = (...userErrors: ReturnError[]): object => ({ return: null, userErrors });
      const known = nodeOf(nodes, 'Return', returnId);
      const path = ['input', 'returnId'];
      if (!known) return refused(missing('Return', ...path));
      if (known['status'] !== 'OPEN') return refused(wrongStatus(...path));
      const returned = input.returnLineItems ?? [];
      const exchanges = input.exchangeLineItems ?? [];
      const { issueRefund } = input.financialTransfer ?? {};
      const refund =
        issueRefund && refundOf(returnId, returned, issueRefund.orderTransactions, input);
      const disposed = new Map<string, number>();
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
        ...returned.flatMap(({ id, dispositions }, index) => {
          if (!dispositions?.length) return [];
          const place = ['input', 'returnLineItems', String(index), 'dispositions'];
          const wrong = disposalErrors(writer, dispositions, place, disposed);
          return wrong.length > 0 ? wrong : foreignErrors(id, dispositions, place);
        }),
      ];
      if (errors.length === 0 && refund)
        errors.push(
          ...lineErrors(
            idsOf(known['returnLineItems']),
            returned,
            ['refundableQuantity', 'id', 'Return line item'],
            ['input', 'returnLineItems'],
          ),
        );
      if (errors.length === 0 && refund)
        errors.push(...refundErrors(refund, 'input', 'financialTransfer', 'issueRefund'));
      if (errors.length > 0) return refused(...errors);
      for (const { dispositions } of returned) dispose(writer, dispositions ?? []);
      processed([...returned, ...exchanges]);
      exchanged(String(known['order']), exchanges);
      if (refund) refunded(returnId, returned, refund);
      // The platform closes it in the background.
      nodes.afterCall(() => closeIfDone(returnId));
      changed.topic('returns/process', returnId);
      return { return: view(returnId), userErrors: [] };
    },

    returnRefund: ({ returnRefundInput: input }: { returnRefundInput: RefundedInput }) => {
      const refused = (...userErrors: ReturnError[]): object => ({ refund: null, userErrors });
      const { returnId } = input;
      const known = nodeOf(nodes, 'Return', returnId);
      const path = ['returnRefundInput', 'returnId'];
      if (!known) return refused(missing('Return', ...path));
      if (!REFUNDABLE.includes(String(known['status']))) return refused(wrongStatus(...path));
      const lines = input.returnRefundLineItems.map(({ returnLineItemId: id, quantity }) => ({
        ...{ id, quantity },
      }));
      const errors = lineErrors(
        idsOf(known['returnLineItems']),
        lines,
        ['refundableQuantity', 'returnLineItemId', 'Return line item'],
        ['returnRefundInput', 'returnRefundLineItems'],
      );
      const { orderTransactions, refundShipping = null } = input;
      const refund = refundOf(returnId, lines, orderTransactions ?? [], { refundShipping });
      if (errors.length === 0) errors.push(...refundErrors(refund, 'returnRefundInput'));
      if (errors.length > 0) return refused(...errors);
      const id = refunded(returnId, lines, refund);
      const order = String(known['order']);
      changed('update', order, nodes.fieldsOf(order));
      return { refund: view(id), userErrors: [] };
    },
  };
}
