import type { GraphQLResolveInfo } from 'graphql';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import { runOnce } from '../inventory/idempotent.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { idsOf, nodeOf } from './fulfillment-orders.js';
import { refundOrder, shippingLeft, shippingOf, sum, type RefundInput } from './order-refund.js';
import { amountOf } from './order-totals.js';

/**
 * The resolver of `refundCreate`: it gives money back, takes lines off the order and puts what was
 * ordered into stock again.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/refundCreate
 */
export function refundRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed, view } = writer;
  const { nodes } = reader.store;
  return {
    refundCreate: (
      args: { input: RefundInput },
      _context: GraphqlContext,
      info: GraphQLResolveInfo,
    ): object =>
      runOnce(writer, args, info, () => {
        const { input } = args;
        const { orderId } = input;
        const order = nodeOf(nodes, 'Order', orderId);
        if (!order)
          return {
            refund: null,
            order: null,
            userErrors: [{ field: ['orderId'], message: 'Order does not exist' }],
          };
        const userErrors = refundProblems(input, order, (id) => nodes.fieldsOf(id));
        if (userErrors.length > 0) return { refund: null, order: view(orderId), userErrors };
        const id = refundOrder(writer, input);
        changed('update', orderId, nodes.fieldsOf(orderId));
        return { refund: view(id), order: view(orderId), userErrors: [] };
      }),
  };
}

/** Why a refund is refused: nothing, more than was bought or paid, or no payment of the order. */
export function refundProblems(
  input: RefundInput,
  order: Readonly<NodeFields>,
  fieldsOf: (id: string) => Readonly<NodeFields>,
): NodeError[] {
  const lines = idsOf(order['lineItems']);
  const taken = new Map<string, number>();
  const transactions = input.transactions ?? [];
  const errors: NodeError[] = (input.refundLineItems ?? []).flatMap((line, index) => {
    const { lineItemId, quantity } = line;
    const field = ['refundLineItems', String(index)];
    if (!lines.includes(lineItemId))
      return [{ field: [...field, 'lineItemId'], message: 'Line item does not exist' }];
    if (quantity <= 0)
      return [{ field: [...field, 'quantity'], message: 'Quantity must be greater than 0' }];
    const all = quantity + (taken.get(lineItemId) ?? 0);
    taken.set(lineItemId, all);
    const left = Number(fieldsOf(lineItemId)['refundableQuantity'] ?? 0);
    const message = 'Quantity cannot refund more items than were purchased';
    return all > left ? [{ field: [...field, 'quantity'], message }] : [];
  });
  for (const { amount, kind, parentId } of transactions) {
    const path = ['transactions'];
    if (kind !== 'REFUND') {
      const message = `Kind ${kind.toLowerCase()} is not a valid transaction`;
      errors.push({ field: null, message });
    } else if (parentId && !idsOf(order['transactions']).includes(parentId)) {
      const message = 'Transactions require a parent_id associated with the order';
      errors.push({ field: path, message });
    } else if (!(Number(amount) > 0))
      errors.push({ field: path, message: 'Amount must be greater than 0' });
  }
  const shipping = shippingOf(input, order);
  if (!(shipping >= 0 && shipping <= shippingLeft(order))) {
    const message = 'Refund shipping amount must be between 0 and what is left of the shipping';
    errors.push({ field: ['shipping', 'amount'], message });
  }
  const amount = sum(transactions.map((one) => Number(one.amount)));
  const net = amountOf(order['netPaymentSet']);
  if (amount <= net) return errors;
  const written = moneyWriter(String(order['currencyCode']));
  const message = `Refund amount ${written(amount)} is greater than net payment received ${written(net)}`;
  return [...errors, { field: null, message }];
}

/** Writes amounts as the platform's messages do, e.g. `$35.00`. */
function moneyWriter(currency: string): (amount: number) => string {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const format = new Intl.NumberFormat('en', style);
  return (amount) => format.format(amount);
}
