import * as v from 'valibot';

import type { OptionProblem } from '../core/core.errors.js';
import {
  BillingInterval,
  BillingReplacementBehavior,
  definitionOf,
  discountOf,
  withTerms,
} from './billing-plans.js';
import type { Amount, Plan, PlanDefinition } from './billing-plans.js';

const amount = v.custom<Amount>(
  isAmount,
  'must be a number or a decimal text such as "9.99", not negative',
);
const currencyCode = v.custom<string>(isCurrency, 'must be the code of a currency, such as "USD"');
const wholeNumber = (least: number, message: string) =>
  v.optional(v.pipe(v.number(message), v.integer(message), v.minValue(least, message)));

const discount = v.optional(
  v.strictObject(
    {
      durationLimitInIntervals: wholeNumber(1, 'must be a whole number of intervals'),
      value: v.pipe(
        v.strictObject(
          {
            amount: v.optional(amount),
            percentage: v.optional(
              v.custom<number>(
                isPercentage,
                'must be a fraction above 0 and up to 1, such as 0.2 for 20 %',
              ),
            ),
          },
          entry,
        ),
        v.check(
          ({ amount, percentage }) => (amount === undefined) !== (percentage === undefined),
          'needs an amount or a percentage, not both',
        ),
      ),
    },
    entry,
  ),
);

const oneTime = { interval: v.literal(BillingInterval.OneTime), amount, currencyCode };
const recurring = {
  interval: v.picklist([BillingInterval.Every30Days, BillingInterval.Annual]),
  amount,
  currencyCode,
  discount,
};
const usage = {
  interval: v.literal(BillingInterval.Usage),
  amount,
  currencyCode,
  terms: v.custom<string>(
    (terms) => typeof terms === 'string' && terms.trim() !== '',
    'must say what is charged for',
  ),
};
const subscription = {
  trialDays: wholeNumber(0, 'must be a whole number of days, not negative'),
  replacementBehavior: v.optional(
    v.picklist(
      Object.values(BillingReplacementBehavior),
      `must be one of ${Object.values(BillingReplacementBehavior).join(', ')}`,
    ),
  ),
};

const FLAT = v.variant(
  'interval',
  [
    v.strictObject(oneTime, entry),
    v.strictObject({ ...recurring, ...subscription }, entry),
    v.strictObject({ ...usage, ...subscription }, entry),
  ],
  `must be one of ${Object.values(BillingInterval).join(', ')}`,
);
const LINE_ITEMS = v.strictObject(
  {
    ...subscription,
    lineItems: v.pipe(
      v.array(
        v.variant(
          'interval',
          [v.strictObject(recurring, entry), v.strictObject(usage, entry)],
          `must be one of ${[BillingInterval.Every30Days, BillingInterval.Annual, BillingInterval.Usage].join(', ')}`,
        ),
        'must be a list of line items',
      ),
      v.minLength(1, 'needs at least one line item'),
    ),
  },
  entry,
);

/** The problems in a plan; `option` is its name in the options. */
export function problemsInPlan(plan: unknown, option: string): OptionProblem[] {
  if (typeof plan !== 'object' || plan === null)
    return [{ option, message: 'must be an object that says what the plan costs' }];
  const { issues = [] } =
    'lineItems' in plan ? v.safeParse(LINE_ITEMS, plan) : v.safeParse(FLAT, withTerms(plan));
  const problems = issues.map((issue) => ({
    option: [option, v.getDotPath(issue)].filter(Boolean).join('.'),
    message: issue.message,
  }));
  return problems.length > 0 ? problems : contradictionsIn(definitionOf(plan as Plan), option);
}

/** The problems of a plan whose parts are valid by themselves. */
function contradictionsIn({ lineItems }: PlanDefinition, option: string): OptionProblem[] {
  const problems: OptionProblem[] = [];
  const isUsage = lineItems.map(({ interval }) => interval === BillingInterval.Usage);
  const usageItems = isUsage.filter(Boolean).length;
  if (usageItems > 1 || lineItems.length - usageItems > 1) {
    problems.push({
      option,
      message:
        'has two line items of one kind: a subscription takes one fixed price and one price by use',
    });
  } else if (
    usageItems === 1 &&
    lineItems.some(({ interval }) => interval === BillingInterval.Annual)
  ) {
    problems.push({
      option,
      message: `combines ${BillingInterval.Usage} with ${BillingInterval.Annual}: the platform charges both only with ${BillingInterval.Every30Days}`,
    });
  }
  for (const item of lineItems) {
    const { amount, currencyCode } = item;
    const reduction = discountOf(item)?.value.amount;
    const digits = fractionDigits(currencyCode);
    for (const money of [amount, reduction]) {
      if (money !== undefined && hasMoreDigits(money, digits))
        problems.push({
          option,
          message: `charges ${money} ${currencyCode}, which has ${digits} decimals at most`,
        });
    }
  }
  if (new Set(lineItems.map(({ currencyCode }) => currencyCode)).size > 1)
    problems.push({ option, message: 'charges in two currencies' });
  return problems;
}

/** The problem of an object, or of a property in it. */
function entry({ expected, received }: v.StrictObjectIssue): string {
  if (expected === 'never') return 'is unknown here: check its spelling';
  return received === 'undefined' ? 'is missing' : 'must be an object';
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number'
    ? Number.isFinite(value) && value >= 0
    : typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);
}

function isPercentage(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value <= 1;
}

// Few apps have plans with a currency of their own, and every app would wait for the list.
let currencies: ReadonlySet<string> | undefined;

function isCurrency(code: unknown): boolean {
  currencies ??= new Set(Intl.supportedValuesOf('currency'));
  return typeof code === 'string' && currencies.has(code);
}

function fractionDigits(currency: string): number {
  return (
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
      .maximumFractionDigits ?? 2
  );
}

/**
 * Compares the amount as it is written: `0.1 + 0.2` has too many digits, and so has a number with
 * an exponent.
 */
function hasMoreDigits(amount: Amount, digits: number): boolean {
  const [, fraction = ''] = /^\d+(?:\.(\d+))?$/.exec(String(amount)) ?? [
    undefined,
    '?'.repeat(digits + 1),
  ];
  return fraction.length > digits;
}
