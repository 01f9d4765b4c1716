import type { AppCharge, AppPurchase, AppSubscription, UsageRecord } from '../../state/billing/billing.charge.js';
import { discounted, type RecurringPricing, type UsagePricing } from '../../state/billing/billing.terms.js';
import type { DevShop } from '../../dev-shop.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql.engine.js';
import { isoTime } from '../../base/iso-time.js';
import { globalId, idOf } from '../../base/vendor.js';

/** What the schema knows of what a shop is charged by an app. */
export function installationBilling(shop: DevShop, apiKey: string): Record<string, unknown> {
  const subscriptions = (): AppSubscription[] => shop.billing.subscriptionsOf(apiKey);
  return {
    activeSubscriptions: () =>
      subscriptions()
        .filter(({ status }) => status === 'ACTIVE')
        .map((one) => appSubscriptionView(shop, one)),
    allSubscriptions: (args: ConnectionArgs, context: GraphqlContext) =>
      connection(subscriptions(), args, context, (one) => appSubscriptionView(shop, one)),
    oneTimePurchases: (args: ConnectionArgs, context: GraphqlContext) =>
      connection(shop.billing.purchasesOf(apiKey), args, context, purchaseView),
  };
}

/** The charge or usage record of an app that a global id names; undefined when it names something else. */
export function billingNode(shop: DevShop, apiKey: string, id: string): object | undefined {
  const number = idOf('AppSubscription', id) ?? idOf('AppPurchaseOneTime', id);
  const charge = number === undefined ? undefined : shop.billing.find(number);
  if (charge?.apiKey === apiKey && chargeId(charge) === id)
    return charge.kind === 'purchase' ? purchaseView(charge) : appSubscriptionView(shop, charge);
  const record = shop.billing.usageRecords.find((one) => one.apiKey === apiKey && one.id === idOf('AppUsageRecord', id));
  return record && usageRecordView(shop, record);
}

/** A subscription as the schema describes it. */
export function appSubscriptionView(shop: DevShop, subscription: AppSubscription): object {
  const period = subscription.status === 'ACTIVE' ? shop.billing.period(subscription) : undefined;
  return {
    __typename: 'AppSubscription',
    id: chargeId(subscription),
    name: subscription.name,
    test: subscription.test,
    status: subscription.status,
    trialDays: subscription.trialDays,
    returnUrl: subscription.returnUrl,
    createdAt: isoTime(subscription.createdAt),
    currentPeriodEnd: period ? isoTime(period.end) : null,
    lineItems: subscription.pricing.map((_, index) => lineItemView(shop, subscription, index)),
  };
}

/** A one-time purchase as the schema describes it. */
export function purchaseView(purchase: AppPurchase): object {
  const { name, test, status, price, createdAt } = purchase;
  return { __typename: 'AppPurchaseOneTime', id: chargeId(purchase), name, test, status, price, createdAt: isoTime(createdAt) };
}

/** A charge by use as the schema describes it. */
export function usageRecordView(shop: DevShop, record: UsageRecord): object {
  const { id, description, price, idempotencyKey, createdAt, subscription, index } = record;
  return {
    __typename: 'AppUsageRecord',
    id: globalId('AppUsageRecord', id),
    description,
    price,
    idempotencyKey,
    createdAt: isoTime(createdAt),
    subscriptionLineItem: () => lineItemView(shop, subscription, index),
  };
}

/** The subscription of an app and the place in it that the global id of a line item names. */
export function lineItemOf(shop: DevShop, apiKey: string, id: string): { subscription: AppSubscription; index: number } | undefined {
  const [, gid = '', index = ''] = /^(.+)\?v=1&index=(\d)$/.exec(id) ?? [];
  const number = idOf('AppSubscriptionLineItem', gid);
  const subscription = number === undefined ? undefined : shop.billing.subscriptionsOf(apiKey).find((one) => one.id === number);
  return subscription?.pricing[Number(index)] && { subscription, index: Number(index) };
}

/** What the webhooks about a charge carry. */
export function chargePayload(shop: DevShop, charge: AppCharge): Record<string, unknown> {
  const { name, status } = charge;
  const facts = { name, status, ...identity(shop, charge) };
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

/** What `app_subscriptions/approaching_capped_amount` carries. */
export function nearCapPayload(shop: DevShop, subscription: AppSubscription): Record<string, unknown> {
  const { usage } = pricingsOf(subscription);
  const index = subscription.pricing.findIndex(({ kind }) => kind === 'usage');
  return {
    app_subscription: {
      name: subscription.name,
      balance_used: Number(shop.billing.balanceUsed(subscription, index)),
      capped_amount: usage?.cappedAmount.amount,
      currency_code: usage?.cappedAmount.currencyCode,
      ...identity(shop, subscription),
    },
  };
}

function pricingsOf({ pricing }: AppSubscription): { recurring: RecurringPricing | undefined; usage: UsagePricing | undefined } {
  return { recurring: pricing.find((one) => one.kind === 'recurring'), usage: pricing.find((one) => one.kind === 'usage') };
}

function identity(shop: DevShop, charge: AppCharge): object {
  return {
    admin_graphql_api_id: chargeId(charge),
    admin_graphql_api_shop_id: globalId('Shop', shop.id),
    created_at: isoTime(charge.createdAt),
    updated_at: isoTime(charge.updatedAt),
  };
}

function lineItemView(shop: DevShop, subscription: AppSubscription, index: number): object {
  const records = (): UsageRecord[] => shop.billing.usageRecords.filter((one) => one.subscription === subscription && one.index === index);
  return {
    __typename: 'AppSubscriptionLineItem',
    id: `${globalId('AppSubscriptionLineItem', subscription.id)}?v=1&index=${index}`,
    plan: { pricingDetails: () => pricingView(shop, subscription, index) },
    usageRecords: (args: ConnectionArgs, context: GraphqlContext) =>
      connection(records(), args, context, (record) => usageRecordView(shop, record)),
  };
}

function pricingView(shop: DevShop, subscription: AppSubscription, index: number): object | undefined {
  const pricing = subscription.pricing[index];
  if (pricing?.kind === 'recurring') {
    const { price, interval } = pricing;
    return {
      __typename: 'AppRecurringPricing',
      price,
      interval,
      discount: discountView(pricing, shop.billing.period(subscription)?.number ?? 0),
    };
  }
  return (
    pricing && {
      __typename: 'AppUsagePricing',
      interval: pricing.interval,
      terms: pricing.terms,
      cappedAmount: pricing.cappedAmount,
      balanceUsed: { amount: shop.billing.balanceUsed(subscription, index), currencyCode: pricing.cappedAmount.currencyCode },
    }
  );
}

/** @param over how many intervals have passed */
function discountView({ price, discount }: RecurringPricing, over: number): object | null {
  if (!discount) return null;
  const { value, durationLimitInIntervals: limit } = discount;
  return {
    durationLimitInIntervals: limit,
    remainingDurationInIntervals: limit === null ? null : Math.max(0, limit - over),
    priceAfterDiscount: discounted(price, value),
    value: { __typename: 'amount' in value ? 'AppSubscriptionDiscountAmount' : 'AppSubscriptionDiscountPercentage', ...value },
  };
}

function chargeId({ kind, id }: AppCharge): string {
  return globalId(kind === 'subscription' ? 'AppSubscription' : 'AppPurchaseOneTime', id);
}
