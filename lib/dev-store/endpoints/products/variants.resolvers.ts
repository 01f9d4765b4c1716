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

interface BulkCreateArgs {
  productId: string;
  variants: ReadonlyArray<
    VariantFields & { optionValues?: ReadonlyArray<{ name?: string | null }> | null }
  >;
  strategy?: string | null;
}

interface BulkDeleteArgs {
  productId: string;
  variantsIds: readonly string[];
}

interface VariantError {
  code: string;
  field: string[];
  message: string;
}

/**
 * The resolvers of single variants, and of the mutations that create, change and delete several,
 * for one call.
 */
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
    productVariantsBulkCreate: (args: BulkCreateArgs) => {
      demand('productVariantsBulkCreate', 'write_products');
      return createVariants(catalog, args);
    },
    productVariantsBulkDelete: (args: BulkDeleteArgs) => {
      demand('productVariantsBulkDelete', 'write_products');
      return deleteVariants(catalog, args);
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

/** Either every variant is created or none; the values of its options make the title of each. */
function createVariants(catalog: ProductCatalog, args: BulkCreateArgs): object {
  const product = catalog.find(idOf('Product', args.productId) ?? NaN);
  if (!product) return { product: null, productVariants: null, userErrors: [NO_PRODUCT] };
  const userErrors = args.variants.flatMap(({ price }, index) =>
    price == null || isPrice(String(price)) ? [] : [priceError(String(price), index)],
  );
  if (userErrors.length > 0)
    return { product: productView(product), productVariants: [], userErrors };
  const inputs = args.variants.map(({ price, barcode, inventoryItem, optionValues }) => {
    const title = (optionValues ?? []).flatMap(({ name }) => name ?? []).join(' / ');
    return {
      ...(title ? { title } : {}),
      ...(price == null ? {} : { price: String(price) }),
      barcode: barcode ?? null,
      sku: inventoryItem?.sku ?? null,
    };
  });
  const preserveDefault = args.strategy === 'PRESERVE_STANDALONE_VARIANT';
  const added = catalog.addVariants(product, inputs, { preserveDefault });
  return {
    product: productView(product),
    productVariants: added.map((variant) => variantView(product, variant)),
    userErrors: [],
  };
}

/** Either every variant is deleted or none. */
function deleteVariants(catalog: ProductCatalog, args: BulkDeleteArgs): object {
  const product = catalog.find(idOf('Product', args.productId) ?? NaN);
  if (!product) return { product: null, userErrors: [NO_PRODUCT] };
  const ids = args.variantsIds.map((id) => idOf('ProductVariant', id));
  const userErrors = ids.flatMap((id, index): VariantError[] => {
    if (id !== undefined && variantOf(product, id)) return [];
    const message = 'At least one variant does not belong to the product';
    return [
      {
        code: 'AT_LEAST_ONE_VARIANT_DOES_NOT_BELONG_TO_THE_PRODUCT',
        field: ['variantsIds', String(index)],
        message,
      },
    ];
  });
  const isLast = ids.length >= product.variants.length;
  if (userErrors.length === 0 && isLast)
    userErrors.push({
      code: 'CANNOT_DELETE_LAST_VARIANT',
      field: ['variantsIds'],
      message: 'Cannot delete the last variant',
    });
  if (userErrors.length > 0) return { product: null, userErrors };
  catalog.deleteVariants(
    product,
    ids.filter((id) => id !== undefined),
  );
  return { product: productView(product), userErrors: [] };
}

function priceError(price: string, index: number): VariantError {
  const isNegative = price.startsWith('-');
  return {
    code: isNegative ? 'GREATER_THAN_OR_EQUAL_TO' : 'INVALID',
    field: ['variants', String(index), 'price'],
    message: isNegative ? 'Price must be greater than or equal to 0' : 'Price is not a number',
  };
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
