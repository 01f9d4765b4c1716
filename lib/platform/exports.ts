/** What the entry point of every host exports beside the host itself. Nothing here loads Nest. */
export { ApiVersion, LATEST_API_VERSION } from '../core/api-version.js';
export type { ApiSession } from '../core/api-session.js';
export { Clock } from '../core/time/clock.js';
export { AppDistribution } from '../core/config/config.options.js';
export type { AccessMode } from '../core/config/config.options.js';
export type { FutureFlags } from '../core/config/future-flags.js';
export type { PlatformConfig, PlatformPaths } from '../core/config/platform-config.js';
export * from '../core/core.errors.js';
export { PlatformError as ShopifyError } from '../core/core.errors.js';
export type {
  SessionTokenPayload,
  SessionTokenPayload as JwtPayload,
} from '../auth/credentials/session-token.js';
export type { HmacQuery, HmacSignator } from '../core/crypto/query-hmac.js';
export type { SecretUse } from '../core/crypto/secret-keys.js';
export * from '../core/http/http.errors.js';
export type { HeaderList } from '../core/decision.js';
export type { Reply } from '../core/http/inbound-request.js';
export * from '../core/http/response.errors.js';
export { LogSeverity } from '../core/logger.js';
export type { LogSink, LoggerOption, LoggerServiceLike, PlatformLogger } from '../core/logger.js';
export type { BucketState, Priority } from '../core/pacing/pacer.js';
export type { PacingOption } from '../core/pacing/pacing-option.js';
export type { RedisClientLike } from '../core/redis/redis.driver.js';
export { AuthScopes } from '../core/scopes.js';
export { RequestedTokenType } from '../core/vendor.js';

export {
  InvalidSession,
  LockTimeoutError,
  SessionNotFoundError,
  SessionStorageError,
} from '../sessions/sessions.errors.js';
export { Session } from '../sessions/session.js';
export type { OnlineAccessInfo, OnlineAccessUser, SessionParams } from '../sessions/session.js';
export type { PropertyValue } from '../sessions/session-properties.js';
export { SessionStorage } from '../sessions/session.storage.js';
export { MemorySessionStorage } from '../sessions/storages/memory/memory-session.storage.js';
export { InstallationStore } from '../sessions/coordination/installation.store.js';
export type { Installation, LifecycleEvent } from '../sessions/coordination/installation.store.js';
export { Lock } from '../sessions/coordination/lock.js';
export { WebhookInbox } from '../sessions/coordination/webhook.inbox.js';

export * from '../core/register.js';
export type { RestClient } from '../rest-client/rest.client.js';
export type { RestResponse } from '../rest-client/rest.response.js';
export { RestResource } from '../rest-client/resources/rest-resource.js';
export type { Attributes as ResourceAttributes } from '../rest-client/resources/resource-attributes.js';
export type { ResourceParams, SaveOptions } from '../rest-client/resources/rest-resource.js';
export * from '../rest-client/resources/resources.errors.js';
export type { ResourcePage } from '../rest-client/resources/resource-methods.js';
export type { ResourceSet } from '../rest-client/resources/resource-set.js';
export type { GraphqlClient, GraphqlPaginate } from '../graphql-client/graphql.client.js';
export type {
  GraphqlOutcomeResponse,
  GraphqlRequest,
  GraphqlResponse,
} from '../graphql-client/graphql-response.js';
export * from '../graphql-client/graphql-client.errors.js';
export { GraphqlErrors } from '../graphql-client/graphql-errors.js';
export type { AdminOperations } from '../graphql-client/admin-operations.js';
export type { StorefrontOperations } from '../graphql-client/storefront-operations.js';
export type {
  DataOf,
  DocumentOf,
  GraphqlDocument,
  TypedDocument,
  UnknownVariables,
  UntypedText,
  VariablesOf,
} from '../graphql-client/graphql-document.js';
export type {
  ArgumentsFor,
  ErrorPolicy,
  GraphqlCallOptions,
  GraphqlRequestOptions,
  GraphqlStreamOptions,
  OptionsFor,
  OtherPolicy,
  OwnPolicy,
  PageVariables,
  UserErrorPolicy,
} from '../graphql-client/graphql.options.js';
export type { GraphqlConnection } from '../graphql-client/graphql-pagination.js';
export type {
  GraphqlCost,
  GraphqlExtensions,
  ThrottleStatus,
} from '../graphql-client/graphql-extensions.js';
export type { GraphqlOutcome, GraphqlResult } from '../graphql-client/graphql-result.js';
export * from '../graphql-client/bulk/bulk.errors.js';
export type { NestedRow } from '../graphql-client/bulk/bulk-nesting.js';
export type {
  BulkOperation,
  BulkOperationStatus,
  BulkOperationType,
} from '../graphql-client/bulk/bulk-operation.js';
export type {
  BulkMutationRow,
  BulkOperations,
  BulkRow,
  NestedBulkRunOptions,
} from '../graphql-client/bulk/bulk-operations.js';
export type { BulkRun, BulkRunOptions } from '../graphql-client/bulk/bulk-run.js';
export type { StorefrontClient } from '../graphql-client/storefront-graphql.client.js';

export type { AdminContext, ShopClients } from '../auth/clients/admin-context.js';
export type {
  ForEachShopOptions,
  ForEachShopSummary,
  ShopProgress,
  ShopWork,
} from './api/every-shop.js';
export type { PlatformClients } from './api/platform-clients.js';
export * from '../auth/auth.errors.js';
export type { AuthHooks } from '../auth/auth.options.js';
export type {
  InstallContext,
  LifecycleContexts,
  ScopesChangedContext,
  ShopContext,
} from '../auth/lifecycle/lifecycle-handlers.js';
export * from '../auth/lifecycle/lifecycle.errors.js';
export type {
  ScopesMismatchAnswer,
  ScopesMismatchContext,
  ScopesMismatchHook,
} from '../auth/scopes/scopes-mismatch.js';
export type {
  ScopesCall,
  ScopesDetail,
  ScopesParams,
  ScopesRevoked,
  ScopesService,
} from '../auth/scopes/scopes.service.js';
export { TokenManager } from '../auth/tokens/token-manager.js';
export type { SessionKind } from '../auth/tokens/token-manager.js';
export type {
  MigratedShop,
  TokenMigrationOptions,
  TokenMigrationSummary,
} from '../auth/tokens/token-migration.js';

export type { RequirePlanOptions } from '../billing/billing-gate.js';
export type { BillingCall } from '../billing/billing.client.js';
export * from '../billing/billing.errors.js';
export type { BillingSettings } from '../billing/billing.options.js';
export type {
  BillingRequest,
  BillingRequestParams,
  UsageCapParams,
  UsageCapRequest,
} from '../billing/charge-requests.js';
export { BillingInterval, BillingReplacementBehavior } from '../billing/billing-plans.js';
export type {
  Amount,
  OneTimePlan,
  Plan,
  PlanDiscount,
  PlanLineItem,
  PlanName,
  RecurringLineItem,
  UsageLineItem,
} from '../billing/billing-plans.js';
export type {
  BillingCancelParams,
  BillingCheckParams,
  BillingService,
  UsageRecordParams,
} from '../billing/billing.service.js';
export type {
  AppSubscription,
  BillingCheck,
  BillingState,
  Charge,
  Money,
  OneTimePurchase,
  RecurringPricing,
  SubscriptionLineItem,
  UsagePricing,
  UsageRecord,
} from '../billing/billing-state.js';

export type { WebhookDelivery, WebhookFacts } from '../webhooks/deliveries/webhook-delivery.js';
export type {
  FlowActionPayload,
  FlowActionRequest,
  FulfillmentRequest,
  FulfillmentRequestPayload,
  SignedDelivery,
} from '../webhooks/signed/signed-delivery.js';
export type { DeadLetter, DeadLetterFilter, DeadLetters } from '../webhooks/queue/dead-letters.js';
export type { IngestResult, IngestRetryReason } from '../webhooks/ingest/webhook-ingest.js';
export type { WebhookQueueFactory } from '../webhooks/queue/webhook.queue.js';
export type { SignedHandlerDeclaration } from '../webhooks/signed/signed-handlers.js';
export type { HandlerErrorContext, HandlerErrorHook } from '../webhooks/handlers/handler-errors.js';
export type {
  DeliveryHandler,
  HttpWebhookHandler,
  QueueWebhookHandler,
  WebhookHandlerMap,
  WebhookHandlerOption,
} from '../webhooks/handlers/handlers-by-topic.js';
export type { WebhookCallback } from '../webhooks/handlers/webhook-handler-map.js';
export type {
  RegisterOptions,
  RegisterResult,
} from '../webhooks/subscriptions/webhook.registrar.js';
export type {
  PlannedSubscription,
  SubscriptionDifference,
  SubscriptionPlan,
} from '../webhooks/subscriptions/subscription-plan.js';
export type {
  ShopSubscriptions,
  WebhookRolloutOptions,
  WebhookRolloutSummary,
} from '../webhooks/subscriptions/webhook-rollout.js';
export type { SubscriptionOperation } from '../webhooks/subscriptions/webhook.queries.js';
export { DeliveryMethod } from '../webhooks/subscriptions/webhook-subscription.js';
export type {
  MetafieldIdentifier,
  SubscriptionDetails,
  WebhookSubscription,
} from '../webhooks/subscriptions/webhook-subscription.js';
export type { OwnTopics, WebhookSettings } from '../webhooks/webhooks.options.js';
export type { DeclaredHandler, WebhookVerification, WebhooksApi } from './api/webhooks.api.js';
export { checkedHandler } from '../webhooks/payloads/checked-handler.js';
export type { CheckedHandler } from '../webhooks/payloads/checked-handler.js';
export type { SchemaIssue, StandardSchema } from '../webhooks/payloads/standard-schema.js';
export type * from '../webhooks/payloads/app-payload.js';
export type * from '../webhooks/payloads/customer-payload.js';
export type * from '../webhooks/payloads/inventory-payload.js';
export type * from '../webhooks/payloads/order-payload.js';
export type * from '../webhooks/payloads/privacy-payload.js';
export type * from '../webhooks/payloads/product-payload.js';
export type * from '../webhooks/payloads/shop-payload.js';
export type {
  DeletedPayload,
  WebhookPayload,
  WebhookPayloads,
} from '../webhooks/payloads/webhook-payload.js';
export * from '../webhooks/webhooks.errors.js';

export { InvalidWebhookError } from './api/webhooks.api.js';
export type { ClientParams, ClientsApi } from './api/clients.api.js';
export type { LibraryGraphqlClient } from './api/library-members.js';
export type { SessionApi } from './api/session.api.js';
export type { UtilsApi } from './api/utils.api.js';
export type { ApiOptions } from './api/api.options.js';
export type {
  AuthApi,
  IssuedSession,
  MigrateTokenParams,
  TokenExchangeParams,
} from './api/auth.api.js';
export { PlatformApi } from './api/platform.api.js';
export type { ApiConfig } from './api/platform.api.js';
export type { CallbackResult } from './api/raw-oauth.js';
export type { RawExchange, RawRequest } from './api/raw-request.js';
export type { SignedBodyApi, SignedBodyCheck } from './api/signed-body.api.js';
