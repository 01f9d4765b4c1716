import { countryName } from '../../base/country-names.js';
import { isoTime } from '../../base/iso-time.js';
import { globalId } from '../../base/vendor.js';
import type { ShopIdentity } from '../../state/shop/shop-identity.js';

/** A shop as the schema describes it. */
export function shopView(shop: ShopIdentity): object {
  const { first_name, last_name } = shop.user;
  return {
    __typename: 'Shop',
    id: globalId('Shop', shop.id),
    name: shop.name,
    email: shop.email,
    contactEmail: shop.email,
    myshopifyDomain: shop.domain,
    url: `https://${shop.domain}`,
    shopOwnerName: `${first_name} ${last_name}`,
    currencyCode: shop.currency,
    enabledPresentmentCurrencies: [shop.currency],
    ianaTimezone: 'Etc/UTC',
    timezoneAbbreviation: 'UTC',
    timezoneOffset: '+0000',
    unitSystem: 'METRIC_SYSTEM',
    createdAt: isoTime(shop.createdAt),
    plan: { partnerDevelopment: true, publicDisplayName: 'Development', shopifyPlus: false },
    primaryDomain: domainView(shop),
    shopAddress: shopAddressView(shop),
    billingAddress: shopAddressView(shop),
    resourceLimits: RESOURCE_LIMITS,
    features: FEATURES,
  };
}

/** What a development store may have. */
const RESOURCE_LIMITS = { locationLimit: 200, maxProductOptions: 3, maxProductVariants: 2048 };

/** What a development store can do. */
const FEATURES = {
  branding: 'SHOPIFY',
  captcha: true,
  giftCards: true,
  harmonizedSystemCode: true,
  liveView: true,
  reports: true,
  showMetrics: true,
  storefront: true,
  unifiedMarkets: true,
  bundles: { eligibleForBundles: true },
  cartTransform: {
    eligibleOperations: { expandOperation: true, mergeOperation: true, updateOperation: true },
  },
  paypalExpressSubscriptionGatewayStatus: 'DISABLED',
};

/** The domain of a shop as the schema describes it. */
function domainView({ id, domain }: ShopIdentity): object {
  return {
    __typename: 'Domain',
    id: globalId('Domain', id),
    host: domain,
    sslEnabled: true,
    url: `https://${domain}`,
  };
}

/** The address of a shop, of which no more than the country is known. */
function shopAddressView({ id, country }: ShopIdentity): object {
  const name = countryName(country);
  return {
    __typename: 'ShopAddress',
    id: globalId('ShopAddress', id),
    country: name,
    countryCodeV2: country,
    formatted: [name],
    formattedArea: name,
  };
}

/** The legal entity behind a shop: one, as long as a merchant adds none. */
export function businessEntityView({ id, name, country }: ShopIdentity): object {
  return {
    __typename: 'BusinessEntity',
    id: globalId('BusinessEntity', id),
    displayName: name,
    companyName: null,
    primary: true,
    archived: false,
    address: { countryCode: country },
  };
}

/** What a shop is itself, by its global id: itself, its domain, its address or its entity. */
export function shopPartView(shop: ShopIdentity, id: string): object | null {
  const views = [shopView, domainView, shopAddressView, businessEntityView];
  return views.map((view) => view(shop)).find((one) => (one as { id: string }).id === id) ?? null;
}
