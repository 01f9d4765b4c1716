import { isoTime } from '../../base/iso-time.js';
import { globalId } from '../../base/vendor.js';
import { jsonReply, type StoreReply, type StoreRequest } from '../../http/store-request.js';
import type { StoredNode } from '../../state/nodes/node-store.js';
import { availableOf } from '../../state/inventory/inventory-level.js';
import { productResource } from '../../state/products/product-images.js';
import { genericPayload } from '../payloads/generic-payload.js';
import { hasProduct } from './rest-filters.js';
import { pageReply } from './rest-pages.js';
import {
  listOf,
  notFound,
  selectFields,
  type RestCall,
  type RestEndpoint,
} from './rest.endpoint.js';

/** What the app that calls has listed in its sales channel. */
type Listing = Record<string, unknown> & { readonly id: number };

/** The listings of products and collections in the sales channel that an app is. */
export const REST_LISTINGS: readonly RestEndpoint[] = [
  ...endpointsOf('product', {
    list: /^product_listings$/,
    ids: /^product_listings\/product_ids$/,
    count: /^product_listings\/count$/,
    one: /^product_listings\/(\d{1,15})$/,
  }),
  ...endpointsOf('collection', {
    list: /^collection_listings$/,
    count: /^collection_listings\/count$/,
    one: /^collection_listings\/(\d{1,15})$/,
  }),
  {
    method: 'GET',
    pattern: /^collection_listings\/(\d{1,15})\/product_ids$/,
    scope: 'read_product_listings',
    answer: (call, request, id) => {
      const collection = call.shop.nodes.find(globalId('Collection', id));
      if (!collection || !listingOf(call, 'collection', id)) return notFound();
      const inIt = listings(call, 'product').filter((one) =>
        hasProduct(collection, String(one.id)),
      );
      return idsReply(inIt, request);
    },
  },
];

function endpointsOf(
  kind: 'product' | 'collection',
  paths: { list: RegExp; ids?: RegExp; count: RegExp; one: RegExp },
): RestEndpoint[] {
  const key = `${kind}_listing`;
  const read = 'read_product_listings';
  return [
    {
      ...{ method: 'GET', pattern: paths.list, scope: read },
      answer: (call, request) =>
        pageReply<Listing>(request, {
          ...{ key: `${key}s`, all: listings(call, kind), origin: call.shop.origin },
          ...{ filter: matching(call), view: ({ id: _id, ...listing }) => listing },
        }),
    },
    ...(paths.ids
      ? [
          {
            ...{ method: 'GET' as const, pattern: paths.ids, scope: read },
            answer: (call: RestCall, request: StoreRequest) =>
              idsReply(listings(call, kind), request),
          },
        ]
      : []),
    {
      ...{ method: 'GET', pattern: paths.count, scope: read },
      answer: (call, { url }) =>
        jsonReply(200, { count: listings(call, kind).filter(matching(call)(url)).length }),
    },
    {
      ...{ method: 'GET', pattern: paths.one, scope: read },
      answer: (call, { url }, id) => {
        const { id: _id, ...listing } = listingOf(call, kind, id) ?? {};
        return _id === undefined
          ? notFound()
          : jsonReply(200, { [key]: selectFields(listing, url) });
      },
    },
    {
      ...{ method: 'PUT', pattern: paths.one, scope: 'write_product_listings' },
      answer: (call, _request, id) => {
        if (!viewOf(call, kind, id, call.now())) return notFound();
        if (!nodeAt(call, kind, id))
          call.shop.nodes.create('Listing', { app: call.token.apiKey, kind, number: id });
        const { id: _id, ...listing } = listingOf(call, kind, id) ?? {};
        return jsonReply(200, { [key]: listing });
      },
    },
    {
      ...{ method: 'DELETE', pattern: paths.one, scope: 'write_product_listings' },
      answer: (call, _request, id) => {
        const node = nodeAt(call, kind, id);
        if (!node) return notFound();
        call.shop.nodes.delete(node.id);
        return jsonReply(200, {});
      },
    },
  ];
}

function idsReply(all: readonly Listing[], { url }: StoreRequest): StoreReply {
  const limit = Number(url.searchParams.get('limit') ?? 50) || 50;
  return jsonReply(200, { product_ids: all.map(({ id }) => id).slice(0, Math.min(limit, 1000)) });
}

function matching({ shop }: RestCall): (url: URL) => (listing: Listing) => boolean {
  return ({ searchParams }) => {
    const ids = listOf(searchParams.get('product_ids')).map(Number);
    const handle = searchParams.get('handle');
    const collection = shop.nodes.find(
      globalId('Collection', searchParams.get('collection_id') ?? ''),
    );
    return (listing) =>
      (ids.length === 0 || ids.includes(listing.id)) &&
      (handle === null || listing['handle'] === handle) &&
      (!searchParams.has('collection_id') ||
        (collection !== undefined && hasProduct(collection, String(listing.id))));
  };
}

function nodesOf({ shop, token }: RestCall, kind: string): StoredNode[] {
  return shop.nodes
    .all(['Listing'])
    .filter(({ fields }) => fields['app'] === token.apiKey && fields['kind'] === kind);
}

function nodeAt(call: RestCall, kind: string, id: number): StoredNode | undefined {
  return nodesOf(call, kind).find(({ fields }) => fields['number'] === id);
}

function listings(call: RestCall, kind: string): Listing[] {
  return nodesOf(call, kind)
    .flatMap(
      ({ fields, createdAt }) => viewOf(call, kind, Number(fields['number']), createdAt) ?? [],
    )
    .sort((a, b) => a.id - b.id);
}

function listingOf(call: RestCall, kind: string, id: number): Listing | undefined {
  return listings(call, kind).find((one) => one.id === id);
}

function viewOf({ shop }: RestCall, kind: string, id: number, at: Date): Listing | undefined {
  if (kind === 'collection') {
    const node = shop.nodes.find(globalId('Collection', id));
    if (!node) return undefined;
    const { updated_at, body_html, handle, title, sort_order } = genericPayload(node, shop);
    return {
      ...{ id, collection_id: id, updated_at, body_html, handle, title, sort_order },
      ...{ default_product_image: null, image: null, published_at: isoTime(at) },
    };
  }
  const product = shop.catalog.find(id);
  if (!product) return undefined;
  const { created_at, updated_at, body_html, handle, product_type, title, vendor, ...rest } =
    productResource(product, shop.nodes);
  const variants = rest['variants'] as Array<Record<string, unknown>>;
  return {
    ...{ id, product_id: id, created_at, updated_at, body_html, handle, product_type },
    ...{ title, vendor, tags: rest['tags'], published_at: isoTime(at), images: rest['images'] },
    available: product.variants.some((one) => !one.tracked || availableOf(one) > 0),
    variants: variants.map(({ product_id: _product, ...variant }) => variant),
    options: rest['options'],
  };
}
