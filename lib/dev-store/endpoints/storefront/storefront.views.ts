import { isoTime } from '../../base/iso-time.js';
import { globalId } from '../../base/vendor.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { availableOf } from '../../state/inventory/inventory-level.js';
import type { Product, ProductVariant } from '../../state/products/product.js';
import { productView } from '../products/product.views.js';

/** The currency of every shop. */
const CURRENCY = 'EUR';

/** A product as a storefront shows it: like in the admin, with prices as amounts of money. */
export function storefrontProduct(product: Product): object {
  const prices = product.variants.map(({ price }) => Number(price));
  return {
    ...productView(product),
    availableForSale: true,
    publishedAt: isoTime(product.createdAt),
    priceRange: {
      minVariantPrice: moneyView(Math.min(...prices)),
      maxVariantPrice: moneyView(Math.max(...prices)),
    },
    variants: (args: ConnectionArgs, context: GraphqlContext) =>
      connection(product.variants, args, context, (variant) => storefrontVariant(product, variant)),
  };
}

/** A variant as a storefront shows it. */
export function storefrontVariant(product: Product, variant: ProductVariant): object {
  const { id, title, price, sku, barcode, compareAtPrice } = variant;
  const isSold = !variant.tracked || variant.inventoryPolicy === 'CONTINUE';
  return {
    __typename: 'ProductVariant',
    id: globalId('ProductVariant', id),
    title,
    sku,
    barcode,
    availableForSale: isSold || availableOf(variant) > 0,
    currentlyNotInStock: variant.tracked && availableOf(variant) <= 0,
    quantityAvailable: availableOf(variant),
    price: moneyView(Number(price)),
    compareAtPrice: compareAtPrice === null ? null : moneyView(Number(compareAtPrice)),
    selectedOptions: product.options.map(({ name }, index) => ({
      name,
      value: variant.optionValues[index] ?? '',
    })),
    product: () => storefrontProduct(product),
  };
}

/** The platform writes an amount with at least one decimal and without trailing zeros. */
export function moneyView(amount: number, currencyCode: string = CURRENCY): object {
  return {
    amount: Number.isInteger(amount) ? amount.toFixed(1) : String(amount),
    currencyCode,
  };
}
