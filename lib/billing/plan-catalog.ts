import type { OptionProblem } from '../core/core.errors.js';
import { definitionOf } from './billing-plans.js';
import type {
  OneTimePlan,
  PlanDefinition,
  PlanLineItem,
  Price,
  RecurringLineItem,
  SubscriptionTerms,
  UsageLineItem,
} from './billing-plans.js';
import { BillingError } from './billing.errors.js';
import type { BillingSettings } from './billing.options.js';
import { problemsInPlan } from './plan.schema.js';

/** Any of its properties; those that are `undefined` change nothing. */
type PartOf<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

/** Another price, discount or cap for a line item, which is found by its interval. */
type LineItemOverride =
  | (Pick<RecurringLineItem, 'interval'> & PartOf<RecurringLineItem>)
  | (Pick<UsageLineItem, 'interval'> & PartOf<UsageLineItem>);

/** Overrides of a plan for one shop. Properties that are `undefined` change nothing. */
export interface PlanOverrides extends PartOf<Price>, SubscriptionTerms {
  /** For a plan with one line item. */
  readonly discount?: RecurringLineItem['discount'];
  /** For a plan with one line item. */
  readonly terms?: string | undefined;
  readonly lineItems?: readonly LineItemOverride[] | undefined;
}

/** The plans of an app. */
export class PlanCatalog {
  /** Whether charges are tests unless a call says otherwise; `undefined` when nothing is said. */
  readonly isTest: boolean | undefined;
  readonly #plans: ReadonlyMap<string, PlanDefinition>;

  constructor({ isTest, ...plans }: BillingSettings = {}) {
    this.isTest = isTest;
    this.#plans = new Map(
      Object.entries(plans).flatMap(([name, plan]) =>
        typeof plan === 'object' ? [[name, definitionOf(plan)] as const] : [],
      ),
    );
  }

  /** Of all plans, in the order of the options. */
  get names(): string[] {
    return [...this.#plans.keys()];
  }

  has(name: string): boolean {
    return this.#plans.has(name);
  }

  /**
   * The plan with that name, with the overrides for one shop.
   * @throws {BillingError} when there is no such plan, or an override does not fit it
   */
  get(name: string, overrides: PlanOverrides = {}): PlanDefinition {
    const plan = this.#plans.get(name);
    if (plan) return overridden(name, plan, overrides);
    const names = this.names.join(', ');
    throw new BillingError(
      `Could not find plan ${name} in billing settings. ${names ? `There are: ${names}.` : 'The option billing has no plans.'}`,
    );
  }
}

function overridden(name: string, plan: PlanDefinition, overrides: PlanOverrides): PlanDefinition {
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
    throw new BillingError(
      `Plan ${name} has no line item with the interval ${stray.interval}: it has ${plan.lineItems.map(({ interval }) => interval).join(', ')}.`,
    );
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
