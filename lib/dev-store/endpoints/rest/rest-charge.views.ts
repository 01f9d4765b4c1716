import { isoTime } from '../../base/iso-time.js';
import {
  decoratedReturnUrl,
  type AppCharge,
  type AppSubscription,
} from '../../state/billing/billing-charge.js';
import type { RestCall } from './rest.endpoint.js';

/** What was used of a subscription, as responses have it. */
export type UsageView = Record<string, unknown> & { readonly id: number };

/** The line of a subscription that is charged by usage; index -1 when there is none. */
export function usageOf({ pricing }: AppSubscription): {
  index: number;
  pricing: AppSubscription['pricing'][number] | undefined;
} {
  const index = pricing.findIndex(({ kind }) => kind === 'usage');
  return { index, pricing: pricing[index] };
}

/** What was used of a subscription. */
export function usageViews({ shop }: RestCall, charge: AppSubscription): UsageView[] {
  return shop.billing.usageRecords
    .filter((record) => record.subscription === charge)
    .map(({ id, description, price, createdAt }) => ({
      ...{ id, description, price: decimal(price.amount), created_at: isoTime(createdAt) },
      ...{ currency: price.currencyCode, billing_on: null, ...balancesOf(charge, shop) },
    }));
}

/** How much of the cap of a subscription is used. */
function balancesOf(charge: AppSubscription, { billing }: RestCall['shop']): object {
  const { index, pricing } = usageOf(charge);
  if (pricing?.kind !== 'usage') return {};
  const [used, cap] = [billing.usage.balance(charge, index), pricing.cappedAmount.amount].map(
    Number,
  ) as [number, number];
  return {
    balance_used: decimal(used),
    balance_remaining: decimal(cap - used),
    risk_level: used / cap,
  };
}

/** A charge as responses have it. */
export function chargeView(charge: AppCharge, { shop, apps }: RestCall): Record<string, unknown> {
  const { id, name, apiKey, status, returnUrl, test, createdAt, updatedAt } = charge;
  const common = {
    ...{ id, name, status: status.toLowerCase(), return_url: returnUrl, test: test || null },
    api_client_id: apps.require(apiKey).id,
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
    decorated_return_url: decoratedReturnUrl(charge),
    ...(status === 'PENDING' ? { confirmation_url: shop.billing.confirmationUrl(id) } : {}),
  };
  if (charge.kind === 'purchase') {
    const { amount, currencyCode } = charge.price;
    return { ...common, price: decimal(amount), currency: currencyCode, charge_type: null };
  }
  const { pricing } = usageOf(charge);
  const usage = pricing?.kind === 'usage' ? pricing : undefined;
  const recurring = charge.pricing.find((one) => one.kind === 'recurring');
  const { activatedAt, trialDays } = charge;
  const trialEnd = activatedAt && new Date(activatedAt.getTime() + trialDays * 86_400_000);
  return {
    ...common,
    price: decimal(recurring?.price.amount ?? 0),
    currency: (recurring?.price ?? usage?.cappedAmount)?.currencyCode,
    billing_on: dateOf(shop.billing.period(charge)?.end),
    activated_on: dateOf(activatedAt),
    cancelled_on: status === 'CANCELLED' ? dateOf(updatedAt) : null,
    trial_days: trialDays,
    trial_ends_on: dateOf(trialEnd),
    ...(usage
      ? {
          capped_amount: decimal(usage.cappedAmount.amount),
          terms: usage.terms,
          ...balancesOf(charge, shop),
        }
      : {}),
  };
}

function decimal(amount: string | number): string {
  return Number(amount).toFixed(2);
}

function dateOf(time: Date | undefined): string | null {
  return time ? isoTime(time).slice(0, 10) : null;
}
