/**
 * The exports of `exports.ts` that need no server: data, errors and classes that a route may import
 * although it is shipped to browsers. What is missing here is named by the browser entry points.
 */
export { ApiVersion, LATEST_API_VERSION } from '../core/api-version.js';
export { AppDistribution } from '../core/config/config.options.js';
export * from '../core/core.errors.js';
export { PlatformError as ShopifyError } from '../core/core.errors.js';
export * from '../core/http/http.errors.js';
export * from '../core/http/response.errors.js';
export { LogSeverity } from '../core/logger.js';
export { AuthScopes } from '../core/scopes.js';
export { Clock } from '../core/time/clock.js';
export { RequestedTokenType } from '../core/vendor.js';

export * from '../auth/auth.errors.js';
export * from '../auth/lifecycle/lifecycle.errors.js';
export * from '../billing/billing.errors.js';
export { BillingInterval, BillingReplacementBehavior } from '../billing/billing-plans.js';
export * from '../graphql-client/bulk/bulk.errors.js';
export * from '../graphql-client/graphql-client.errors.js';
export { GraphqlErrors } from '../graphql-client/graphql-errors.js';
export { RestResource } from '../rest-client/resources/rest-resource.js';
export * from '../rest-client/resources/resources.errors.js';
export { InstallationStore } from '../sessions/coordination/installation.store.js';
export { Lock } from '../sessions/coordination/lock.js';
export { WebhookInbox } from '../sessions/coordination/webhook.inbox.js';
export { Session } from '../sessions/session.js';
export { SessionStorage } from '../sessions/session.storage.js';
export {
  InvalidSession,
  LockTimeoutError,
  SessionNotFoundError,
  SessionStorageError,
} from '../sessions/sessions.errors.js';
export { checkedHandler } from '../webhooks/payloads/checked-handler.js';
export { DeliveryMethod } from '../webhooks/subscriptions/webhook-subscription.js';
export * from '../webhooks/webhooks.errors.js';
