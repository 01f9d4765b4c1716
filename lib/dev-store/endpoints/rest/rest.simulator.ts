import type { ApiBucket } from '../../base/api-limits.js';
import type { AppRegistry } from '../../base/app-registry.js';
import { HEADERS, WIRE } from '../../base/vendor.js';
import {
  findEndpoint,
  jsonReply,
  replyOrThrownReply,
  StoreReplyError,
  type StoreReply,
  type StoreRequest,
} from '../../http/store-request.js';
import { authenticate, mayUse } from '../admin-api/admin-api-access.js';
import { REST_ACTIONS } from './rest-actions.js';
import { REST_CHARGES } from './rest-charges.js';
import { REST_CODES } from './rest-codes.js';
import { REST_COLLECTS } from './rest-collects.js';
import { REST_CONTENT } from './rest-content.js';
import { REST_CUSTOMERS } from './rest-customers.js';
import { REST_FULFILLMENT_ORDERS } from './rest-fulfillment-orders.js';
import { REST_IMAGES } from './rest-images.js';
import { REST_INVENTORY } from './rest-inventory.js';
import { REST_LISTINGS } from './rest-listings.js';
import { REST_METAFIELDS } from './rest-metafields.js';
import {
  countNodes,
  createNode,
  deleteNode,
  getNode,
  listNodes,
  updateNode,
  type NodeCall,
} from './rest-nodes.js';
import { REST_OTHERS } from './rest-others.js';
import { REST_PRODUCTS } from './rest-products.js';
import { NOT_SIMULATED, REST_RESOURCES, type RestResource } from './rest-resources.table.js';
import { REST_REFUNDS } from './rest-refunds.js';
import { REST_VARIANTS } from './rest-variants.js';
import { REST_WEBHOOKS } from './rest-webhooks.js';
import { restWriter } from './rest-writer.js';
import { notFound, type RestCall, type RestEndpoint, type RestShop } from './rest.endpoint.js';

const ENDPOINTS: readonly RestEndpoint[] = [
  ...REST_OTHERS,
  ...REST_PRODUCTS,
  ...REST_VARIANTS,
  ...REST_COLLECTS,
  ...REST_WEBHOOKS,
  ...REST_ACTIONS,
  ...REST_METAFIELDS,
  ...REST_CHARGES,
  ...REST_INVENTORY,
  ...REST_IMAGES,
  ...REST_CUSTOMERS,
  ...REST_REFUNDS,
  ...REST_FULFILLMENT_ORDERS,
  ...REST_CODES,
  ...REST_CONTENT,
  ...REST_LISTINGS,
];

/** What the platform says of resources that it will remove. */
const DEPRECATED = /^(?:products|variants)(?:\/|$)/;

/** What REST calls of one shop share. */
interface RestContext {
  readonly apps: AppRegistry;
  readonly now: () => Date;
}

/**
 * Responds to a call of the Admin REST API; `path` is the part after the version.
 * @throws StoreReplyError when the call is not authenticated
 */
export async function answerRest(
  shop: RestShop,
  request: StoreRequest,
  { version, path }: { readonly version: string; readonly path: string },
  { apps, now }: RestContext,
): Promise<StoreReply> {
  const own = authenticate(shop.tokens, request, version);
  const { apiKey } = own.token;
  const call = { ...own, shop, apps, now, writer: () => restWriter(shop, own, now) };
  const bucket = shop.buckets.of('rest', apiKey);
  shop.nodes.beginCall();
  const reply = bucket.take(1)
    ? await replyOrThrownReply(() => answerCall(call, request, path))
    : throttled(bucket);
  const used = bucket.capacity - bucket.available;
  const deprecated = DEPRECATED.test(path.replace(/\.json$/, ''))
    ? { [HEADERS.deprecatedReason]: WIRE.deprecationDocumentation }
    : {};
  return {
    ...reply,
    headers: { ...deprecated, ...reply.headers, [HEADERS.callLimit]: `${used}/${bucket.capacity}` },
  };
}

function answerCall(call: RestCall, request: StoreRequest, path: string): StoreReply {
  if (!path.endsWith('.json')) return jsonReply(406, { errors: 'Not Acceptable' });
  const plain = path.slice(0, -'.json'.length);
  const verb = request.method === 'HEAD' ? 'GET' : request.method;
  const isOwn = ENDPOINTS.some(({ method, pattern }) => method === verb && pattern.test(plain));
  const nodes = isOwn ? undefined : nodeEndpoint(call, request, plain);
  if (nodes) return nodes;
  const found = findEndpoint(ENDPOINTS, request.method, plain);
  if (found) {
    const { endpoint, params } = found;
    if (endpoint.scope && !mayUse(call, endpoint.scope)) return forbidden(endpoint.scope);
    const [first = NaN, ...others] = params.map((param) => (param === '' ? NaN : Number(param)));
    return endpoint.answer(call, request, first, ...others);
  }
  return NOT_SIMULATED.test(plain) ? notSimulated(request.method, plain) : notFound();
}

const LIST = { GET: ['L', listNodes], POST: ['P', createNode] } as const;
const MEMBER = { GET: ['G', getNode], PUT: ['U', updateNode], DELETE: ['D', deleteNode] } as const;
const COUNT = { GET: ['C', countNodes] } as const;

type Methods = Readonly<
  Record<
    string,
    readonly [letter: string, answer: (at: NodeCall, request: StoreRequest) => StoreReply]
  >
>;

/** The response of a resource of nodes; undefined when the path is of none. */
function nodeEndpoint(call: RestCall, request: StoreRequest, path: string): StoreReply | undefined {
  const parts = path.split('/');
  const ids = parts.filter((part) => ID.test(part)).map(Number);
  const pattern = parts.map((part) => (ID.test(part) ? '*' : part)).join('/');
  const [resource, methods] = resourceOf(pattern);
  if (!resource) return undefined;
  const allowed = Object.entries(methods).filter(([, [letter]]) => resource.can.includes(letter));
  const verb = request.method === 'HEAD' ? 'GET' : request.method;
  const [, answer] = allowed.find(([method]) => method === verb)?.[1] ?? [];
  if (!answer) {
    if (allowed.length === 0 || (NOT_SIMULATED.test(path) && verb !== 'GET')) return undefined;
    const names = allowed.map(([method]) => method).join(', ');
    throw new StoreReplyError(jsonReply(405, { errors: 'Method Not Allowed' }, { Allow: names }));
  }
  const scope = resource.scope && `${verb === 'GET' ? 'read' : 'write'}_${resource.scope}`;
  if (scope && !mayUse(call, scope)) return forbidden(scope);
  const { owner, ownerType } = resource;
  const at: NodeCall = { call, resource, ids };
  if (owner && ownerType && !hasOwner(at, methods === MEMBER)) return notFound();
  return answer(at, request);
}

const ID = /^\d{1,15}$/;

function resourceOf(pattern: string): [RestResource | undefined, Methods] {
  const own = REST_RESOURCES.get(pattern);
  if (own) return [own, LIST];
  if (pattern.endsWith('/*')) return [REST_RESOURCES.get(pattern.slice(0, -2)), MEMBER];
  if (pattern.endsWith('/count')) return [REST_RESOURCES.get(pattern.slice(0, -6)), COUNT];
  return [undefined, LIST];
}

/** Whether there is the object that the resource belongs to. */
function hasOwner({ call, resource, ids }: NodeCall, isMember: boolean): boolean {
  const { ownerType = '' } = resource;
  const id = ids.at(isMember ? -2 : -1) ?? NaN;
  if (ownerType === 'Product') return call.shop.catalog.find(id) !== undefined;
  return call.shop.nodes.find(`${WIRE.gidPrefix}${ownerType}/${id}`) !== undefined;
}

function forbidden(scope: string): StoreReply {
  return jsonReply(403, {
    errors: `[API] This action requires merchant approval for ${scope} scope.`,
  });
}

/** What the platform has and the store does not: an error that nobody takes for the platform's. */
function notSimulated(method: string, path: string): StoreReply {
  const errors = `The DevStore does not simulate ${method} ${path}.json: use GraphQL, or a fault with an answer of your own`;
  return { ...jsonReply(501, { errors }), note: 'not simulated' };
}

function throttled(bucket: ApiBucket): StoreReply {
  const errors = `Exceeded ${bucket.restoreRate} calls per second for api client. Reduce request rates to resume uninterrupted service.`;
  const retryAfter = (Math.ceil(bucket.secondsUntil(1) * 10) / 10).toFixed(1);
  const note = `throttled: ${bucket.capacity} calls used up, retry after ${retryAfter} s`;
  return { ...jsonReply(429, { errors }, { 'Retry-After': retryAfter }), note, throttled: true };
}
