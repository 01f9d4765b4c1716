import { BillingError } from './billing.errors.js';
import type { PlanName } from './billing-plans.js';

/**
 * The plans any of which will do, as a list. To be called where they are declared: a mistake shows
 * before a shop without a plan comes.
 * @param plan the one a shop without any is asked to pay for
 * @throws {BillingError} when there are none, or `plan` is not among them: paying for it would lead
 * back to where it was asked for
 */
export function checkedPlans(
  plans: PlanName | readonly PlanName[],
  plan?: PlanName,
): readonly [PlanName, ...PlanName[]] {
  const [first, ...others] = [plans].flat();
  if (first === undefined)
    throw new BillingError('No plan is named that the shop could be asked to pay for.');
  const accepted = [first, ...others] as const;
  if (plan === undefined || accepted.includes(plan)) return accepted;
  throw new BillingError(
    `Plan ${plan} is not among those that are required: ${accepted.join(', ')}.`,
  );
}
