import type { ResourceTables } from '../resource.table.js';

/** Customers, and what they pay less with. */
// prettier-ignore
export const CUSTOMERS: ResourceTables = {
  Customer: {
    calls: [
      'GET    all                    customers ? ids since_id created_at_min created_at_max updated_at_min updated_at_max limit fields',
      'GET    find                   customers/<id> ? fields',
      'GET    count                  customers/count ? created_at_min created_at_max updated_at_min updated_at_max',
      'GET    orders                 customers/<id>/orders ? status',
      'GET    search                 customers/search ? order query limit fields',
      'POST   create                 customers',
      'PUT    update                 customers/<id>',
      'DELETE delete                 customers/<id>',
      'POST   account_activation_url customers/<id>/account_activation_url',
      'POST   send_invite            customers/<id>/send_invite',
    ],
    attributes: {
      string: 'created_at currency email first_name id last_name last_order_id last_order_name marketing_opt_in_level multipass_identifier note password password_confirmation phone state tags total_spent updated_at',
      boolean: 'tax_exempt verified_email',
      number: 'orders_count',
      object: 'default_address email_marketing_consent sms_marketing_consent',
      'object[]': 'addresses',
      'string[]': 'tax_exemptions',
      Metafield: 'metafield',
    },
  },
  DiscountCode: {
    calls: [
      'GET    all     price_rules/<price_rule_id>/batch/<batch_id>/discount_codes',
      'GET    all     price_rules/<price_rule_id>/discount_codes',
      'GET    find    price_rules/<price_rule_id>/discount_codes/<id>',
      'GET    count   discount_codes/count ? times_used times_used_min times_used_max',
      'GET    get_all price_rules/<price_rule_id>/batch/<batch_id>',
      'GET    lookup  discount_codes/lookup ? code',
      'POST   create  price_rules/<price_rule_id>/discount_codes',
      'PUT    update  price_rules/<price_rule_id>/discount_codes/<id>',
      'DELETE delete  price_rules/<price_rule_id>/discount_codes/<id>',
      'POST   batch   price_rules/<price_rule_id>/batch',
    ],
    attributes: {
      string: 'code created_at id price_rule_id updated_at',
      number: 'usage_count',
      object: 'errors',
    },
  },
  GiftCard: {
    calls: [
      'GET    all     gift_cards ? status limit since_id fields',
      'GET    find    gift_cards/<id>',
      'GET    count   gift_cards/count ? status',
      'GET    search  gift_cards/search ? order query limit fields created_at_min created_at_max updated_at_min updated_at_max',
      'POST   create  gift_cards',
      'PUT    update  gift_cards/<id>',
      'POST   disable gift_cards/<id>/disable',
    ],
    attributes: {
      string: 'api_client_id code created_at customer_id disabled_at expires_on id initial_value last_characters line_item_id note order_id template_suffix updated_at user_id',
      'Balance|string': 'balance',
      'Currency|string': 'currency',
    },
  },
  GiftCardAdjustment: {
    names: ['gift_card_adjustment gift_card_adjustments', 'adjustment adjustments'],
    bodyKey: 'adjustment',
    calls: [
      'GET    all    gift_cards/<gift_card_id>/adjustments',
      'GET    find   gift_cards/<gift_card_id>/adjustments/<id>',
      'POST   create gift_cards/<gift_card_id>/adjustments',
    ],
    attributes: {
      string: 'api_client_id created_at gift_card_id id note order_transaction_id processed_at remote_transaction_ref remote_transaction_url user_id',
      number: 'amount number',
    },
  },
  PriceRule: {
    calls: [
      'GET    all    price_rules ? limit since_id created_at_min created_at_max updated_at_min updated_at_max starts_at_min starts_at_max ends_at_min ends_at_max times_used',
      'GET    find   price_rules/<id>',
      'GET    count  price_rules/count',
      'POST   create price_rules',
      'PUT    update price_rules/<id>',
      'DELETE delete price_rules/<id>',
    ],
    attributes: {
      string: 'allocation_method created_at customer_selection ends_at id starts_at target_selection target_type title updated_at value value_type',
      boolean: 'once_per_customer',
      number: 'allocation_limit usage_limit',
      object: 'prerequisite_quantity_range prerequisite_shipping_price_range prerequisite_subtotal_range prerequisite_to_entitlement_purchase prerequisite_to_entitlement_quantity_ratio',
      'string[]': 'customer_segment_prerequisite_ids entitled_collection_ids entitled_country_ids entitled_product_ids entitled_variant_ids prerequisite_collection_ids prerequisite_customer_ids prerequisite_product_ids prerequisite_variant_ids',
    },
  },
};
