/**
 * A simulated store for development and tests, and factories for the requests a platform signs.
 * @module shopwright/dev-store
 */
export type { ApiLimits, BucketLimit } from './base/rate-limits.js';
export type { AppProxyOptions, AppProxyPrefix } from './base/app-proxy.js';
export type { ExtensionTokenOptions, FlowAction } from './state/apps/app-request.js';
export type { AccessToken, TokenPair } from './state/apps/access-token.js';
export type { ConfiguredWebhook, DevApp } from './base/dev-app.js';
export type {
  DeclaredDefinitions,
  DeclaredField,
  DeclaredMetaobject,
  DeclaredOwner,
} from './base/custom-data.js';
export type {
  AppCharge,
  AppPurchase,
  AppSubscription,
  CapRaise,
  ChargeStatus,
  UsageRecord,
} from './state/billing/billing-charge.js';
export type { ShopBilling } from './state/billing/shop-billing.js';
export type { Money } from './state/billing/billing-money.js';
export type {
  Discount,
  PurchaseTerms,
  RecurringPricing,
  SubscriptionTerms,
  UsagePricing,
} from './state/billing/billing-terms.js';
export type {
  BulkDuration,
  BulkErrorCode,
  BulkFile,
  BulkOperation,
} from './state/bulk/bulk-operation.js';
export type { CdnReply, InterceptingBrowser } from './endpoints/app-bridge/cdn.simulator.js';
export { DevClock } from './base/dev-clock.js';
export type { DevShop } from './dev-shop.js';
export { DevStore, type DevStoreOptions } from './dev-store.js';
export type {
  ActiveFault,
  DeliveryFault,
  DeliveryTarget,
  Fault,
  FaultFrequency,
  RequestFault,
  RequestTarget,
} from './faults/fault.js';
export type { Faults } from './faults/faults.js';
export type { StoreEvent } from './base/store-event.js';
export type { NodeFields, ShopNodes, StoredNode } from './state/nodes/shop-nodes.js';
export type { OwnResolver, OwnResolverContext, OwnResolvers } from './state/nodes/own-resolvers.js';
export type { InventoryLevel, KeptQuantity } from './state/inventory/inventory-level.js';
export type {
  FieldProblem,
  OptionInput,
  Product,
  ProductChange,
  ProductInput,
  ProductOption,
  ProductStatus,
  ProductVariant,
  SeedProduct,
  VariantInput,
} from './state/products/product.js';
export {
  signedAppProxyQuery,
  signedExtensionToken,
  signedFlowAction,
  signedFulfillmentNotification,
  type ExtensionSurface,
  type FulfillmentNotificationKind,
  type SignedAppProxyOptions,
  type SignedExtensionTokenOptions,
  type SignedFlowActionOptions,
  type SignedFulfillmentNotificationOptions,
} from './base/extension-factories.js';
export {
  base64Host,
  signedQuery,
  signedSessionToken,
  signedWebhook,
  type SignedRequest,
  type SignedSessionTokenOptions,
  type SignedWebhook,
  type SignedWebhookOptions,
} from './base/request-factories.js';
export type { Installation } from './state/apps/installation.js';
export type { DevShopOptions } from './state/shop.options.js';
export type { ShopUser } from './state/shop/shop-identity.js';
export type { QueryParams } from './base/signing.js';
export type { ByteStream, StoreReply } from './http/store-request.js';
export type { StorefrontTokenKind } from './state/apps/storefront-tokens.js';
export type { TokenGrant, TokenRequest, TokenRequestHook } from './state/apps/token-request.js';
export type { RecordedExchange, RecordedMessage } from './traffic/recorded-exchange.js';
export type { WebhookDelivery } from './state/webhooks/webhook-delivery.js';
export type { WebhookEndpoint } from './state/webhooks/webhook-address.js';
export type {
  MetafieldIdentifier,
  WebhookSubscription,
} from './state/webhooks/webhook-subscription.js';
