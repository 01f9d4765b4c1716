import type { Register } from '../core/register.js';

/** How often a plan is charged. */
export enum BillingInterval {
  OneTime = 'ONE_TIME',
  Every30Days = 'EVERY_30_DAYS',
  Annual = 'ANNUAL',
  /** As much as was used, up to a cap per 30 days. */
  Usage = 'USAGE',
}

/** What becomes of the subscription a shop has when it approves another. */
export enum BillingReplacementBehavior {
  ApplyImmediately = 'APPLY_IMMEDIATELY',
  ApplyOnNextBillingCycle = 'APPLY_ON_NEXT_BILLING_CYCLE',
  /**
   * At once, or at the end of the paid period where the shop loses nothing by it: the platform
   * decides.
   */
  Standard = 'STANDARD',
}

/** In units of the currency, such as `9.99` or `'9.99'`; sent exactly as given. */
export type Amount = number | string;

/** What is to be paid. */
export interface Price {
  readonly amount: Amount;
  /** ISO 4217, such as `USD`. */
  readonly currencyCode: string;
}

/**
 * Makes the first intervals cheaper, by an amount or by a percentage, which is a fraction up to 1:
 * `0.2` is 20 %.
 */
export interface PlanDiscount {
  /** @default all of them */
  readonly durationLimitInIntervals?: number | undefined;
  readonly value:
    | { readonly amount: Amount; readonly percentage?: undefined }
    | { readonly percentage: number; readonly amount?: undefined };
}

/** A fixed price per interval. */
export interface RecurringLineItem extends Price {
  readonly interval: `${BillingInterval.Every30Days | BillingInterval.Annual}`;
  readonly discount?: PlanDiscount | undefined;
}

/** Charges by use; `amount` is the most that can be charged in 30 days. */
export interface UsageLineItem extends Price {
  readonly interval: `${BillingInterval.Usage}`;
  /** What is charged for, as the merchant reads it before approving. */
  readonly terms: string;
}

/** What a subscription is made of. */
export type PlanLineItem = RecurringLineItem | UsageLineItem;

/** What a subscription has as a whole. */
export interface SubscriptionTerms {
  /** Whole days. @default none */
  readonly trialDays?: number | undefined;
  /** @default the platform's, `STANDARD` */
  readonly replacementBehavior?: `${BillingReplacementBehavior}` | undefined;
}

/** A single payment. */
export interface OneTimePlan extends Price {
  readonly interval: `${BillingInterval.OneTime}`;
}

/** A subscription with one line item, written flat. */
export type FlatPlan =
  (RecurringLineItem & SubscriptionTerms) | (UsageLineItem & SubscriptionTerms);

/** A subscription with a recurring line item, a usage line item, or one of each. */
export interface LineItemPlan extends SubscriptionTerms {
  readonly lineItems: readonly PlanLineItem[];
}

/** What merchants can pay for. */
export type Plan = OneTimePlan | FlatPlan | LineItemPlan;

/** The names among registered plans. */
export type PlanNameIn<Registered> = Registered extends { readonly plans: infer Plans }
  ? Exclude<keyof Plans & string, 'isTest'>
  : string;

/** Name of a plan: one of those the app has registered, see {@link Register}; else any. */
export type PlanName = PlanNameIn<Register>;

/** A plan in the one shape it is worked with: what is paid once is a line item, too. */
export interface PlanDefinition extends SubscriptionTerms {
  readonly lineItems: readonly (OneTimePlan | PlanLineItem)[];
}

/** Brings either way of writing a plan into one shape. */
export function definitionOf(plan: Plan): PlanDefinition {
  if ('lineItems' in plan) return plan;
  if (plan.interval === BillingInterval.OneTime) return { lineItems: [plan] };
  const { trialDays, replacementBehavior, ...lineItem } = plan;
  return { trialDays, replacementBehavior, lineItems: [lineItem] };
}
