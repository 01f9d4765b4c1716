import {
  dateField,
  keywordField,
  numberField,
  optionField,
  textField,
  type SearchField,
  type SearchFields,
} from '../../graphql/search-fields.js';
import { PRODUCT_STATUSES, type CatalogVariant } from '../../state/products/product.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';

/** The variants of all products. */
export function allVariants(catalog: ProductCatalog): CatalogVariant[] {
  return catalog
    .all()
    .flatMap((product) =>
      product.variants.map((variant) => ({ id: variant.id, product, variant })),
    );
}

type Field = SearchField<CatalogVariant>;

const SKU: Field = keywordField(({ variant }) => variant.sku);
const BARCODE: Field = keywordField(({ variant }) => variant.barcode);
const TITLE: Field = textField(({ product, variant }) => [product.title, variant.title]);
const CREATED: Field = dateField(({ variant }) => variant.createdAt);
const UPDATED: Field = dateField(({ variant }) => variant.updatedAt);
const ID: Field = numberField(({ id }) => id);

/**
 * The fields that the Admin API searches variants by.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/queries/productVariants#arguments-query
 */
export const VARIANT_FIELDS: SearchFields<CatalogVariant> = {
  default: [TITLE, SKU, BARCODE],
  named: new Map<string, Field>([
    ['id', ID],
    ['sku', SKU],
    ['barcode', BARCODE],
    ['title', TITLE],
    ['updated_at', UPDATED],
    ['product_id', numberField(({ product }) => product.id)],
    ['product_ids', numberField(({ product }) => product.id)],
    ['product_status', optionField(PRODUCT_STATUSES, ({ product }) => product.status)],
    ['product_type', keywordField(({ product }) => product.productType)],
    ['vendor', keywordField(({ product }) => product.vendor)],
    ['tag', keywordField(({ product }) => product.tags)],
    [
      'tag_not',
      { ...keywordField<CatalogVariant>(({ product }) => product.tags), isNegated: true },
    ],
  ]),
};

/**
 * The fields that the Admin API searches inventory items by.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/queries/inventoryItems#arguments-query
 */
export const INVENTORY_ITEM_FIELDS: SearchFields<CatalogVariant> = {
  default: [SKU],
  named: new Map([
    ['id', ID],
    ['sku', SKU],
    ['created_at', CREATED],
    ['updated_at', UPDATED],
  ]),
};

/** The order of a list of variants by a sort key; that of the ids for those without. */
export function variantOrder(
  sortKey: string | null | undefined,
): (a: CatalogVariant, b: CatalogVariant) => number {
  const text = TEXTS[sortKey ?? ''];
  return (a, b) =>
    (text ? text(a).localeCompare(text(b), 'en') : 0) ||
    (sortKey === 'POSITION' ? a.variant.position - b.variant.position : 0) ||
    a.id - b.id;
}

const TEXTS: Readonly<Record<string, (one: CatalogVariant) => string>> = {
  SKU: ({ variant }) => variant.sku ?? '',
  TITLE: ({ variant }) => variant.title,
  NAME: ({ variant }) => variant.title,
  FULL_TITLE: ({ product, variant }) => `${product.title} - ${variant.title}`,
};
