import {
  jsonOf,
  jsonReply,
  StoreReplyError,
  type StoreReply,
  type StoreRequest,
} from '../../http/store-request.js';
import type { Product, ProductVariant, VariantInput } from '../../state/products/product.js';
import { isSame } from '../../state/products/product-options.js';
import { variantResource } from '../../state/products/product-images.js';
import { isPrice } from '../../state/products/product-variants.js';
import { setImage } from './rest-images.js';
import { pageReply } from './rest-pages.js';
import {
  notFound,
  rootOf,
  selectFields,
  textOf,
  unprocessable,
  type RestCall,
  type RestEndpoint,
  type RestBody,
} from './rest.endpoint.js';

/** The variants of products by addresses of their own. */
export const REST_VARIANTS: readonly RestEndpoint[] = [
  {
    method: 'GET',
    pattern: /^variants\/(\d{1,15})$/,
    scope: 'read_products',
    answer: (call, { url }, id) => {
      const one = found(call, id);
      return one ? variantReply(200, one, url, call) : notFound();
    },
  },
  {
    method: 'PUT',
    pattern: /^variants\/(\d{1,15})$/,
    scope: 'write_products',
    answer: (call, request, id) => {
      const one = found(call, id);
      if (!one) return notFound();
      const { product, variant } = one;
      const body = rootOf(jsonOf(request), 'variant');
      const input = variantInput(body, product, variant);
      const taken = takenBy(product, input, variant);
      if (taken) return taken;
      if ('image_id' in body) setImage(call.shop, product, id, body['image_id']);
      call.shop.catalog.updateVariants(product, [{ ...input, id }]);
      return variantReply(200, one, request.url, call);
    },
  },
  {
    method: 'GET',
    pattern: /^products\/(\d{1,15})\/variants$/,
    scope: 'read_products',
    answer: ({ shop }, request, id) => {
      const product = shop.catalog.find(id);
      if (!product) return notFound();
      return pageReply(request, {
        ...{ key: 'variants', all: product.variants, origin: shop.origin },
        filter: () => () => true,
        view: (variant) => variantResource(product, variant, shop.nodes),
      });
    },
  },
  {
    method: 'GET',
    pattern: /^products\/(\d{1,15})\/variants\/count$/,
    scope: 'read_products',
    answer: ({ shop }, _request, id) => {
      const product = shop.catalog.find(id);
      return product ? jsonReply(200, { count: product.variants.length }) : notFound();
    },
  },
  {
    method: 'POST',
    pattern: /^products\/(\d{1,15})\/variants$/,
    scope: 'write_products',
    answer: (call, request, id) => {
      const { shop } = call;
      const product = shop.catalog.find(id);
      if (!product) return notFound();
      const input = variantInput(rootOf(jsonOf(request), 'variant'), product);
      const taken = takenBy(product, input);
      if (taken) return taken;
      const [variant] = shop.catalog.addVariants(product, [input]) as [ProductVariant];
      return variantReply(201, { product, variant }, request.url, call);
    },
  },
  {
    method: 'DELETE',
    pattern: /^products\/(\d{1,15})\/variants\/(\d{1,15})$/,
    scope: 'write_products',
    answer: (call, _request, id, variantId = NaN) => {
      const product = found(call, variantId)?.product;
      if (product?.id !== id) return notFound();
      if (product.variants.length === 1)
        return unprocessable([{ field: 'base', message: "can't delete the last variant" }]);
      call.shop.catalog.deleteVariants(product, [variantId]);
      return jsonReply(200, {});
    },
  },
];

const WEIGHT_UNITS: ReadonlyMap<unknown, string> = new Map([
  ['kg', 'KILOGRAMS'],
  ['g', 'GRAMS'],
  ['lb', 'POUNDS'],
  ['oz', 'OUNCES'],
]);

/**
 * The input of a posted variant.
 * @param known the variant that it changes, of the product
 * @throws StoreReplyError with 422 when a value is invalid
 */
export function variantInput(
  body: RestBody,
  product?: Product,
  known?: ProductVariant,
): VariantInput {
  const input: VariantInput = known ? { id: known.id } : {};
  const { price, compare_at_price: compared, inventory_policy: policy, weight } = body;
  if (price !== undefined) input.price = amountOf('price', price);
  if (compared !== undefined)
    input.compareAtPrice =
      compared === null || compared === '' ? null : amountOf('compare_at_price', compared);
  for (const name of ['sku', 'barcode'] as const)
    if (typeof body[name] === 'string' || body[name] === null) input[name] = body[name];
  if (typeof body['taxable'] === 'boolean') input.taxable = body['taxable'];
  if (typeof body['requires_shipping'] === 'boolean')
    input.requiresShipping = body['requires_shipping'];
  if (body['inventory_management'] !== undefined)
    input.tracked = body['inventory_management'] === 'shopify';
  if (policy !== undefined) {
    if (policy !== 'deny' && policy !== 'continue')
      throw invalid('inventory_policy', 'is not included in the list');
    input.inventoryPolicy = policy === 'deny' ? 'DENY' : 'CONTINUE';
  }
  if (typeof weight === 'number') {
    const unit = WEIGHT_UNITS.get(body['weight_unit']) ?? known?.weight.unit ?? 'KILOGRAMS';
    input.weight = { value: weight, unit };
  }
  const given = ['option1', 'option2', 'option3'].map((name) => textOf(body[name]));
  if (!known) given[0] ??= textOf(body['title']);
  if (given.some((value) => value !== undefined)) {
    const values = given.map(
      (value, at) => value ?? known?.optionValues[at] ?? product?.options[at]?.values[0]?.name,
    );
    // What is missing at the end is completed by the catalog.
    const end = values.indexOf(undefined);
    input.optionValues = values.slice(0, end < 0 ? 3 : end) as string[];
  }
  return input;
}

/** The refusal of a variant that has the values of another one. */
function takenBy(
  product: Product,
  { optionValues: given = [] }: VariantInput,
  known?: ProductVariant,
): StoreReply | undefined {
  const optionValues = product.options.map(
    ({ values }, at) => given[at] ?? known?.optionValues[at] ?? values[0]?.name ?? '',
  );
  const other = product.variants.find((one) => one !== known && isSame(one, { optionValues }));
  if (!other) return undefined;
  const message = `The variant '${other.title}' already exists. Please change at least one option value.`;
  return unprocessable([{ field: 'base', message }]);
}

function amountOf(field: string, value: unknown): string {
  const amount = String(value);
  if (isPrice(amount)) return amount;
  throw invalid(field, 'is not a number');
}

function invalid(field: string, message: string): StoreReplyError {
  return new StoreReplyError(unprocessable([{ field, message }]));
}

interface Found {
  readonly product: Product;
  readonly variant: ProductVariant;
}

function found({ shop }: RestCall, id: number): Found | undefined {
  for (const product of shop.catalog.all()) {
    const variant = product.variants.find((one) => one.id === id);
    if (variant) return { product, variant };
  }
  return undefined;
}

function variantReply(
  status: number,
  { product, variant }: Found,
  url: StoreRequest['url'],
  { shop }: RestCall,
): StoreReply {
  const view = variantResource(product, variant, shop.nodes);
  return jsonReply(status, { variant: selectFields(view, url) });
}
