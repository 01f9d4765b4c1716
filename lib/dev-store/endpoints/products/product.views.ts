import { isoTime } from '../../base/iso-time.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { countView, identityView } from '../../graphql/graphql.views.js';
import type { Product, ProductVariant } from '../../state/products/product.js';

/** A product as the schema describes it. */
export function productView(product: Product): object {
  const text = product.descriptionHtml
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
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
    publishedAt: product.status === 'active' ? isoTime(product.createdAt) : null,
    totalInventory: 0,
    hasOnlyDefaultVariant:
      product.variants.length === 1 && product.variants[0]?.title === 'Default Title',
    variants: (args: ConnectionArgs, context: GraphqlContext) =>
      connection(product.variants, args, context, (variant) => variantView(product, variant)),
    variantsCount: countView(product.variants.length),
  };
}

/** A variant as the schema describes it. */
export function variantView(product: Product, variant: ProductVariant): object {
  return {
    __typename: 'ProductVariant',
    ...identityView('ProductVariant', variant),
    title: variant.title,
    displayName: `${product.title} - ${variant.title}`,
    price: variant.price,
    sku: variant.sku,
    barcode: variant.barcode,
    position: variant.position,
    inventoryQuantity: 0,
    product: () => productView(product),
    inventoryItem: () => inventoryItemView(product, variant),
  };
}

/** The inventory item of a variant, which has its number, as the schema describes it. */
export function inventoryItemView(product: Product, variant: ProductVariant): object {
  return {
    __typename: 'InventoryItem',
    ...identityView('InventoryItem', variant),
    sku: variant.sku,
    variant: () => variantView(product, variant),
  };
}
