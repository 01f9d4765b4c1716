import type { GraphQLResolveInfo } from 'graphql';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import { runOnce } from '../inventory/idempotent.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { cancelQuantity, idsOf, nodeOf } from './fulfillment-orders.js';
import { amountOf, bagOf } from './order-totals.js';

interface RefundInput {
  readonly orderId: string;
  readonly note?: string | null;
  readonly processedAt?: string | null;
  readonly refundLineItems?: readonly RefundLine[] | null;
  readonly shipping?: { readonly amount?: unknown; readonly fullRefund?: boolean | null } | null;
  readonly transactions?: readonly RefundTransaction[] | null;
}

interface RefundLine {
  readonly lineItemId: string;
  readonly locationId?: string | null;
  readonly quantity: number;
  readonly restockType?: 'CANCEL' | 'LEGACY_RESTOCK' | 'NO_RESTOCK' | 'RETURN' | null;
}

interface RefundTransaction {
  readonly amount: string | number;
  readonly gateway: string;
  readonly kind: string;
  readonly parentId?: string | null;
}

/**
 * The resolver of `refundCreate`: it gives money back, takes lines off the order and puts what was
 * ordered into stock again.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/refundCreate
 */
export function refundRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed, view, version } = writer;
  const { nodes, defaults } = reader.store;
  return {
    refundCreate: (
      args: { input: RefundInput },
      _context: GraphqlContext,
      info: GraphQLResolveInfo,
    ): object =>
      runOnce({ nodes, version }, args, info, () => {
        const { input } = args;
        const { orderId } = input;
        const order = nodeOf(nodes, 'Order', orderId);
        if (!order)
          return {
            refund: null,
            order: null,
            userErrors: [{ field: ['orderId'], message: 'Order does not exist' }],
          };
        const userErrors = problems(input, order, (id) => nodes.fieldsOf(id));
        if (userErrors.length > 0) return { refund: null, order: view(orderId), userErrors };
        const bag = bagOf(String(order['currencyCode']));
        const lines = (input.refundLineItems ?? []).map((one) => refundLine(one, writer, bag));
        const transactions = (input.transactions ?? []).map(
          ({ amount, gateway, kind, parentId }) =>
            nodes.create('OrderTransaction', {
              order: orderId,
              amountSet: bag(Number(amount)),
              amount: String(amount),
              gateway,
              kind,
              status: 'SUCCESS',
              processedAt: defaults.now(),
              parentTransaction: parentId,
            }).id,
        );
        const money = sum((input.transactions ?? []).map(({ amount }) => Number(amount)));
        const { id } = nodes.create('Refund', {
          order: orderId,
          note: input.note ?? null,
          processedAt: input.processedAt ?? defaults.now(),
          totalRefundedSet: bag(money),
          totalRefunded: bag(money),
          refundLineItems: lines.map(({ fields }) => fields),
          transactions,
        });
        const shipping = shippingOf(input, order);
        const off = sum(lines.map(({ subtotal }) => subtotal)) + shipping;
        nodes.update(orderId, {
          ...refunded(order, money, off, bag),
          refunds: [...idsOf(order['refunds']), id],
          transactions: [...idsOf(order['transactions']), ...transactions],
        });
        changed('create', id, nodes.fieldsOf(id));
        changed('update', orderId, nodes.fieldsOf(orderId));
        return { refund: view(id), order: view(orderId), userErrors: [] };
      }),
  };
}

/** Why a refund is refused: more than was bought, or than was paid. */
function problems(
  { refundLineItems, transactions }: RefundInput,
  order: Readonly<NodeFields>,
  fieldsOf: (id: string) => Readonly<NodeFields>,
): object[] {
  const lines = idsOf(order['lineItems']);
  const errors = (refundLineItems ?? []).flatMap(({ lineItemId, quantity }, index) => {
    const field = ['refundLineItems', String(index)];
    if (!lines.includes(lineItemId))
      return [{ field: [...field, 'lineItemId'], message: 'Line item does not exist' }];
    const left = Number(fieldsOf(lineItemId)['refundableQuantity'] ?? 0);
    const message = 'Quantity cannot refund more items than were purchased';
    return quantity > left ? [{ field: [...field, 'quantity'], message }] : [];
  });
  const amount = sum((transactions ?? []).map((one) => Number(one.amount)));
  const net = amountOf(order['netPaymentSet']);
  if (amount <= net) return errors;
  const written = moneyWriter(String(order['currencyCode']));
  const message = `Refund amount ${written(amount)} is greater than net payment received ${written(net)}`;
  return [...errors, { field: null, message }];
}

/** Takes a quantity off a line, and into stock. */
function refundLine(
  { lineItemId, quantity, restockType, locationId }: RefundLine,
  { reader }: NodeWriter,
  bag: (amount: number) => object,
): { fields: NodeFields; subtotal: number } {
  const { nodes, stock } = reader.store;
  const line = nodes.fieldsOf(lineItemId);
  const type = restockType ?? 'NO_RESTOCK';
  const unit = amountOf(line['discountedUnitPriceSet']);
  const subtotal = unit * quantity;
  const left = (name: string): number => Math.max(0, Number(line[name] ?? 0) - quantity);
  if (type === 'CANCEL') {
    stock.release(lineItemId, quantity);
    cancelQuantity(nodes, lineItemId, quantity);
  }
  const location =
    type === 'RETURN' || type === 'LEGACY_RESTOCK'
      ? stock.restock(lineItemId, quantity, locationId)
      : undefined;
  nodes.update(lineItemId, {
    refundableQuantity: left('refundableQuantity'),
    currentQuantity: left('currentQuantity'),
  });
  const fields = {
    lineItem: lineItemId,
    quantity,
    restockType: type,
    restocked: type !== 'NO_RESTOCK',
    location: locationId ?? location ?? null,
    price: String(unit),
    priceSet: bag(unit),
    subtotal: String(subtotal),
    subtotalSet: bag(subtotal),
  };
  return { fields, subtotal };
}

/** What an order says after a refund. @param off what its lines and its shipping cost less */
function refunded(
  order: Readonly<NodeFields>,
  money: number,
  off: number,
  bag: (amount: number) => object,
): NodeFields {
  const received = amountOf(order['totalReceivedSet']);
  const total = amountOf(order['totalRefundedSet']) + money;
  const net = received - total;
  return {
    totalRefundedSet: bag(total),
    netPaymentSet: bag(net),
    netPayment: String(net),
    currentTotalPriceSet: bag(amountOf(order['currentTotalPriceSet']) - off),
    currentSubtotalPriceSet: bag(amountOf(order['currentSubtotalPriceSet']) - off),
    ...(money > 0 ? { displayFinancialStatus: net > 0 ? 'PARTIALLY_REFUNDED' : 'REFUNDED' } : {}),
  };
}

function shippingOf({ shipping }: RefundInput, order: Readonly<NodeFields>): number {
  if (shipping?.fullRefund) return amountOf(order['totalShippingPriceSet']);
  return Number(shipping?.amount ?? 0);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, one) => all + one, 0);
}

/** Writes amounts as the platform's messages do, e.g. `$35.00`. */
function moneyWriter(currency: string): (amount: number) => string {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const format = new Intl.NumberFormat('en', style);
  return (amount) => format.format(amount);
}
