import { idOf } from '../../base/vendor.js';
import { AccessDenied } from '../../graphql/graphql-access.js';
import { typedId } from '../../graphql/graphql.errors.js';
import type { Product, ProductVariant, VariantChange } from '../../state/products/product.js';
import { isPrice, type ProductCatalog } from '../../state/products/product-catalog.js';
import { mayUse, type ApiCall } from '../admin-api/admin-api-access.js';
import { productView, variantView } from './product.views.js';

interface VariantFields {
  id?: string | null;
  price?: string | number | null;
  barcode?: string | null;
  inventoryItem?: { sku?: string | null } | null;
}

interface BulkUpdateArgs {
  productId: string;
  variants: readonly VariantFields[];
  allowPartialUpdates?: boolean | null;
}

interface VariantError {
  code: string;
  field: string[];
  message: string;
}

/** The resolvers of single variants, and of the mutation that changes several, for one call. */
export function variantsRoot(catalog: ProductCatalog, call: ApiCall): Record<string, unknown> {
  const demand = (field: string, scope: string): void => {
    if (!mayUse(call, scope)) throw new AccessDenied(field, scope);
  };
  return {
    productVariant: ({ id }: { id: string }) => {
      demand('productVariant', 'read_products');
      typedId('ProductVariant', id);
      return variantNode(catalog, id);
    },
    productVariantsBulkUpdate: (args: BulkUpdateArgs) => {
      demand('productVariantsBulkUpdate', 'write_products');
      return updateVariants(catalog, args);
    },
  };
}

/** The variant with a global id; null when there is none. */
export function variantNode(catalog: ProductCatalog, id: string): object | null {
  const number = idOf('ProductVariant', id);
  for (const product of catalog.all()) {
    const variant = product.variants.find((one) => one.id === number);
    if (variant) return variantView(product, variant);
  }
  return null;
}

/** Either every variant is changed or, unless partial updates are allowed, none. */
function updateVariants(catalog: ProductCatalog, args: BulkUpdateArgs): object {
  const product = catalog.find(idOf('Product', args.productId) ?? NaN);
  if (!product) return { product: null, productVariants: null, userErrors: [NO_PRODUCT] };
  const checked = args.variants.map((fields, index) => checkedChange(product, fields, index));
  const changes = checked.filter((one) => 'id' in one);
  const userErrors = checked.filter((one) => 'code' in one);
  if (userErrors.length > 0 && !args.allowPartialUpdates)
    return { product: productView(product), productVariants: null, userErrors };
  if (changes.length > 0) catalog.updateVariants(product, changes);
  const changed = changes
    .map(({ id }) => variantOf(product, id))
    .filter((one) => one !== undefined);
  return {
    product: productView(product),
    productVariants: changed.map((variant) => variantView(product, variant)),
    userErrors,
  };
}

function checkedChange(
  product: Product,
  { id: gid, price, barcode, inventoryItem }: VariantFields,
  index: number,
): VariantChange | VariantError {
  const refused = (field: string, code: string, message: string): VariantError => ({
    code,
    field: ['variants', String(index), field],
    message,
  });
  if (!gid) return refused('id', 'PRODUCT_VARIANT_ID_MISSING', 'Product variant ID is missing');
  const id = idOf('ProductVariant', gid);
  if (id === undefined || !variantOf(product, id))
    return refused('id', 'PRODUCT_VARIANT_DOES_NOT_EXIST', 'Product variant does not exist');
  const amount = price == null ? undefined : String(price);
  if (amount?.startsWith('-'))
    return refused('price', 'GREATER_THAN_OR_EQUAL_TO', 'Price must be greater than or equal to 0');
  if (amount !== undefined && !isPrice(amount))
    return refused('price', 'INVALID_VALUE', 'Price is not a number');
  const sku = inventoryItem?.sku;
  return {
    id,
    ...(amount === undefined ? {} : { price: amount }),
    ...(barcode === undefined ? {} : { barcode }),
    ...(sku === undefined ? {} : { sku }),
  };
}

function variantOf(product: Product, id: number): ProductVariant | undefined {
  return product.variants.find((variant) => variant.id === id);
}

const NO_PRODUCT: VariantError = {
  code: 'PRODUCT_DOES_NOT_EXIST',
  field: ['productId'],
  message: 'Product does not exist',
};
