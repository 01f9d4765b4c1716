import { AccessDenied } from '../../graphql/graphql-access.js';

/**
 * Which scope the types of nodes need, or any of which, by how their names begin; the first row
 * that fits. Types that are not here need none.
 * @see https://shopify.dev/docs/api/usage/access-scopes
 */
const SCOPES: ReadonlyArray<[RegExp, ...string[]]> = [
  [/^(?:Abandon|Order|Refund|Sale|Return|ReverseFulfillment|ReverseDelivery)/, 'orders'],
  [/^(?:Draft|CalculatedDraft)/, 'draft_orders'],
  [/^(?:CustomerPaymentMethod)/, 'customer_payment_methods'],
  [/^(?:Company(?!LocationCatalog))/, 'customers', 'companies'],
  [/^(?:Customer|Segment|StoreCredit)/, 'customers'],
  [/^(?:ProductFeed)/, 'product_listings'],
  [/^(?:ProductResourceFeedback)/, 'resource_feedbacks'],
  [/^(?:SellingPlan)/, 'products', 'purchase_options'],
  [/^(?:PriceList)|Catalog$/, 'products', 'markets'],
  [/^(?:Product|Collection)/, 'products'],
  [/^(?:InventoryItem)/, 'inventory', 'products'],
  [/^(?:InventoryTransfer)/, 'inventory_transfers'],
  [/^(?:InventoryShipment)/, 'inventory_shipments'],
  [/^(?:Inventory)/, 'inventory'],
  [/^(?:Location)/, 'locations'],
  [/^(?:Discount|AutomaticDiscount|CodeDiscount)/, 'discounts'],
  [/^(?:PriceRule)/, 'price_rules'],
  [
    /^(?:FulfillmentOrder)/,
    'assigned_fulfillment_orders',
    'merchant_managed_fulfillment_orders',
    'third_party_fulfillment_orders',
  ],
  [/^(?:FulfillmentConstraintRule)/, 'fulfillment_constraint_rules'],
  [/^(?:FulfillmentService)/, 'fulfillments'],
  [/^(?:GiftCard)/, 'gift_cards'],
  [/^(?:File|GenericFile|MediaImage|Video|ExternalVideo|Model3d)$/, 'files'],
  [/^(?:OnlineStoreTheme)/, 'themes'],
  [/^(?:Page|Blog|Article|Comment)/, 'content', 'online_store_pages'],
  [/^(?:UrlRedirect|Menu)/, 'online_store_navigation'],
  [/^(?:Publication|Channel)/, 'publications'],
  [/^(?:Marketing)/, 'marketing_events'],
  [/^(?:Market)/, 'markets'],
  [/^(?:DeliveryProfile|DeliveryCarrier)/, 'shipping'],
  [/^(?:DeliveryCustomization)/, 'delivery_customizations'],
  [/^(?:PaymentCustomization)/, 'payment_customizations'],
  [/^(?:CartTransform)/, 'cart_transforms'],
  [/^(?:Validation)$/, 'validations'],
  [/^(?:ScriptTag)/, 'script_tags'],
  [/^(?:WebPixel)/, 'pixels'],
  [/^(?:StaffMember)$/, 'users'],
  [/^(?:SubscriptionContract|SubscriptionDraft)/, 'own_subscription_contracts'],
];

/** The first scope for reading or writing nodes of a type; undefined when none is known. */
export function scopeOf(type: string, verb: 'read' | 'write'): string | undefined {
  return scopesOf(type, verb)[0];
}

/**
 * Refuses a call that covers none of the scopes for reading or writing nodes of a type.
 * @param field the root field, which the error names
 * @param mayUse whether the call covers a scope
 * @throws AccessDenied
 */
export function demandAccess(
  field: string,
  [type, verb]: readonly [type: string, verb: 'read' | 'write'],
  mayUse: (scope: string) => boolean,
): void {
  const scopes = scopesOf(type, verb);
  if (scopes.length > 0 && !scopes.some(mayUse))
    throw new AccessDenied(field, scopes.join('` or `'));
}

function scopesOf(type: string, verb: 'read' | 'write'): string[] {
  const [, ...handles] = SCOPES.find(([pattern]) => pattern.test(type)) ?? [];
  return handles.map((handle) => `${verb}_${handle}`);
}
