import type { Product } from './product-catalog.js';

/** The products a search finds: words of the title, or `field:value` for title, status, vendor, product_type, tag, handle and id. All terms must fit. */
export function searchProducts(products: readonly Product[], query: string | null | undefined): readonly Product[] {
  const terms = [...(query ?? '').matchAll(/(?:(\w+):)?(?:"([^"]*)"|(\S+))/g)].map(([, field, quoted, word]) => ({
    field,
    value: quoted ?? word ?? '',
  }));
  const meaningful = terms.filter(({ field, value }) => field !== undefined || value !== 'AND');
  return products.filter((product) => meaningful.every(({ field, value }) => fits(product, field, value.toLowerCase())));
}

function fits(product: Product, field: string | undefined, value: string): boolean {
  switch (field) {
    case undefined:
      return contains(product.title, value) || contains(product.vendor, value) || contains(product.productType, value);
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
      // The platform ignores a field it does not know.
      return true;
  }
}

/** A trailing star stands for any ending. */
function contains(text: string, value: string): boolean {
  return text.toLowerCase().includes(value.replace(/\*$/, ''));
}

function fitsId(id: number, value: string): boolean {
  const [, operator = '', digits = ''] = /^(>=|<=|>|<)?(\d+)$/.exec(value) ?? [];
  const bound = Number(digits || NaN);
  if (operator === '>') return id > bound;
  if (operator === '>=') return id >= bound;
  if (operator === '<') return id < bound;
  if (operator === '<=') return id <= bound;
  return id === bound;
}
