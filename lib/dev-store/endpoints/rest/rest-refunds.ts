import { globalId } from '../../base/vendor.js';
import {
  jsonOf,
  jsonReply,
  StoreReplyError,
  type StoreReply,
  type StoreRequest,
} from '../../http/store-request.js';
import type { StoredNode } from '../../state/nodes/node-store.js';
import { idsOf } from '../orders/fulfillment-orders.js';
import { recordPayment, uncaptured } from '../orders/order-payments.js';
import { owedOf, shippingLeft, sum } from '../orders/order-refund.js';
import { amountOf } from '../orders/order-totals.js';
import { refundRoot } from '../orders/refund.resolvers.js';
import { refundPayload, transactionPayload } from '../payloads/fulfillment-payload.js';
import { mutated } from './rest-mutations.js';
import {
  notFound,
  objectOf,
  objectsOf,
  rootOf,
  selectFields,
  unprocessable,
  type RestCall,
  type RestEndpoint,
  type RestBody,
} from './rest.endpoint.js';

/** What is paid for orders, and back. */
export const REST_REFUNDS: readonly RestEndpoint[] = [
  {
    method: 'POST',
    pattern: /^orders\/(\d{1,15})\/refunds$/,
    scope: 'write_orders',
    answer: withOrder((call, order, request) => {
      const body = rootOf(jsonOf(request), 'refund');
      const { refund } = mutated(refundRoot(call.writer()), 'refundCreate', {
        input: {
          orderId: order.id,
          note: body['note'] ?? null,
          ...refundInput(body),
          transactions: (objectsOf(body, 'transactions') ?? []).map((one) =>
            paymentBack(order.id, one),
          ),
        },
      });
      const made = call.shop.nodes.find((refund as { id: string }).id);
      return made
        ? jsonReply(201, { refund: selectFields(refundPayload(made, call.shop), request.url) })
        : notFound();
    }),
  },
  {
    method: 'POST',
    pattern: /^orders\/(\d{1,15})\/refunds\/calculate$/,
    scope: 'write_orders',
    answer: withOrder((call, order, request) => {
      const body = rootOf(jsonOf(request), 'refund');
      return jsonReply(200, { refund: calculated(call, order, refundInput(body)) });
    }),
  },
  {
    method: 'POST',
    pattern: /^orders\/(\d{1,15})\/transactions$/,
    scope: 'write_orders',
    answer: withOrder((call, order, request) => {
      const body = rootOf(jsonOf(request), 'transaction');
      const made = call.shop.nodes.find(paid(call, order, body));
      return made
        ? jsonReply(201, { transaction: transactionPayload(made, call.shop) })
        : notFound();
    }),
  },
];

interface RefundedLine {
  readonly lineItemId: string;
  readonly quantity: number;
  readonly restockType: string;
  readonly locationId: string | null;
}

function withOrder(
  answer: (call: RestCall, order: StoredNode, request: StoreRequest) => StoreReply,
): RestEndpoint['answer'] {
  return (call, request, id) => {
    const order = call.shop.nodes.find(globalId('Order', id));
    return order ? answer(call, order, request) : notFound();
  };
}

function refundInput(body: RestBody): {
  refundLineItems: RefundedLine[];
  shipping: { amount: unknown; fullRefund: boolean } | null;
} {
  const shipping = objectOf(body, 'shipping');
  return {
    refundLineItems: (objectsOf(body, 'refund_line_items') ?? []).map(refundedLine),
    shipping:
      body['shipping'] == null
        ? null
        : { amount: shipping['amount'] ?? 0, fullRefund: shipping['full_refund'] === true },
  };
}

function refundedLine(line: RestBody): RefundedLine {
  const { line_item_id: id, location_id: location } = line;
  const quantity = Number(line['quantity'] ?? 0);
  const restockType = String(line['restock_type'] ?? 'no_restock').toUpperCase();
  if (!Number.isInteger(quantity) || quantity <= 0) refuse('quantity', 'must be greater than 0');
  if (!RESTOCK_TYPES.includes(restockType)) refuse('restock_type', 'is not included in the list');
  return {
    ...{ lineItemId: globalId('LineItem', Number(id)), quantity, restockType },
    locationId: location == null ? null : globalId('Location', Number(location)),
  };
}

const RESTOCK_TYPES = ['CANCEL', 'LEGACY_RESTOCK', 'NO_RESTOCK', 'RETURN'];

function refuse(field: string, message: string): never {
  throw new StoreReplyError(unprocessable([{ field, message }]));
}

function paymentBack(
  orderId: string,
  { amount, gateway, kind, parent_id: parent }: RestBody,
): object {
  return {
    orderId,
    amount: String(amount ?? ''),
    gateway: String(gateway ?? 'manual'),
    kind: String(kind ?? 'refund').toUpperCase(),
    parentId: parent == null ? null : globalId('OrderTransaction', Number(parent)),
  };
}

/** What a refund would give back, with the payments that it would go to. */
function calculated(
  { shop }: RestCall,
  { id, number, fields }: StoredNode,
  { refundLineItems, shipping }: ReturnType<typeof refundInput>,
): object {
  const { nodes, currency } = shop;
  const known = idsOf(fields['lineItems']);
  const lines = refundLineItems
    .filter(({ lineItemId }) => known.includes(lineItemId))
    .map(({ lineItemId, quantity: asked, restockType, locationId }) => {
      const line = nodes.fieldsOf(lineItemId);
      const left = Number(line['refundableQuantity'] ?? 0);
      const quantity = Math.max(0, Math.min(asked, left));
      const unit = amountOf(line['discountedUnitPriceSet']);
      return {
        quantity,
        line_item_id: Number(lineItemId.split('/').at(-1)),
        location_id: locationId === null ? null : Number(locationId.split('/').at(-1)),
        restock_type: restockType.toLowerCase(),
        price: amountOf(line['originalUnitPriceSet']).toFixed(2),
        subtotal: (unit * quantity).toFixed(2),
        total_tax: '0.00',
        discounted_price: unit.toFixed(2),
        discounted_total_price: (unit * quantity).toFixed(2),
        total_cart_discount_amount: '0.00',
      };
    });
  const most = shippingLeft(fields);
  const asked = shipping?.fullRefund ? most : Math.min(most, Number(shipping?.amount ?? 0) || 0);
  const due = sum([asked, ...lines.map(({ subtotal }) => Number(subtotal))]);
  const net = amountOf(fields['netPaymentSet']);
  const payments = idsOf(fields['transactions']).flatMap((transaction) => {
    const node = nodes.find(transaction);
    const { kind, status } = nodes.fieldsOf(transaction);
    const isPaid = ['SALE', 'CAPTURE'].includes(String(kind)) && status !== 'PENDING';
    return node && isPaid ? [node] : [];
  });
  return {
    order_id: number,
    currency: String(nodes.fieldsOf(id)['currencyCode'] ?? currency),
    shipping: { amount: asked.toFixed(2), tax: '0.00', maximum_refundable: most.toFixed(2) },
    refund_line_items: lines,
    duties: [],
    total_duties_set: null,
    transactions: payments.slice(0, 1).map((payment) => ({
      order_id: number,
      kind: 'suggested_refund',
      gateway: transactionPayload(payment, shop)['gateway'],
      parent_id: payment.number,
      amount: Math.min(due, net).toFixed(2),
      currency,
      maximum_refundable: net.toFixed(2),
    })),
  };
}

/** Records a payment of an order. Returns the id of the transaction. */
function paid(call: RestCall, order: StoredNode, body: RestBody): string {
  const kind = String(body['kind'] ?? '').toUpperCase();
  const { nodes } = call.shop;
  const { fields } = order;
  if (!KINDS.includes(kind)) refuse('kind', `${kind.toLowerCase()} is not a valid transaction`);
  if (kind === 'REFUND') {
    const transactions = [paymentBack(order.id, body)];
    const { refund } = mutated(refundRoot(call.writer()), 'refundCreate', {
      input: { orderId: order.id, transactions },
    });
    return idsOf(nodes.fieldsOf((refund as { id: string }).id)['transactions'])[0] ?? '';
  }
  const all = idsOf(fields['transactions']);
  const authorized = all.findLast((id) => nodes.fieldsOf(id)['kind'] === 'AUTHORIZATION');
  const parent =
    body['parent_id'] == null
      ? authorized
      : all.find((id) => nodes.find(id)?.number === Number(body['parent_id']));
  const needsParent = kind === 'CAPTURE' || kind === 'VOID';
  if (needsParent && parent === undefined)
    refuse('base', 'Transactions require a parent_id associated with the order');
  const left = needsParent ? uncaptured(nodes, all, parent ?? '') : Infinity;
  if (left === undefined) refuse('base', 'The authorization has been voided');
  const owed = owedOf(fields);
  const amount = body['amount'] == null ? owed : Number(body['amount']);
  if (!((amount > 0 && Number.isFinite(amount)) || kind === 'VOID'))
    refuse('amount', 'must be greater than 0');
  if (kind === 'CAPTURE' && amount > left!)
    refuse('base', 'The amount to capture is more than the amount that is authorized');
  return recordPayment(call.writer(), order.id, {
    ...{ kind, amount: kind === 'VOID' ? 0 : amount, parent },
    ...{ gateway: body['gateway'], test: body['test'] === true },
    processedAt: call.now().toISOString(),
  });
}

const KINDS = ['AUTHORIZATION', 'CAPTURE', 'SALE', 'VOID', 'REFUND'];
