import type { ResourceTables } from '../resource.table.js';

/** From checkout to refund. */
// prettier-ignore
export const ORDERS: ResourceTables = {
  AbandonedCheckout: {
    calls: [
      'GET    checkouts checkouts ? since_id created_at_min created_at_max updated_at_min updated_at_max status limit',
    ],
    attributes: {
      string: 'abandoned_checkout_url cart_token closed_at completed_at created_at customer_locale device_id email gateway id landing_site location_id note phone presentment_currency referring_site sms_marketing_phone source_name subtotal_price token total_discounts total_duties total_line_items_price total_price total_tax updated_at user_id',
      boolean: 'buyer_accepts_marketing buyer_accepts_sms_marketing taxes_included',
      number: 'total_weight',
      object: 'billing_address line_items shipping_address shipping_lines tax_lines',
      'Currency|string': 'currency',
      Customer: 'customer',
      'DiscountCode[]': 'discount_codes',
    },
  },
  Checkout: {
    primaryKey: 'token',
    calls: [
      'GET    find           checkouts/<token>',
      'GET    shipping_rates checkouts/<token>/shipping_rates',
      'POST   create         checkouts',
      'PUT    update         checkouts/<token>',
      'POST   complete       checkouts/<token>/complete',
    ],
    attributes: {
      string: 'created_at currency customer_id email payment_due payment_url phone presentment_currency reservation_time source_identifier source_name source_url subtotal_price token total_price total_tax updated_at user_id web_url',
      boolean: 'buyer_accepts_marketing requires_shipping taxes_included',
      number: 'reservation_time_left',
      object: 'billing_address applied_discount shipping_address shipping_line shipping_rate',
      'object[]': 'line_items tax_lines',
      DiscountCode: 'discount_code',
      'GiftCard[]': 'gift_cards',
      Order: 'order',
    },
  },
  DraftOrder: {
    calls: [
      'GET    all          draft_orders ? fields limit since_id updated_at_min updated_at_max ids status',
      'GET    find         draft_orders/<id> ? fields',
      'GET    count        draft_orders/count ? since_id status updated_at_max updated_at_min',
      'POST   create       draft_orders',
      'PUT    update       draft_orders/<id>',
      'DELETE delete       draft_orders/<id>',
      'PUT    complete     draft_orders/<id>/complete ? payment_gateway_id payment_pending',
      'POST   send_invoice draft_orders/<id>/send_invoice',
    ],
    attributes: {
      string: 'completed_at created_at currency email id invoice_sent_at invoice_url name note order_id source_name status subtotal_price tags total_price total_tax updated_at',
      boolean: 'tax_exempt taxes_included',
      object: 'applied_discount billing_address payment_terms shipping_address shipping_line',
      'object[]': 'line_items note_attributes tax_lines',
      'string[]': 'tax_exemptions',
      Customer: 'customer',
    },
  },
  Order: {
    calls: [
      'GET    all    orders ? ids limit since_id created_at_min created_at_max updated_at_min updated_at_max processed_at_min processed_at_max attribution_app_id name status financial_status fulfillment_status fields',
      'GET    find   orders/<id> ? fields',
      'GET    count  orders/count ? created_at_min created_at_max updated_at_min updated_at_max status financial_status fulfillment_status',
      'POST   create orders',
      'PUT    update orders/<id>',
      'DELETE delete orders/<id>',
      'POST   cancel orders/<id>/cancel ? amount currency restock reason email refund',
      'POST   close  orders/<id>/close',
      'POST   open   orders/<id>/open',
    ],
    attributes: {
      string: 'app_id browser_ip cancel_reason cancelled_at cart_token checkout_token closed_at confirmation_number created_at currency current_subtotal_price current_total_discounts current_total_price current_total_tax customer_locale email financial_status fulfillment_status id landing_site location_id merchant_business_entity_id merchant_of_record_app_id name note order_status_url phone po_number presentment_currency processed_at referring_site source_identifier source_name source_url subtotal_price tags token total_discounts total_line_items_price total_outstanding total_price total_tip_received updated_at user_id',
      boolean: 'buyer_accepts_marketing confirmed duties_included estimated_taxes taxes_included test',
      number: 'number order_number total_weight',
      object: 'billing_address client_details company current_subtotal_price_set current_total_additional_fees_set current_total_discounts_set current_total_duties_set current_total_price_set current_total_tax_set original_total_additional_fees_set original_total_duties_set payment_terms shipping_address subtotal_price_set total_cash_rounding_payment_adjustment_set total_cash_rounding_refund_adjustment_set total_discounts_set total_line_items_price_set total_price_set total_shipping_price_set total_tax_set',
      'object[]': 'line_items discount_applications note_attributes shipping_lines tax_lines',
      'string[]': 'payment_gateway_names',
      'string|number': 'total_tax',
      Customer: 'customer',
      'DiscountCode[]': 'discount_codes',
      'Fulfillment[]': 'fulfillments',
      'Refund[]': 'refunds',
    },
  },
  OrderRisk: {
    names: ['risk risks'],
    bodyKey: 'risk',
    calls: [
      'GET    all    orders/<order_id>/risks',
      'GET    find   orders/<order_id>/risks/<id>',
      'POST   create orders/<order_id>/risks',
      'PUT    update orders/<order_id>/risks/<id>',
      'DELETE delete orders/<order_id>/risks/<id>',
    ],
    attributes: {
      string: 'checkout_id id merchant_message message order_id recommendation score source',
      boolean: 'cause_cancel display',
    },
  },
  Payment: {
    calls: [
      'GET    find   checkouts/<checkout_id>/payments/<id>',
      'POST   create checkouts/<checkout_id>/payments',
    ],
    attributes: {
      string: 'id payment_processing_error_message unique_token',
      object: 'credit_card next_action',
      Checkout: 'checkout',
      Transaction: 'transaction',
    },
  },
  Refund: {
    calls: [
      'GET    all       orders/<order_id>/refunds ? limit fields in_shop_currency',
      'GET    find      orders/<order_id>/refunds/<id> ? fields in_shop_currency',
      'POST   create    orders/<order_id>/refunds',
      'POST   calculate orders/<order_id>/refunds/calculate ? shipping refund_line_items currency',
    ],
    attributes: {
      string: 'created_at id note order_id processed_at user_id',
      boolean: 'restock',
      'object[]': 'duties order_adjustments refund_duties refund_line_items refund_shipping_lines',
      'Transaction[]': 'transactions',
    },
  },
  TenderTransaction: {
    calls: [
      'GET    all tender_transactions ? limit since_id processed_at_min processed_at_max processed_at order',
    ],
    attributes: {
      string: 'amount currency id order_id payment_method processed_at remote_reference user_id',
      boolean: 'test',
      object: 'payment_details',
    },
  },
  Transaction: {
    calls: [
      'GET    all    orders/<order_id>/transactions ? since_id fields in_shop_currency',
      'GET    find   orders/<order_id>/transactions/<id> ? fields in_shop_currency',
      'GET    count  orders/<order_id>/transactions/count',
      'POST   create orders/<order_id>/transactions',
    ],
    attributes: {
      string: 'kind amount amount_rounding authorization authorization_expires_at created_at currency device_id error_code gateway id location_id message order_id parent_id processed_at source_name status user_id',
      boolean: 'manual_payment_gateway test',
      object: 'currency_exchange_adjustment extended_authorization_attributes payment_details payments_refund_attributes receipt total_unsettled_set',
    },
  },
};
