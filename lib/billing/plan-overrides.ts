import type { OptionProblem } from '../core/core.errors.js';
import { BillingError } from './billing.errors.js';
import type {
  OneTimePlan,
  PlanDefinition,
  PlanLineItem,
  Price,
  RecurringLineItem,
  SubscriptionTerms,
  UsageLineItem,
} from './billing-plans.js';
import { problemsInPlan } from './plan.schema.js';

/** Any part of it; what is `undefined` stays as it is. */
type PartOf<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

/** Another price, discount or cap for a line item, which is found by its interval. */
export type LineItemOverride =
  | (Pick<RecurringLineItem, 'interval'> & PartOf<RecurringLineItem>)
  | (Pick<UsageLineItem, 'interval'> & PartOf<UsageLineItem>);

/** What is different from the plan for one shop; what is `undefined` is not. */
export interface PlanOverrides extends PartOf<Price>, SubscriptionTerms {
  /** Of a plan with one line item. */
  readonly discount?: RecurringLineItem['discount'];
  /** Of a plan with one line item. */
  readonly terms?: string | undefined;
  readonly lineItems?: readonly LineItemOverride[] | undefined;
}

/**
 * The plan as one shop gets it.
 * @throws {BillingError} when what is overridden is not in the plan, or the result is no plan
 */
export function overridden(
  name: string,
  plan: PlanDefinition,
  overrides: PlanOverrides,
): PlanDefinition {
  const {
    trialDays = plan.trialDays,
    replacementBehavior = plan.replacementBehavior,
    lineItems: perItem = [],
    ...ofOnlyItem
  } = overrides;
  const common = given(ofOnlyItem);
  const [firstCommon] = Object.keys(common);
  if (firstCommon !== undefined && plan.lineItems.length > 1) {
    throw new BillingError(
      `Plan ${name} has several line items: pass "${firstCommon}" in lineItems, beside the interval of the one it is for.`,
    );
  }
  const stray = perItem.find(
    ({ interval }) => !plan.lineItems.some((item) => item.interval === interval),
  );
  if (stray)
    throw new BillingError(`Plan ${name} has no line item with the interval ${stray.interval}.`);
  const lineItems = plan.lineItems.map((item) => {
    const own = perItem.find(({ interval }) => interval === item.interval);
    return { ...item, ...common, ...(own && given(own)) } as OneTimePlan | PlanLineItem;
  });
  const result = { ...given({ trialDays, replacementBehavior }), lineItems };
  const problems = problemsInDefinition(result, name);
  if (problems.length === 0) return result;
  throw new BillingError(
    `These overrides make no plan: ${problems.map(({ option, message }) => `${option} ${message}`).join('; ')}.`,
  );
}

function problemsInDefinition(
  { lineItems, ...terms }: PlanDefinition,
  name: string,
): OptionProblem[] {
  const [only] = lineItems;
  return problemsInPlan(
    only?.interval === 'ONE_TIME' ? { ...terms, ...only } : { ...terms, lineItems },
    name,
  );
}

function given<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
