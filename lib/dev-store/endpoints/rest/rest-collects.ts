import { isoTime } from '../../base/iso-time.js';
import { globalId, idOf } from '../../base/vendor.js';
import { jsonOf, jsonReply, type StoreReply, type StoreRequest } from '../../http/store-request.js';
import { collectionRoot } from '../collections/collection.resolvers.js';
import { numberOf } from '../nodes/node-reader.js';
import { pageReply } from './rest-pages.js';
import {
  notFound,
  rootOf,
  selectFields,
  unprocessable,
  type RestCall,
  type RestEndpoint,
} from './rest.endpoint.js';

/** That a product is in a collection. Its times are those at which the API first saw it. */
interface Collect extends Record<string, unknown> {
  readonly id: number;
  readonly collection_id: number;
  readonly product_id: number;
}

/** The collects, which are what the collections have as their products. */
export const REST_COLLECTS: readonly RestEndpoint[] = [
  {
    method: 'GET',
    pattern: /^collects$/,
    scope: 'read_products',
    answer: (call, request) =>
      pageReply<Collect>(request, {
        ...{ key: 'collects', all: collectsOf(call), origin: call.shop.origin },
        ...{ filter: matching, view: (one) => one },
      }),
  },
  { method: 'POST', pattern: /^collects$/, scope: 'write_products', answer: create },
  {
    method: 'GET',
    pattern: /^collects\/count$/,
    scope: 'read_products',
    answer: (call, { url }) =>
      jsonReply(200, { count: collectsOf(call).filter(matching(url)).length }),
  },
  {
    method: 'GET',
    pattern: /^collects\/(\d{1,15})$/,
    scope: 'read_products',
    answer: (call, { url }, id) => {
      const collect = collectsOf(call).find((one) => one.id === id);
      return collect ? jsonReply(200, { collect: selectFields(collect, url) }) : notFound();
    },
  },
  {
    method: 'DELETE',
    pattern: /^collects\/(\d{1,15})$/,
    scope: 'write_products',
    answer: (call, _request, id) => {
      const collect = collectsOf(call).find((one) => one.id === id);
      if (!collect) return notFound();
      change(call, 'collectionRemoveProducts', collect.collection_id, collect.product_id);
      return jsonReply(200, {});
    },
  },
];

function create(call: RestCall, request: StoreRequest): StoreReply {
  const body = rootOf(jsonOf(request), 'collect');
  const names = ['collection_id', 'product_id'];
  const missing = names.filter((name) => body[name] == null);
  if (missing.length > 0)
    return unprocessable(missing.map((field) => ({ field, message: "can't be blank" })));
  const [collection = NaN, product = NaN] = names.map((name) => Number(body[name]));
  if (!call.shop.catalog.find(product)) return notFound();
  if (call.shop.nodes.find(globalId('Collection', collection)) === undefined) return notFound();
  if (!change(call, 'collectionAddProducts', collection, product))
    return unprocessable([{ field: 'product_id', message: 'already exists in this collection' }]);
  const collect = collectsOf(call).find(
    (one) => one.collection_id === collection && one.product_id === product,
  );
  return jsonReply(201, { collect });
}

/** Whether GraphQL's mutation changed the collection. */
function change(call: RestCall, mutation: string, collection: number, product: number): boolean {
  const run = collectionRoot(call.writer())[mutation] as (args: object) => {
    userErrors: readonly unknown[];
  };
  const args = {
    id: globalId('Collection', collection),
    productIds: [globalId('Product', product)],
  };
  return run(args).userErrors.length === 0;
}

/** In the order of their ids. */
function collectsOf({ shop, now }: RestCall): Collect[] {
  const { nodes, catalog } = shop;
  return nodes
    .all(['Collection'])
    .flatMap(({ id, number, fields }) =>
      [fields['products'] ?? []].flat().flatMap((product, index) => {
        const productId = idOf('Product', String(product)) ?? NaN;
        if (!catalog.find(productId)) return [];
        const kept = nodes.partOf(id, `collect of ${productId}`);
        const at = isoTime((kept['seenAt'] ??= now()) as Date);
        return {
          id: numberOf(nodes.idOf('Collect', kept)) ?? NaN,
          collection_id: number,
          product_id: productId,
          ...{ created_at: at, updated_at: at, position: index + 1 },
          sort_value: String(index + 1).padStart(10, '0'),
        };
      }),
    )
    .sort((a, b) => a.id - b.id);
}

function matching({ searchParams }: URL): (collect: Collect) => boolean {
  return (collect) =>
    ['collection_id', 'product_id'].every((name) => {
      const wanted = searchParams.get(name);
      return wanted === null || String(collect[name]) === wanted;
    });
}
