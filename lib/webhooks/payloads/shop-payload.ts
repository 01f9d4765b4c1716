/**
 * A shop. Amounts are formatted with the `money` formats, in which `{{amount}}` is replaced.
 * @see https://shopify.dev/docs/api/webhooks
 */
export interface ShopPayload {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly customer_email: string | null;
  readonly shop_owner: string;
  /** The domain that customers see. */
  readonly domain: string | null;
  /** The domain that identifies the shop. */
  readonly myshopify_domain: string | null;
  readonly address1: string | null;
  readonly address2: string | null;
  readonly zip: string | null;
  readonly city: string | null;
  readonly province: string | null;
  readonly province_code: string | null;
  readonly country: string | null;
  readonly country_code: string;
  readonly country_name: string;
  readonly phone: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly source: string | null;
  readonly primary_locale: string;
  readonly primary_location_id: number | null;
  readonly timezone: string;
  readonly iana_timezone: string | null;
  readonly currency: string;
  readonly enabled_presentment_currencies: readonly string[];
  readonly money_format: string;
  readonly money_with_currency_format: string;
  readonly money_in_emails_format: string;
  readonly money_with_currency_in_emails_format: string;
  readonly weight_unit: string;
  readonly taxes_included: boolean | null;
  readonly auto_configure_tax_inclusivity: boolean | null;
  readonly tax_shipping: boolean | null;
  readonly county_taxes: boolean | null;
  readonly plan_name: string;
  readonly plan_display_name: string;
  readonly has_discounts: boolean;
  readonly has_gift_cards: boolean;
  readonly has_storefront: boolean;
  readonly google_apps_domain: string | null;
  readonly google_apps_login_enabled: boolean | null;
  readonly eligible_for_payments: boolean;
  readonly requires_extra_payments_agreement: boolean;
  readonly password_enabled: boolean | null;
  readonly finances: boolean;
  readonly checkout_api_supported: boolean;
  readonly multi_location_enabled: boolean;
  readonly setup_required: boolean;
  readonly pre_launch_enabled: boolean;
  readonly marketing_sms_consent_enabled_at_checkout: boolean;
  readonly transactional_sms_disabled: boolean;
  readonly created_at: string | null;
  readonly updated_at: string | null;
}
