import type { PlanRequiredError } from '../../billing/billing.errors.js';
import type { BillingGate, RequirePlanOptions } from '../../billing/billing-gate.js';
import type { SessionBilling } from '../../billing/session-billing.js';
import type { BillingCheck } from '../../billing/billing-state.js';
import type { Decision } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { Session } from '../../sessions/session.js';

/**
 * What the shop of a request pays. What has to be approved by the merchant is *thrown*, as the
 * response that leads there.
 */
export interface WebBilling extends Pick<
  SessionBilling,
  'check' | 'cancel' | 'subscriptions' | 'createUsageRecord'
> {
  /**
   * Lets the request of a paying shop go on.
   * @throws {Response} that leads to the confirmation page of the plan, or whatever `onFailure`
   * answers or throws; for who comes back from a charge that does not run, the page that says so
   */
  require(
    options: Omit<RequirePlanOptions<Response>, 'onFailure'> & {
      onFailure?: 'request' | 'deny' | ((error: PlanRequiredError) => Promise<Response>);
    },
  ): Promise<BillingCheck>;
  /**
   * Asks the shop to pay for a plan, once for loaders that run side by side. @throws {Response}
   * that leads to the confirmation page
   */
  request(params: Parameters<SessionBilling['request']>[0]): Promise<never>;
  /** Asks the shop to allow more use. @throws {Response} that leads to the confirmation page */
  updateUsageCappedAmount(
    params: Parameters<SessionBilling['updateUsageCappedAmount']>[0],
  ): Promise<never>;
}

/** What it works with. */
interface WebBillingDependencies {
  readonly billingGate: BillingGate;
  readonly billing: SessionBilling;
  readonly request: InboundRequest;
  readonly session: Session;
  /** The response to the request that a decision comes to. */
  readonly answer: (decision: Decision) => Response;
  /** The response that leads out of the admin's frame. */
  readonly leave: (url: string) => Response;
}

/** The `billing` of one request. */
export function createBilling({
  billingGate,
  billing,
  request,
  session,
  answer,
  leave,
}: WebBillingDependencies): WebBilling {
  return {
    check: (params) => billing.check(params),
    cancel: (params) => billing.cancel(params),
    subscriptions: () => billing.subscriptions(),
    createUsageRecord: (params) => billing.createUsageRecord(params),
    async require(options) {
      const decision = await billingGate.require<Response>(request, session, options);
      if (decision.kind === 'granted') return decision.check;
      throw decision.kind === 'answered' ? decision.answer : answer(decision);
    },
    async request(params) {
      throw leave((await billing.request(params)).confirmationUrl);
    },
    async updateUsageCappedAmount(params) {
      throw leave((await billing.updateUsageCappedAmount(params)).confirmationUrl);
    },
  };
}
