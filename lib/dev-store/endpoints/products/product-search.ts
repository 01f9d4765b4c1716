import {
  booleanField,
  dateField,
  emptyField,
  keywordField,
  numberField,
  optionField,
  textField,
  type SearchField,
  type SearchFields,
} from '../../graphql/search-fields.js';
import { PRODUCT_STATUSES, type Product } from '../../state/products/product.js';

const byId = (a: Product, b: Product): number => a.id - b.id;

/** The orders of a product list, by sort key; the others are those of the ids. */
const PRODUCT_ORDER: Readonly<Record<string, (a: Product, b: Product) => number>> = {
  TITLE: (a: Product, b: Product) => a.title.localeCompare(b.title, 'en') || a.id - b.id,
  VENDOR: (a: Product, b: Product) => a.vendor.localeCompare(b.vendor, 'en') || a.id - b.id,
  PRODUCT_TYPE: (a: Product, b: Product) =>
    a.productType.localeCompare(b.productType, 'en') || a.id - b.id,
  CREATED_AT: (a: Product, b: Product) =>
    a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id,
  UPDATED_AT: (a: Product, b: Product) =>
    a.updatedAt.getTime() - b.updatedAt.getTime() || a.id - b.id,
};

/** The order of a product list by a sort key of either API. */
export function productOrder(
  sortKey: string | null | undefined,
): (a: Product, b: Product) => number {
  return PRODUCT_ORDER[sortKey ?? ''] ?? byId;
}

const TITLE = textField<Product>(({ title }) => title);
const TAG = keywordField<Product>(({ tags }) => tags);
const PRICE = numberField<Product>(({ variants }) => variants.map(({ price }) => price));
const SKU = keywordField<Product>(({ variants }) => variants.map(({ sku }) => sku));
const BARCODE = keywordField<Product>(({ variants }) => variants.map(({ barcode }) => barcode));

/** A term without a field may be any word of these. */
const DEFAULT: ReadonlyArray<SearchField<Product>> = [
  TITLE,
  textField(({ vendor, productType }) => [vendor, productType]),
  TAG,
];

/** The fields that both APIs search products by. */
const SHARED: ReadonlyArray<[string, SearchField<Product>]> = [
  ['title', TITLE],
  ['vendor', keywordField(({ vendor }) => vendor)],
  ['product_type', keywordField(({ productType }) => productType)],
  ['tag', TAG],
  ['tag_not', { ...TAG, isNegated: true }],
  ['created_at', dateField(({ createdAt }) => createdAt)],
  ['updated_at', dateField(({ updatedAt }) => updatedAt)],
];

/**
 * The fields that the Admin API searches products by.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/queries/products#arguments-query
 */
export const ADMIN_PRODUCT_FIELDS: SearchFields<Product> = {
  default: [...DEFAULT, SKU, BARCODE],
  named: new Map([
    ...SHARED,
    ['id', numberField(({ id }) => id)],
    ['handle', keywordField(({ handle }) => handle)],
    ['status', optionField(PRODUCT_STATUSES, ({ status }) => status)],
    [
      'published_at',
      dateField(({ status, createdAt }) => (status === 'active' ? createdAt : null)),
    ],
    [
      'published_status',
      optionField(['published', 'unpublished', 'any'], ({ status }) => [
        status === 'active' ? 'published' : 'unpublished',
        'any',
      ]),
    ],
    ['price', PRICE],
    ['sku', SKU],
    ['barcode', BARCODE],
    ['variant_id', numberField(({ variants }) => variants.map(({ id }) => id))],
    ['variant_title', textField(({ variants }) => variants.map(({ title }) => title))],
    ['inventory_total', numberField(() => 0)],
    ['has_only_default_variant', booleanField(({ variants }) => variants.length === 1)],
    ['gift_card', booleanField(() => false)],
    ['bundles', booleanField(() => false)],
    ['is_price_reduced', booleanField(() => false)],
    ['collection_id', emptyField()],
    ['category_id', emptyField()],
    ['publication_ids', emptyField()],
    ['metafields.*', emptyField()],
  ]),
};

/**
 * The fields that the Storefront API searches products by.
 * @see https://shopify.dev/docs/api/storefront/latest/queries/products#arguments-query
 */
export const STOREFRONT_PRODUCT_FIELDS: SearchFields<Product> = {
  default: DEFAULT,
  named: new Map([
    ...SHARED,
    ['available_for_sale', booleanField(() => true)],
    ['variants.price', PRICE],
  ]),
};
