import type { OptionProblem } from '../core/core.errors.js';
import type { Plan } from './billing-plans.js';
import { problemsInPlan } from './plan.schema.js';

/** Plans by name; a merchant reads the name when approving a charge. */
export interface BillingSettings {
  /**
   * Charges are made as test charges, which cost nothing and count as payment. A call may say
   * otherwise. @default false
   */
  readonly isTest?: boolean | undefined;
  readonly [plan: string]: Plan | boolean | undefined;
}

/** What an app can say about what it costs. */
export interface BillingOptions {
  /** @default no plans: what the platform itself sells for the app can still be checked */
  readonly billing?: BillingSettings | undefined;
}

/** Everything that is wrong with the options about billing. */
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
