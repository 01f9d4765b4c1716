import type { NodeFields } from '../../state/nodes/node-store.js';
import {
  amountText,
  attributesOf,
  catalogVariant,
  listOf,
  moneySet,
  numberOrNull,
  textOrNull,
  valuesOf,
  type PayloadShop,
  type RestObject,
} from './payload-values.js';

/**
 * A line of an order or a draft in REST responses and webhook payloads.
 * @param line its global id, or its values
 * @param order the fields of its order, whose refunds may have cancelled some of it
 */
export function lineItemPayload(
  line: unknown,
  shop: PayloadShop,
  order: Readonly<NodeFields> = {},
): RestObject {
  const values = valuesOf(line, shop);
  const id = typeof line === 'string' ? line : shop.nodes.idOf('LineItem', values);
  const found = catalogVariant(shop, values['variant']);
  const quantity = Number(values['quantity'] ?? 1);
  const left = Number(values['unfulfilledQuantity'] ?? quantity);
  // What a refund has cancelled was never to be shipped.
  const needed = left < quantity ? quantity - cancelledOf(id, order, shop) : quantity;
  const price = values['originalUnitPriceSet'] ?? values['priceSet'] ?? values['originalUnitPrice'];
  const title = String(values['title'] ?? found?.product.title ?? '');
  const variantTitle = textOrNull(values['variantTitle']);
  const currency = shop.currency;
  return {
    id: numberOrNull(id),
    admin_graphql_api_id: id,
    attributed_staffs: [],
    current_quantity: Number(values['currentQuantity'] ?? quantity),
    fulfillable_quantity: left,
    fulfillment_service: 'manual',
    fulfillment_status: left >= needed ? null : left <= 0 ? 'fulfilled' : 'partial',
    gift_card: values['isGiftCard'] ?? false,
    grams: Number(values['grams'] ?? 0),
    name: variantTitle ? `${title} - ${variantTitle}` : title,
    price: amountText(price),
    price_set: moneySet(price, currency),
    product_exists: found !== undefined,
    product_id: found?.product.id ?? numberOrNull(values['product']),
    properties: attributesOf(values['customAttributes']),
    quantity,
    requires_shipping: values['requiresShipping'] ?? true,
    sales_line_item_group_id: null,
    sku: textOrNull(values['sku']),
    taxable: values['taxable'] ?? true,
    title,
    total_discount: amountText(values['totalDiscountSet']),
    total_discount_set: moneySet(values['totalDiscountSet'], currency),
    variant_id: found?.variant.id ?? numberOrNull(values['variant']),
    variant_inventory_management: null,
    variant_title: variantTitle,
    vendor: textOrNull(values['vendor'] ?? found?.product.vendor),
    tax_lines: [],
    duties: [],
    discount_allocations: [],
  };
}

/** How many of a line the refunds of its order have cancelled. @param id of the line */
function cancelledOf(id: string, order: Readonly<NodeFields>, shop: PayloadShop): number {
  return listOf(order['refunds'])
    .flatMap((refund) => listOf(valuesOf(refund, shop)['refundLineItems']))
    .map((one) => valuesOf(one, shop))
    .filter(({ lineItem, restockType }) => lineItem === id && restockType === 'CANCEL')
    .reduce((sum, { quantity }) => sum + Number(quantity ?? 0), 0);
}
