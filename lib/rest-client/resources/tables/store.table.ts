import type { ResourceTables } from '../resource.table.js';

/** The shop itself. */
// prettier-ignore
export const STORE: ResourceTables = {
  Country: {
    calls: [
      'GET    all    countries ? since_id fields',
      'GET    find   countries/<id> ? fields',
      'GET    count  countries/count',
      'POST   create countries',
      'PUT    update countries/<id>',
      'DELETE delete countries/<id>',
    ],
    attributes: {
      string: 'code id name',
      number: 'tax',
      'Province[]': 'provinces',
    },
  },
  Currency: {
    calls: [
      'GET    all currencies',
    ],
    attributes: {
      string: 'currency rate_updated_at',
    },
  },
  Policy: {
    calls: [
      'GET    all policies',
    ],
    attributes: {
      string: 'body created_at handle title updated_at url',
    },
  },
  Province: {
    calls: [
      'GET    all    countries/<country_id>/provinces ? since_id fields',
      'GET    find   countries/<country_id>/provinces/<id> ? fields',
      'GET    count  countries/<country_id>/provinces/count',
      'PUT    update countries/<country_id>/provinces/<id>',
    ],
    attributes: {
      string: 'code country_id id name shipping_zone_id tax_name tax_type',
      number: 'tax tax_percentage',
    },
  },
  Shop: {
    first: 'current',
    calls: [
      'GET    all     shop ? fields',
      'GET    current shop ? fields',
    ],
    attributes: {
      string: 'address1 address2 city country country_code country_name created_at currency customer_email domain email google_apps_domain google_apps_login_enabled iana_timezone id money_format money_in_emails_format money_with_currency_format money_with_currency_in_emails_format myshopify_domain name phone plan_display_name plan_name primary_locale primary_location_id province province_code shop_owner source tax_shipping timezone updated_at weight_unit zip',
      boolean: 'auto_configure_tax_inclusivity checkout_api_supported county_taxes eligible_for_payments finances force_ssl has_discounts has_gift_cards has_storefront marketing_sms_consent_enabled_at_checkout multi_location_enabled password_enabled pre_launch_enabled requires_extra_payments_agreement setup_required taxes_included transactional_sms_disabled',
      number: 'latitude longitude',
      'string[]': 'enabled_presentment_currencies',
    },
  },
  User: {
    calls: [
      'GET    all     users ? limit page_info',
      'GET    find    users/<id>',
      'GET    current users/current',
    ],
    attributes: {
      string: 'bio email first_name id im last_name locale phone screen_name url user_type',
      boolean: 'account_owner',
      number: 'receive_announcements',
      'string[]': 'permissions',
    },
  },
};
