import { isoTime } from '../../base/iso-time.js';
import { globalId, idOf } from '../../base/vendor.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import {
  chargeGlobalId,
  type AppPurchase,
  type AppSubscription,
  type UsageRecord,
} from '../../state/billing/billing-charge.js';
import type { BillingCharges } from '../../state/billing/billing-charges.js';
import { discounted, type RecurringPricing } from '../../state/billing/billing-terms.js';

/** The charges of an app, as the schema describes them. */
export function installationBilling(
  billing: BillingCharges,
  apiKey: string,
): Record<string, unknown> {
  const subscriptions = (): AppSubscription[] => billing.subscriptionsOf(apiKey);
  return {
    activeSubscriptions: () =>
      subscriptions()
        .filter(({ status }) => status === 'ACTIVE')
        .map((one) => appSubscriptionView(billing, one)),
    allSubscriptions: (args: ConnectionArgs, context: GraphqlContext) =>
      connection(subscriptions(), args, context, (one) => appSubscriptionView(billing, one)),
    oneTimePurchases: (args: ConnectionArgs, context: GraphqlContext) =>
      connection(billing.purchasesOf(apiKey), args, context, purchaseView),
  };
}

/** The charge or usage record of an app by its global id; undefined for any other id. */
export function billingNode(
  billing: BillingCharges,
  apiKey: string,
  id: string,
): object | undefined {
  const number = idOf('AppSubscription', id) ?? idOf('AppPurchaseOneTime', id);
  const charge = number === undefined ? undefined : billing.find(number);
  if (charge?.apiKey === apiKey && chargeGlobalId(charge) === id)
    return charge.kind === 'purchase' ? purchaseView(charge) : appSubscriptionView(billing, charge);
  const record = billing.usageRecords.find(
    (one) => one.apiKey === apiKey && one.id === idOf('AppUsageRecord', id),
  );
  return record && usageRecordView(billing, record);
}

/** A subscription as the schema describes it. */
export function appSubscriptionView(
  billing: BillingCharges,
  subscription: AppSubscription,
): object {
  const period = subscription.status === 'ACTIVE' ? billing.period(subscription) : undefined;
  return {
    __typename: 'AppSubscription',
    id: chargeGlobalId(subscription),
    name: subscription.name,
    test: subscription.test,
    status: subscription.status,
    trialDays: subscription.trialDays,
    returnUrl: subscription.returnUrl,
    createdAt: isoTime(subscription.createdAt),
    currentPeriodEnd: period ? isoTime(period.end) : null,
    lineItems: subscription.pricing.map((_, index) => lineItemView(billing, subscription, index)),
  };
}

/** A one-time purchase as the schema describes it. */
export function purchaseView(purchase: AppPurchase): object {
  const { name, test, status, price, createdAt } = purchase;
  return {
    __typename: 'AppPurchaseOneTime',
    id: chargeGlobalId(purchase),
    name,
    test,
    status,
    price,
    createdAt: isoTime(createdAt),
  };
}

/** A usage record as the schema describes it. */
export function usageRecordView(billing: BillingCharges, record: UsageRecord): object {
  const { id, description, price, idempotencyKey, createdAt, subscription, index } = record;
  return {
    __typename: 'AppUsageRecord',
    id: globalId('AppUsageRecord', id),
    description,
    price,
    idempotencyKey,
    createdAt: isoTime(createdAt),
    subscriptionLineItem: () => lineItemView(billing, subscription, index),
  };
}

/** The subscription of an app, and the index in it of a line item by its global id. */
export function lineItemOf(
  billing: BillingCharges,
  apiKey: string,
  id: string,
): { subscription: AppSubscription; index: number } | undefined {
  const [, gid = '', index = ''] = /^(.+)\?v=1&index=(\d)$/.exec(id) ?? [];
  const number = idOf('AppSubscriptionLineItem', gid);
  const subscription =
    number === undefined
      ? undefined
      : billing.subscriptionsOf(apiKey).find((one) => one.id === number);
  return subscription?.pricing[Number(index)] && { subscription, index: Number(index) };
}

function lineItemView(
  billing: BillingCharges,
  subscription: AppSubscription,
  index: number,
): object {
  const records = (): UsageRecord[] =>
    billing.usageRecords.filter((one) => one.subscription === subscription && one.index === index);
  return {
    __typename: 'AppSubscriptionLineItem',
    id: `${globalId('AppSubscriptionLineItem', subscription.id)}?v=1&index=${index}`,
    plan: { pricingDetails: () => pricingView(billing, subscription, index) },
    usageRecords: (args: ConnectionArgs, context: GraphqlContext) =>
      connection(records(), args, context, (record) => usageRecordView(billing, record)),
  };
}

function pricingView(
  billing: BillingCharges,
  subscription: AppSubscription,
  index: number,
): object | undefined {
  const pricing = subscription.pricing[index];
  if (pricing?.kind === 'recurring') {
    const { price, interval } = pricing;
    return {
      __typename: 'AppRecurringPricing',
      price,
      interval,
      discount: discountView(pricing, billing.period(subscription)?.number ?? 0),
    };
  }
  return (
    pricing && {
      __typename: 'AppUsagePricing',
      interval: pricing.interval,
      terms: pricing.terms,
      cappedAmount: pricing.cappedAmount,
      balanceUsed: {
        amount: billing.usage.balance(subscription, index),
        currencyCode: pricing.cappedAmount.currencyCode,
      },
    }
  );
}

/** @param over the number of past intervals */
function discountView({ price, discount }: RecurringPricing, over: number): object | null {
  if (!discount) return null;
  const { value, durationLimitInIntervals: limit } = discount;
  return {
    durationLimitInIntervals: limit,
    remainingDurationInIntervals: limit === null ? null : Math.max(0, limit - over),
    priceAfterDiscount: discounted(price, value),
    value: {
      __typename:
        'amount' in value ? 'AppSubscriptionDiscountAmount' : 'AppSubscriptionDiscountPercentage',
      ...value,
    },
  };
}
