// Which scopes let an app call the fields that have rules of their own: one of them is enough, and
// errors name the first.

/** Some of what customers have needs a scope of its own. */
const CUSTOMER_SCOPES: ReadonlyArray<[RegExp, string]> = [
  [/^customerMerge$/, 'write_customer_merge'],
  [/^customerMerge/, 'read_customer_merge'],
  [/DataErasure$/, 'write_customer_data_erasure'],
  [/^customerPaymentMethod/, 'write_customer_payment_methods'],
  [/^dataSaleOptOut$/, 'write_privacy_settings'],
  [/^storeCredit/, 'write_store_credit_account_transactions'],
];

export function customerScopes(name: string): readonly string[] {
  const [, scope] = CUSTOMER_SCOPES.find(([pattern]) => pattern.test(name)) ?? [];
  return scope ? [scope, 'write_customers'] : ['write_customers'];
}

export function discountScopes(name: string): readonly string[] {
  return [name === 'codeDiscountNodeByCode' ? 'read_discounts' : 'write_discounts'];
}

export function orderScopes(name: string): readonly string[] {
  if (name === 'draftOrderSavedSearches') return ['read_draft_orders'];
  if (name.startsWith('draftOrder')) return ['write_draft_orders'];
  if (name.startsWith('delivery')) return ['write_delivery_customizations', 'write_shipping'];
  return ['write_orders'];
}

export function fulfillmentScopes(name: string): readonly string[] {
  return name === 'fulfillmentEventCreate' ? ['write_fulfillments', ...FULFILLMENT] : FULFILLMENT;
}

export function shippingScopes(name: string): readonly string[] {
  return [/Available|^available/.test(name) ? 'read_shipping' : 'write_shipping'];
}

export function giftCardScopes(name: string): readonly string[] {
  if (name === 'giftCardConfiguration') return ['read_gift_cards'];
  const isMoved = name === 'giftCardCredit' || name === 'giftCardDebit';
  return [...(isMoved ? ['write_gift_card_transactions'] : []), 'write_gift_cards'];
}

export function themeScopes(name: string): readonly string[] {
  return [name === 'themes' ? 'read_themes' : 'write_themes'];
}

export function pixelScopes(name: string): readonly string[] {
  return [name === 'webPixel' ? 'read_pixels' : 'write_pixels'];
}

export function marketScopes(name: string): readonly string[] {
  return [name === 'backupRegion' ? 'read_markets' : 'write_markets'];
}

export function inventoryScopes(name: string): readonly string[] {
  if (name === 'inventoryItemUpdate') return ['write_inventory', 'write_products'];
  return QUERIES.has(name) ? ['read_inventory'] : ['write_inventory'];
}

const QUERIES: ReadonlySet<string> = new Set(['inventoryLevel', 'inventoryProperties']);

export const CONTENT = ['write_content', 'write_online_store_pages'];

/** Which one an app needs depends on who fulfills; any of them lets it. */
export const FULFILLMENT = ['merchant_managed', 'assigned', 'third_party'].map(
  (kind) => `write_${kind}_fulfillment_orders`,
);

export const RETURNS = ['write_returns', 'write_orders'];

/** What runs the functions of apps. */
export function functionScopes(name: string): readonly string[] {
  if (name.startsWith('cart')) return ['write_cart_transforms'];
  return [
    name.startsWith('validation') ? 'write_validations' : 'write_fulfillment_constraint_rules',
  ];
}

/** Segments, and the customers in them. */
export function segmentScopes(name: string): readonly string[] {
  return [name.startsWith('segment') ? 'write_customers' : 'read_customers'];
}
