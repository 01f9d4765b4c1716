import type { BillingCall } from './billing.api.js';
import type { PlanName, Price } from './billing-plans.js';
import type { AppSubscription, OneTimePurchase } from './billing-state.js';
import type { PlanOverrides } from './plan-overrides.js';

/** Which payments are looked for. */
export interface BillingCheckParams extends BillingCall {
  /** Any of them will do. @default any plan */
  readonly plans?: PlanName | readonly PlanName[] | undefined;
  /** Test charges count, too. @default the app's `billing.isTest` */
  readonly isTest?: boolean | undefined;
  /** Answers with what was found instead of whether anything was. @default false */
  readonly returnObject?: boolean | undefined;
}

/** What a shop is asked to pay. */
export interface BillingRequestParams extends BillingCall, PlanOverrides {
  readonly plan: PlanName;
  /** Asks for a test charge. @default the app's `billing.isTest` */
  readonly isTest?: boolean | undefined;
  /**
   * Where the merchant goes after approving, as an address or a path of the app. @default the app's
   * home, inside the admin when embedded
   */
  readonly returnUrl?: string | undefined;
  /** Accepted from code that moves here; the answer is an object either way. */
  readonly returnObject?: boolean | undefined;
}

/** A charge that waits for the merchant's approval. */
export interface BillingRequest {
  /** Where the merchant approves or declines, outside of the admin's frame. */
  readonly confirmationUrl: string;
  /** Of a plan that is a subscription. */
  readonly appSubscription?: AppSubscription | undefined;
  /** Of a plan that is paid once. */
  readonly oneTimePurchase?: OneTimePurchase | undefined;
}

export interface BillingCancelParams extends BillingCall {
  readonly subscriptionId: string;
  /** Credits the unused part of the interval. @default true */
  readonly prorate?: boolean | undefined;
  /** Accepted from code that moves here; the subscription knows by itself. */
  readonly isTest?: boolean | undefined;
}

export interface UsageRecordParams extends BillingCall {
  /** What was used, as the merchant reads it. */
  readonly description: string;
  readonly price: Price;
  /** @default the usage line item of the shop's active subscription, which costs a query */
  readonly subscriptionLineItemId?: string | undefined;
  /**
   * With the same key nothing is charged twice, however often it is sent. 1 to 255 characters.
   * @default none
   */
  readonly idempotencyKey?: string | undefined;
  /**
   * Where the line item is looked for: test subscriptions count, too. @default the app's
   * `billing.isTest`
   */
  readonly isTest?: boolean | undefined;
}

export interface UsageCapParams extends BillingCall {
  readonly subscriptionLineItemId: string;
  readonly cappedAmount: Price;
}

/** A change of a subscription that waits for the merchant's approval. */
export interface UsageCapRequest {
  readonly confirmationUrl: string;
  readonly appSubscription: AppSubscription;
}
