import { amountText, rounded, unitsOf, type Money } from './billing-money.js';

const DAY = 86_400_000;

/** How often a subscription is billed. */
type BillingInterval = 'EVERY_30_DAYS' | 'ANNUAL';

/** An amount, or a fraction of the price: `0.2` for 20 %. */
type DiscountValue = { readonly amount: Money } | { readonly percentage: number };

/** The discount of a subscription. */
export interface Discount {
  readonly value: DiscountValue;
  /** Null for as long as the subscription runs. */
  readonly durationLimitInIntervals: number | null;
}

/** A fixed price per interval. */
export interface RecurringPricing {
  readonly kind: 'recurring';
  readonly price: Money;
  readonly interval: BillingInterval;
  readonly discount: Discount | null;
}

/** Charges by usage, up to a cap per interval. */
export interface UsagePricing {
  readonly kind: 'usage';
  readonly terms: string;
  readonly cappedAmount: Money;
  readonly interval: BillingInterval;
}

/** The terms of a subscription. */
export interface SubscriptionTerms {
  readonly name: string;
  readonly test: boolean;
  readonly returnUrl: string;
  readonly trialDays: number;
  readonly replacementBehavior: 'APPLY_IMMEDIATELY' | 'APPLY_ON_NEXT_BILLING_CYCLE' | 'STANDARD';
  readonly pricing: ReadonlyArray<RecurringPricing | UsagePricing>;
}

/** The terms of a one-time purchase. */
export interface PurchaseTerms {
  readonly name: string;
  readonly test: boolean;
  readonly returnUrl: string;
  readonly price: Money;
}

/** A billing period. The first one of a subscription includes its trial. */
export interface BillingPeriod {
  readonly start: Date;
  readonly end: Date;
  /** The number of periods before. */
  readonly number: number;
}

/** The period that a time falls into. */
export function periodAt(
  activatedAt: Date,
  trialDays: number,
  interval: BillingInterval,
  time: Date,
): BillingPeriod {
  const length = (interval === 'ANNUAL' ? 365 : 30) * DAY;
  const billedFrom = activatedAt.getTime() + trialDays * DAY;
  const number = Math.max(0, Math.floor((time.getTime() - billedFrom) / length));
  return {
    start: number === 0 ? activatedAt : new Date(billedFrom + number * length),
    end: new Date(billedFrom + (number + 1) * length),
    number,
  };
}

/** The discounted price. */
export function discounted(price: Money, value: DiscountValue): Money {
  const full = unitsOf(price.amount);
  const off =
    'amount' in value
      ? unitsOf(value.amount.amount)
      : (full * unitsOf(value.percentage.toFixed(6))) / unitsOf('1');
  return { ...price, amount: off >= full ? '0.0' : amountText(rounded(full - off)) };
}
