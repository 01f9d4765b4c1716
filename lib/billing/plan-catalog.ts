import { BillingError } from './billing.errors.js';
import type { BillingSettings } from './billing.options.js';
import { definitionOf } from './billing-plans.js';
import type { PlanDefinition } from './billing-plans.js';

/** What the app sells. */
export class PlanCatalog {
  /** Charges are test charges unless a call says otherwise. */
  readonly isTest: boolean;
  readonly #plans: ReadonlyMap<string, PlanDefinition>;

  constructor({ isTest = false, ...plans }: BillingSettings = {}) {
    this.isTest = isTest;
    this.#plans = new Map(
      Object.entries(plans).flatMap(([name, plan]) =>
        typeof plan === 'object' ? [[name, definitionOf(plan)] as const] : [],
      ),
    );
  }

  has(name: string): boolean {
    return this.#plans.has(name);
  }

  /** @throws {BillingError} when the app has no plan of that name */
  get(name: string): PlanDefinition {
    const plan = this.#plans.get(name);
    if (plan) return plan;
    const names = [...this.#plans.keys()].join(', ');
    throw new BillingError(
      `Could not find plan ${name} in billing settings. ${names ? `There are: ${names}.` : 'The option billing has no plans.'}`,
    );
  }
}
