/** An amount the platform reports, in units of the currency. */
export interface Money {
  readonly amount: number;
  readonly currencyCode: string;
}

/** The status of a subscription. Only an `ACTIVE` one is being paid for. */
type SubscriptionStatus =
  'ACTIVE' | 'ACCEPTED' | 'PENDING' | 'DECLINED' | 'EXPIRED' | 'CANCELLED' | 'FROZEN';
/** The status of a purchase. Only an `ACTIVE` one has been paid for. */
type PurchaseStatus = 'ACTIVE' | 'ACCEPTED' | 'PENDING' | 'DECLINED' | 'EXPIRED';

/** The properties of every charge. */
export interface Charge {
  /** Global id. */
  readonly id: string;
  /** Name of the plan. */
  readonly name: string;
  readonly test: boolean;
  readonly status: SubscriptionStatus | PurchaseStatus;
}

/** A fixed price per interval. */
export interface RecurringPricing {
  readonly price: Money;
  readonly interval: 'EVERY_30_DAYS' | 'ANNUAL';
  /** What is left of it. */
  readonly discount: {
    readonly durationLimitInIntervals: number | null;
    readonly remainingDurationInIntervals: number | null;
    readonly priceAfterDiscount: Money;
    readonly value: { readonly amount: Money } | { readonly percentage: number };
  } | null;
}

/** Charges by usage, and what has been used in this interval. */
export interface UsagePricing {
  readonly interval: 'EVERY_30_DAYS' | 'ANNUAL';
  readonly balanceUsed: Money;
  readonly cappedAmount: Money;
  readonly terms: string;
}

/** A line item of a shop's subscription. */
export interface SubscriptionLineItem<Pricing = RecurringPricing | UsagePricing> {
  readonly id: string;
  readonly plan: { readonly pricingDetails: Pricing };
}

/** A subscription of a shop. Times are ISO 8601. */
export interface AppSubscription extends Charge {
  readonly status: SubscriptionStatus;
  readonly trialDays: number;
  readonly createdAt: string;
  readonly currentPeriodEnd: string | null;
  readonly returnUrl: string;
  readonly lineItems: SubscriptionLineItem[];
}

/** A single payment of a shop. */
export interface OneTimePurchase extends Charge {
  readonly status: PurchaseStatus;
  readonly createdAt: string;
  readonly price: Money;
}

/** A charge by usage. */
export interface UsageRecord {
  readonly id: string;
  readonly description: string;
  readonly idempotencyKey: string | null;
  readonly createdAt: string;
  readonly price: Money;
  readonly subscriptionLineItem: SubscriptionLineItem<UsagePricing>;
}

/** Everything a shop pays, has paid or was asked to pay. */
export interface BillingState {
  readonly activeSubscriptions: readonly AppSubscription[];
  readonly oneTimePurchases: readonly OneTimePurchase[];
  /** The last subscriptions the shop was asked to approve, and all purchases. */
  readonly charges: readonly Charge[];
}

/** Which charges count. */
export interface PaymentFilter {
  /** Names, exactly as they are. @default any plan */
  readonly plans?: string | readonly string[] | undefined;
  /** Test charges count, too. @default false */
  readonly isTest?: boolean | undefined;
}

/** The payments of a shop that count. */
export interface BillingCheck {
  readonly hasActivePayment: boolean;
  readonly appSubscriptions: AppSubscription[];
  readonly oneTimePurchases: OneTimePurchase[];
}

/** The active charges of the plans; test charges count only with `isTest`. */
export function checkOf(
  { activeSubscriptions, oneTimePurchases }: BillingState,
  filter: PaymentFilter,
): BillingCheck {
  const appSubscriptions = activeSubscriptions.filter(
    (charge) => isRunning(charge) && isMeant(charge, filter),
  );
  const purchases = oneTimePurchases.filter(
    (charge) => charge.status === 'ACTIVE' && isMeant(charge, filter),
  );
  return {
    hasActivePayment: appSubscriptions.length + purchases.length > 0,
    appSubscriptions,
    oneTimePurchases: purchases,
  };
}

/**
 * True for one of a shop's `activeSubscriptions` that is being paid for: frozen ones are listed as
 * well. The tests of apps answer without the field.
 */
export function isRunning({ status }: { readonly status?: SubscriptionStatus }): boolean {
  return status === undefined || status === 'ACTIVE';
}

/** True for a charge of one of the plans, whatever its status. */
export function isMeant({ name, test }: Charge, { plans, isTest = false }: PaymentFilter): boolean {
  return (
    (plans === undefined || (typeof plans === 'string' ? name === plans : plans.includes(name))) &&
    (isTest || !test)
  );
}

/** The platform's response with every amount of money as a number: it sends strings. */
export function withNumbers<T>(value: unknown): T {
  return convert(value) as T;
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, convert(inner)]);
  const converted = Object.fromEntries(entries) as Record<string, unknown>;
  return 'currencyCode' in value && 'amount' in value
    ? { ...converted, amount: Number(value.amount) }
    : converted;
}
