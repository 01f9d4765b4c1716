import { globalId } from '../../base/vendor.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { countView, identityView } from '../../graphql/graphql.views.js';
import { availableOf } from '../../state/inventory/inventory-level.js';
import type { Product, ProductOption, ProductVariant } from '../../state/products/product.js';
import { hasVariants, isStandalone, usedValues } from '../../state/products/product-options.js';
import { decimalText } from '../nodes/money-fields.js';
import { inventoryLevelFields } from '../inventory/inventory.views.js';
import { valueId } from './variant-input.js';
import { variantOrder } from './variant-search.js';

/** A product as the schema describes it. */
export function productView(product: Product): object {
  const text = product.descriptionHtml
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const { variants } = product;
  return {
    __typename: 'Product',
    ...identityView('Product', product),
    title: product.title,
    descriptionHtml: product.descriptionHtml,
    description: ({ truncateAt }: { truncateAt?: number }) =>
      truncateAt && text.length > truncateAt
        ? `${text.slice(0, Math.max(0, truncateAt - 3))}...`
        : text,
    vendor: product.vendor,
    productType: product.productType,
    handle: product.handle,
    status: product.status.toUpperCase(),
    tags: product.tags,
    totalInventory: () => sumOf(variants.filter(({ tracked }) => tracked)),
    tracksInventory: () => variants.some(({ tracked }) => tracked),
    hasOutOfStockVariants: () => variants.some((one) => one.tracked && availableOf(one) <= 0),
    hasOnlyDefaultVariant: () => isStandalone(product),
    options: ({ first }: { first?: number | null }) =>
      product.options.slice(0, first ?? undefined).map((one) => optionView(product, one)),
    priceRangeV2: () => priceRange(variants),
    variants: (args: ConnectionArgs & { sortKey?: string | null }, context: GraphqlContext) => {
      const order = variantOrder(args.sortKey ?? 'POSITION');
      const found = variants.map((variant) => ({ id: variant.id, product, variant })).sort(order);
      return connection(found, args, context, ({ variant }) => variantView(product, variant));
    },
    variantsCount: () => countView(variants.length),
    totalVariants: variants.length,
  };
}

function sumOf(variants: readonly ProductVariant[]): number {
  return variants.reduce((sum, variant) => sum + availableOf(variant), 0);
}

/** The lowest and the highest price, in the shop's currency, which is the default of amounts. */
function priceRange(variants: readonly ProductVariant[]): object {
  const prices = variants.map(({ price }) => Number(price));
  const money = (amount: number): object => ({ amount: decimalText(amount) });
  return {
    minVariantPrice: money(Math.min(...prices)),
    maxVariantPrice: money(Math.max(...prices)),
  };
}

function optionView(product: Product, option: ProductOption): object {
  return {
    __typename: 'ProductOption',
    id: globalId('ProductOption', option.id),
    name: option.name,
    position: product.options.indexOf(option) + 1,
    values: usedValues(product, option),
    optionValues: option.values.map(({ id, name }) => ({
      __typename: 'ProductOptionValue',
      id: valueId(id),
      name,
      hasVariants: hasVariants(product, option, name),
    })),
  };
}

/** A variant as the schema describes it. */
export function variantView(product: Product, variant: ProductVariant): object {
  const { options } = product;
  return {
    __typename: 'ProductVariant',
    ...identityView('ProductVariant', variant),
    title: variant.title,
    displayName: `${product.title} - ${variant.title}`,
    price: variant.price,
    compareAtPrice: variant.compareAtPrice,
    sku: variant.sku,
    barcode: variant.barcode,
    position: variant.position,
    taxable: variant.taxable,
    inventoryPolicy: variant.inventoryPolicy,
    inventoryQuantity: () => availableOf(variant),
    sellableOnlineQuantity: () => availableOf(variant),
    availableForSale: () =>
      !variant.tracked || variant.inventoryPolicy === 'CONTINUE' || availableOf(variant) > 0,
    selectedOptions: () =>
      options.map((option, index) => {
        const value = variant.optionValues[index];
        const known = option.values.find(({ name }) => name === value);
        return {
          name: option.name,
          value,
          optionValue: known && {
            __typename: 'ProductOptionValue',
            id: valueId(known.id),
            name: known.name,
            hasVariants: true,
          },
        };
      }),
    product: () => productView(product),
    inventoryItem: () => inventoryItemView(product, variant),
  };
}

/** The inventory item of a variant, which has its number, as the schema describes it. */
export function inventoryItemView(product: Product, variant: ProductVariant): object {
  const { cost, weight } = variant;
  return {
    __typename: 'InventoryItem',
    ...identityView('InventoryItem', variant),
    sku: variant.sku,
    tracked: variant.tracked,
    requiresShipping: variant.requiresShipping,
    unitCost: cost === null ? null : { amount: decimalText(cost) },
    measurement: {
      __typename: 'InventoryItemMeasurement',
      id: globalId('InventoryItemMeasurement', variant.id),
      weight,
    },
    trackedEditable: { locked: false, reason: null },
    harmonizedSystemCode: variant.harmonizedSystemCode,
    countryCodeOfOrigin: variant.countryCodeOfOrigin,
    provinceCodeOfOrigin: variant.provinceCodeOfOrigin,
    variant: () => variantView(product, variant),
    variants: (args: ConnectionArgs, context: GraphqlContext) =>
      connection([variant], args, context, (one) => variantView(product, one)),
    ...inventoryLevelFields(variant, () => inventoryItemView(product, variant)),
  };
}
