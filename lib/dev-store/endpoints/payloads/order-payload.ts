import { createHash } from 'node:crypto';
import type { StoredNode } from '../../state/nodes/node-store.js';
import { globalId } from '../../base/vendor.js';
import { orderNumber } from '../orders/order-numbers.js';
import { addressOrNull, orderCustomerPayload } from './customer-payload.js';
import { fulfillmentPayload, refundPayload } from './fulfillment-payload.js';
import { lineItemPayload } from './line-item-payload.js';
import {
  amountText,
  attributesOf,
  listOf,
  lowerCase,
  moneySet,
  tagsText,
  textOrNull,
  timeText,
  valuesOf,
  type PayloadShop,
  type RestObject,
} from './payload-values.js';

const FULFILLMENT: Readonly<Record<string, string>> = {
  FULFILLED: 'fulfilled',
  PARTIALLY_FULFILLED: 'partial',
  RESTOCKED: 'restocked',
};

/** What an order may have beyond {@link orderPayload}, of which the store knows nothing. */
const NOTHING = Object.fromEntries(
  (
    'app_id browser_ip cart_token checkout_token client_details ' +
    'current_total_additional_fees_set current_total_duties_set device_id landing_site ' +
    'landing_site_ref location_id merchant_of_record_app_id original_total_additional_fees_set ' +
    'original_total_duties_set reference referring_site source_identifier source_url user_id ' +
    'payment_terms'
  )
    .split(' ')
    .map((name) => [name, null]),
);

/** An order in REST responses and webhook payloads. */
export function orderPayload(node: StoredNode, shop: PayloadShop): RestObject {
  const { id, number, fields, createdAt, updatedAt } = node;
  const currency = String(fields['currencyCode'] ?? shop.currency);
  const set = (name: string): RestObject => moneySet(fields[name], currency);
  const text = (name: string): string => amountText(fields[name]);
  const lines = listOf(fields['lineItems']).map((line) => lineItemPayload(line, shop, fields));
  const total = lines.reduce(
    (sum, line) => sum + Number(line['price']) * Number(line['quantity']),
    0,
  );
  const token = createHash('md5').update(id).digest('hex');
  const given = orderNumber('Order', node);
  return {
    ...NOTHING,
    ...{ id: number, admin_graphql_api_id: id },
    buyer_accepts_marketing: fields['buyerAcceptsMarketing'] ?? false,
    cancel_reason: lowerCase(fields['cancelReason']),
    cancelled_at: timeText(fields['cancelledAt']),
    closed_at: timeText(fields['closedAt']),
    confirmation_number: token.slice(0, 9).toUpperCase(),
    confirmed: true,
    contact_email: textOrNull(fields['email']),
    created_at: timeText(createdAt),
    currency,
    current_shipping_price_set: set('totalShippingPriceSet'),
    current_subtotal_price: text('currentSubtotalPriceSet'),
    current_subtotal_price_set: set('currentSubtotalPriceSet'),
    current_total_discounts: text('currentTotalDiscountsSet'),
    current_total_discounts_set: set('currentTotalDiscountsSet'),
    current_total_price: text('currentTotalPriceSet'),
    current_total_price_set: set('currentTotalPriceSet'),
    current_total_tax: text('currentTotalTaxSet'),
    current_total_tax_set: set('currentTotalTaxSet'),
    customer_locale: textOrNull(fields['customerLocale']),
    discount_codes: discountCodes(fields['discountCode'], text('totalDiscountsSet')),
    duties_included: false,
    email: textOrNull(fields['email']),
    estimated_taxes: false,
    financial_status: lowerCase(fields['displayFinancialStatus']) ?? 'pending',
    fulfillment_status: FULFILLMENT[String(fields['displayFulfillmentStatus'])] ?? null,
    merchant_business_entity_id: Buffer.from(`entity ${shop.id}`).toString('base64url'),
    name: String(fields['name'] ?? given.name),
    note: textOrNull(fields['note']),
    note_attributes: attributesOf(fields['customAttributes']),
    number: given.number - 1000,
    order_number: given.number,
    order_status_url: `https://${shop.domain}/${shop.id}/orders/${token}/authenticate`,
    payment_gateway_names: listOf(fields['paymentGatewayNames']),
    phone: textOrNull(fields['phone']),
    po_number: textOrNull(fields['poNumber']),
    presentment_currency: currency,
    processed_at: timeText(fields['processedAt'] ?? createdAt),
    source_name: textOrNull(fields['sourceName']) ?? 'web',
    subtotal_price: text('subtotalPriceSet'),
    subtotal_price_set: set('subtotalPriceSet'),
    tags: tagsText(fields['tags']),
    tax_exempt: fields['taxExempt'] ?? false,
    tax_lines: [],
    taxes_included: fields['taxesIncluded'] ?? false,
    test: fields['test'] ?? false,
    token,
    total_cash_rounding_payment_adjustment_set: moneySet(0, currency),
    total_cash_rounding_refund_adjustment_set: moneySet(0, currency),
    total_discounts: text('totalDiscountsSet'),
    total_discounts_set: set('totalDiscountsSet'),
    total_line_items_price: amountText(total),
    total_line_items_price_set: moneySet(total, currency),
    total_outstanding: text('totalOutstandingSet'),
    total_price: text('totalPriceSet'),
    total_price_set: set('totalPriceSet'),
    total_shipping_price_set: set('totalShippingPriceSet'),
    total_tax: text('totalTaxSet'),
    total_tax_set: set('totalTaxSet'),
    total_tip_received: '0.00',
    total_weight: Number(fields['totalWeight'] ?? 0),
    updated_at: timeText(updatedAt),
    billing_address: addressOrNull(fields['billingAddress'], shop),
    customer: customerOf(fields['customer'], shop),
    discount_applications: [],
    fulfillments: listOf(fields['fulfillments']).flatMap((one) => {
      const found = shop.nodes.find(String(one));
      return found ? [fulfillmentPayload(found, shop, 'in an order')] : [];
    }),
    line_items: lines,
    refunds: refundsOf(node, shop),
    shipping_address: addressOrNull(fields['shippingAddress'], shop),
    shipping_lines: shippingLines(node, currency, shop),
    returns: [],
    line_item_groups: [],
  };
}

/** A draft order in REST responses and webhook payloads. */
export function draftOrderPayload(node: StoredNode, shop: PayloadShop): RestObject {
  const { id, number, fields, createdAt, updatedAt } = node;
  const currency = String(fields['currencyCode'] ?? shop.currency);
  const [shipping] = fields['shippingLine']
    ? shippingLines(
        { ...node, fields: { shippingLines: [fields['shippingLine']] } },
        currency,
        shop,
      )
    : [];
  const token = createHash('md5').update(id).digest('hex');
  const { appliedDiscount } = fields as { appliedDiscount?: Record<string, unknown> | null };
  const order = shop.nodes.find(String(fields['order']));
  return {
    id: number,
    admin_graphql_api_id: id,
    name: String(fields['name'] ?? orderNumber('DraftOrder', node).name),
    status: lowerCase(fields['status']) ?? 'open',
    currency,
    email: textOrNull(fields['email']),
    note: textOrNull(fields['note']),
    note_attributes: attributesOf(fields['customAttributes']),
    tags: tagsText(fields['tags']),
    tax_exempt: fields['taxExempt'] ?? false,
    taxes_included: fields['taxesIncluded'] ?? false,
    tax_lines: [],
    invoice_url: `https://${shop.domain}/${shop.id}/invoices/${token}`,
    invoice_sent_at: timeText(fields['invoiceSentAt']),
    completed_at: timeText(fields['completedAt']),
    created_at: timeText(createdAt),
    updated_at: timeText(updatedAt),
    order_id: order?.number ?? null,
    payment_terms: null,
    applied_discount: appliedDiscount
      ? {
          title: textOrNull(appliedDiscount['title']),
          description: textOrNull(appliedDiscount['description']),
          value: String(appliedDiscount['value'] ?? '0.0'),
          value_type: lowerCase(appliedDiscount['valueType']),
          amount: amountText(fields['totalDiscountsSet']),
        }
      : null,
    shipping_line: shipping
      ? { title: shipping['title'], custom: true, handle: null, price: shipping['price'] }
      : null,
    line_items: listOf(fields['lineItems']).map((line) => {
      const {
        sales_line_item_group_id: _group,
        attributed_staffs: _staff,
        ...rest
      } = lineItemPayload(line, shop);
      return { ...rest, custom: rest['variant_id'] === null, applied_discount: null };
    }),
    customer: customerOf(fields['customer'], shop),
    billing_address: addressOrNull(fields['billingAddress'], shop),
    shipping_address: addressOrNull(fields['shippingAddress'], shop),
    subtotal_price: amountText(fields['subtotalPriceSet']),
    total_price: amountText(fields['totalPriceSet']),
    total_tax: amountText(fields['totalTaxSet']),
  };
}

function customerOf(id: unknown, shop: PayloadShop): RestObject | null {
  const found = shop.nodes.find(String(id));
  return found ? orderCustomerPayload(found, shop) : null;
}

function refundsOf({ id }: StoredNode, shop: PayloadShop): RestObject[] {
  return shop.nodes.naming(id, ['Refund']).map((refund) => refundPayload(refund, shop));
}

function discountCodes(value: unknown, amount: string): RestObject[] {
  const { code = value } = Object(value ?? undefined) as { code?: unknown };
  return typeof code === 'string' ? [{ code, amount, type: 'fixed_amount' }] : [];
}

function shippingLines(
  { fields }: Pick<StoredNode, 'fields'>,
  currency: string,
  shop: PayloadShop,
): RestObject[] {
  const given = listOf(fields['shippingLines']);
  const all = given.length > 0 ? given : fields['shippingLine'] ? [fields['shippingLine']] : [];
  return all.map((line) => {
    const values = valuesOf(line, shop);
    const price =
      values['priceWithCurrency'] ??
      values['priceSet'] ??
      values['originalPriceSet'] ??
      values['price'];
    const id = typeof line === 'string' ? line : shop.nodes.idOf('ShippingLine', values);
    return {
      id: Number(id.slice(globalId('ShippingLine', '').length)),
      carrier_identifier: textOrNull(values['carrierIdentifier']),
      code: textOrNull(values['code']) ?? textOrNull(values['title']),
      current_discounted_price_set: moneySet(price, currency),
      discounted_price: amountText(price),
      discounted_price_set: moneySet(price, currency),
      is_removed: false,
      phone: textOrNull(values['phone']),
      price: amountText(price),
      price_set: moneySet(price, currency),
      requested_fulfillment_service_id: null,
      source: textOrNull(values['source']) ?? 'shopify',
      title: String(values['title'] ?? ''),
      tax_lines: [],
      discount_allocations: [],
    };
  });
}
