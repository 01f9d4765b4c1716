import { describe, expect, it } from '@jest/globals';

import { problemsInBilling } from '../../lib/billing/billing.options.js';
import type { BillingSettings } from '../../lib/billing/billing.options.js';
import { PLANS } from './billing.fixture.js';

const flat = { amount: 5, currencyCode: 'USD', interval: 'EVERY_30_DAYS' };
const usage = { amount: 100, currencyCode: 'USD', interval: 'USAGE', terms: 'per report' };
const { terms: usageTerms, ...use } = usage;
/** As the platform's library took it before plans had line items. */
const older = { ...use, usageTerms };
const problemsIn = (billing: unknown) => problemsInBilling({ billing: billing as BillingSettings });

describe('the option billing', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['no plans', {}],
    ['plans of every kind', { ...PLANS, isTest: true }],
    ['an amount of nothing', { Free: { ...flat, amount: 0 } }],
    [
      'amounts with as many decimals as the currency has',
      {
        Yen: { ...flat, amount: '500', currencyCode: 'JPY' },
        Dinar: { ...flat, amount: 1.005, currencyCode: 'KWD' },
      },
    ],
    [
      'a year',
      {
        Yearly: {
          ...flat,
          interval: 'ANNUAL',
          discount: { durationLimitInIntervals: 1, value: { amount: '1.50' } },
        },
      },
    ],
    ['use alone', { Metered: { ...usage, replacementBehavior: 'APPLY_ON_NEXT_BILLING_CYCLE' } }],
    ['use alone, with its terms under their older name', { Metered: older }],
    ['a plan that is switched off', { Pro: undefined }],
  ])('may be %s', (_, billing) => {
    expect(problemsIn(billing)).toEqual([]);
  });

  it.each<[string, unknown, string, string]>([
    ['a text', 'Pro', 'billing', 'must be an object of plans'],
    ['a list', [flat], 'billing', 'must be an object of plans'],
    [
      'a plan by the name of the switch',
      { isTest: flat },
      'billing.isTest',
      'must be true or false',
    ],
    ['a plan without a name', { ' ': flat }, 'billing', 'a plan without a name'],
    ['a plan that is none', { Pro: 5 }, 'billing.Pro', 'must be an object'],
    [
      'a missing amount',
      { Pro: { currencyCode: 'USD', interval: 'ANNUAL' } },
      'billing.Pro.amount',
      'is missing',
    ],
    ['a negative amount', { Pro: { ...flat, amount: -1 } }, 'billing.Pro.amount', 'not negative'],
    [
      'an amount that is none',
      { Pro: { ...flat, amount: NaN } },
      'billing.Pro.amount',
      'must be a number',
    ],
    [
      'an amount without end',
      { Pro: { ...flat, amount: Infinity } },
      'billing.Pro.amount',
      'must be a number',
    ],
    [
      'an amount that is no decimal',
      { Pro: { ...flat, amount: '9,99' } },
      'billing.Pro.amount',
      'must be a number',
    ],
    [
      'an amount that was calculated',
      { Pro: { ...flat, amount: 0.1 + 0.2 } },
      'billing.Pro',
      '2 decimals at most',
    ],
    [
      'an amount finer than its currency',
      { Pro: { ...flat, amount: '5.5', currencyCode: 'JPY' } },
      'billing.Pro',
      '0 decimals at most',
    ],
    [
      'an amount that needs an exponent',
      { Pro: { ...flat, amount: 1e-7 } },
      'billing.Pro',
      'decimals at most',
    ],
    [
      'no currency',
      { Pro: { ...flat, currencyCode: 'Dollar' } },
      'billing.Pro.currencyCode',
      'code of a currency',
    ],
    [
      'a currency in small letters',
      { Pro: { ...flat, currencyCode: 'usd' } },
      'billing.Pro.currencyCode',
      'code of a currency',
    ],
    [
      'an unknown interval',
      { Pro: { ...flat, interval: 'WEEKLY' } },
      'billing.Pro.interval',
      'must be one of ONE_TIME',
    ],
    [
      'half a day of trial',
      { Pro: { ...flat, trialDays: 0.5 } },
      'billing.Pro.trialDays',
      'whole number',
    ],
    [
      'a trial before the beginning',
      { Pro: { ...flat, trialDays: -1 } },
      'billing.Pro.trialDays',
      'not negative',
    ],
    [
      'a misspelled trial',
      { Pro: { ...flat, trailDays: 7 } },
      'billing.Pro.trailDays',
      'is unknown here',
    ],
    [
      'a trial of a single payment',
      { Pro: { ...flat, interval: 'ONE_TIME', trialDays: 7 } },
      'billing.Pro.trialDays',
      'is unknown here',
    ],
    [
      'use without terms',
      { Pro: { ...usage, terms: ' ' } },
      'billing.Pro.terms',
      'must say what is charged for',
    ],
    [
      'use without terms under their older name',
      { Pro: { ...older, usageTerms: ' ' } },
      'billing.Pro.terms',
      'must say what is charged for',
    ],
    [
      'terms under both names',
      { Pro: { ...usage, usageTerms } },
      'billing.Pro.usageTerms',
      'is unknown here',
    ],
    [
      'the older name in a line item',
      { Pro: { lineItems: [older] } },
      'billing.Pro.lineItems.0.usageTerms',
      'is unknown here',
    ],
    [
      'an unknown replacement',
      { Pro: { ...flat, replacementBehavior: 'NEVER' } },
      'billing.Pro.replacementBehavior',
      'APPLY_IMMEDIATELY',
    ],
    [
      'a discount of two kinds',
      { Pro: { ...flat, discount: { value: { amount: 1, percentage: 0.1 } } } },
      'billing.Pro.discount.value',
      'not both',
    ],
    [
      'a discount of no kind',
      { Pro: { ...flat, discount: { value: {} } } },
      'billing.Pro.discount.value',
      'amount or a percentage',
    ],
    [
      'a discount of nothing',
      { Pro: { ...flat, discount: { value: { percentage: 0 } } } },
      'billing.Pro.discount.value.percentage',
      'above 0',
    ],
    [
      'a discount of 20 times the price',
      { Pro: { ...flat, discount: { value: { percentage: 20 } } } },
      'billing.Pro.discount.value.percentage',
      'such as 0.2 for 20 %',
    ],
    [
      'a discount for no time',
      { Pro: { ...flat, discount: { durationLimitInIntervals: 0, value: { percentage: 1 } } } },
      'billing.Pro.discount.durationLimitInIntervals',
      'whole number',
    ],
    [
      'a discount finer than its currency',
      { Pro: { ...flat, discount: { value: { amount: '0.001' } } } },
      'billing.Pro',
      '2 decimals at most',
    ],
    ['no line items', { Pro: { lineItems: [] } }, 'billing.Pro.lineItems', 'at least one'],
    [
      'line items and a price',
      { Pro: { ...flat, lineItems: [flat] } },
      'billing.Pro.amount',
      'is unknown here',
    ],
    [
      'a single payment among line items',
      { Pro: { lineItems: [{ ...flat, interval: 'ONE_TIME' }] } },
      'billing.Pro.lineItems.0.interval',
      'must be one of',
    ],
    [
      'two fixed prices',
      { Pro: { lineItems: [flat, { ...flat, interval: 'ANNUAL' }] } },
      'billing.Pro',
      'two line items of one kind',
    ],
    [
      'two prices by use',
      { Pro: { lineItems: [usage, usage] } },
      'billing.Pro',
      'two line items of one kind',
    ],
    [
      'three line items',
      { Pro: { lineItems: [flat, usage, flat] } },
      'billing.Pro',
      'two line items of one kind',
    ],
    [
      'use by the year',
      { Pro: { lineItems: [{ ...flat, interval: 'ANNUAL' }, usage] } },
      'billing.Pro',
      'combines USAGE with ANNUAL',
    ],
    [
      'two currencies',
      { Pro: { lineItems: [flat, { ...usage, currencyCode: 'EUR' }] } },
      'billing.Pro',
      'two currencies',
    ],
  ])('may not be %s', (_, billing, option, message) => {
    expect(problemsIn(billing)).toContainEqual({
      option,
      message: expect.stringContaining(message),
    });
  });

  it('names everything that is wrong at once', () => {
    const billing = {
      isTest: 'yes',
      Pro: { ...flat, amount: -1, currencyCode: 'x' },
      Basic: { ...flat, interval: 'DAILY' },
    };
    expect(problemsIn(billing).map(({ option }) => option)).toEqual([
      'billing.isTest',
      'billing.Pro.amount',
      'billing.Pro.currencyCode',
      'billing.Basic.interval',
    ]);
  });
});
