import { isoTime } from '../../base/iso-time.js';
import { globalId } from '../../base/vendor.js';
import { availableOf } from '../inventory/inventory-level.js';
import type { Product, ProductVariant } from './product.js';
import { usedValues } from './product-options.js';

/** A product in REST responses and webhook payloads. */
export function productPayload(product: Product): Record<string, unknown> {
  const { id, variants } = product;
  return {
    id,
    title: product.title,
    body_html: product.descriptionHtml,
    vendor: product.vendor,
    product_type: product.productType,
    created_at: isoTime(product.createdAt),
    handle: product.handle,
    updated_at: isoTime(product.updatedAt),
    published_at: product.publishedAt,
    template_suffix: null,
    published_scope: 'web',
    tags: product.tags.join(', '),
    status: product.status,
    admin_graphql_api_id: globalId('Product', id),
    variants: variants.map((variant) => variantPayload(product, variant)),
    options: product.options.map((option, index) => ({
      id: option.id,
      product_id: id,
      name: option.name,
      position: index + 1,
      values: usedValues(product, option),
    })),
    images: [],
    image: null,
  };
}

/** The units of weights: as the REST API writes them, and in grams. */
const UNITS: Readonly<Record<string, readonly [string, number]>> = {
  KILOGRAMS: ['kg', 1000],
  GRAMS: ['g', 1],
  POUNDS: ['lb', 453.59237],
  OUNCES: ['oz', 28.349523125],
};

/** A variant of a product in REST responses and webhook payloads. */
export function variantPayload(product: Product, variant: ProductVariant): Record<string, unknown> {
  const { weight } = variant;
  const [unit, grams] = UNITS[weight.unit] ?? ['kg', 1000];
  const available = availableOf(variant);
  return {
    id: variant.id,
    product_id: product.id,
    title: variant.title,
    price: variant.price,
    position: variant.position,
    inventory_policy: variant.inventoryPolicy.toLowerCase(),
    compare_at_price: variant.compareAtPrice,
    option1: variant.optionValues[0] ?? null,
    option2: variant.optionValues[1] ?? null,
    option3: variant.optionValues[2] ?? null,
    created_at: isoTime(variant.createdAt),
    updated_at: isoTime(variant.updatedAt),
    taxable: variant.taxable,
    barcode: variant.barcode,
    fulfillment_service: 'manual',
    grams: Math.round(weight.value * grams),
    inventory_management: variant.tracked ? 'shopify' : null,
    requires_shipping: variant.requiresShipping,
    sku: variant.sku,
    weight: weight.value,
    weight_unit: unit,
    inventory_item_id: variant.id,
    inventory_quantity: available,
    old_inventory_quantity: available,
    admin_graphql_api_id: globalId('ProductVariant', variant.id),
    image_id: null,
  };
}
