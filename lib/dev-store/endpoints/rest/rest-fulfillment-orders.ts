import { globalId } from '../../base/vendor.js';
import { jsonOf, jsonReply, type StoreReply, type StoreRequest } from '../../http/store-request.js';
import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import { idsOf } from '../orders/fulfillment-orders.js';
import { fulfillmentOrderPayload, fulfillmentPayload } from '../payloads/fulfillment-payload.js';
import { refusedFor } from './rest-mutations.js';
import { pageReply } from './rest-pages.js';
import {
  listOf,
  notFound,
  objectOf,
  rootOf,
  type RestCall,
  type RestEndpoint,
} from './rest.endpoint.js';

/** What an action does to a fulfillment order. */
interface Action {
  /** The statuses, of the order or of its request, in which it is allowed. */
  readonly from: readonly string[];
  /** What it sets. */
  readonly set: (body: Readonly<Record<string, unknown>>, call: RestCall) => NodeFields;
  /** The keys of the response: of the order, and of others that there are none of. */
  readonly keys?: readonly string[];
}

/**
 * By the ends of their paths.
 * @see https://shopify.dev/docs/api/admin-rest/latest/resources/fulfillmentorder
 */
const ACTIONS: Readonly<Record<string, Action>> = {
  cancel: {
    from: ['OPEN', 'IN_PROGRESS', 'SCHEDULED'],
    set: () => ({ status: 'CANCELLED' }),
    keys: ['fulfillment_order', 'replacement_fulfillment_order'],
  },
  close: { from: ['IN_PROGRESS'], set: () => ({ status: 'INCOMPLETE' }) },
  hold: {
    from: ['OPEN'],
    set: (body) => {
      const { reason, reason_notes: notes } = objectOf(body, 'fulfillment_hold');
      return {
        status: 'ON_HOLD',
        fulfillmentHolds: [{ reason: reason ?? 'other', reasonNotes: notes ?? null }],
      };
    },
  },
  release_hold: { from: ['ON_HOLD'], set: () => ({ status: 'OPEN', fulfillmentHolds: [] }) },
  open: { from: ['SCHEDULED'], set: () => ({ status: 'OPEN' }) },
  reschedule: {
    from: ['SCHEDULED'],
    set: (body) => ({ fulfillAt: rootOf({ ...body }, 'fulfillment_order')['new_fulfill_at'] }),
  },
  move: {
    from: ['OPEN', 'SCHEDULED'],
    set: (body, { shop }) => {
      const { new_location_id: to } = rootOf({ ...body }, 'fulfillment_order');
      const location = shop.nodes.find(globalId('Location', Number(to)));
      return location
        ? { assignedLocation: { location: location.id, name: location.fields['name'] } }
        : {};
    },
    keys: ['moved_fulfillment_order', 'remaining_fulfillment_order', 'original_fulfillment_order'],
  },
  fulfillment_request: {
    from: ['UNSUBMITTED', 'REJECTED', 'CANCELLATION_ACCEPTED'],
    set: () => ({ requestStatus: 'SUBMITTED' }),
    keys: ['submitted_fulfillment_order', 'unsubmitted_fulfillment_order'],
  },
  'fulfillment_request/accept': {
    from: ['SUBMITTED'],
    set: () => ({ requestStatus: 'ACCEPTED', status: 'IN_PROGRESS' }),
  },
  'fulfillment_request/reject': {
    from: ['SUBMITTED'],
    set: () => ({ requestStatus: 'REJECTED', status: 'OPEN' }),
  },
  cancellation_request: {
    from: ['SUBMITTED', 'ACCEPTED', 'CANCELLATION_REJECTED'],
    set: () => ({ requestStatus: 'CANCELLATION_REQUESTED' }),
  },
  'cancellation_request/accept': {
    from: ['CANCELLATION_REQUESTED'],
    set: () => ({ requestStatus: 'CANCELLATION_ACCEPTED', status: 'OPEN' }),
  },
  'cancellation_request/reject': {
    from: ['CANCELLATION_REQUESTED'],
    set: () => ({ requestStatus: 'CANCELLATION_REJECTED' }),
  },
};

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
      for (const node of nodes) if (node) call.shop.nodes.update(node.id, { fulfillBy });
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
            ? fields['requestStatus'] === status
            : fields['requestStatus'] !== 'UNSUBMITTED') &&
          (locations.length === 0 || locations.includes(String(location)))
        );
      };
    },
    view: ({ one }) => fulfillmentOrderPayload(one, call.shop),
  });
}

function act(call: RestCall, node: StoredNode, request: StoreRequest): StoreReply {
  // Behind /admin/api/<version>/fulfillment_orders/<id>/.
  const name = request.url.pathname.slice(0, -'.json'.length).split('/').slice(6).join('/');
  const { from, set, keys = ['fulfillment_order'] } = ACTIONS[name] as Action;
  const { status = 'OPEN', requestStatus = 'UNSUBMITTED' } = node.fields;
  if (![status, requestStatus].some((one) => from.includes(String(one))))
    return refusedFor(
      `The status of fulfillment order ${node.number} (${status}, ${requestStatus}) does not allow ${name}`,
    );
  const fields = set(request.body.length > 0 ? jsonOf(request) : {}, call);
  if (Object.keys(fields).length === 0) return notFound();
  call.shop.nodes.update(node.id, fields);
  const view = fulfillmentOrderPayload(node, call.shop);
  const [own = '', ...others] = keys;
  const none = Object.fromEntries(
    others.map((key) => [key, key.startsWith('original') ? view : null]),
  );
  return jsonReply(200, { [own]: view, ...none });
}

function orderAt({ shop }: RestCall, id: number): StoredNode | undefined {
  return shop.nodes.find(globalId('FulfillmentOrder', id));
}
