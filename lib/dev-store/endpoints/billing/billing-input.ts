import { moneyOf, unitsOf, type Money } from '../../state/billing/billing-money.js';
import type {
  Discount,
  PurchaseTerms,
  RecurringPricing,
  SubscriptionTerms,
  UsagePricing,
} from '../../state/billing/billing-terms.js';

/** An amount as the schema takes it. */
export interface MoneyInput {
  amount: unknown;
  currencyCode: string;
}

/** The arguments of `appPurchaseOneTimeCreate`. */
export interface PurchaseArgs {
  name: string;
  price: MoneyInput;
  returnUrl: unknown;
  test?: boolean | null;
}

/** The arguments of `appSubscriptionCreate`. */
export interface SubscriptionArgs extends Omit<PurchaseArgs, 'price'> {
  lineItems: Array<{ plan: PlanInput }>;
  replacementBehavior?: SubscriptionTerms['replacementBehavior'] | null;
  trialDays?: number | null;
}

interface PlanInput {
  appRecurringPricingDetails?: {
    discount?: DiscountInput | null;
    interval?: RecurringPricing['interval'] | null;
    price: MoneyInput;
  } | null;
  appUsagePricingDetails?: { cappedAmount: MoneyInput; terms: string } | null;
}

interface DiscountInput {
  durationLimitInIntervals?: number | null;
  value?: { amount?: unknown; percentage?: number | null } | null;
}

/** A user error of a mutation. */
interface UserError {
  field: string[] | null;
  message: string;
}

/** An input that is not valid for a charge. */
export class BadInput extends Error {
  readonly userErrors: readonly UserError[];

  constructor(field: string[] | null, message: string) {
    super(message);
    this.userErrors = [{ field, message }];
  }
}

/** @throws BadInput when the terms of the subscription are invalid */
export function subscriptionTerms(args: SubscriptionArgs): SubscriptionTerms {
  const { lineItems, trialDays } = args;
  const pricing = lineItems.map(({ plan }, index) =>
    pricingOf(plan, ['lineItems', String(index), 'plan']),
  );
  const [first] = pricing;
  if (!first) throw new BadInput(['lineItems'], 'At least one line item is required');
  if (pricing.length > 2 || new Set(pricing.map(({ kind }) => kind)).size < pricing.length)
    throw new BadInput(['lineItems'], 'There can be one line item of each pricing at most');
  if (new Set(pricing.map(({ interval }) => interval)).size > 1)
    throw new BadInput(
      ['lineItems'],
      'Usage pricing can only be combined with an interval of 30 days',
    );
  if (new Set(pricing.map(currencyOf)).size > 1)
    throw new BadInput(['lineItems'], 'All line items must have the same currency');
  if ((trialDays ?? 0) < 0)
    throw new BadInput(['trialDays'], 'Trial days must be greater than or equal to 0');
  return {
    ...common(args),
    pricing,
    trialDays: trialDays ?? 0,
    replacementBehavior: args.replacementBehavior ?? 'STANDARD',
  };
}

/** @throws BadInput when the terms of the purchase are invalid */
export function purchaseTerms(args: PurchaseArgs): PurchaseTerms {
  return { ...common(args), price: payable(args.price, ['price']) };
}

/** A positive amount. @throws BadInput for any other */
export function payable(input: MoneyInput, field: string[]): Money {
  const money = decimal(input, field);
  if (unitsOf(money.amount) === 0n) throw new BadInput(field, 'Amount must be greater than 0');
  return money;
}

function common({ name, returnUrl, test }: Omit<PurchaseArgs, 'price'>): {
  name: string;
  returnUrl: string;
  test: boolean;
} {
  if (!name.trim()) throw new BadInput(['name'], "Name can't be blank");
  const address = String(returnUrl);
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new BadInput(['returnUrl'], 'Return url is invalid');
  return { name, returnUrl: address, test: test ?? false };
}

function pricingOf(
  { appRecurringPricingDetails: recurring, appUsagePricingDetails: usage }: PlanInput,
  field: string[],
): RecurringPricing | UsagePricing {
  if (recurring && !usage) {
    const at = [...field, 'appRecurringPricingDetails'];
    const price = decimal(recurring.price, [...at, 'price']);
    const discount = recurring.discount
      ? discountOf(recurring.discount, price, [...at, 'discount'])
      : null;
    return { kind: 'recurring', price, interval: recurring.interval ?? 'EVERY_30_DAYS', discount };
  }
  if (!usage || recurring)
    throw new BadInput(field, 'A plan has either recurring pricing or usage pricing');
  const at = [...field, 'appUsagePricingDetails'];
  if (!usage.terms.trim()) throw new BadInput([...at, 'terms'], "Terms can't be blank");
  return {
    kind: 'usage',
    terms: usage.terms,
    cappedAmount: payable(usage.cappedAmount, [...at, 'cappedAmount']),
    interval: 'EVERY_30_DAYS',
  };
}

function discountOf(
  { value, durationLimitInIntervals: limit }: DiscountInput,
  price: Money,
  field: string[],
): Discount | null {
  const { amount, percentage } = value ?? {};
  if (limit != null && limit < 1)
    throw new BadInput(
      [...field, 'durationLimitInIntervals'],
      'Duration limit must be greater than 0',
    );
  if ((amount == null) === (percentage == null))
    throw new BadInput([...field, 'value'], 'A discount is either an amount or a percentage');
  if (percentage != null && (percentage <= 0 || percentage > 1))
    throw new BadInput(
      [...field, 'value', 'percentage'],
      'Percentage must be greater than 0 and at most 1, such as 0.2 for 20 %',
    );
  const taken =
    percentage == null
      ? { amount: decimal({ ...price, amount }, [...field, 'value', 'amount']) }
      : { percentage };
  return { value: taken, durationLimitInIntervals: limit ?? null };
}

function decimal(input: MoneyInput, field: string[]): Money {
  const money = moneyOf(input);
  if (!money) throw new BadInput(field, 'Amount must be a decimal number that is not negative');
  return money;
}

function currencyOf(pricing: RecurringPricing | UsagePricing): string {
  return (pricing.kind === 'recurring' ? pricing.price : pricing.cappedAmount).currencyCode;
}
