import { singular } from '../../base/text-values.js';

/** A resource of the REST API whose objects are nodes of the store. */
export interface RestResource {
  /** Its path, in which `*` stands for an id. */
  readonly path: string;
  /** The type of the nodes. */
  readonly type: string;
  /** The scope it needs, without `read_` or `write_`; empty for none. */
  readonly scope: string;
  /** What it can do: List, Count, Get, Post, Update, Delete, by their first letters. */
  readonly can: string;
  /** The field of a node that names its owner, whose id is the last but one of the path. */
  readonly owner?: string;
  /** The type of the owner. */
  readonly ownerType?: string;
  /** The key of one object. @default the last part of the path, in the singular */
  readonly key?: string;
}

type Row = readonly [
  path: string,
  type: string,
  scope: string,
  can: string,
  owner?: string,
  key?: string,
];

/**
 * The resources, in the order of the platform's reference.
 * @see https://shopify.dev/docs/api/admin-rest
 */
// prettier-ignore
const ROWS: readonly Row[] = [
  ['application_credits', 'AppCredit', '', 'LG'],
  ['storefront_access_tokens', 'StorefrontAccessToken', '', 'LPD'],
  ['events', 'Event', '', 'LCG'],
  ['orders/*/events', 'Event', '', 'L', 'order Order'],
  ['products/*/events', 'Event', '', 'L', 'product Product'],
  ['mobile_platform_applications', 'MobilePlatformApplication', '', 'LGPUD'],
  ['resource_feedback', 'ResourceFeedback', 'resource_feedbacks', 'LP'],
  ['products/*/resource_feedback', 'ProductResourceFeedback', 'resource_feedbacks', 'LP', 'product Product'],
  ['customers', 'Customer', 'customers', 'LCGPUD'],
  ['gift_cards', 'GiftCard', 'gift_cards', 'LCGPU'],
  ['gift_cards/*/adjustments', 'GiftCardAdjustment', 'gift_card_adjustments', 'LGP', 'giftCard GiftCard'],
  ['price_rules', 'PriceRule', 'price_rules', 'LCGPUD'],
  ['price_rules/*/discount_codes', 'DiscountCode', 'price_rules', 'LGPUD', 'priceRule PriceRule'],
  ['carrier_services', 'DeliveryCarrierService', 'shipping', 'LGPUD'],
  ['fulfillment_services', 'FulfillmentService', 'fulfillments', 'LGPUD'],
  ['fulfillment_orders', 'FulfillmentOrder', 'merchant_managed_fulfillment_orders', 'G'],
  ['orders/*/fulfillment_orders', 'FulfillmentOrder', 'merchant_managed_fulfillment_orders', 'L', 'order Order'],
  ['orders/*/fulfillments', 'Fulfillment', 'fulfillments', 'LCG', 'order Order'],
  ['orders/*/fulfillments/*/events', 'FulfillmentEvent', 'fulfillments', 'LGPD', 'fulfillment Fulfillment', 'fulfillment_event'],
  ['shipping_zones', 'ShippingZone', 'shipping', 'L'],
  ['locations', 'Location', 'locations', 'LCG'],
  ['blogs', 'Blog', 'content', 'LCGPUD'],
  ['blogs/*/articles', 'Article', 'content', 'LCGPUD', 'blog Blog'],
  ['comments', 'Comment', 'content', 'LCGPU'],
  ['marketing_events', 'MarketingEvent', 'marketing_events', 'LCGPUD'],
  ['pages', 'Page', 'content', 'LCGPUD'],
  ['redirects', 'UrlRedirect', 'online_store_navigation', 'LCGPUD'],
  ['script_tags', 'ScriptTag', 'script_tags', 'LCGPUD'],
  ['themes', 'OnlineStoreTheme', 'themes', 'LGPUD'],
  ['checkouts', 'AbandonedCheckout', 'orders', 'L'],
  ['draft_orders', 'DraftOrder', 'draft_orders', 'LCGPUD'],
  ['orders', 'Order', 'orders', 'LCGPUD'],
  ['orders/*/risks', 'OrderRisk', 'orders', 'LGPUD', 'order Order'],
  ['orders/*/refunds', 'Refund', 'orders', 'LG', 'order Order'],
  ['orders/*/transactions', 'OrderTransaction', 'orders', 'LCG', 'order Order'],
  ['tender_transactions', 'TenderTransaction', 'orders', 'L'],
  ['payment_gateways', 'PaymentGateway', 'payment_gateways', 'LGPUD'],
  ['shopify_payments/disputes', 'ShopifyPaymentsDispute', 'shopify_payments_disputes', 'LG'],
  ['shopify_payments/payouts', 'ShopifyPaymentsPayout', 'shopify_payments_payouts', 'LG'],
  ['shopify_payments/balance/transactions', 'ShopifyPaymentsBalanceTransaction', 'shopify_payments_payouts', 'L'],
  ['collections', 'Collection', 'products', 'G'],
  ['custom_collections', 'Collection', 'products', 'LCGPUD'],
  ['smart_collections', 'Collection', 'products', 'LCGPUD'],
  ['countries', 'Country', 'shipping', 'LCGPUD'],
  ['countries/*/provinces', 'Province', 'shipping', 'LCGU', 'country Country'],
];

/** What the reference has besides, and the store does not simulate: by how the paths begin. */
export const NOT_SIMULATED =
  /^(?:customer_saved_searches|reports|tax_services|apple_pay_certificates|checkouts(?:\/|$)|shopify_payments\/disputes\/\d+\/)/;

/** The resources by their paths. */
export const REST_RESOURCES: ReadonlyMap<string, RestResource> = new Map(
  ROWS.map(([path, type, scope, can, owned, key]) => {
    const [owner, ownerType] = owned?.split(' ') ?? [];
    const own = owner && ownerType ? { owner, ownerType } : {};
    return [path, { path, type, scope, can, ...own, key: key ?? singular(listKey({ path })) }];
  }),
);

/** The key of the list in a response: the last part of the path. */
export function listKey({ path }: Pick<RestResource, 'path'>): string {
  return path.split('/').at(-1) ?? path;
}
