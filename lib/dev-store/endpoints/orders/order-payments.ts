import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { idsOf } from './fulfillment-orders.js';
import { owedOf, sum } from './order-refund.js';
import { amountOf, bagOf } from './order-totals.js';

/** What is paid for an order, authorized, or given up. */
interface Payment {
  readonly kind: string;
  readonly amount: number;
  /** The authorization that it captures or voids. */
  readonly parent?: string | undefined;
  readonly gateway?: unknown;
  readonly processedAt?: string | undefined;
  readonly test?: boolean;
}

/** Records a payment of an order, and tells the apps. Returns the id of the transaction. */
export function recordPayment(
  { reader, changed }: NodeWriter,
  orderId: string,
  { kind, amount, parent, gateway, processedAt, test = false }: Payment,
): string {
  const { nodes, defaults } = reader.store;
  const before = { ...nodes.fieldsOf(orderId) };
  const bag = bagOf(String(before['currencyCode']));
  const via = nodes.fieldsOf(parent ?? '')['gateway'] ?? gateway ?? 'manual';
  const { id } = nodes.create('OrderTransaction', {
    ...{ kind, status: 'SUCCESS', order: orderId, gateway: via, test },
    ...{ amountSet: bag(amount), manualPaymentGateway: via === 'manual' },
    processedAt: processedAt ?? defaults.now().toISOString(),
    ...(parent === undefined ? {} : { parentTransaction: parent }),
  });
  const transactions = [...idsOf(before['transactions']), id];
  const names = (before['paymentGatewayNames'] ?? []) as unknown[];
  const capturable = capturableOf(nodes, transactions);
  nodes.update(orderId, {
    transactions,
    paymentGatewayNames: names.includes(via) || kind === 'VOID' ? names : [...names, via],
    ...standing(kind, amount, before, bag),
    capturable: capturable > 0,
    totalCapturable: capturable.toFixed(2),
    totalCapturableSet: bag(capturable),
  });
  changed('update', orderId, nodes.fieldsOf(orderId));
  if (nodes.fieldsOf(orderId)['fullyPaid'] && !before['fullyPaid'])
    changed.topic('orders/paid', orderId);
  return id;
}

/**
 * What is left of an authorization to capture; undefined when it was voided.
 * @param all the transactions of its order
 */
export function uncaptured(
  nodes: NodeStore,
  all: readonly string[],
  parent: string,
): number | undefined {
  const made = [parent, ...all.filter((id) => nodes.fieldsOf(id)['parentTransaction'] === parent)];
  const amountsOf = (kind: string): number[] =>
    made.flatMap((id) => {
      const fields = nodes.fieldsOf(id);
      return fields['kind'] === kind ? [amountOf(fields['amountSet'])] : [];
    });
  if (amountsOf('VOID').length > 0) return undefined;
  return sum([...amountsOf('AUTHORIZATION'), ...amountsOf('CAPTURE').map((amount) => -amount)]);
}

/** What is left of all authorizations of an order. */
function capturableOf(nodes: NodeStore, all: readonly string[]): number {
  const open = all.filter((id) => {
    const { kind, status } = nodes.fieldsOf(id);
    return kind === 'AUTHORIZATION' && status === 'SUCCESS';
  });
  return sum(open.map((id) => Math.max(0, uncaptured(nodes, all, id) ?? 0)));
}

/** How an order is paid after a transaction. */
function standing(
  kind: string,
  amount: number,
  order: Readonly<NodeFields>,
  bag: (amount: number) => object,
): NodeFields {
  const received = amountOf(order['totalReceivedSet']);
  if (kind === 'VOID') return received > 0 ? {} : { displayFinancialStatus: 'VOIDED' };
  if (kind === 'AUTHORIZATION') return received > 0 ? {} : { displayFinancialStatus: 'AUTHORIZED' };
  const left = sum([owedOf(order), -amount]);
  return {
    displayFinancialStatus: left <= 0 ? 'PAID' : 'PARTIALLY_PAID',
    fullyPaid: left <= 0,
    canMarkAsPaid: left > 0,
    totalReceivedSet: bag(received + amount),
    netPaymentSet: bag(amountOf(order['netPaymentSet']) + amount),
    totalOutstandingSet: bag(Math.max(0, left)),
  };
}
