import type { InventoryItemPayload } from '../../webhooks/payloads/inventory-payload.js';
import type { ShopPayload } from '../../webhooks/payloads/shop-payload.js';
import { CREATED, CURRENCY, UPDATED, globalId } from './sample-values.js';

const ITEM = 271878346596;

/** An inventory item. */
export const inventoryItemSample: InventoryItemPayload = {
  id: ITEM,
  admin_graphql_api_id: globalId('InventoryItem', ITEM),
  country_code_of_origin: 'CA',
  province_code_of_origin: null,
  harmonized_system_code: '610910',
  country_harmonized_system_codes: [],
  sku: 'T-SHIRT-S',
  created_at: CREATED,
  updated_at: UPDATED,
  requires_shipping: true,
  cost: '8.50',
  tracked: true,
  weight_value: 200,
  weight_unit: 'g',
};

/** The number of the shop in the samples. */
export const SHOP_ID = 548380009;

/** A shop. @param domain the one that identifies it */
export function shopSample(domain: string): ShopPayload {
  return {
    id: SHOP_ID,
    name: 'Example Shop',
    email: 'owner@example.com',
    customer_email: null,
    shop_owner: 'Olive Owner',
    domain: 'shop.example.com',
    myshopify_domain: domain,
    address1: '190 MacLaren Street',
    address2: null,
    zip: 'K2P 0V6',
    city: 'Ottawa',
    province: 'Ontario',
    province_code: 'ON',
    country: 'CA',
    country_code: 'CA',
    country_name: 'Canada',
    phone: null,
    latitude: 45.41634,
    longitude: -75.6868,
    source: null,
    primary_locale: 'en',
    primary_location_id: 655441491,
    timezone: '(GMT-05:00) Eastern Time (US & Canada)',
    iana_timezone: 'America/New_York',
    currency: CURRENCY,
    enabled_presentment_currencies: [CURRENCY],
    money_format: '${{amount}}',
    money_with_currency_format: `\${{amount}} ${CURRENCY}`,
    money_in_emails_format: '${{amount}}',
    money_with_currency_in_emails_format: `\${{amount}} ${CURRENCY}`,
    weight_unit: 'kg',
    taxes_included: null,
    auto_configure_tax_inclusivity: null,
    tax_shipping: null,
    county_taxes: null,
    plan_name: 'enterprise',
    plan_display_name: 'Plus',
    has_discounts: false,
    has_gift_cards: true,
    has_storefront: true,
    google_apps_domain: null,
    google_apps_login_enabled: null,
    eligible_for_payments: true,
    requires_extra_payments_agreement: false,
    password_enabled: null,
    finances: true,
    checkout_api_supported: true,
    multi_location_enabled: true,
    setup_required: false,
    pre_launch_enabled: false,
    marketing_sms_consent_enabled_at_checkout: false,
    transactional_sms_disabled: false,
    created_at: CREATED,
    updated_at: UPDATED,
  };
}
