import { isoTime } from '../../base/iso-time.js';
import { globalId } from '../../base/vendor.js';
import type { Product, ProductVariant } from './product.js';

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
    published_at: product.status === 'active' ? isoTime(product.createdAt) : null,
    template_suffix: null,
    published_scope: 'web',
    tags: product.tags.join(', '),
    status: product.status,
    admin_graphql_api_id: globalId('Product', id),
    variants: variants.map((variant) => variantPayload(product, variant)),
    // Option ids never collide: a product has one option, numbered after the product itself.
    options: [
      {
        id,
        product_id: id,
        name: 'Title',
        position: 1,
        values: variants.map((variant) => variant.title),
      },
    ],
    images: [],
    image: null,
  };
}

function variantPayload(product: Product, variant: ProductVariant): Record<string, unknown> {
  return {
    id: variant.id,
    product_id: product.id,
    title: variant.title,
    price: variant.price,
    position: variant.position,
    inventory_policy: 'deny',
    compare_at_price: null,
    option1: variant.title,
    option2: null,
    option3: null,
    created_at: isoTime(variant.createdAt),
    updated_at: isoTime(variant.updatedAt),
    taxable: true,
    barcode: variant.barcode,
    fulfillment_service: 'manual',
    grams: 0,
    inventory_management: null,
    requires_shipping: true,
    sku: variant.sku,
    weight: 0,
    weight_unit: 'kg',
    inventory_item_id: variant.id,
    inventory_quantity: 0,
    old_inventory_quantity: 0,
    admin_graphql_api_id: globalId('ProductVariant', variant.id),
    image_id: null,
  };
}
