import { isoTime } from '../../base/iso-time.js';
import type { PricedCart } from './cart.views.js';

/** A cart in webhook payloads. */
export function cartPayload({ cart, lines }: PricedCart): object {
  return {
    id: cart.token,
    token: cart.token,
    line_items: lines.map(({ line, product, variant, quantity, subtotal }) => ({
      id: variant.id,
      key: line.id,
      product_id: product.id,
      variant_id: variant.id,
      title: product.title,
      quantity,
      price: variant.price,
      original_price: variant.price,
      line_price: subtotal.toFixed(2),
      sku: variant.sku,
      vendor: product.vendor,
      gift_card: false,
      taxable: true,
      properties: Object.fromEntries(line.attributes.map(({ key, value }) => [key, value])),
    })),
    note: cart.note,
    created_at: isoTime(cart.createdAt),
    updated_at: isoTime(cart.updatedAt),
  };
}
