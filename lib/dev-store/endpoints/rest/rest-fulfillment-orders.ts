import { globalId } from '../../base/vendor.js';
import {
  jsonOf,
  jsonReply,
  StoreReplyError,
  type StoreReply,
  type StoreRequest,
} from '../../http/store-request.js';
import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import { snakeCase } from '../nodes/node-search.js';
import { fulfillmentOrderRoot } from '../orders/fulfillment-order.resolvers.js';
import { idsOf } from '../orders/fulfillment-orders.js';
import { fulfillmentRequestsRoot } from '../orders/fulfillment-requests.resolvers.js';
import { fulfillmentOrderPayload, fulfillmentPayload } from '../payloads/fulfillment-payload.js';
import { mutated, refusedFor, type Mutated } from './rest-mutations.js';
import { pageReply } from './rest-pages.js';
import {
  listOf,
  notFound,
  objectOf,
  objectsOf,
  rootOf,
  type RestCall,
  type RestEndpoint,
  type RestBody,
} from './rest.endpoint.js';

/**
 * The mutation that does what the end of a path says, and what it takes beside the id.
 * @see https://shopify.dev/docs/api/admin-rest/latest/resources/fulfillmentorder
 */
const ACTIONS: Readonly<Record<string, readonly [string, ((body: RestBody) => object)?]>> = {
  cancel: ['Cancel'],
  close: ['Close'],
  hold: ['Hold', holdInput],
  release_hold: ['ReleaseHold'],
  open: ['Open'],
  reschedule: ['Reschedule', rescheduleInput],
  move: ['Move', moveInput],
  fulfillment_request: ['SubmitFulfillmentRequest', requestInput('fulfillment_request')],
  'fulfillment_request/accept': ['AcceptFulfillmentRequest'],
  'fulfillment_request/reject': ['RejectFulfillmentRequest'],
  cancellation_request: ['SubmitCancellationRequest', requestInput('cancellation_request')],
  'cancellation_request/accept': ['AcceptCancellationRequest'],
  'cancellation_request/reject': ['RejectCancellationRequest'],
};

const REASONS: readonly string[] = (
  'AWAITING_PAYMENT AWAITING_RETURN_ITEMS HIGH_RISK_OF_FRAUD INCORRECT_ADDRESS ' +
  'INVENTORY_OUT_OF_STOCK ONLINE_STORE_POST_PURCHASE_CROSS_SELL OTHER UNKNOWN_DELIVERY_DATE'
).split(' ');

function holdInput(body: RestBody): object {
  const hold = objectOf(body, 'fulfillment_hold');
  const { reason = 'other', reason_notes: reasonNotes, handle, external_id: externalId } = hold;
  const name = String(reason).toUpperCase();
  if (!REASONS.includes(name)) throw new StoreReplyError(refusedFor('Reason is invalid'));
  return {
    fulfillmentHold: { reason: name, reasonNotes, handle, externalId, ...linesOf(hold) },
  };
}

function rescheduleInput(body: RestBody): object {
  const { new_fulfill_at: fulfillAt } = rootOf({ ...body }, 'fulfillment_order');
  if (Number.isNaN(Date.parse(String(fulfillAt))))
    throw new StoreReplyError(refusedFor('New fulfill at is invalid'));
  return { fulfillAt };
}

function moveInput(body: RestBody): object {
  const order = rootOf({ ...body }, 'fulfillment_order');
  return {
    newLocationId: globalId('Location', Number(order['new_location_id'])),
    ...linesOf(order),
  };
}

function requestInput(key: string): (body: RestBody) => object {
  return (body) => {
    const request = objectOf(body, key);
    const { message, notify_customer: notifyCustomer } = request;
    return { message, notifyCustomer: notifyCustomer === true, ...linesOf(request) };
  };
}

/** The lines that a body names. No line has what is no number of pieces. */
function linesOf(body: RestBody): object {
  const lines = objectsOf(body, 'fulfillment_order_line_items')?.map(({ id, quantity }) => ({
    id: globalId('FulfillmentOrderLineItem', Number(id)),
    quantity: Number.isInteger(Number(quantity)) ? Number(quantity) : 0,
  }));
  return lines ? { fulfillmentOrderLineItems: lines } : {};
}

const READ = 'read_merchant_managed_fulfillment_orders';
const WRITE = 'write_merchant_managed_fulfillment_orders';

/** What is done with fulfillment orders, and what there is of one. */
export const REST_FULFILLMENT_ORDERS: readonly RestEndpoint[] = [
  {
    method: 'POST',
    pattern:
      /^fulfillment_orders\/(\d{1,15})\/(?:cancel|close|hold|release_hold|open|reschedule|move|(?:fulfillment|cancellation)_request(?:\/(?:accept|reject))?)$/,
    scope: WRITE,
    answer: (call, request, id) => {
      const node = orderAt(call, id);
      return node ? act(call, node, request) : notFound();
    },
  },
  {
    method: 'POST',
    pattern: /^fulfillment_orders\/set_fulfillment_orders_deadline$/,
    scope: WRITE,
    answer: (call, request) => {
      const { fulfillment_order_ids: ids, fulfillment_deadline: fulfillBy } = jsonOf(request);
      if (!Array.isArray(ids))
        return jsonReply(400, {
          errors: { fulfillment_order_ids: 'Required parameter missing or invalid' },
        });
      const nodes = ids.map((id) => orderAt(call, Number(id)));
      if (nodes.includes(undefined)) return notFound();
      run(call, 'fulfillmentOrdersSetFulfillmentDeadline', {
        fulfillmentOrderIds: nodes.map((node) => node?.id),
        fulfillmentDeadline: fulfillBy,
      });
      return jsonReply(200, {});
    },
  },
  {
    method: 'GET',
    pattern: /^fulfillment_orders\/(\d{1,15})\/fulfillments$/,
    scope: 'read_fulfillments',
    answer: (call, request, id) => {
      const node = orderAt(call, id);
      if (!node) return notFound();
      const all = call.shop.nodes
        .all(['Fulfillment'])
        .filter(({ fields }) => idsOf(fields['fulfillmentOrders']).includes(node.id));
      return pageReply(request, {
        key: 'fulfillments',
        all: all.map((one) => ({ id: one.number, one })),
        origin: call.shop.origin,
        filter: () => () => true,
        view: ({ one }) => fulfillmentPayload(one, call.shop),
      });
    },
  },
  {
    method: 'GET',
    pattern: /^fulfillment_orders\/(\d{1,15})\/locations_for_move$/,
    scope: READ,
    answer: (call, _request, id) => {
      const node = orderAt(call, id);
      if (!node) return notFound();
      const { location: here } = Object(node.fields['assignedLocation']) as NodeFields;
      const locations_for_move = call.shop.nodes.all(['Location']).map((location) => ({
        location: { id: location.number, name: location.fields['name'] },
        message: location.id === here ? 'Current location.' : '',
        movable: location.id !== here,
      }));
      return jsonReply(200, { locations_for_move });
    },
  },
  {
    method: 'GET',
    pattern: /^assigned_fulfillment_orders$/,
    scope: READ,
    answer: assigned,
  },
];

/** The requests that an assignment status asks for. */
const ASSIGNED: Readonly<Record<string, string>> = {
  cancellation_requested: 'CANCELLATION_REQUESTED',
  fulfillment_requested: 'SUBMITTED',
  fulfillment_accepted: 'ACCEPTED',
};

function assigned(call: RestCall, request: StoreRequest): StoreReply {
  const all = call.shop.nodes.all(['FulfillmentOrder']).map((one) => ({ id: one.number, one }));
  return pageReply(request, {
    ...{ key: 'fulfillment_orders', all, origin: call.shop.origin },
    filter: ({ searchParams }) => {
      const status = ASSIGNED[searchParams.get('assignment_status') ?? ''];
      const locations = [
        ...searchParams.getAll('location_ids[]'),
        ...listOf(searchParams.get('location_ids')),
      ].map((id) => globalId('Location', id));
      return ({ one: { fields } }) => {
        const { location } = Object(fields['assignedLocation']) as NodeFields;
        return (
          (status
            ? (fields['asked'] ?? fields['requestStatus']) === status
            : fields['requestStatus'] !== 'UNSUBMITTED') &&
          (locations.length === 0 || locations.includes(String(location)))
        );
      };
    },
    view: ({ one }) => fulfillmentOrderPayload(one, call.shop),
  });
}

function act(call: RestCall, { id }: StoredNode, request: StoreRequest): StoreReply {
  // Behind /admin/api/<version>/fulfillment_orders/<id>/.
  const name = request.url.pathname.slice(0, -'.json'.length).split('/').slice(6).join('/');
  const [mutation, input] = ACTIONS[name]!;
  const args = { id, ...input?.(request.body.length > 0 ? jsonOf(request) : {}) };
  if ('newLocationId' in args && !call.shop.nodes.find(String(args.newLocationId)))
    return notFound();
  const {
    userErrors: _errors,
    fulfillmentHold,
    ...orders
  } = run(call, `fulfillmentOrder${mutation}`, args);
  const views = Object.entries(orders).flatMap(([key, one]) => {
    if (fulfillmentHold && key.startsWith('remaining')) return [];
    const node = call.shop.nodes.find(String(Object(one).id));
    return [[snakeCase(key), node ? fulfillmentOrderPayload(node, call.shop) : null]];
  });
  return jsonReply(200, Object.fromEntries(views));
}

/** Runs a mutation of fulfillment orders. @throws StoreReplyError with 422 when it is refused */
function run(call: RestCall, name: string, args: object): Mutated {
  const writer = call.writer();
  const root = { ...fulfillmentOrderRoot(writer), ...fulfillmentRequestsRoot(writer) };
  return mutated(root, name, args, (errors) => refusedFor(...errors.map((one) => one.message)));
}

function orderAt({ shop }: RestCall, id: number): StoredNode | undefined {
  return shop.nodes.find(globalId('FulfillmentOrder', id));
}
