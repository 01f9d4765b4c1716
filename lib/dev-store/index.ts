/**
 * A simulated store for development and tests, and factories for the requests a platform signs.
 * @module shopwright/dev-store
 */
export type { ApiLimits, BucketLimit } from './api-limits.js';
export type { AccessToken, TokenPair } from './access-tokens.js';
export type { DevApp } from './app-registry.js';
export type { AppCharge, AppPurchase, AppSubscription, CapRaise, ChargeStatus, UsageRecord } from './billing.charge.js';
export type { BillingCharges } from './billing.charges.js';
export type { Money } from './billing.money.js';
export type { Discount, PurchaseTerms, RecurringPricing, SubscriptionTerms, UsagePricing } from './billing.terms.js';
export type { BulkDuration, BulkErrorCode, BulkFile, BulkOperation } from './bulk.operations.js';
export { DevClock } from './dev-clock.js';
export { DevShop } from './dev-shop.js';
export { DevStore, type DevStoreOptions } from './dev-store.js';
export type { StoreEvent } from './event-log.js';
export type { Product, ProductInput, ProductStatus, ProductVariant, SeedProduct } from './product-catalog.js';
export {
  base64Host,
  signedQuery,
  signedSessionToken,
  signedWebhook,
  type SignedSessionTokenOptions,
  type SignedWebhook,
  type SignedWebhookOptions,
} from './request-factories.js';
export type { DevShopOptions, Installation, ShopUser } from './shop-description.js';
export type { QueryParams } from './signing.js';
export type { ByteStream, StoreReply } from './store-request.js';
export type { StorefrontTokenKind } from './storefront.tokens.js';
export type { TokenGrant, TokenRequest, TokenRequestHook } from './token-request.js';
export type { WebhookDelivery } from './webhook.simulator.js';
export type { WebhookEndpoint, WebhookSubscription } from './webhook-subscriptions.js';
