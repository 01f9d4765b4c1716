import type { Register } from '../core/register.js';

/** How often a plan is charged. */
export enum BillingInterval {
  OneTime = 'ONE_TIME',
  Every30Days = 'EVERY_30_DAYS',
  Annual = 'ANNUAL',
  /** By usage, up to a cap per 30 days. */
  Usage = 'USAGE',
}

/** When an approved subscription replaces the one the shop has. */
export enum BillingReplacementBehavior {
  ApplyImmediately = 'APPLY_IMMEDIATELY',
  ApplyOnNextBillingCycle = 'APPLY_ON_NEXT_BILLING_CYCLE',
  /** The platform decides: at once, or at the end of the paid period. */
  Standard = 'STANDARD',
}

/** In units of the currency, such as `9.99` or `'9.99'`; sent exactly as given. */
export type Amount = number | string;

/** An amount of money to pay. */
export interface Price {
  readonly amount: Amount;
  /** ISO 4217, such as `USD`. */
  readonly currencyCode: string;
}

/** A discount by an amount, or by a percentage as a fraction up to 1: `0.2` is 20 %. */
export interface PlanDiscount {
  /** How many intervals are discounted. @default all of them */
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

/** Charges by usage; `amount` is the most that can be charged in 30 days. */
export interface UsageLineItem extends Price {
  readonly interval: `${BillingInterval.Usage}`;
  /** What is charged for, as the merchant reads it before approving. */
  readonly terms: string;
}

/** A line item of a subscription. */
export type PlanLineItem = RecurringLineItem | UsageLineItem;

/** The terms of a subscription as a whole. */
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
type FlatPlan =
  | (RecurringLineItem & SubscriptionTerms)
  | (UsageLineItem & SubscriptionTerms)
  | (NamedUsage & SubscriptionTerms);

/** Charges by usage, as plans that were written flat have said it to the platform's library. */
interface NamedUsage extends Omit<UsageLineItem, 'terms'> {
  /** @deprecated Use `terms`. */
  readonly usageTerms: string;
}

/** A subscription with a recurring line item, a usage line item, or one of each. */
export interface LineItemPlan extends SubscriptionTerms {
  readonly lineItems: readonly PlanLineItem[];
}

/** A plan that merchants can pay for. */
export type Plan = OneTimePlan | FlatPlan | LineItemPlan;

/** The names among registered plans. */
export type PlanNameIn<Registered> = Registered extends { readonly plans: infer Plans }
  ? Exclude<keyof Plans & string, 'isTest'>
  : string;

/** Name of a plan: one of those the app has registered, see {@link Register}; else any. */
export type PlanName = PlanNameIn<Register>;

/** A plan in its normalized form: a single payment is a line item, too. */
export interface PlanDefinition extends SubscriptionTerms {
  readonly lineItems: readonly (OneTimePlan | PlanLineItem)[];
}

/** Normalizes a plan. */
export function definitionOf(plan: Plan): PlanDefinition {
  if ('lineItems' in plan) return plan;
  if (plan.interval === BillingInterval.OneTime) return { lineItems: [plan] };
  const { trialDays, replacementBehavior, ...lineItem } = withTerms(plan);
  return { trialDays, replacementBehavior, lineItems: [lineItem as PlanLineItem] };
}

/** A flat plan with its `terms` under that name. */
export function withTerms(plan: object): SubscriptionTerms {
  if (!('usageTerms' in plan) || 'terms' in plan) return plan;
  const { usageTerms: terms, ...rest } = plan;
  return { ...rest, terms } as SubscriptionTerms;
}

/** The discount of a line item: only recurring prices have one. */
export function discountOf(item: OneTimePlan | PlanLineItem): PlanDiscount | undefined {
  return item.interval === BillingInterval.OneTime || item.interval === BillingInterval.Usage
    ? undefined
    : item.discount;
}
