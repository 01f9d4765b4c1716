import { isOwnName, storedName } from '../../base/custom-data.js';
import { isoTime } from '../../base/iso-time.js';
import { globalId } from '../../base/vendor.js';
import { jsonOf, jsonReply, type StoreReply, type StoreRequest } from '../../http/store-request.js';
import type { StoredMetafield } from '../../state/metafields/metafield-store.js';
import { mayUse } from '../admin-api/admin-api-access.js';
import { checkedMetafield, write, type MetafieldCall } from '../metafields/metafield-input.js';
import { scopeOf } from '../nodes/node-access.js';
import { numberOf, typeOfId } from '../nodes/node-reader.js';
import { snakeCase } from '../nodes/node-search.js';
import { refusal } from './rest-nodes.js';
import { pageReply } from './rest-pages.js';
import {
  notFound,
  rootOf,
  selectFields,
  type RestCall,
  type RestEndpoint,
} from './rest.endpoint.js';

/** The types of the owners, by the first parts of the paths. */
const OWNERS: Readonly<Record<string, string>> = {
  articles: 'Article',
  blogs: 'Blog',
  collections: 'Collection',
  customers: 'Customer',
  draft_orders: 'DraftOrder',
  orders: 'Order',
  pages: 'Page',
  product_images: 'MediaImage',
  products: 'Product',
  variants: 'ProductVariant',
};

type Answer = (owner: OwnedCall, request: StoreRequest, id: number) => StoreReply;

/** A call about the metafields of one object. */
interface OwnedCall {
  readonly call: RestCall;
  readonly ownerId: string;
  readonly fields: MetafieldCall;
}

/** The metafields of the shop and of its objects. */
export const REST_METAFIELDS: readonly RestEndpoint[] = [
  { method: 'GET', pattern: /^(?:\w+\/(\d{1,15})\/)?metafields$/, answer: owned('read', list) },
  { method: 'POST', pattern: /^(?:\w+\/(\d{1,15})\/)?metafields$/, answer: owned('write', create) },
  {
    method: 'GET',
    pattern: /^(?:\w+\/(\d{1,15})\/)?metafields\/count$/,
    answer: owned('read', count),
  },
  {
    method: 'GET',
    pattern: /^(?:\w+\/(\d{1,15})\/)?metafields\/(\d{1,15})$/,
    answer: owned('read', get),
  },
  {
    method: 'PUT',
    pattern: /^(?:\w+\/(\d{1,15})\/)?metafields\/(\d{1,15})$/,
    answer: owned('write', update),
  },
  {
    method: 'DELETE',
    pattern: /^(?:\w+\/(\d{1,15})\/)?metafields\/(\d{1,15})$/,
    answer: owned('write', remove),
  },
];

function owned(verb: 'read' | 'write', answer: Answer): RestEndpoint['answer'] {
  return (call, request, first, second = NaN) => {
    const { shop, token, apps } = call;
    const name = /\/(\w+)\/\d+\/metafields/.exec(request.url.pathname)?.[1];
    const type = name && OWNERS[name];
    if (name && !type) return notFound();
    const ownerId = type ? globalId(type, first) : globalId('Shop', shop.id);
    const scope = scopeOf(type === 'MediaImage' ? 'Product' : (type ?? ''), verb);
    if (scope !== undefined && !mayUse(call, scope))
      return jsonReply(403, {
        errors: `[API] This action requires merchant approval for ${scope} scope.`,
      });
    if (type && !shop.nodes.find(ownerId) && !call.writer().view(ownerId)) return notFound();
    const app = apps.require(token.apiKey);
    const fields = { shop, app, mayUse: (one: string) => mayUse(call, one) };
    return answer({ call, ownerId, fields }, request, second);
  };
}

function list(at: OwnedCall, request: StoreRequest): StoreReply {
  return pageReply(request, {
    ...{ key: 'metafields', all: own(at), origin: at.call.shop.origin, view },
    filter: ({ searchParams }) => {
      const [namespace, key] = ['namespace', 'key'].map((name) => searchParams.get(name));
      return (one) =>
        (namespace == null || one.namespace === storedName(namespace, at.fields.app.id)) &&
        (key == null || one.key === key);
    },
  });
}

function count(at: OwnedCall): StoreReply {
  return jsonReply(200, { count: own(at).length });
}

function get(at: OwnedCall, { url }: StoreRequest, id: number): StoreReply {
  const found = own(at).find((one) => one.id === id);
  return found ? jsonReply(200, { metafield: selectFields(view(found), url) }) : notFound();
}

function create(at: OwnedCall, request: StoreRequest): StoreReply {
  return written(at, rootOf(jsonOf(request), 'metafield'), 201);
}

function update(at: OwnedCall, request: StoreRequest, id: number): StoreReply {
  const found = own(at).find((one) => one.id === id);
  if (!found) return notFound();
  const { namespace, key, type } = found;
  const { value = found.value, ...body } = rootOf(jsonOf(request), 'metafield');
  return written(at, { ...{ namespace, key, type }, ...body, value }, 200);
}

function remove(at: OwnedCall, _request: StoreRequest, id: number): StoreReply {
  const found = own(at).find((one) => one.id === id);
  return found && at.call.shop.metafields.delete(found) ? jsonReply(200, {}) : notFound();
}

function written(at: OwnedCall, body: Record<string, unknown>, status: number): StoreReply {
  const { ownerId, fields, call } = at;
  const text = (name: string): string | null => (body[name] == null ? null : String(body[name]));
  const [namespace, key, type, value] = ['namespace', 'key', 'type', 'value'].map(text);
  const input = { namespace, key, type, value } as Parameters<typeof checkedMetafield>[0];
  const checked = checkedMetafield(input, ownerId, 0, fields);
  if ('code' in checked) {
    const { field, message } = checked;
    return refusal([{ field, message }]);
  }
  return jsonReply(status, { metafield: view(write(checked, ownerId, call.shop.metafields)) });
}

/** The metafields of an object that the app may read. */
function own({ call, ownerId, fields }: OwnedCall): StoredMetafield[] {
  return call.shop.metafields.of(ownerId).filter((one) => isOwnName(one.namespace, fields.app.id));
}

function view(one: StoredMetafield): Record<string, unknown> {
  const { id, ownerId, namespace, key, type, value, createdAt, updatedAt } = one;
  return {
    ...{ id, namespace, key, value, description: null },
    owner_id: numberOf(ownerId) ?? null,
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
    owner_resource: snakeCase(typeOfId(ownerId).replace(/^Product(?=Variant)/, '')),
    type,
    admin_graphql_api_id: globalId('Metafield', id),
  };
}
