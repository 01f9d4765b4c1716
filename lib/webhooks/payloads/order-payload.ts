import type { OrderCustomerPayload } from './customer-payload.js';

/** Decimal numbers as text. */
export interface MoneyPayload {
  readonly amount: string;
  readonly currency_code: string;
}

/** An amount in the currency of the shop and in that of the customer. */
export interface MoneySetPayload {
  readonly shop_money: MoneyPayload;
  readonly presentment_money: MoneyPayload;
}

/**
 * An order. Dates are ISO 8601, amounts decimal numbers as text. What the app may not see of
 * protected customer data is `null` or absent.
 * @see https://shopify.dev/docs/api/webhooks
 */
export interface OrderPayload {
  readonly id: number;
  readonly admin_graphql_api_id: string;
  readonly app_id: number | null;
  readonly browser_ip: string | null;
  readonly buyer_accepts_marketing: boolean;
  readonly cancel_reason: string | null;
  readonly cancelled_at: string | null;
  readonly cart_token: string | null;
  readonly checkout_token: string | null;
  readonly client_details: {
    readonly accept_language: string | null;
    readonly browser_height: number | null;
    readonly browser_ip: string | null;
    readonly browser_width: number | null;
    readonly session_hash: string | null;
    readonly user_agent: string | null;
  } | null;
  readonly closed_at: string | null;
  readonly confirmation_number: string | null;
  readonly confirmed: boolean;
  readonly contact_email: string | null;
  readonly created_at: string;
  readonly currency: string;
  readonly current_shipping_price_set: MoneySetPayload;
  readonly current_subtotal_price: string;
  readonly current_subtotal_price_set: MoneySetPayload;
  readonly current_total_additional_fees_set: MoneySetPayload | null;
  readonly current_total_discounts: string;
  readonly current_total_discounts_set: MoneySetPayload;
  readonly current_total_duties_set: MoneySetPayload | null;
  readonly current_total_price: string;
  readonly current_total_price_set: MoneySetPayload;
  readonly current_total_tax: string;
  readonly current_total_tax_set: MoneySetPayload;
  readonly customer_locale: string | null;
  readonly device_id: number | null;
  readonly discount_codes: readonly {
    readonly code: string;
    readonly amount: string;
    readonly type: string;
  }[];
  readonly duties_included: boolean;
  readonly email: string | null;
  readonly estimated_taxes: boolean;
  /** Such as `paid`. */
  readonly financial_status: string | null;
  /** `null` while nothing is fulfilled. */
  readonly fulfillment_status: string | null;
  readonly landing_site: string | null;
  readonly landing_site_ref: string | null;
  readonly location_id: number | null;
  readonly merchant_business_entity_id: string;
  readonly merchant_of_record_app_id: number | null;
  readonly name: string;
  readonly note: string | null;
  readonly note_attributes: readonly AttributePayload[];
  readonly number: number;
  readonly order_number: number;
  readonly order_status_url: string;
  readonly original_total_additional_fees_set: MoneySetPayload | null;
  readonly original_total_duties_set: MoneySetPayload | null;
  readonly payment_gateway_names: readonly string[];
  readonly phone: string | null;
  readonly po_number: string | null;
  readonly presentment_currency: string;
  readonly processed_at: string | null;
  readonly reference: string | null;
  readonly referring_site: string | null;
  readonly source_identifier: string | null;
  readonly source_name: string | null;
  readonly source_url: string | null;
  readonly subtotal_price: string;
  readonly subtotal_price_set: MoneySetPayload;
  /** Separated by commas. */
  readonly tags: string;
  readonly tax_exempt: boolean;
  readonly tax_lines: readonly TaxLinePayload[];
  readonly taxes_included: boolean;
  readonly test: boolean;
  readonly token: string;
  readonly total_cash_rounding_payment_adjustment_set: MoneySetPayload;
  readonly total_cash_rounding_refund_adjustment_set: MoneySetPayload;
  readonly total_discounts: string;
  readonly total_discounts_set: MoneySetPayload;
  readonly total_line_items_price: string;
  readonly total_line_items_price_set: MoneySetPayload;
  readonly total_outstanding: string;
  readonly total_price: string;
  readonly total_price_set: MoneySetPayload;
  readonly total_shipping_price_set: MoneySetPayload;
  readonly total_tax: string;
  readonly total_tax_set: MoneySetPayload;
  readonly total_tip_received: string;
  /** In grams. */
  readonly total_weight: number;
  readonly updated_at: string;
  readonly user_id: number | null;
  readonly billing_address?: OrderAddressPayload | null;
  readonly customer?: OrderCustomerPayload | null;
  readonly discount_applications: readonly unknown[];
  readonly fulfillments: readonly FulfillmentPayload[];
  readonly line_items: readonly OrderLineItemPayload[];
  readonly payment_terms: unknown;
  readonly refunds: readonly unknown[];
  readonly shipping_address?: OrderAddressPayload | null;
  readonly shipping_lines: readonly ShippingLinePayload[];
  readonly returns: readonly unknown[];
  readonly line_item_groups: readonly unknown[];
}

/** A name with a value, as customers and apps add them. */
export interface AttributePayload {
  readonly name: string;
  readonly value: string | null;
}

/** A tax; its rate is a fraction, such as 0.06. */
export interface TaxLinePayload {
  readonly title: string;
  readonly price: string;
  readonly rate: number;
  readonly price_set?: MoneySetPayload;
  readonly channel_liable: boolean | null;
}

/** A part of a discount: the index is one of `discount_applications` of the order. */
export interface DiscountAllocationPayload {
  readonly amount: string;
  readonly amount_set: MoneySetPayload;
  readonly discount_application_index: number;
}

/** What an order and its fulfillments say of a line item. */
export interface LineItemPayload {
  readonly id: number;
  readonly admin_graphql_api_id: string;
  readonly title: string;
  readonly name: string;
  readonly quantity: number;
  readonly fulfillable_quantity: number;
  readonly fulfillment_service: string;
  readonly fulfillment_status: string | null;
  readonly gift_card: boolean;
  readonly grams: number;
  readonly price: string;
  readonly price_set: MoneySetPayload;
  readonly product_exists: boolean;
  readonly product_id: number | null;
  readonly properties: readonly AttributePayload[];
  readonly requires_shipping: boolean;
  readonly sku: string | null;
  readonly taxable: boolean;
  readonly total_discount: string;
  readonly total_discount_set: MoneySetPayload;
  readonly variant_id: number | null;
  readonly variant_inventory_management: string | null;
  readonly variant_title: string | null;
  readonly vendor: string | null;
  readonly tax_lines: readonly TaxLinePayload[];
  readonly duties: readonly unknown[];
  readonly discount_allocations: readonly DiscountAllocationPayload[];
}

/** A line item of an order. */
export interface OrderLineItemPayload extends LineItemPayload {
  readonly attributed_staffs: readonly { readonly id: string; readonly quantity: number }[];
  /** Without what was removed. */
  readonly current_quantity: number;
  readonly sales_line_item_group_id: number | null;
}

/** A way of shipping that the customer chose. */
export interface ShippingLinePayload {
  readonly id: number;
  readonly carrier_identifier: string | null;
  readonly code: string | null;
  readonly current_discounted_price_set: MoneySetPayload;
  readonly discounted_price: string;
  readonly discounted_price_set: MoneySetPayload;
  readonly is_removed: boolean;
  readonly phone: string | null;
  readonly price: string;
  readonly price_set: MoneySetPayload;
  readonly requested_fulfillment_service_id: string | null;
  readonly source: string | null;
  readonly title: string;
  readonly tax_lines: readonly TaxLinePayload[];
  readonly discount_allocations: readonly DiscountAllocationPayload[];
}

/** An address that an order is sent or billed to. */
export interface OrderAddressPayload {
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly name: string | null;
  readonly company: string | null;
  readonly address1: string | null;
  readonly address2: string | null;
  readonly city: string | null;
  readonly province: string | null;
  readonly province_code: string | null;
  readonly country: string | null;
  readonly country_code: string | null;
  readonly zip: string | null;
  readonly phone: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/**
 * A shipment of line items of an order.
 * @see https://shopify.dev/docs/api/webhooks
 */
export interface FulfillmentPayload {
  readonly id: number;
  readonly admin_graphql_api_id: string;
  readonly order_id: number;
  readonly name: string;
  /** Such as `success`. */
  readonly status: string;
  readonly service: string | null;
  readonly shipment_status: string | null;
  readonly location_id: number | null;
  readonly origin_address: unknown;
  /** Of deliveries about the fulfillment itself; absent in an order. */
  readonly email?: string | null;
  /** Of deliveries about the fulfillment itself; absent in an order. */
  readonly destination?: OrderAddressPayload | null;
  readonly line_items: readonly LineItemPayload[];
  readonly tracking_company: string | null;
  readonly tracking_number: string | null;
  readonly tracking_numbers: readonly string[];
  readonly tracking_url: string | null;
  readonly tracking_urls: readonly string[];
  readonly receipt: unknown;
  readonly created_at: string;
  readonly updated_at: string;
}
