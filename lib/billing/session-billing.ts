import type { BillingCall } from './billing.api.js';
import type {
  BillingCancelParams,
  BillingCheckParams,
  BillingRequest,
  BillingRequestParams,
  UsageCapParams,
  UsageCapRequest,
  UsageRecordParams,
} from './billing-params.js';
import type { BillingService } from './billing.service.js';
import type { AppSubscription, BillingCheck, UsageRecord } from './billing-state.js';

type WithoutSession<Params> = Omit<Params, keyof BillingCall | 'returnObject'>;

/**
 * What the shop of one session pays. Every call rejects with a `BillingError` when the platform
 * refuses it.
 */
export class SessionBilling {
  constructor(
    private readonly billing: BillingService,
    private readonly call: BillingCall,
  ) {}

  /** What the shop pays for the plans, or for any; asks the platform. */
  check(params: WithoutSession<BillingCheckParams> = {}): Promise<BillingCheck> {
    return this.billing.check({ ...params, ...this.call, returnObject: true });
  }

  /**
   * The same, for code that must not run without. @throws {PlanRequiredError} when it pays for none
   * of them
   */
  require(params: WithoutSession<BillingCheckParams>): Promise<BillingCheck> {
    return this.billing.require({ ...params, ...this.call });
  }

  /** Asks the shop to pay for a plan: the merchant approves at `confirmationUrl`. */
  request(params: WithoutSession<BillingRequestParams>): Promise<BillingRequest> {
    return this.billing.request({ ...params, ...this.call });
  }

  /** Ends a subscription at once. */
  cancel(params: WithoutSession<BillingCancelParams>): Promise<AppSubscription> {
    return this.billing.cancel({ ...params, ...this.call });
  }

  /** The shop's active subscriptions, whatever their plan. */
  subscriptions(): Promise<{ readonly activeSubscriptions: readonly AppSubscription[] }> {
    return this.billing.subscriptions(this.call);
  }

  /** Charges for use; with an idempotency key once, however often it is sent. */
  createUsageRecord(params: WithoutSession<UsageRecordParams>): Promise<UsageRecord> {
    return this.billing.createUsageRecord({ ...params, ...this.call });
  }

  /** Asks the shop to allow more use: the merchant approves at `confirmationUrl`. */
  updateUsageCappedAmount(params: WithoutSession<UsageCapParams>): Promise<UsageCapRequest> {
    return this.billing.updateUsageCappedAmount({ ...params, ...this.call });
  }
}
