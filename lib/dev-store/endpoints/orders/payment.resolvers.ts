import { startedJob } from '../nodes/job.resolvers.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { idsOf, nodeOf } from './fulfillment-orders.js';
import { recordPayment, uncaptured } from './order-payments.js';
import { owedOf } from './order-refund.js';

interface CaptureInput {
  readonly id: string;
  readonly parentTransactionId: string;
  readonly amount: unknown;
  readonly currency?: string | null;
  readonly finalCapture?: boolean | null;
}

interface ManualArgs {
  id: string;
  amount?: { readonly amount: unknown; readonly currencyCode: string } | null;
  paymentMethodName?: string | null;
  processedAt?: string | null;
}

interface MandateArgs {
  id: string;
  amount?: { readonly amount: unknown; readonly currencyCode: string } | null;
  autoCapture?: boolean | null;
  idempotencyKey: string;
}

interface MandatePayload {
  readonly job: object | null;
  readonly paymentReferenceId: string | null;
  readonly userErrors: readonly object[];
}

/**
 * The resolvers of the mutations that capture, void and record payments of orders.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/orderCapture
 */
export function paymentRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, view } = writer;
  const { nodes, defaults } = reader.store;
  return {
    orderCapture: ({ input }: { input: CaptureInput }) => {
      const { id, parentTransactionId: parent, currency, finalCapture } = input;
      const amount = Number(input.amount);
      const refused = (message: string, field: readonly string[] | null = null): object => ({
        transaction: null,
        userErrors: [{ field, message }],
      });
      const order = nodeOf(nodes, 'Order', id);
      if (!order) return refused('Order does not exist', ['id']);
      const all = idsOf(order['transactions']);
      if (!all.includes(parent)) return refused('Unable to find parent transaction');
      const own = String(order['currencyCode']);
      if (currency != null && currency !== own)
        return refused(`Currency Currency must match parent transaction ${own}`, ['currency']);
      if (finalCapture) return refused(NO_FINAL_CAPTURE);
      if (!(amount > 0))
        return refused('Amount must be greater than zero for capture transactions');
      const left = uncaptured(nodes, all, parent) ?? 0;
      if (amount > left)
        return refused(
          `Cannot capture more than the authorized ${left.toFixed(2)} for this payment.`,
        );
      const made = recordPayment(writer, id, { kind: 'CAPTURE', amount, parent });
      return { transaction: view(made), userErrors: [] };
    },

    transactionVoid: ({ parentTransactionId: parent }: { parentTransactionId: string }) => {
      const refused = (message: string, code: string): object => ({
        transaction: null,
        userErrors: [{ field: ['parentTransactionId'], message, code }],
      });
      const fields = nodeOf(nodes, 'OrderTransaction', parent);
      if (!fields) return refused('Transaction does not exist', 'TRANSACTION_NOT_FOUND');
      if (fields['kind'] !== 'AUTHORIZATION' || fields['status'] !== 'SUCCESS')
        return refused(
          'Parent transaction must be a successful authorization',
          'AUTH_NOT_SUCCESSFUL',
        );
      const [order] = nodes.naming(parent, ['Order']);
      const all = idsOf(order?.fields['transactions']);
      const isUsed = all.some((id) => nodes.fieldsOf(id)['parentTransaction'] === parent);
      if (!order || isUsed)
        return refused(
          'Parent transaction require a parent_id referring to a voidable transaction',
          'AUTH_NOT_VOIDABLE',
        );
      const made = recordPayment(writer, order.id, { kind: 'VOID', amount: 0, parent });
      return { transaction: view(made), userErrors: [] };
    },

    orderCreateManualPayment: (args: ManualArgs) => {
      const { id, amount: given, paymentMethodName, processedAt } = args;
      const refused = (field: readonly string[], message: string, code: string): object => ({
        order: null,
        userErrors: [{ field, message, code }],
      });
      const order = nodeOf(nodes, 'Order', id);
      if (!order) return refused(['id'], 'Order does not exist', 'ORDER_NOT_FOUND');
      const owed = owedOf(order);
      const amount = given ? Number(given.amount) : owed;
      const path = ['amount'];
      if (given && given.currencyCode !== order['currencyCode'])
        return refused(path, OTHER_CURRENCY, 'CURRENCY_MISMATCH');
      if (!(amount > 0)) return refused(path, 'Amount must be positive', 'AMOUNT_NOT_POSITIVE');
      if (amount > owed) return refused(path, TOO_MUCH, 'AMOUNT_EXCEEDS_BALANCE');
      if (processedAt != null && !(new Date(processedAt) <= defaults.now()))
        return refused(['processedAt'], 'Processed at is invalid', 'PROCESSED_AT_INVALID');
      const gateway = paymentMethodName ?? 'manual';
      const payment = { kind: 'SALE', amount, gateway };
      recordPayment(writer, id, { ...payment, processedAt: processedAt ?? undefined });
      return { order: view(id), userErrors: [] };
    },

    orderCreateMandatePayment: (args: MandateArgs) => {
      const { id, amount, autoCapture, idempotencyKey: key } = args;
      const refused = (field: readonly string[], message: string): MandatePayload => ({
        job: null,
        paymentReferenceId: null,
        userErrors: [{ field, message, code: 'ORDER_MANDATE_PAYMENT_ERROR_CODE' }],
      });
      const order = nodeOf(nodes, 'Order', id);
      if (!order) return refused(['id'], 'Order does not exist');
      if (key.trim() === '') return refused(['idempotencyKey'], "Idempotency key can't be blank");
      const paymentReferenceId = `${id}/${key}`;
      const paid = (): MandatePayload => {
        const owed = owedOf(order);
        const due = amount ? Number(amount.amount) : owed;
        if (amount && amount.currencyCode !== order['currencyCode'])
          return refused(['amount'], OTHER_CURRENCY);
        if (!(due > 0)) return refused(['amount'], 'Amount must be greater than 0');
        if (due > owed) return refused(['amount'], TOO_MUCH);
        const kind = autoCapture === false ? 'AUTHORIZATION' : 'SALE';
        recordPayment(writer, id, { kind, amount: due, gateway: 'shopify_payments' });
        return { job: startedJob(nodes), paymentReferenceId, userErrors: [] };
      };
      return nodes.once(`mandate ${paymentReferenceId}`, paid, ({ job }) => job !== null);
    },
  };
}

const OTHER_CURRENCY = 'Currency does not match the order';
const TOO_MUCH = 'Amount exceeds the balance';
const NO_FINAL_CAPTURE =
  "Setting final capture is not supported for this transaction's payment gateway. Please remove the parameter or set it to null, then try again.";
