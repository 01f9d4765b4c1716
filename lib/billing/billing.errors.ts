import { PlatformError } from '../core/core.errors.js';
import type { UserError } from '../graphql-client/graphql-client.errors.js';

/**
 * Nothing could be charged, cancelled or read: `errorData` says what the platform found wrong,
 * `cause` how it said so.
 */
export class BillingError extends PlatformError {
  readonly code = 'ERR_BILLING';

  constructor(
    message: string,
    /** Empty when it was not the platform that refused. */
    readonly errorData: readonly UserError[] = [],
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/**
 * Why a shop may not go on: it has no plan that counts, or has come back from a charge that does
 * not run, or not yet.
 */
export type PlanRefusal = 'plan_required' | 'plan_declined' | 'plan_pending';

/** The shop pays for none of the plans that were asked for. */
export class PlanRequiredError extends PlatformError {
  readonly code = 'ERR_PLAN_REQUIRED';
  readonly reason = 'plan_required' satisfies PlanRefusal;

  constructor(
    readonly shop: string,
    /** Any of them would do; empty when any plan of the app would. */
    readonly plans: readonly string[],
  ) {
    super(
      `${shop} pays for ${plans.length > 0 ? `none of these plans: ${plans.join(', ')}` : 'no plan of the app'}.`,
    );
  }
}
