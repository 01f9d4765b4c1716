import {
  jsonOf,
  jsonReply,
  StoreReplyError,
  type StoreReply,
  type StoreRequest,
} from '../../http/store-request.js';
import {
  PRODUCT_STATUSES,
  type Product,
  type ProductChange,
  type ProductInput,
  type ProductStatus,
  type VariantInput,
} from '../../state/products/product.js';
import { productPayload } from '../../state/products/product-payload.js';
import {
  limitOf,
  listOf,
  notFound,
  rootOf,
  selectFields,
  textOf,
  unprocessable,
  type RestCall,
  type RestEndpoint,
} from './rest.endpoint.js';

/** The product endpoints of the Admin REST API. */
export const REST_PRODUCTS: readonly RestEndpoint[] = [
  { method: 'GET', pattern: /^products$/, scope: 'read_products', answer: list },
  { method: 'POST', pattern: /^products$/, scope: 'write_products', answer: create },
  {
    method: 'GET',
    pattern: /^products\/count$/,
    scope: 'read_products',
    answer: ({ shop }, { url }) =>
      jsonReply(200, { count: shop.catalog.all().filter(matching(url)).length }),
  },
  {
    method: 'GET',
    pattern: /^products\/(\d{1,15})$/,
    scope: 'read_products',
    answer: ({ shop }, { url }, id) => {
      const product = shop.catalog.find(id);
      return product
        ? jsonReply(200, { product: selectFields(productPayload(product), url) })
        : notFound();
    },
  },
  {
    method: 'PUT',
    pattern: /^products\/(\d{1,15})$/,
    scope: 'write_products',
    answer: ({ shop }, request, id) => {
      const change = shop.catalog.update(id, productInput(rootOf(jsonOf(request), 'product')));
      return change ? changeReply(change, 200) : notFound();
    },
  },
  {
    method: 'DELETE',
    pattern: /^products\/(\d{1,15})$/,
    scope: 'write_products',
    answer: ({ shop }, _request, id) => (shop.catalog.delete(id) ? jsonReply(200, {}) : notFound()),
  },
];

function create({ shop }: RestCall, request: StoreRequest): StoreReply {
  return changeReply(shop.catalog.create(productInput(rootOf(jsonOf(request), 'product'))), 201);
}

function changeReply({ product, problems }: ProductChange, status: number): StoreReply {
  return product
    ? jsonReply(status, { product: productPayload(product) })
    : unprocessable(problems);
}

/** One page of products, in the order of their ids; the `Link` header links to its neighbours. */
function list({ shop }: RestCall, { url }: StoreRequest): StoreReply {
  const limit = limitOf(url);
  const position = pagePosition(url);
  const filters = position?.filters ?? url;
  const all = shop.catalog.all().filter(matching(filters));
  const sinceId = Number(url.searchParams.get('since_id') ?? 0);
  const start =
    position?.before === undefined
      ? all.findIndex(({ id }) => id > (position?.after ?? sinceId))
      : startBefore(all, position.before, limit);
  const page = start < 0 ? [] : all.slice(start, start + limit);
  const base = new URL(
    `${url.pathname}?${new URLSearchParams({ limit: String(limit), ...fieldsOf(url) })}`,
    shop.origin,
  );
  const links = [
    start > 0 && page[0] ? pageLink(base, filters, 'before', page[0].id) : undefined,
    start >= 0 && start + limit < all.length
      ? pageLink(base, filters, 'after', page.at(-1)?.id ?? 0)
      : undefined,
  ].filter((link) => link !== undefined);
  const products = page.map((product) => selectFields(productPayload(product), url));
  return jsonReply(200, { products }, links.length > 0 ? { Link: links.join(', ') } : {});
}

function startBefore(all: readonly Product[], id: number, limit: number): number {
  const end = all.findIndex((product) => product.id >= id);
  return Math.max(0, (end < 0 ? all.length : end) - limit);
}

/** The content of `page_info`: the position of a page, and the filters of the first request. */
interface PagePosition {
  after?: number;
  before?: number;
  filters: URL;
}

function pagePosition(url: URL): PagePosition | undefined {
  const text = url.searchParams.get('page_info');
  if (text === null) return undefined;
  const [side, id, search] = Buffer.from(text, 'base64url').toString().split(' ');
  if ((side === 'after' || side === 'before') && id && /^\d{1,15}$/.test(id)) {
    return { [side]: Number(id), filters: new URL(search ?? '', url.origin) };
  }
  throw new StoreReplyError(jsonReply(400, { errors: { page_info: 'Invalid value.' } }));
}

/**
 * The link to the page before or after a product; it repeats the filters, which a request with
 * `page_info` may not contain.
 */
function pageLink(base: URL, filters: URL, side: 'after' | 'before', id: number): string {
  const kept = new URLSearchParams([...filters.searchParams].filter(([name]) => FILTERS.has(name)));
  const target = new URL(base);
  target.searchParams.set('page_info', Buffer.from(`${side} ${id} ?${kept}`).toString('base64url'));
  return `<${target.href}>; rel="${side === 'after' ? 'next' : 'previous'}"`;
}

function fieldsOf({ searchParams }: URL): { fields?: string } {
  const fields = searchParams.get('fields');
  return fields ? { fields } : {};
}

const FILTERS = new Set(['ids', 'title', 'vendor', 'handle', 'product_type', 'status']);

/** True when a product matches the filters of a request. */
function matching({ searchParams }: URL): (product: Product) => boolean {
  const ids = listOf(searchParams.get('ids')).map(Number);
  const statuses = listOf(searchParams.get('status'));
  const handles = listOf(searchParams.get('handle'));
  const equal = (name: string, value: string): boolean =>
    (searchParams.get(name) ?? value) === value;
  return (product) =>
    (ids.length === 0 || ids.includes(product.id)) &&
    (statuses.length === 0 || statuses.includes(product.status) || statuses.includes('any')) &&
    (handles.length === 0 || handles.includes(product.handle)) &&
    equal('title', product.title) &&
    equal('vendor', product.vendor) &&
    equal('product_type', product.productType);
}

/** The input of a posted product. */
function productInput(body: Record<string, unknown>): ProductInput {
  const input: ProductInput = {};
  const title = textOf(body['title']);
  const descriptionHtml = body['body_html'] === null ? '' : textOf(body['body_html']);
  const vendor = textOf(body['vendor']);
  const productType = textOf(body['product_type']);
  const handle = textOf(body['handle']);
  const tags = Array.isArray(body['tags'])
    ? body['tags'].map(String)
    : textOf(body['tags'])?.split(',');
  if (title !== undefined) input.title = title;
  if (descriptionHtml !== undefined) input.descriptionHtml = descriptionHtml;
  if (vendor !== undefined) input.vendor = vendor;
  if (productType !== undefined) input.productType = productType;
  if (handle !== undefined) input.handle = handle;
  if (tags !== undefined) input.tags = tags;
  if (body['status'] !== undefined) input.status = statusOf(body['status']);
  if (Array.isArray(body['variants'])) input.variants = body['variants'].map(variantInput);
  return input;
}

function statusOf(value: unknown): ProductStatus {
  const status = PRODUCT_STATUSES.find((known) => known === value);
  if (status) return status;
  throw new StoreReplyError(
    unprocessable([{ field: 'status', message: 'is not included in the list' }]),
  );
}

function variantInput(value: unknown): VariantInput {
  const body = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  const title = textOf(body['option1']) ?? textOf(body['title']);
  const price = body['price'] === undefined ? undefined : String(body['price']);
  const sku = textOf(body['sku']);
  const barcode = textOf(body['barcode']);
  return {
    ...(title === undefined ? {} : { title }),
    ...(price === undefined ? {} : { price }),
    ...(sku === undefined ? {} : { sku }),
    ...(barcode === undefined ? {} : { barcode }),
  };
}
