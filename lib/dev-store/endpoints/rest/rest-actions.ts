import { globalId } from '../../base/vendor.js';
import { jsonOf, jsonReply, type StoreReply, type StoreRequest } from '../../http/store-request.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { fulfillmentRoot } from '../orders/fulfillment.resolvers.js';
import { orderInputRoot } from '../orders/order-input.resolvers.js';
import { orderRoot } from '../orders/order.resolvers.js';
import { matchesFilters } from './rest-filters.js';
import { nodeReply, refusal, resourceView, type NodeCall } from './rest-nodes.js';
import { pageReply } from './rest-pages.js';
import { REST_RESOURCES } from './rest-resources.table.js';
import { notFound, objectsOf, rootOf, type RestCall, type RestEndpoint } from './rest.endpoint.js';

type Mutation = (
  args: object,
) => { readonly userErrors: readonly NodeError[] } & Record<string, unknown>;

/** The actions of orders, drafts, fulfillments and customers: those of GraphQL, in REST's words. */
export const REST_ACTIONS: readonly RestEndpoint[] = [
  {
    method: 'POST',
    pattern: /^orders\/(\d{1,15})\/(?:cancel|close|open)$/,
    scope: 'write_orders',
    answer: moveOrder,
  },
  {
    method: 'PUT',
    pattern: /^draft_orders\/(\d{1,15})\/complete$/,
    scope: 'write_draft_orders',
    answer: (call, { url }, id) => {
      const paymentPending = url.searchParams.get('payment_pending') === 'true';
      return ran(call, url, 'draftOrderComplete', 'draft_orders', id, { paymentPending });
    },
  },
  {
    method: 'POST',
    pattern: /^fulfillments$/,
    scope: 'write_fulfillments',
    answer: createFulfillment,
  },
  {
    method: 'POST',
    pattern: /^fulfillments\/(\d{1,15})\/cancel$/,
    scope: 'write_fulfillments',
    answer: (call, { url }, id) =>
      ran(call, url, 'fulfillmentCancel', 'orders/*/fulfillments', id, {}),
  },
  {
    method: 'POST',
    pattern: /^fulfillments\/(\d{1,15})\/update_tracking$/,
    scope: 'write_fulfillments',
    answer: (call, request, id) => {
      const { tracking_info: info } = rootOf(jsonOf(request), 'fulfillment');
      const args = { fulfillmentId: globalId('Fulfillment', id), trackingInfoInput: Object(info) };
      return ran(
        ...([call, request.url, 'fulfillmentTrackingInfoUpdate'] as const),
        ...(['orders/*/fulfillments', id, args] as const),
      );
    },
  },
  {
    method: 'GET',
    pattern: /^customers\/search$/,
    scope: 'read_customers',
    answer: searchOf('Customer', 'customers'),
  },
  {
    method: 'GET',
    pattern: /^gift_cards\/search$/,
    scope: 'read_gift_cards',
    answer: searchOf('GiftCard', 'gift_cards'),
  },
  {
    method: 'GET',
    pattern: /^customers\/(\d{1,15})\/orders$/,
    scope: 'read_orders',
    answer: (call, request, id) => {
      const { nodes, origin } = call.shop;
      const customer = nodes.find(globalId('Customer', id));
      if (!customer) return notFound();
      const all = nodes
        .naming(customer.id, ['Order'])
        .map((node) => ({ id: node.number, node }))
        .reverse();
      const view = (item: (typeof all)[number]): Record<string, unknown> =>
        resourceView(item.node, call);
      const filter = (url: URL): ((item: (typeof all)[number]) => boolean) => {
        const matches = matchesFilters(url, (node) => resourceView(node, call));
        return ({ node }) => matches(node);
      };
      return pageReply(request, { key: 'orders', all, filter, view, origin });
    },
  },
];

function moveOrder(call: RestCall, request: StoreRequest, id: number): StoreReply {
  const action = request.url.pathname.split('/').at(-1)?.replace('.json', '') ?? '';
  if (action !== 'cancel') {
    const mutation = action === 'close' ? 'orderClose' : 'orderOpen';
    const args = { input: { id: globalId('Order', id) } };
    return ran(call, request.url, mutation, 'orders', id, args);
  }
  const { reason, amount, refund } = request.body.length > 0 ? jsonOf(request) : {};
  const args = {
    orderId: globalId('Order', id),
    reason: String(reason ?? 'other').toUpperCase(),
    refund: amount !== undefined || refund !== undefined,
  };
  return ran(call, request.url, 'orderCancel', 'orders', id, args);
}

/** Runs a mutation about an object, and responds with it. */
function ran(
  call: RestCall,
  url: URL,
  mutation: string,
  path: string,
  id: number,
  args: object,
): StoreReply {
  const resource = REST_RESOURCES.get(path);
  const node = resource && call.shop.nodes.find(globalId(resource.type, id));
  if (!resource || !node) return notFound();
  const writer = call.writer();
  const roots = { ...orderRoot(writer), ...orderInputRoot(writer), ...fulfillmentRoot(writer) };
  const run = roots[mutation] as Mutation;
  const { userErrors } = run({ id: node.id, ...args });
  if (userErrors.length > 0)
    return refusal(userErrors.map(({ message }) => ({ field: null, message })));
  const at: NodeCall = { call, resource, ids: [id] };
  return nodeReply(200, call.shop.nodes.find(node.id) ?? node, at, url);
}

function createFulfillment(call: RestCall, request: StoreRequest): StoreReply {
  const body = rootOf(jsonOf(request), 'fulfillment');
  const lines = objectsOf(body, 'line_items_by_fulfillment_order') ?? [];
  if (lines.length === 0)
    return jsonReply(422, { errors: { line_items_by_fulfillment_order: ["can't be blank"] } });
  const fulfillment = {
    trackingInfo: body['tracking_info'] ?? null,
    lineItemsByFulfillmentOrder: lines.map((line) => ({
      fulfillmentOrderId: globalId('FulfillmentOrder', Number(line['fulfillment_order_id'])),
      fulfillmentOrderLineItems: objectsOf(line, 'fulfillment_order_line_items')?.map(
        ({ id, quantity }) => ({
          id: globalId('FulfillmentOrderLineItem', Number(id)),
          quantity,
        }),
      ),
    })),
  };
  const run = fulfillmentRoot(call.writer())['fulfillmentCreate'] as Mutation;
  const { userErrors, fulfillment: made } = run({ fulfillment });
  if (userErrors.length > 0)
    return refusal(userErrors.map(({ message }) => ({ field: null, message })));
  const node = call.shop.nodes.find((made as { id: string }).id);
  const resource = REST_RESOURCES.get('orders/*/fulfillments');
  if (!node || !resource) return notFound();
  return nodeReply(201, node, { call, resource, ids: [node.number] }, request.url);
}

/** Objects with every word, or with the value of a field: `email:ada@example.com`. */
function searchOf(type: string, key: string): RestEndpoint['answer'] {
  return (call, request) => searched(call, request, type, key);
}

function searched(call: RestCall, request: StoreRequest, type: string, key: string): StoreReply {
  const { nodes, origin } = call.shop;
  const query = (request.url.searchParams.get('query') ?? '').toLowerCase();
  const terms = query.split(/\s+/).filter(Boolean);
  const all = nodes.all([type]).map((node) => {
    const values = resourceView(node, call);
    const address = Object(values['default_address']) as Record<string, unknown>;
    return { id: node.number, values: { ...address, ...values } as Record<string, unknown> };
  });
  const fits = ({ values }: (typeof all)[number]): boolean =>
    terms.every((term) => {
      const [, name, value] = /^(\w+):(.*)$/.exec(term) ?? [];
      if (name !== undefined)
        return String(values[name] ?? '').toLowerCase() === value?.replace(/^"|"$/g, '');
      return WORDS.some((word) =>
        String(values[word] ?? '')
          .toLowerCase()
          .includes(term),
      );
    });
  return pageReply(request, {
    ...{ key, all, filter: () => fits, origin },
    view: ({ id }) => {
      const node = nodes.find(globalId(type, id));
      return node ? resourceView(node, call) : {};
    },
  });
}

const WORDS = [
  'last_characters',
  'note',
  'first_name',
  'last_name',
  'email',
  'phone',
  'company',
  'city',
  'country',
  'tags',
];
