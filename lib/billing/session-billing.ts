import type { AppSubscription, BillingCheck, UsageRecord } from './billing-state.js';
import type { BillingCall } from './billing.client.js';
import type {
  BillingCancelParams,
  BillingCheckParams,
  BillingService,
  UsageRecordParams,
} from './billing.service.js';
import type {
  BillingRequest,
  BillingRequestParams,
  UsageCapParams,
  UsageCapRequest,
} from './charge-requests.js';

type WithoutSession<Params> = Omit<Params, keyof BillingCall | 'returnObject'>;

/**
 * What the shop of one session pays. Every method rejects with a `BillingError` when the platform
 * reports an error.
 */
export class SessionBilling {
  constructor(
    private readonly billing: BillingService,
    private readonly call: BillingCall,
  ) {}

  /** Asks the platform what the shop pays for the plans, or for any plan. */
  check(params: WithoutSession<BillingCheckParams> = {}): Promise<BillingCheck> {
    return this.billing.check({ ...params, ...this.call, returnObject: true });
  }

  /** As {@link check}. @throws {PlanRequiredError} when the shop pays for none of the plans */
  require(params: WithoutSession<BillingCheckParams>): Promise<BillingCheck> {
    return this.billing.require({ ...params, ...this.call });
  }

  /** Asks the shop to pay for a plan: the merchant approves at `confirmationUrl`. */
  request(params: WithoutSession<BillingRequestParams>): Promise<BillingRequest> {
    return this.billing.request({ ...params, ...this.call, returnObject: true });
  }

  /** Ends a subscription at once. */
  cancel(params: WithoutSession<BillingCancelParams>): Promise<AppSubscription> {
    return this.billing.cancel({ ...params, ...this.call });
  }

  /** The shop's active subscriptions, whatever their plan. */
  subscriptions(): Promise<{ readonly activeSubscriptions: AppSubscription[] }> {
    return this.billing.subscriptions(this.call);
  }

  /** Charges for usage; with an idempotency key once, however often it is sent. */
  createUsageRecord(params: WithoutSession<UsageRecordParams>): Promise<UsageRecord> {
    return this.billing.createUsageRecord({ ...params, ...this.call });
  }

  /** Asks the shop to allow more usage: the merchant approves at `confirmationUrl`. */
  updateUsageCappedAmount(params: WithoutSession<UsageCapParams>): Promise<UsageCapRequest> {
    return this.billing.updateUsageCappedAmount({ ...params, ...this.call });
  }
}
