import { globalId, idOf } from '../../base/vendor.js';
import { typedId } from '../../graphql/graphql.errors.js';
import type { NodeStore } from '../../state/nodes/node-store.js';
import type { Product, ProductVariant, VariantChange } from '../../state/products/product.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import { isSame, isStandalone } from '../../state/products/product-options.js';
import { demandScope, type ApiCall } from '../admin-api/admin-api-access.js';
import { NO_PRODUCT } from './product-errors.js';
import { addMedia, attachMedia, type MediaFields } from './product-media.js';
import { productView, variantView } from './product.views.js';
import {
  amountErrors,
  chosenValues,
  locationErrors,
  setQuantities,
  settingsOf,
  UnknownOption,
  variantOf,
  type VariantError,
  type VariantFields,
} from './variant-input.js';

interface BulkUpdateArgs {
  productId: string;
  variants: readonly VariantFields[];
  media?: readonly MediaFields[] | null | undefined;
  allowPartialUpdates?: boolean | null;
}

interface BulkCreateArgs {
  productId: string;
  variants: readonly VariantFields[];
  media?: readonly MediaFields[] | null | undefined;
  strategy?: string | null;
}

interface BulkDeleteArgs {
  productId: string;
  variantsIds: readonly string[];
}

/** The part of a shop that variants are changed in. */
interface VariantsShop {
  readonly catalog: ProductCatalog;
  readonly nodes: NodeStore;
  /** Sends an event to the subscriptions of a topic, without waiting for them. */
  notify(topic: string, payload: object): void;
}

interface ReorderArgs {
  productId: string;
  positions: ReadonlyArray<{ id: string; position: number }>;
}

/**
 * The resolvers of single variants, and of the mutations that create, change and delete several,
 * for one caller.
 */
export function variantsRoot(shop: VariantsShop, call: ApiCall): Record<string, unknown> {
  const { catalog } = shop;
  const demand = (field: string, scope: string): void => demandScope(call, field, scope);
  return {
    productVariant: ({ id }: { id: string }) => {
      demand('productVariant', 'read_products');
      typedId('ProductVariant', id);
      return variantNode(catalog, id);
    },
    productVariantsBulkCreate: (args: BulkCreateArgs) => {
      demand('productVariantsBulkCreate', 'write_products');
      return createVariants(shop, args);
    },
    productVariantsBulkDelete: (args: BulkDeleteArgs) => {
      demand('productVariantsBulkDelete', 'write_products');
      return deleteVariants(catalog, args);
    },
    productVariantsBulkReorder: (args: ReorderArgs) => {
      demand('productVariantsBulkReorder', 'write_products');
      return reorderVariants(catalog, args);
    },
    productVariantsBulkUpdate: (args: BulkUpdateArgs) => {
      demand('productVariantsBulkUpdate', 'write_products');
      return updateVariants(shop, args);
    },
  };
}

/** The variant with a global id; null when there is none. */
export function variantNode(catalog: ProductCatalog, id: string): object | null {
  const found = catalog.variant(idOf('ProductVariant', id));
  return found ? variantView(found.product, found.variant) : null;
}

/** Either every variant is created or none; the values of its options make the title of each. */
function createVariants(shop: VariantsShop, args: BulkCreateArgs): object {
  const { catalog } = shop;
  const product = catalog.find(idOf('Product', args.productId) ?? NaN);
  if (!product) return { product: null, productVariants: null, userErrors: [NO_PRODUCT] };
  const preserveDefault = args.strategy === 'PRESERVE_STANDALONE_VARIANT';
  const taken = isStandalone(product) && !preserveDefault ? [] : [...product.variants];
  const userErrors: VariantError[] = [];
  const inputs = args.variants.map((fields, index) => {
    const place = ['variants', String(index)];
    userErrors.push(...amountErrors(fields, place, 'INVALID'));
    userErrors.push(...locationErrors(fields, place, shop));
    const values = createdValues(product, fields, place, userErrors);
    const twin = { optionValues: values };
    if (values.length > 0 && taken.some((one) => isSame(one, twin)))
      userErrors.push({
        code: 'VARIANT_ALREADY_EXISTS_CHANGE_OPTION_VALUE',
        field: place,
        message: `The variant '${values.join(' / ')}' already exists. Please change at least one option value.`,
      });
    taken.push({ ...twin } as ProductVariant);
    return { ...settingsOf(fields), optionValues: values };
  });
  if (userErrors.length > 0)
    return { product: productView(product), productVariants: [], userErrors };
  addMedia(shop.nodes, args.productId, args.media ?? []);
  const added = catalog.addVariants(product, inputs, { preserveDefault }, (variant, index) => {
    const fields = args.variants[index] ?? {};
    setQuantities(variant, fields, product.updatedAt, shop);
    attachMedia(shop.nodes, args.productId, globalId('ProductVariant', variant.id), fields);
  });
  return { ...written(product, added), userErrors: [] };
}

/** The values of a new variant, one for each option. */
function createdValues(
  product: Product,
  fields: VariantFields,
  field: string[],
  errors: VariantError[],
): string[] {
  try {
    const values = chosenValues(product, fields);
    const missing = product.options.find((_, index) => values[index] === undefined);
    if (missing && (fields.optionValues?.length || !isStandalone(product)))
      errors.push({
        code: 'NEED_TO_ADD_OPTION_VALUES',
        field,
        message: `You need to add option values for ${missing.name}`,
      });
    return values.filter((value) => value !== undefined);
  } catch (error) {
    if (!(error instanceof UnknownOption)) throw error;
    const code = 'OPTION_VALUES_FOR_NUMBER_OF_UNKNOWN_OPTIONS';
    errors.push({ code, field: [...field, 'optionValues', '0'], message: 'Option does not exist' });
    return [];
  }
}

/** What a payload says of variants that were written. */
function written(product: Product, variants: readonly ProductVariant[]): object {
  return {
    product: productView(product),
    productVariants: variants.map((variant) => variantView(product, variant)),
  };
}

/** Puts variants at positions, counted from 1; the others keep their order. */
function reorderVariants(catalog: ProductCatalog, { productId, positions }: ReorderArgs): object {
  const product = catalog.find(idOf('Product', productId) ?? NaN);
  if (!product) return { product: null, userErrors: [NO_PRODUCT] };
  const userErrors = positions.flatMap(({ id, position }, index): VariantError[] => {
    const field = ['positions', String(index)];
    if (!variantOf(product, id))
      return [{ ...NO_VARIANT, code: 'MISSING_VARIANT', field: [...field, 'id'] }];
    const message = 'Position is invalid';
    return position < 1
      ? [{ code: 'INVALID_POSITION', field: [...field, 'position'], message }]
      : [];
  });
  if (userErrors.length > 0) return { product: productView(product), userErrors };
  for (const { id, position } of [...positions].sort((a, b) => a.position - b.position)) {
    const moved = variantOf(product, id);
    const others = product.variants.filter((variant) => variant !== moved);
    if (moved) others.splice(position - 1, 0, moved);
    product.variants = others;
  }
  catalog.changed(product);
  return { product: productView(product), userErrors: [] };
}

/** Either every variant is deleted or none. */
function deleteVariants(catalog: ProductCatalog, args: BulkDeleteArgs): object {
  const product = catalog.find(idOf('Product', args.productId) ?? NaN);
  if (!product) return { product: null, userErrors: [NO_PRODUCT] };
  const ids = args.variantsIds.map((id) => idOf('ProductVariant', id));
  const userErrors = ids.flatMap((id, index): VariantError[] => {
    if (product.variants.some((one) => one.id === id)) return [];
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

/** Either every variant is changed or, unless partial updates are allowed, none. */
function updateVariants(shop: VariantsShop, args: BulkUpdateArgs): object {
  const { catalog } = shop;
  const product = catalog.find(idOf('Product', args.productId) ?? NaN);
  if (!product) return { product: null, productVariants: null, userErrors: [NO_PRODUCT] };
  const checked = args.variants.map((fields, index) => checkedChange(product, fields, index));
  const changes = checked.filter((one) => 'id' in one);
  const userErrors = checked.filter((one) => 'code' in one);
  if (userErrors.length > 0 && !args.allowPartialUpdates)
    return { product: productView(product), productVariants: null, userErrors };
  addMedia(shop.nodes, args.productId, args.media ?? []);
  for (const { id } of changes) {
    const gid = globalId('ProductVariant', id);
    const fields = args.variants.find((one) => one.id === gid) ?? {};
    attachMedia(shop.nodes, args.productId, gid, fields);
  }
  if (changes.length > 0) catalog.updateVariants(product, changes);
  const changed = changes.flatMap(
    ({ id }) => product.variants.find((variant) => variant.id === id) ?? [],
  );
  return { ...written(product, changed), userErrors };
}

function checkedChange(
  product: Product,
  fields: VariantFields,
  index: number,
): VariantChange | VariantError {
  const place = ['variants', String(index)];
  if (!fields.id)
    return {
      code: 'PRODUCT_VARIANT_ID_MISSING',
      field: [...place, 'id'],
      message: 'Product variant ID is missing',
    };
  const variant = variantOf(product, fields.id);
  if (!variant) return { ...NO_VARIANT, field: [...place, 'id'] };
  const [refused] = amountErrors(fields, place, 'INVALID_VALUE');
  if (refused) return refused;
  if (fields.inventoryQuantities?.length)
    return {
      code: 'NO_INVENTORY_QUANTITIES_ON_VARIANTS_UPDATE',
      field: [...place, 'inventoryQuantities'],
      message:
        'Inventory quantities can only be provided during create. To update inventory for existing variants, use inventoryAdjustQuantities.',
    };
  try {
    const values = chosenValues(product, fields, variant.optionValues);
    const optionValues = values.filter((value) => value !== undefined);
    const isTaken = product.variants.some(
      (one) => one !== variant && isSame(one, { optionValues }),
    );
    if (fields.optionValues && isTaken)
      return {
        code: 'VARIANT_ALREADY_EXISTS',
        field: place,
        message: `The variant '${optionValues.join(' / ')}' already exists. Please change at least one option value.`,
      };
    return {
      ...settingsOf(fields),
      ...(fields.optionValues ? { optionValues } : {}),
      id: variant.id,
    };
  } catch (error) {
    if (!(error instanceof UnknownOption)) throw error;
    const field = [...place, 'optionValues', '0'];
    return { code: 'OPTION_DOES_NOT_EXIST', field, message: 'Option does not exist' };
  }
}

const NO_VARIANT: Omit<VariantError, 'field'> = {
  code: 'PRODUCT_VARIANT_DOES_NOT_EXIST',
  message: 'Product variant does not exist',
};
