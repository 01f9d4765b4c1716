import { PlatformError } from '../core/core.errors.js';
import type { UserError } from '../graphql-client/graphql-client.errors.js';

/**
 * A charge could not be made, cancelled or read: `errorData` holds the platform's errors, `cause`
 * the error of the GraphQL client.
 * @remedy Read `errorData`: most often a plan in `billing` is not what the platform accepts, or a
 * charge is real in a development store, which needs `isTest`.
 */
export class BillingError extends PlatformError {
  readonly code = 'ERR_BILLING';

  constructor(
    message: string,
    /** Empty when the platform reported no error. */
    readonly errorData: readonly UserError[] = [],
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/**
 * Why a shop may not continue: it has no plan that counts, or its merchant returned from a charge
 * that was declined or is not active yet.
 */
export type PlanDenyReason = 'plan_required' | 'plan_declined' | 'plan_pending';

/**
 * The shop pays for none of the required plans.
 * @remedy Request a charge for one of `plans`, and send the merchant to its confirmation page.
 */
export class PlanRequiredError extends PlatformError {
  readonly code = 'ERR_PLAN_REQUIRED';
  readonly reason = 'plan_required' satisfies PlanDenyReason;

  constructor(
    readonly shop: string,
    /** Any of them would be enough; empty when any plan of the app would. */
    readonly plans: readonly string[],
  ) {
    super(
      `${shop} pays for ${plans.length > 0 ? `none of these plans: ${plans.join(', ')}` : 'no plan of the app'}.`,
    );
  }
}
