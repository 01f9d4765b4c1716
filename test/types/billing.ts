/** Checked by the compiler, never run: what users of billing write without a cast. */
import type { BillingGate } from '../../lib/billing/billing-gate.js';
import type { BillingSettings } from '../../lib/billing/billing.options.js';
import { BillingInterval } from '../../lib/billing/billing-plans.js';
import type { PlanName, PlanNameIn } from '../../lib/billing/billing-plans.js';
import type { BillingService } from '../../lib/billing/billing.service.js';
import type { InboundRequest } from '../../lib/core/http/inbound-request.js';
import type { Session } from '../../lib/sessions/session.js';

const plans = {
  isTest: true,
  Basic: { amount: 5, currencyCode: 'USD', interval: BillingInterval.Every30Days, trialDays: 7 },
  Pro: { lineItems: [{ amount: '9.99', currencyCode: 'USD', interval: 'ANNUAL' }] },
} satisfies BillingSettings;

export function names(): void {
  const registered: PlanNameIn<{ plans: typeof plans }>[] = ['Basic', 'Pro'];
  // @ts-expect-error the app sells no such plan
  const unknown: PlanNameIn<{ plans: typeof plans }> = 'Gold';
  // @ts-expect-error this is the switch
  const notAPlan: PlanNameIn<{ plans: typeof plans }> = 'isTest';
  const withoutRegistration: PlanNameIn<object> = 'anything';
  const here: PlanName = 'anything';
  void [registered, unknown, notAPlan, withoutRegistration, here];
}

export async function answers(billing: BillingService, session: Session): Promise<void> {
  const isPaid: boolean = await billing.check({ session, plans: 'Pro' });
  const found = await billing.check({ session, returnObject: true });
  const pricing = found.appSubscriptions[0]?.lineItems[0]?.plan.pricingDetails;
  const left =
    pricing && 'balanceUsed' in pricing
      ? pricing.cappedAmount.amount - pricing.balanceUsed.amount
      : 0;
  const { confirmationUrl } = await billing.request({
    session,
    plan: 'Pro',
    trialDays: 3,
    lineItems: [{ interval: 'ANNUAL', amount: '8.99' }],
  });
  const url: string = confirmationUrl;
  const same: string = await billing.request({ session, plan: 'Pro', returnObject: false });
  void [isPaid, left, url, same];
  // @ts-expect-error who asks is missing
  await billing.check({ plans: 'Pro' });
  const metered: BillingSettings = {
    // @ts-expect-error use needs terms
    Metered: { amount: 5, currencyCode: 'USD', interval: BillingInterval.Usage },
  };
  await billing.request({
    session,
    plan: 'Pro',
    // @ts-expect-error an amount or a percentage, not both
    discount: { value: { amount: 1, percentage: 0.1 } },
  });
  void metered;
}

export async function gate(
  billing: BillingGate,
  request: InboundRequest,
  session: Session,
): Promise<void> {
  const plain = await billing.require(request, session, { plans: 'Pro' });
  // @ts-expect-error nobody answers in place of the toolkit
  if (plain.kind === 'answered') void plain.answer.valueOf();
  const decision = await billing.require(request, session, {
    plans: ['Pro'],
    onFailure: async () => new Response(),
  });
  if (decision.kind === 'answered') void decision.answer.status;
}
