import type { OptionProblem } from '../core/core.errors.js';
import type { Plan } from './billing-plans.js';
import { problemsInPlan } from './plan.schema.js';

/** Plans by name; the merchant reads the name when approving a charge. */
export interface BillingSettings {
  /**
   * Requests test charges, which cost nothing and count as payment; with `false` they never count.
   * A call may override it. @default real charges are requested; a test charge counts, with a
   * warning, while there is no real one
   */
  readonly isTest?: boolean | undefined;
  readonly [plan: string]: Plan | boolean | undefined;
}

/** The options of billing. */
export interface BillingOptions {
  /** @default no plans: charges made by the platform itself can still be checked */
  readonly billing?: BillingSettings | undefined;
}

/** The problems in the options of billing. */
export function problemsInBilling({ billing }: BillingOptions): OptionProblem[] {
  if (billing === undefined) return [];
  if (typeof billing !== 'object' || billing === null || Array.isArray(billing)) {
    return [{ option: 'billing', message: 'must be an object of plans by name' }];
  }
  const { isTest, ...plans } = billing;
  const switched = isTest === undefined || typeof isTest === 'boolean';
  return [
    ...(switched
      ? []
      : [
          {
            option: 'billing.isTest',
            message: 'must be true or false: no plan can have this name',
          },
        ]),
    ...Object.entries(plans).flatMap(([name, plan]) => {
      if (plan === undefined) return [];
      if (name.trim() === '') return [{ option: 'billing', message: 'has a plan without a name' }];
      return problemsInPlan(plan, `billing.${name}`);
    }),
  ];
}
