import { describe, expect, it } from '@jest/globals';

import { BillingError } from '../../lib/billing/billing.errors.js';
import { checkedPlans } from '../../lib/billing/required-plans.js';

describe('the plans that are required', () => {
  it.each([
    ['one plan', 'Pro', undefined, ['Pro']],
    ['a list', ['Basic', 'Pro'], undefined, ['Basic', 'Pro']],
    ['a list and one of it', ['Basic', 'Pro'], 'Pro', ['Basic', 'Pro']],
  ])('are %s', (_, plans, plan, expected) => {
    expect(checkedPlans(plans, plan)).toEqual(expected);
  });

  it.each([
    ['none', [], undefined, 'No plan is named'],
    [
      'a list, but another is asked for',
      ['Basic', 'Pro'],
      'Gold',
      'Plan Gold is not among those that are required: Basic, Pro.',
    ],
    [
      'one plan, but another is asked for',
      'Pro',
      'Basic',
      'Plan Basic is not among those that are required: Pro.',
    ],
  ])('cannot be %s', (_, plans, plan, message) => {
    expect(() => checkedPlans(plans, plan)).toThrow(BillingError);
    expect(() => checkedPlans(plans, plan)).toThrow(message);
  });
});
