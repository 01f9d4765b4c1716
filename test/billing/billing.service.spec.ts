import { describe, expect, it } from '@jest/globals';

import { BillingError, PlanRequiredError } from '../../lib/billing/billing.errors.js';
import { BillingInterval, BillingReplacementBehavior } from '../../lib/billing/billing.plans.js';
import type { BillingCheckParams } from '../../lib/billing/billing.params.js';
import { HttpResponseError } from '../../lib/core/http/http.errors.js';
import { GraphqlQueryError } from '../../lib/graphql-client/graphql-client.errors.js';
import { API_KEY, SHOP } from '../auth/auth.fixture.js';
import { PLANS, SESSION, createBilling } from './billing.fixture.js';
import type { BillingApp } from './billing.fixture.js';
import { recurring, usage } from './platform.simulation.js';

const ask = { session: SESSION };
const sent = ({ platform }: BillingApp) => platform.operations.at(-1)?.variables ?? {};

describe('checking', () => {
  const cases: [string, (app: BillingApp) => void, Partial<BillingCheckParams>, boolean][] = [
    ['nothing was paid', () => {}, { plans: ['Pro'] }, false],
    ['the plan is paid', ({ platform }) => platform.has(), { plans: ['Pro'] }, true],
    ['the plan is paid and given as a text', ({ platform }) => platform.has(), { plans: 'Pro' }, true],
    ['any plan will do', ({ platform }) => platform.has({ name: 'Anything' }), {}, true],
    ['no plan will do', ({ platform }) => platform.has(), { plans: [] }, false],
    ['another plan is paid', ({ platform }) => platform.has({ name: 'Basic' }), { plans: ['Pro'] }, false],
    ['a plan is part of the name', ({ platform }) => platform.has({ name: 'Pro' }), { plans: 'Pro Plus' }, false],
    ['the name is part of a plan', ({ platform }) => platform.has({ name: 'Pro Plus' }), { plans: 'Pro' }, false],
    ['only a test charge is paid', ({ platform }) => platform.has({ test: true }), { plans: ['Pro'] }, false],
    ['a test charge counts', ({ platform }) => platform.has({ test: true }), { plans: ['Pro'], isTest: true }, true],
    ['a real charge counts among tests, too', ({ platform }) => platform.has(), { plans: ['Pro'], isTest: true }, true],
    ['something was bought', ({ platform }) => platform.hasBought(), { plans: ['Setup'] }, true],
    ['a purchase waits for approval', ({ platform }) => platform.hasBought({ status: 'PENDING' }), { plans: ['Setup'] }, false],
    ['a subscription waits for approval', ({ platform }) => platform.has({ status: 'PENDING' }), { plans: ['Pro'] }, false],
    ['a subscription was cancelled', ({ platform }) => platform.has({ status: 'CANCELLED' }), { plans: ['Pro'] }, false],
  ];

  it.each(cases)('answers when %s', async (_, prepare, params, expected) => {
    const app = createBilling();
    prepare(app);
    await expect(app.billing.check({ ...ask, ...params })).resolves.toBe(expected);
  });

  it('takes the switch of the app for a call that says nothing', async () => {
    const app = createBilling({ ...PLANS, isTest: true });
    app.platform.has({ test: true });
    await expect(app.billing.check(ask)).resolves.toBe(true);
    await expect(app.billing.check({ ...ask, isTest: false })).resolves.toBe(false);
  });

  it('reads every page and counts nothing twice', async () => {
    const app = createBilling();
    app.platform.has();
    const ids = Array.from({ length: 120 }, () => app.platform.hasBought().id);
    const found = await app.billing.check({ ...ask, returnObject: true });
    expect(found.oneTimePurchases.map(({ id }) => id)).toEqual(ids);
    expect(found.appSubscriptions).toHaveLength(1);
    expect(app.platform.count('readOneTimePurchases')).toBe(2);
  });

  it('hands over what it found, with amounts as numbers', async () => {
    const app = createBilling();
    const discount = {
      durationLimitInIntervals: 3,
      remainingDurationInIntervals: 2,
      priceAfterDiscount: { amount: '7.99', currencyCode: 'USD' },
      value: { amount: { amount: '2.0', currencyCode: 'USD' } },
    };
    app.platform.has({ pricing: [recurring('9.99', 'USD', { discount }), usage('100.0', 'USD', '12.5')] });
    app.platform.has({ name: 'Basic' });
    const { hasActivePayment, appSubscriptions, oneTimePurchases } = await app.billing.check({ ...ask, plans: 'Pro', returnObject: true });
    expect({ hasActivePayment, oneTimePurchases, names: appSubscriptions.map(({ name }) => name) }).toEqual({
      hasActivePayment: true,
      oneTimePurchases: [],
      names: ['Pro'],
    });
    expect(appSubscriptions[0]?.lineItems.map(({ plan }) => plan.pricingDetails)).toEqual([
      {
        price: { amount: 9.99, currencyCode: 'USD' },
        interval: 'EVERY_30_DAYS',
        discount: {
          ...discount,
          priceAfterDiscount: { amount: 7.99, currencyCode: 'USD' },
          value: { amount: { amount: 2, currencyCode: 'USD' } },
        },
      },
      {
        interval: 'EVERY_30_DAYS',
        balanceUsed: { amount: 12.5, currencyCode: 'USD' },
        cappedAmount: { amount: 100, currencyCode: 'USD' },
        terms: 'per use',
      },
    ]);
  });

  it('finds nothing where the app is not installed', async () => {
    const app = createBilling();
    app.platform.replies.push(() => Response.json({ data: { currentAppInstallation: null } }));
    await expect(app.billing.subscriptions(ask)).resolves.toEqual({ activeSubscriptions: [] });
  });

  it('works for plans that the platform itself sells', async () => {
    const app = createBilling({});
    app.platform.has({ name: 'Managed' });
    await expect(app.billing.check({ ...ask, plans: ['Managed'] })).resolves.toBe(true);
  });

  it('refuses work that needs a plan', async () => {
    const app = createBilling();
    await expect(app.billing.require({ ...ask, plans: ['Pro', 'Basic'] })).rejects.toMatchObject({
      constructor: PlanRequiredError,
      code: 'ERR_PLAN_REQUIRED',
      shop: SHOP,
      plans: ['Pro', 'Basic'],
    });
    app.platform.has();
    await expect(app.billing.require({ ...ask, plans: ['Pro', 'Basic'] })).resolves.toMatchObject({ hasActivePayment: true });
  });
});

describe('requesting', () => {
  it('asks for a subscription with one price', async () => {
    const app = createBilling();
    const { confirmationUrl, appSubscription, oneTimePurchase } = await app.billing.request({ ...ask, plan: 'Basic' });
    expect(confirmationUrl).toMatch(/^https:\/\/dev-shop\.myshopify\.com\/admin\/charges\/\d+\/confirm/);
    expect(appSubscription).toMatchObject({ name: 'Basic', status: 'PENDING', test: false, trialDays: 7 });
    expect(oneTimePurchase).toBeUndefined();
    expect(sent(app)).toEqual({
      name: 'Basic',
      test: false,
      trialDays: 7,
      returnUrl: `https://admin.shopify.com/store/dev-shop/apps/${API_KEY}`,
      lineItems: [{ plan: { appRecurringPricingDetails: { interval: 'EVERY_30_DAYS', price: { amount: 5, currencyCode: 'USD' } } } }],
    });
  });

  it('asks for a subscription with two prices', async () => {
    const app = createBilling();
    await app.billing.request({ ...ask, plan: 'Metered', isTest: true });
    expect(sent(app)).toMatchObject({
      test: true,
      trialDays: 14,
      lineItems: [
        { plan: { appRecurringPricingDetails: { interval: 'EVERY_30_DAYS', price: { amount: 10, currencyCode: 'USD' } } } },
        { plan: { appUsagePricingDetails: { terms: '1 USD per report', cappedAmount: { amount: 100, currencyCode: 'USD' } } } },
      ],
    });
  });

  it('asks for a single payment', async () => {
    const app = createBilling({ ...PLANS, isTest: true });
    const { oneTimePurchase, appSubscription } = await app.billing.request({
      ...ask,
      plan: 'Setup',
      returnUrl: 'https://elsewhere.example/a',
    });
    expect(oneTimePurchase).toMatchObject({ name: 'Setup', status: 'PENDING', test: true, price: { amount: 25, currencyCode: 'USD' } });
    expect(appSubscription).toBeUndefined();
    expect(sent(app)).toEqual({
      name: 'Setup',
      test: true,
      returnUrl: 'https://elsewhere.example/a',
      price: { amount: 25, currencyCode: 'USD' },
    });
  });

  it.each([
    [{ isEmbeddedApp: false }, undefined, `https://app.example.com?shop=${SHOP}`],
    [{ isEmbeddedApp: false }, '/thanks?a=1', 'https://app.example.com/thanks?a=1'],
    [{ shopOrigin: () => 'http://localhost:4000' }, undefined, `http://localhost:4000/admin/apps/${API_KEY}`],
  ])('leads back to the app: %j, %j', async (options, returnUrl, expected) => {
    const app = createBilling(PLANS, options);
    await app.billing.request({ ...ask, plan: 'Pro', returnUrl });
    expect(sent(app)['returnUrl']).toBe(expected);
  });

  it('answers with the same charge as long as it waits for approval', async () => {
    const app = createBilling();
    const first = await app.billing.request({ ...ask, plan: 'Pro' });
    await expect(app.billing.request({ ...ask, plan: 'Pro', trialDays: undefined })).resolves.toEqual(first);
    const { returnUrl } = app.platform.subscriptions[0]!;
    await expect(app.billing.request({ ...ask, plan: 'Pro', returnUrl })).resolves.toEqual(first);
    app.platform.decide(first.confirmationUrl, false);
    await expect(app.billing.request({ ...ask, plan: 'Pro' })).resolves.not.toEqual(first);
    expect(app.platform.asked).toBe(2);
  });

  it('makes one purchase of requests that come at once, and another when that is paid', async () => {
    const app = createBilling();
    const request = () => app.billing.request({ ...ask, plan: 'Setup' });
    const [first, second] = await Promise.all([request(), request()]);
    expect(second).toEqual(first);
    app.platform.decide(first.confirmationUrl, true);
    await expect(request()).resolves.not.toEqual(first);
    expect(app.platform.asked).toBe(2);
  });

  it.each([
    ['another plan', { plan: 'Basic' }],
    ['a test', { plan: 'Pro', isTest: true }],
    ['another return address', { plan: 'Pro', returnUrl: '/thanks' }],
    ['another price', { plan: 'Pro', amount: 5 }],
  ])('makes another charge for %s', async (_, params) => {
    const app = createBilling();
    await app.billing.request({ ...ask, plan: 'Pro' });
    await app.billing.request({ ...ask, ...params });
    expect(app.platform.asked).toBe(2);
  });

  it('sends amounts as they are written', async () => {
    const app = createBilling();
    await app.billing.request({ ...ask, plan: 'Pro' });
    expect(sent(app)).toMatchObject({ lineItems: [{ plan: { appRecurringPricingDetails: { price: { amount: '9.99' } } } }] });
  });

  it('overrides a plan for one shop', async () => {
    const app = createBilling();
    await app.billing.request({
      ...ask,
      plan: 'Basic',
      trialDays: 0,
      amount: '4.50',
      currencyCode: undefined,
      replacementBehavior: BillingReplacementBehavior.ApplyImmediately,
      discount: { durationLimitInIntervals: 3, value: { percentage: 0.5 } },
    });
    expect(sent(app)).toMatchObject({
      trialDays: 0,
      replacementBehavior: 'APPLY_IMMEDIATELY',
      lineItems: [
        {
          plan: {
            appRecurringPricingDetails: {
              price: { amount: '4.50', currencyCode: 'USD' },
              discount: { durationLimitInIntervals: 3, value: { percentage: 0.5 } },
            },
          },
        },
      ],
    });
  });

  it('overrides the line items of a plan by their interval', async () => {
    const app = createBilling();
    await app.billing.request({ ...ask, plan: 'Metered', lineItems: [{ interval: BillingInterval.Usage, amount: 250, terms: undefined }] });
    expect(sent(app)).toMatchObject({
      lineItems: [
        { plan: { appRecurringPricingDetails: { price: { amount: 10 } } } },
        { plan: { appUsagePricingDetails: { terms: '1 USD per report', cappedAmount: { amount: 250 } } } },
      ],
    });
  });

  it.each([
    ['there is no such plan', { plan: 'Gold' }, 'Could not find plan Gold in billing settings. There are: Basic, Pro, Setup, Metered.'],
    ['a plan of two prices is given one', { plan: 'Metered', amount: 3 }, 'several line items'],
    [
      'an override is for no line item',
      { plan: 'Basic', lineItems: [{ interval: 'USAGE' as const }] },
      'no line item with the interval USAGE',
    ],
    ['an override is no amount', { plan: 'Basic', amount: -1 }, 'Basic.lineItems.0.amount must be a number'],
    ['a single payment is given a trial', { plan: 'Setup', trialDays: 3 }, 'Setup.trialDays is unknown here'],
  ])('refuses when %s, before anything is sent', async (_, params, message) => {
    const app = createBilling();
    const request = app.billing.request({ ...ask, ...params });
    await expect(request).rejects.toThrow(BillingError);
    await expect(request).rejects.toThrow(message);
    expect(app.platform.operations).toEqual([]);
  });
});

describe('changing', () => {
  it('cancels, with the unused part credited unless told otherwise', async () => {
    const app = createBilling();
    const { id } = app.platform.has();
    await expect(app.billing.cancel({ ...ask, subscriptionId: id })).resolves.toMatchObject({ id, status: 'CANCELLED' });
    expect(sent(app)).toEqual({ id, prorate: true });
    const other = app.platform.has();
    await app.billing.cancel({ ...ask, subscriptionId: other.id, prorate: false });
    expect(sent(app)).toEqual({ id: other.id, prorate: false });
  });

  it('asks for a higher cap', async () => {
    const app = createBilling();
    const [, item] = app.platform.has({ pricing: [recurring(10, 'USD'), usage(100, 'USD')] }).lineItems;
    const { confirmationUrl, appSubscription } = await app.billing.updateUsageCappedAmount({
      ...ask,
      subscriptionLineItemId: item?.id ?? '',
      cappedAmount: { amount: '200.00', currencyCode: 'USD' },
    });
    expect(confirmationUrl).toContain('/confirm');
    expect(appSubscription.lineItems[1]?.plan.pricingDetails).toMatchObject({ cappedAmount: { amount: 100 } });
    expect(sent(app)).toEqual({ id: item?.id, cappedAmount: { amount: '200.00', currencyCode: 'USD' } });
  });
});

describe('charging for use', () => {
  const price = { amount: '0.10', currencyCode: 'USD' };
  const record = { ...ask, description: 'A report', price };

  it('makes one charge of two that arrive at once with one key', async () => {
    const app = createBilling();
    app.platform.has({ pricing: [usage(100, 'USD')] });
    const twice = [0, 1].map(() => app.billing.createUsageRecord({ ...record, idempotencyKey: 'report-1' }));
    const [one, other] = await Promise.all(twice);
    expect(one).toEqual(other);
    expect(one).toMatchObject({ idempotencyKey: 'report-1', description: 'A report', price: { amount: 0.1, currencyCode: 'USD' } });
    expect(app.platform.usage).toHaveLength(1);
    await app.billing.createUsageRecord({ ...record, idempotencyKey: 'report-2' });
    await app.billing.createUsageRecord(record);
    await app.billing.createUsageRecord(record);
    expect(app.platform.usage.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['report-1', 'report-2', null, null]);
  });

  it('sends a charge again only when its key makes that safe', async () => {
    const app = createBilling(PLANS, {}, { retries: 1 });
    const [item] = app.platform.has({ pricing: [usage(100, 'USD')] }).lineItems;
    const params = { ...record, subscriptionLineItemId: item?.id };
    const outage = () => new Response('', { status: 502 });
    app.platform.replies.push(outage);
    await expect(app.billing.createUsageRecord({ ...params, idempotencyKey: 'k' })).resolves.toMatchObject({ idempotencyKey: 'k' });
    app.platform.replies.push(outage);
    await expect(app.billing.createUsageRecord(params)).rejects.toThrow(HttpResponseError);
    expect(app.platform.usage).toHaveLength(1);
  });

  it('finds the line item by itself, of a real subscription before one of a test', async () => {
    const app = createBilling();
    app.platform.has({ test: true, pricing: [usage(100, 'USD')] });
    const real = app.platform.has({ pricing: [recurring(10, 'USD'), usage(100, 'USD')] });
    await app.billing.createUsageRecord({ ...record, isTest: true });
    expect(sent(app)).toMatchObject({ subscriptionLineItemId: real.lineItems[1]?.id });
  });

  it.each([
    ['there is no subscription', () => {}, 'No active subscriptions found.'],
    ['none has a price by use', ({ platform }: BillingApp) => platform.has(), 'No active usage subscription found.'],
    [
      'there are tests only',
      ({ platform }: BillingApp) => platform.has({ test: true, pricing: [usage(100, 'USD')] }),
      'There are test subscriptions: pass isTest to use them.',
    ],
  ])('refuses when %s', async (_, prepare, message) => {
    const app = createBilling();
    prepare(app);
    await expect(app.billing.createUsageRecord(record)).rejects.toThrow(message);
    expect(app.platform.usage).toEqual([]);
  });
});

describe('failures', () => {
  const calls: [string, (app: BillingApp) => Promise<unknown>, string][] = [
    ['request', ({ billing }) => billing.request({ ...ask, plan: 'Pro' }), 'Error while billing the store'],
    ['cancel', ({ billing }) => billing.cancel({ ...ask, subscriptionId: 'gid://1' }), 'Error while canceling a subscription'],
    [
      'createUsageRecord',
      ({ billing }) =>
        billing.createUsageRecord({ ...ask, subscriptionLineItemId: 'x', description: 'x', price: { amount: 1, currencyCode: 'USD' } }),
      'Error while creating a usage record',
    ],
    [
      'updateUsageCappedAmount',
      ({ billing }) =>
        billing.updateUsageCappedAmount({ ...ask, subscriptionLineItemId: 'x', cappedAmount: { amount: 1, currencyCode: 'USD' } }),
      'Error while updating usage subscription capped amount',
    ],
  ];

  it.each(calls)('tells what the platform found wrong with %s', async (_, call, message) => {
    const app = createBilling(PLANS, { userErrors: 'throw' });
    const refusal = { field: ['price'], message: 'Price is too low' };
    app.platform.refusal = refusal;
    await expect(call(app)).rejects.toMatchObject({
      constructor: BillingError,
      code: 'ERR_BILLING',
      message: `${message}: Price is too low`,
      errorData: [refusal],
    });
  });

  it.each([...calls, ['check', ({ billing }: BillingApp) => billing.check(ask), 'Error while reading what the store pays'] as const])(
    'tells the same of GraphQL errors in %s',
    async (_, call, message) => {
      const app = createBilling();
      app.platform.replies.push(() => Response.json({ errors: [{ message: 'Nobody pays today' }] }));
      const error: unknown = await call(app).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'ERR_BILLING',
        message: `${message}: Nobody pays today`,
        errorData: [{ message: 'Nobody pays today' }],
      });
      expect((error as BillingError).cause).toBeInstanceOf(GraphqlQueryError);
    },
  );

  it.each(calls)('leaves a refused token in %s to those who renew it', async (_, call) => {
    const app = createBilling();
    app.platform.replies.push(() => new Response('{"errors":"Invalid token"}', { status: 401 }));
    await expect(call(app)).rejects.toMatchObject({ response: { code: 401 } });
  });

  it('does not take silence for success', async () => {
    const app = createBilling();
    app.platform.replies.push(() => Response.json({ data: { outcome: null } }));
    await expect(app.billing.request({ ...ask, plan: 'Pro' })).rejects.toThrow('did not say what became of it');
    app.platform.replies.push(() => Response.json({ data: { outcome: { confirmationUrl: null, userErrors: [] } } }));
    await expect(app.billing.request({ ...ask, plan: 'Pro' })).rejects.toThrow('named no page');
  });
});
