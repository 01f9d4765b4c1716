import { isoTime } from '../../base/iso-time.js';
import { globalId } from '../../base/vendor.js';
import { chargeGlobalId, type AppCharge, type AppSubscription } from './billing-charge.js';
import type { RecurringPricing, UsagePricing } from './billing-terms.js';

/** The payload of the webhooks about a charge. */
export function chargePayload(charge: AppCharge, shopId: number): Record<string, unknown> {
  const { name, status } = charge;
  const facts = { name, status, ...identity(charge, shopId) };
  if (charge.kind === 'purchase') return { app_purchase_one_time: facts };
  const { recurring, usage } = pricingsOf(charge);
  return {
    app_subscription: {
      ...facts,
      currency: (recurring?.price ?? usage?.cappedAmount)?.currencyCode,
      capped_amount: usage?.cappedAmount.amount ?? null,
      price: recurring?.price.amount ?? '0.0',
      interval: charge.pricing[0]?.interval.toLowerCase(),
      plan_handle: null,
    },
  };
}

/** The payload of `app_subscriptions/approaching_capped_amount`. @param balanceUsed decimal text */
export function nearCapPayload(
  subscription: AppSubscription,
  shopId: number,
  balanceUsed: string,
): Record<string, unknown> {
  const { usage } = pricingsOf(subscription);
  return {
    app_subscription: {
      name: subscription.name,
      balance_used: Number(balanceUsed),
      capped_amount: usage?.cappedAmount.amount,
      currency_code: usage?.cappedAmount.currencyCode,
      ...identity(subscription, shopId),
    },
  };
}

function pricingsOf({ pricing }: AppSubscription): {
  recurring: RecurringPricing | undefined;
  usage: UsagePricing | undefined;
} {
  return {
    recurring: pricing.find((one) => one.kind === 'recurring'),
    usage: pricing.find((one) => one.kind === 'usage'),
  };
}

function identity(charge: AppCharge, shopId: number): object {
  return {
    admin_graphql_api_id: chargeGlobalId(charge),
    admin_graphql_api_shop_id: globalId('Shop', shopId),
    created_at: isoTime(charge.createdAt),
    updated_at: isoTime(charge.updatedAt),
  };
}
