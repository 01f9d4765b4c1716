/**
 * Which scope the types of nodes need, by how their names begin; the first that fits. Types that
 * are not here need none.
 * @see https://shopify.dev/docs/api/usage/access-scopes
 */
const SCOPES: ReadonlyArray<[RegExp, string]> = [
  [/^(?:Abandon|Order|Refund|Sale|Return|ReverseFulfillment|ReverseDelivery)/, 'orders'],
  [/^(?:Draft|CalculatedDraft)/, 'draft_orders'],
  [/^(?:CustomerPaymentMethod)/, 'customer_payment_methods'],
  [/^(?:Company|Customer|Segment|StoreCredit)/, 'customers'],
  [/^(?:Product|Collection|SellingPlan)/, 'products'],
  [/^(?:Inventory)/, 'inventory'],
  [/^(?:Location)/, 'locations'],
  [/^(?:Discount|AutomaticDiscount|CodeDiscount)/, 'discounts'],
  [/^(?:PriceRule)/, 'price_rules'],
  [/^(?:FulfillmentService)/, 'fulfillments'],
  [/^(?:GiftCard)/, 'gift_cards'],
  [/^(?:File|GenericFile|MediaImage|Video|ExternalVideo|Model3d)$/, 'files'],
  [/^(?:OnlineStoreTheme)/, 'themes'],
  [/^(?:Page|Blog|Article|Comment)/, 'content'],
  [/^(?:UrlRedirect|Menu)/, 'online_store_navigation'],
  [/^(?:Publication|Channel)/, 'publications'],
  [/^(?:Market)/, 'markets'],
  [/^(?:DeliveryProfile|DeliveryCarrier)/, 'shipping'],
  [/^(?:ScriptTag)/, 'script_tags'],
  [/^(?:WebPixel)/, 'pixels'],
  [/^(?:SubscriptionContract|SubscriptionDraft)/, 'own_subscription_contracts'],
];

/** The scope for reading or writing nodes of a type; undefined when none is known. */
export function scopeOf(type: string, verb: 'read' | 'write'): string | undefined {
  const handle = SCOPES.find(([pattern]) => pattern.test(type))?.[1];
  return handle && `${verb}_${handle}`;
}
