import { globalId } from '../../base/vendor.js';
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
  type OptionInput,
} from '../../state/products/product.js';
import type { IdSequence } from '../../state/id-sequence.js';
import { isStandalone, newOption } from '../../state/products/product-options.js';
import { productResource } from '../../state/products/product-images.js';
import { productPayload } from '../../state/products/product-payload.js';
import { hasProduct, withinTimes } from './rest-filters.js';
import { addImages, setImages } from './rest-images.js';
import {
  listOf,
  notFound,
  objectsOf,
  rootOf,
  selectFields,
  textOf,
  textsOf,
  unprocessable,
  type RestCall,
  type RestEndpoint,
  type RestShop,
} from './rest.endpoint.js';
import { pageReply } from './rest-pages.js';
import { variantInput } from './rest-variants.js';

/** The product endpoints of the Admin REST API. */
export const REST_PRODUCTS: readonly RestEndpoint[] = [
  { method: 'GET', pattern: /^products$/, scope: 'read_products', answer: list },
  { method: 'POST', pattern: /^products$/, scope: 'write_products', answer: create },
  {
    method: 'GET',
    pattern: /^products\/count$/,
    scope: 'read_products',
    answer: ({ shop }, { url }) =>
      jsonReply(200, { count: shop.catalog.all().filter(matching(shop)(url)).length }),
  },
  {
    method: 'GET',
    pattern: /^products\/(\d{1,15})$/,
    scope: 'read_products',
    answer: ({ shop }, { url }, id) => {
      const product = shop.catalog.find(id);
      return product
        ? jsonReply(200, { product: selectFields(productResource(product, shop.nodes), url) })
        : notFound();
    },
  },
  {
    method: 'PUT',
    pattern: /^products\/(\d{1,15})$/,
    scope: 'write_products',
    answer: ({ shop }, request, id) => {
      const product = shop.catalog.find(id);
      if (!product) return notFound();
      const body = rootOf(jsonOf(request), 'product');
      const images = objectsOf(body, 'images');
      const { options, ...input } = productInput(body, product);
      const isFirst = isStandalone(product);
      const change = shop.catalog.update(id, input, () => {
        nameOptions(product, options, isFirst, shop.catalog.ids);
        if (images) setImages(shop, product, images);
      });
      return change ? changeReply(change, 200, shop) : notFound();
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
  const body = rootOf(jsonOf(request), 'product');
  const images = objectsOf(body, 'images') ?? [];
  const change = shop.catalog.create(productInput(body), (product) =>
    addImages(shop, product, images),
  );
  return changeReply(change, 201, shop);
}

function changeReply(
  { product, problems }: ProductChange,
  status: number,
  shop: RestShop,
): StoreReply {
  return product
    ? jsonReply(status, { product: productResource(product, shop.nodes) })
    : unprocessable(problems);
}

/** One page of products, in the order of their ids. */
function list({ shop }: RestCall, request: StoreRequest): StoreReply {
  return pageReply<Product>(request, {
    ...{ key: 'products', all: shop.catalog.all(), origin: shop.origin },
    ...{ filter: matching(shop), view: (one) => productResource(one, shop.nodes) },
  });
}

/** True when a product matches the filters of a request. */
function matching({ nodes }: RestShop): (url: URL) => (product: Product) => boolean {
  return ({ searchParams }) => {
    const ids = listOf(searchParams.get('ids')).map(Number);
    const statuses = listOf(searchParams.get('status'));
    const handles = listOf(searchParams.get('handle'));
    const isWithin = withinTimes(searchParams);
    const collectionId = searchParams.get('collection_id');
    const collection = { fields: nodes.fieldsOf(globalId('Collection', collectionId ?? '')) };
    const equal = (name: string, value: string): boolean =>
      (searchParams.get(name) ?? value) === value;
    return (product) =>
      (ids.length === 0 || ids.includes(product.id)) &&
      (statuses.length === 0 || statuses.includes(product.status) || statuses.includes('any')) &&
      (handles.length === 0 || handles.includes(product.handle)) &&
      equal('title', product.title) &&
      equal('vendor', product.vendor) &&
      equal('product_type', product.productType) &&
      (collectionId === null || hasProduct(collection, String(product.id))) &&
      isWithin?.(productPayload(product)) !== false;
  };
}

/** An option as a request names it. */
interface NamedOption extends OptionInput {
  readonly id: unknown;
}

/** Names the options of a product, by ids or else places, and adds those behind them. */
function nameOptions(
  product: Product,
  options: readonly NamedOption[] = [],
  isFirst: boolean,
  ids: IdSequence,
): void {
  if (isFirst && options.length > 0) product.options = [];
  for (const [at, option] of options.entries()) {
    const known = product.options.find(({ id }) => id === option.id) ?? product.options[at];
    if (known) known.name = option.name;
    else product.options.push(newOption(option, ids));
  }
}

/** The input of a posted product. @param product the one that it changes */
function productInput(
  body: Record<string, unknown>,
  product?: Product,
): ProductInput & { options?: readonly NamedOption[] } {
  const input: ReturnType<typeof productInput> = {};
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
  const options = objectsOf(body, 'options')?.slice(0, 3);
  if (options)
    input.options = options.map(({ id, name, values }, at) => ({
      ...{ id, name: textOf(name) ?? `Option ${at + 1}`, values: textsOf(values) ?? [] },
    }));
  const variants = objectsOf(body, 'variants');
  if (variants && (product || variants.length > 0))
    input.variants = variants.map((one) =>
      variantInput(
        one,
        product,
        product?.variants.find(({ id }) => id === Number(one['id'])),
      ),
    );
  return input;
}

function statusOf(value: unknown): ProductStatus {
  const status = PRODUCT_STATUSES.find((known) => known === value);
  if (status) return status;
  throw new StoreReplyError(
    unprocessable([{ field: 'status', message: 'is not included in the list' }]),
  );
}
