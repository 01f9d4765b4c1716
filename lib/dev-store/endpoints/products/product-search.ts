import { fitsId, searchTerms } from '../../graphql/graphql-search.js';
import type { Product } from '../../state/products/product.js';

/** The orders of a product list, by sort key. */
export const PRODUCT_ORDER = {
  ID: (a: Product, b: Product) => a.id - b.id,
  TITLE: (a: Product, b: Product) => a.title.localeCompare(b.title, 'en') || a.id - b.id,
  VENDOR: (a: Product, b: Product) => a.vendor.localeCompare(b.vendor, 'en') || a.id - b.id,
  PRODUCT_TYPE: (a: Product, b: Product) =>
    a.productType.localeCompare(b.productType, 'en') || a.id - b.id,
  CREATED_AT: (a: Product, b: Product) =>
    a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id,
  UPDATED_AT: (a: Product, b: Product) =>
    a.updatedAt.getTime() - b.updatedAt.getTime() || a.id - b.id,
};

/**
 * Searches products: words of the title, or `field:value` for title, status, vendor, product_type,
 * tag, handle and id. All terms must match.
 */
export function searchProducts(
  products: readonly Product[],
  query: string | null | undefined,
): readonly Product[] {
  const terms = searchTerms(query);
  return products.filter((product) =>
    terms.every(({ field, value }) => fits(product, field, value)),
  );
}

function fits(product: Product, field: string | undefined, value: string): boolean {
  switch (field) {
    case undefined:
      return (
        contains(product.title, value) ||
        contains(product.vendor, value) ||
        contains(product.productType, value)
      );
    case 'title':
      return contains(product.title, value);
    case 'status':
      return value.split(',').includes(product.status);
    case 'vendor':
      return product.vendor.toLowerCase() === value;
    case 'product_type':
      return product.productType.toLowerCase() === value;
    case 'tag':
      return product.tags.some((tag) => tag.toLowerCase() === value);
    case 'handle':
      return product.handle === value;
    case 'id':
      return fitsId(product.id, value);
    default:
      // The platform ignores unknown fields.
      return true;
  }
}

/** A trailing star matches any ending. */
function contains(text: string, value: string): boolean {
  return text.toLowerCase().includes(value.replace(/\*$/, ''));
}
