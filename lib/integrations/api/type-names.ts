// Types of the toolkit under the names that apps know from the platform's own library.
import type { BillingSettings } from '../../billing/billing.options.js';
import type {
  BillingInterval,
  LineItemPlan,
  OneTimePlan,
  PlanDiscount,
  PlanLineItem,
} from '../../billing/billing-plans.js';
import type { BillingService } from '../../billing/billing.service.js';
import type { RecurringPricing, SubscriptionLineItem } from '../../billing/billing-state.js';
import type { Untyped } from '../../core/json.js';
import type { LogSink } from '../../core/logger.js';
import type { GraphqlRequestOptions } from '../../graphql-client/graphql.options.js';
import type { ClientsApi } from '../../platform/api/clients.api.js';
import type { PlatformApi } from '../../platform/api/platform.api.js';
import type { ProcessParams, WebhookVerification } from '../../platform/api/webhooks.api.js';
import type { SignedBodyCheck } from '../../platform/api/signed-body.api.js';
import type { RawDelivery, RawExchange } from '../../platform/api/raw-request.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { PostRequestParams } from '../../rest-client/rest.client.js';
import type { Session } from '../../sessions/session.js';
import type { HttpWebhookHandler } from '../../webhooks/handlers/handlers-by-topic.js';
import type { WebhookCallback } from '../../webhooks/handlers/webhook-handler-map.js';
import type { WebhookFacts } from '../../webhooks/deliveries/webhook-delivery.js';
import type { RegisterResult } from '../../webhooks/subscriptions/webhook.registrar.js';
import type { WebhookSubscription } from '../../webhooks/subscriptions/webhook-subscription.js';
import type { PlatformApiOptions } from './platform-api.js';
import type {
  ValidationErrorReason,
  WebhookType,
  WebhookValidationErrorReason,
} from './wire-names.js';

/** Those an app has registered; else any, with methods that nobody has typed. */
type KnownResources = ResourceSet extends RegisteredResources
  ? Readonly<Record<string, Untyped>>
  : RegisteredResources;

/** The resources of a library object with these options; older releases named them alone. */
type ResourcesOf<Params> = Params extends ResourceSet
  ? Params
  : Params extends { readonly restResources?: infer Resources extends ResourceSet | undefined }
    ? ResourceSet extends NonNullable<Resources>
      ? KnownResources
      : NonNullable<Resources>
    : KnownResources;

/** The library object, that of another host as well. Only its resources make a difference. */
export type Shopify<
  Params = unknown,
  Resources extends ResourceSet = ResourcesOf<Params>,
  _Future = unknown,
> = PlatformApi<Resources>;

/** What `shopifyApi()` takes. Only its resources make a difference. */
export type ConfigParams<
  Resources extends ResourceSet = RegisteredResources,
  _Future = unknown,
> = PlatformApiOptions<Resources>;

export type LogFunction = NonNullable<LogSink['log']>;
export type GetEmbeddedAppUrlParams = RawExchange;

export type RecurringBillingIntervals = Exclude<BillingInterval, BillingInterval.OneTime>;
export type BillingConfig = BillingSettings;
export type BillingConfigItem = OneTimePlan | LineItemPlan;
export type BillingConfigSubscriptionPlanDiscountAmount = Extract<
  PlanDiscount['value'],
  { readonly percentage?: undefined }
>;
export type BillingConfigSubscriptionPlanDiscountPercentage = Extract<
  PlanDiscount['value'],
  { readonly percentage: number }
>;
export type BillingConfigRecurringLineItem = Exclude<PlanLineItem, { readonly terms: string }>;
export type BillingConfigUsageLineItem = Extract<PlanLineItem, { readonly terms: string }>;
export type RequestConfigOverrides = Partial<OneTimePlan>;
export type RequestConfigLineItemOverrides = Partial<LineItemPlan>;
export type BillingCheckResponse = Awaited<ReturnType<BillingService['check']>>;
export type ActiveSubscriptions = Awaited<ReturnType<BillingService['subscriptions']>>;
export type ActiveSubscriptionLineItem = SubscriptionLineItem;
export type AppPlan = SubscriptionLineItem['plan'];
export type AppPlanDiscount = NonNullable<RecurringPricing['discount']>;
export type BillingSubscriptionParams = Parameters<BillingService['subscriptions']>[0];
export type BillingCancel = BillingService['cancel'];
export type BillingSubscriptions = BillingService['subscriptions'];
export type BillingCreateUsageRecord = BillingService['createUsageRecord'];
export type BillingUpdateUsageCappedAmount = BillingService['updateUsageCappedAmount'];

export type HeaderParams = NonNullable<PostRequestParams['extraHeaders']>;
export type GraphqlParams = Omit<PostRequestParams, 'path' | 'type'>;
export type GraphqlQueryOptions = GraphqlRequestOptions;
export type ShopifyClients = Pick<ClientsApi, 'Graphql' | 'Rest' | 'Storefront' | 'graphqlProxy'>;
export type GraphqlProxy = ClientsApi['graphqlProxy'];

export type WebhookTypeValue = (typeof WebhookType)[keyof typeof WebhookType];
export type WebhookHandlerFunction = WebhookCallback;
export type HttpWebhookHandlerWithCallback = HttpWebhookHandler & {
  readonly callback: WebhookCallback;
};
export type WebhookHandler = HttpWebhookHandler | Exclude<WebhookSubscription, HttpWebhookHandler>;
export type RegisterParams = { readonly session: Session };
export type RegisterReturn = Record<string, RegisterResult[]>;
export type WebhookProcessParams = ProcessParams;
export type WebhookValidateParams = RawDelivery;
export type WebhookValidationErrorReasonType =
  (typeof WebhookValidationErrorReason)[keyof typeof WebhookValidationErrorReason];
export type WebhookValidation = WebhookVerification;
export type WebhookValidationValid = Extract<WebhookVerification, { readonly valid: true }>;
export type WebhookValidationInvalid = Extract<WebhookVerification, { readonly valid: false }>;
export type WebhookValidationMissingHeaders = WebhookValidationInvalid & {
  readonly missingHeaders: readonly string[];
};
export type WebhookFields = Omit<WebhookFacts, 'shop'> & {
  readonly domain: string;
  readonly hmac: string;
};
export type WebhooksWebhookFields = WebhookFields & { readonly webhookType: 'webhooks' };
export type EventsWebhookFields = WebhookFields & { readonly webhookType: 'events' };

export type ValidationErrorReasonType =
  (typeof ValidationErrorReason)[keyof typeof ValidationErrorReason];
export type ValidationValid = Extract<SignedBodyCheck, { readonly valid: true }>;
export type ValidationInvalid = Extract<SignedBodyCheck, { readonly valid: false }>;
