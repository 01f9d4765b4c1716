import { idOf } from '../../base/vendor.js';
import {
  isCancellable,
  type AppCharge,
  type AppSubscription,
} from '../../state/billing/billing-charge.js';
import type { BillingCharges } from '../../state/billing/billing-charges.js';
import type { UsagePricing } from '../../state/billing/billing-terms.js';
import type { ApiCall } from '../admin-api/admin-api-access.js';
import {
  BadInput,
  payable,
  purchaseTerms,
  subscriptionTerms,
  type MoneyInput,
  type PurchaseArgs,
  type SubscriptionArgs,
} from './billing-input.js';
import { appSubscriptionView, lineItemOf, purchaseView, usageRecordView } from './billing.views.js';

interface UsageArgs {
  description: string;
  idempotencyKey?: string | null;
  price: MoneyInput;
  subscriptionLineItemId: string;
}

const LONGEST_KEY = 255;

/** The resolvers of the billing mutations for one caller. */
export function billingRoot(billing: BillingCharges, { token }: ApiCall): Record<string, unknown> {
  const { apiKey } = token;
  const awaiting = (charge: AppCharge): object => ({
    confirmationUrl: billing.confirmationUrl(charge.id),
    userErrors: [],
  });
  const view = (subscription: AppSubscription): object =>
    appSubscriptionView(billing, subscription);

  /** The line item with usage pricing of an active subscription. */
  const usageItem = (
    id: string,
    field: string,
  ): { subscription: AppSubscription; index: number; pricing: UsagePricing } => {
    const found = lineItemOf(billing, apiKey, id);
    if (!found) throw new BadInput([field], 'Subscription line item does not exist');
    const pricing = found.subscription.pricing[found.index];
    if (pricing?.kind !== 'usage')
      throw new BadInput([field], 'Subscription line item has no usage pricing');
    if (found.subscription.status !== 'ACTIVE')
      throw new BadInput([field], 'Subscription is not active');
    return { ...found, pricing };
  };
  const sameCurrency = (
    { currencyCode }: MoneyInput,
    { cappedAmount }: UsagePricing,
    field: string,
  ): void => {
    if (currencyCode !== cappedAmount.currencyCode)
      throw new BadInput([field], `Currency must be ${cappedAmount.currencyCode}`);
  };

  return {
    appSubscriptionCreate: orUserErrors(
      ['appSubscription', 'confirmationUrl'],
      (args: SubscriptionArgs) => {
        const subscription = billing.subscribe(apiKey, subscriptionTerms(args));
        return { appSubscription: view(subscription), ...awaiting(subscription) };
      },
    ),
    appPurchaseOneTimeCreate: orUserErrors(
      ['appPurchaseOneTime', 'confirmationUrl'],
      (args: PurchaseArgs) => {
        const purchase = billing.purchase(apiKey, purchaseTerms(args));
        return { appPurchaseOneTime: purchaseView(purchase), ...awaiting(purchase) };
      },
    ),
    appSubscriptionCancel: orUserErrors(['appSubscription'], ({ id }: { id: string }) => {
      const subscription = billing
        .subscriptionsOf(apiKey)
        .find((one) => one.id === idOf('AppSubscription', id));
      if (!subscription) throw new BadInput(['id'], 'Subscription does not exist');
      if (!isCancellable(subscription))
        throw new BadInput(['id'], `Subscription is already ${subscription.status.toLowerCase()}`);
      billing.cancel(subscription.id);
      return { appSubscription: view(subscription), userErrors: [] };
    }),
    appSubscriptionLineItemUpdate: orUserErrors(
      ['appSubscription', 'confirmationUrl'],
      ({ id, cappedAmount }: { id: string; cappedAmount: MoneyInput }) => {
        const { subscription, index, pricing } = usageItem(id, 'id');
        const asked = payable(cappedAmount, ['cappedAmount']);
        sameCurrency(asked, pricing, 'cappedAmount');
        billing.requestCap(subscription, index, asked);
        return { appSubscription: view(subscription), ...awaiting(subscription) };
      },
    ),
    appUsageRecordCreate: orUserErrors(
      ['appUsageRecord'],
      ({ subscriptionLineItemId, ...args }: UsageArgs) => {
        const { subscription, index, pricing } = usageItem(
          subscriptionLineItemId,
          'subscriptionLineItemId',
        );
        const price = payable(args.price, ['price']);
        sameCurrency(price, pricing, 'price');
        const { description, idempotencyKey = null } = args;
        if (!description.trim()) throw new BadInput(['description'], "Description can't be blank");
        if ((idempotencyKey?.length ?? 0) > LONGEST_KEY)
          throw new BadInput(
            ['idempotencyKey'],
            `Idempotency key is too long (maximum is ${LONGEST_KEY} characters)`,
          );
        const record = billing.usage.record(subscription, index, {
          description,
          price,
          idempotencyKey,
        });
        if (!record) throw new BadInput(null, 'Total price exceeds balance remaining');
        return { appUsageRecord: usageRecordView(billing, record), userErrors: [] };
      },
    ),
  };
}

/** A mutation that responds to invalid input with user errors, and null for all other fields. */
function orUserErrors<A>(
  results: readonly string[],
  mutation: (args: A) => object,
): (args: A) => object {
  return (args) => {
    try {
      return mutation(args);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      return {
        ...Object.fromEntries(results.map((name) => [name, null])),
        userErrors: error.userErrors,
      };
    }
  };
}
