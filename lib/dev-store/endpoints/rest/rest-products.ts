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
  listOf,
  notFound,
  rootOf,
  selectFields,
  textOf,
  unprocessable,
  type RestCall,
  type RestEndpoint,
} from './rest.endpoint.js';
import { pageReply } from './rest-pages.js';

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

/** One page of products, in the order of their ids. */
function list({ shop }: RestCall, request: StoreRequest): StoreReply {
  return pageReply(request, {
    ...{ key: 'products', all: shop.catalog.all(), origin: shop.origin },
    ...{ filter: matching, view: productPayload },
  });
}

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
