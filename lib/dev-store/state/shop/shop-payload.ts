import { isoTime } from '../../base/iso-time.js';
import { globalId } from '../../base/vendor.js';
import type { ShopIdentity } from './shop-identity.js';

/** A shop in REST responses and in the payload of `app/uninstalled`. */
export function shopPayload({
  id,
  name,
  email,
  domain,
  createdAt,
  user,
  currency,
  country,
}: ShopIdentity): Record<string, unknown> {
  const created = isoTime(createdAt);
  return {
    id,
    name,
    email,
    domain,
    myshopify_domain: domain,
    shop_owner: `${user.first_name} ${user.last_name}`,
    customer_email: email,
    country,
    country_code: country,
    country_name: 'Ireland',
    city: 'Galway',
    currency,
    money_format: '€{{amount}}',
    primary_locale: user.locale,
    timezone: '(GMT+00:00) UTC',
    iana_timezone: 'Etc/UTC',
    plan_name: 'partner_test',
    plan_display_name: 'Development',
    weight_unit: 'kg',
    taxes_included: true,
    setup_required: false,
    created_at: created,
    updated_at: created,
    admin_graphql_api_id: globalId('Shop', id),
  };
}
