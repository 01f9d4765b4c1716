/**
 * The library without a host, and the names that apps know from the platform's own library.
 * @module shopwright/api
 */
export { platformApi, platformApi as shopifyApi } from './platform-api.js';
export type { PlatformApiApp, PlatformApiOptions } from './platform-api.js';
export { StatusCode } from './status-codes.js';
export type * from './type-names.js';
export * from './wire-names.js';

export type {
  LineItemPlan as BillingConfigSubscriptionLineItemPlan,
  OneTimePlan as BillingConfigOneTimePlan,
  PlanDiscount as BillingConfigSubscriptionPlanDiscount,
  Price as BillingConfigLineItem,
  Price as BillingConfigPlan,
} from '../../billing/billing-plans.js';
export type {
  BillingCheck as BillingCheckResponseObject,
  Money,
  RecurringPricing as RecurringAppPlan,
  SubscriptionLineItem as AppSubscriptionLineItem,
  UsagePricing as UsageAppPlan,
} from '../../billing/billing-state.js';
export type {
  BillingRequest as BillingRequestResponse,
  BillingRequest as BillingRequestResponseObject,
  UsageCapParams as BillingUpdateUsageCappedAmountParams,
  UsageCapRequest as UpdateCappedAmountConfirmation,
} from '../../billing/charge-requests.js';
export type {
  BillingService as ShopifyBilling,
  UsageRecordParams as BillingCreateUsageRecordParams,
} from '../../billing/billing.service.js';
export type { HmacQuery as AuthQuery } from '../../core/crypto/query-hmac.js';
export {
  PRIVACY_TOPICS as gdprTopics,
  PRIVACY_TOPICS as privacyTopics,
} from '../../core/vendor.js';
export { GraphqlClient } from '../../graphql-client/graphql.client.js';
export type {
  ClientParams as ClientArgs,
  ClientParams as GraphqlClientParams,
  ClientParams as RestClientParams,
  GraphqlProxyParams,
} from '../../platform/api/clients.api.js';
export type { ApiConfig as ConfigInterface } from '../../platform/api/platform.api.js';
export type { ProxiedBody } from '../../platform/api/proxied-query.js';
export type { BeginParams, CallbackParams } from '../../platform/api/raw-oauth.js';
export type { RawDelivery as ValidateParams } from '../../platform/api/raw-request.js';
export type { PageInfo, PageInfoParams } from '../../rest-client/page-info.js';
export type { CurrentIdParams as GetCurrentSessionIdParams } from '../../platform/api/session.api.js';
export { RestClient } from '../../rest-client/rest.client.js';
export type {
  DeleteRequestParams,
  GetRequestParams,
  PostRequestParams,
  PutRequestParams,
} from '../../rest-client/rest.client.js';
export type {
  RestResponse as RequestReturn,
  RestResponse as RestRequestReturn,
} from '../../rest-client/rest.response.js';
export type { ResourceSet as ShopifyRestResources } from '../../rest-client/resources/resource-set.js';
export type { WebhookHandlerMap as AddHandlersParams } from '../../webhooks/handlers/handlers-by-topic.js';
export type {
  EventBridgeSubscription as EventBridgeWebhookHandler,
  PubSubSubscription as PubSubWebhookHandler,
} from '../../webhooks/subscriptions/webhook-subscription.js';

export * from '../../platform/exports.js';
