import type {
  ShopBilling,
  ChargeStatus,
  PurchaseTerms,
  RecurringPricing,
  SubscriptionTerms,
  UsagePricing,
} from '../../lib/dev-store/index.js';
import { APP_URL } from '../auth/auth.fixture.js';
import type { BillingApp } from './billing.fixture.js';

/** How a charge gets where it stands. */
const WAYS: Record<ChargeStatus, (billing: ShopBilling, id: number) => void> = {
  PENDING: () => {},
  ACCEPTED: accept,
  ACTIVE: (billing, id) => billing.approve(id),
  DECLINED: (billing, id) => billing.decline(id),
  EXPIRED: (billing, id) => billing.expire(id),
  CANCELLED: (billing, id) => (billing.approve(id), billing.cancel(id)),
  FROZEN: (billing, id) => (billing.approve(id), billing.freeze(id)),
};

type Standing = { readonly status?: ChargeStatus };

/** A subscription that is there without this process having asked for it. @returns its global id */
export function subscribed(
  { shop: { billing }, config }: BillingApp,
  { status = 'ACTIVE', ...terms }: Partial<SubscriptionTerms> & Standing = {},
): string {
  const { id } = billing.subscribe(config.apiKey, {
    name: 'Pro',
    test: false,
    returnUrl: APP_URL,
    trialDays: 0,
    replacementBehavior: 'STANDARD',
    pricing: [recurring('9.99')],
    ...terms,
  });
  WAYS[status](billing, id);
  return `gid://shopify/AppSubscription/${id}`;
}

/** A purchase in the same way. @returns its global id */
export function bought(
  { shop: { billing }, config }: BillingApp,
  { status = 'ACTIVE', ...terms }: Partial<PurchaseTerms> & Standing = {},
): string {
  const price = { amount: '25.0', currencyCode: 'USD' };
  const { id } = billing.purchase(config.apiKey, {
    name: 'Setup',
    test: false,
    returnUrl: APP_URL,
    price,
    ...terms,
  });
  WAYS[status](billing, id);
  return `gid://shopify/AppPurchaseOneTime/${id}`;
}

export function recurring(
  amount: string,
  discount: RecurringPricing['discount'] = null,
): RecurringPricing {
  return {
    kind: 'recurring',
    price: { amount, currencyCode: 'USD' },
    interval: 'EVERY_30_DAYS',
    discount,
  };
}

export function usage(cap: string): UsagePricing {
  return {
    kind: 'usage',
    cappedAmount: { amount: cap, currencyCode: 'USD' },
    interval: 'EVERY_30_DAYS',
    terms: 'per use',
  };
}

/** The number in a global id, by which a merchant comes back. */
export function numberOf(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

/** The merchant has approved, and the platform takes its time. */
export function accept(billing: ShopBilling, id: number | string): void {
  billing.activation = 'manual';
  billing.approve(id);
  billing.activation = 'immediate';
}
