import { describe, expect, it } from '@jest/globals';

import { BillingError, PlanRequiredError } from '../../lib/billing/billing.errors.js';
import { BillingInterval, BillingReplacementBehavior } from '../../lib/billing/billing-plans.js';
import type { BillingCheckParams } from '../../lib/billing/billing.service.js';
import type { AppSubscription } from '../../lib/billing/billing-state.js';
import { HttpResponseError } from '../../lib/core/http/http.errors.js';
import { GraphqlQueryError } from '../../lib/graphql-client/graphql-client.errors.js';
import { API_KEY, SHOP, inbound } from '../auth/auth.fixture.js';
import { PLANS, createBilling, decide } from './billing.fixture.js';
import type { BillingApp } from './billing.fixture.js';
import { amended, failed, replied } from './network.js';
import type { Incident } from './network.js';
import { bought, recurring, subscribed, usage } from './shop.charges.js';

const ask = ({ session }: BillingApp) => ({ session });
const sent = ({ network }: BillingApp) => network.operations.at(-1)?.variables ?? {};
const asked = ({ shop }: BillingApp): number => shop.billing.charges.length;
/** The subscriptions that are active, as the app sees them. */
const running = async (app: BillingApp) =>
  (await app.billing.subscriptions(ask(app))).activeSubscriptions;
/** What the shop can be charged for, in the order of its line items. */
const items = async (app: BillingApp): Promise<string[]> =>
  (await running(app)).flatMap(({ lineItems }) => lineItems.map(({ id }) => id));

/** An answer of a platform where these are active, too: the simulated store runs one at a time. */
const besides = (others: readonly AppSubscription[]): Incident =>
  amended<{ currentAppInstallation: { activeSubscriptions: AppSubscription[] } }>(
    ({ currentAppInstallation: { activeSubscriptions } }) => {
      activeSubscriptions.unshift(...others);
    },
  );

describe('checking', () => {
  const cases: [string, (app: BillingApp) => void, Partial<BillingCheckParams>, boolean][] = [
    ['nothing was paid', () => {}, { plans: ['Pro'] }, false],
    ['the plan is paid', subscribed, { plans: ['Pro'] }, true],
    ['the plan is paid and given as a text', subscribed, { plans: 'Pro' }, true],
    ['any plan will do', (app) => subscribed(app, { name: 'Anything' }), {}, true],
    ['no plan will do', subscribed, { plans: [] }, false],
    [
      'another plan is paid',
      (app) => subscribed(app, { name: 'Basic' }),
      { plans: ['Pro'] },
      false,
    ],
    [
      'a plan is part of the name',
      (app) => subscribed(app, { name: 'Pro' }),
      { plans: 'Pro Plus' },
      false,
    ],
    [
      'the name is part of a plan',
      (app) => subscribed(app, { name: 'Pro Plus' }),
      { plans: 'Pro' },
      false,
    ],
    [
      'only a test charge is paid, and it says that tests do not count',
      (app) => subscribed(app, { test: true }),
      { plans: ['Pro'], isTest: false },
      false,
    ],
    [
      'a test charge counts',
      (app) => subscribed(app, { test: true }),
      { plans: ['Pro'], isTest: true },
      true,
    ],
    ['a real charge counts among tests, too', subscribed, { plans: ['Pro'], isTest: true }, true],
    ['something was bought', bought, { plans: ['Setup'] }, true],
    [
      'a purchase waits for approval',
      (app) => bought(app, { status: 'PENDING' }),
      { plans: ['Setup'] },
      false,
    ],
    [
      'a subscription waits for approval',
      (app) => subscribed(app, { status: 'PENDING' }),
      { plans: ['Pro'] },
      false,
    ],
    [
      'a subscription was cancelled',
      (app) => subscribed(app, { status: 'CANCELLED' }),
      { plans: ['Pro'] },
      false,
    ],
  ];

  it.each(cases)('answers when %s', async (_, prepare, params, expected) => {
    const app = await createBilling();
    prepare(app);
    await expect(app.billing.check({ ...ask(app), ...params })).resolves.toBe(expected);
  });

  // An app whose charges were tests by default asked its shops to pay again.
  it('accepts a test charge where nothing was said, with one warning per shop', async () => {
    const app = await createBilling();
    subscribed(app, { test: true });
    const params = { ...ask(app), plans: ['Pro'] };
    await expect(app.billing.check(params)).resolves.toBe(true);
    await expect(app.billing.require(params)).resolves.toMatchObject({
      appSubscriptions: [{ name: 'Pro', test: true }],
    });
    await expect(app.billing.check({ ...ask(app), plans: ['Basic'] })).resolves.toBe(false);
    expect(app.log).toEqual([expect.stringMatching(/only a test charge.*isTest.*shop.myshopify/)]);
  });

  it('leaves a test charge aside, without a warning, where a real one was paid', async () => {
    const app = await createBilling();
    bought(app, { name: 'Pro', test: true });
    subscribed(app);
    const found = await app.billing.check({ ...ask(app), plans: ['Pro'], returnObject: true });
    expect([found.appSubscriptions.length, found.oneTimePurchases.length]).toEqual([1, 0]);
    expect(app.log).toEqual([]);
  });

  it('accepts no test charge in an app that says so', async () => {
    const app = await createBilling({ ...PLANS, isTest: false });
    subscribed(app, { test: true });
    await expect(app.billing.check(ask(app))).resolves.toBe(false);
    expect(app.log).toEqual([]);
  });

  it('takes the switch of the app for a call that says nothing', async () => {
    const app = await createBilling({ ...PLANS, isTest: true });
    subscribed(app, { test: true });
    await expect(app.billing.check(ask(app))).resolves.toBe(true);
    await expect(app.billing.check({ ...ask(app), isTest: false })).resolves.toBe(false);
  });

  it('reads every page and counts nothing twice', async () => {
    const app = await createBilling();
    subscribed(app);
    const ids = Array.from({ length: 120 }, () => bought(app));
    const found = await app.billing.check({ ...ask(app), returnObject: true });
    expect(found.oneTimePurchases.map(({ id }) => id)).toEqual(ids);
    expect(found.appSubscriptions).toHaveLength(1);
    expect(app.network.count('readOneTimePurchases')).toBe(2);
  });

  it('hands over what it found, with amounts as numbers', async () => {
    const app = await createBilling();
    subscribed(app, { name: 'Basic' });
    const basic = await running(app);
    bought(app);
    const discount = {
      durationLimitInIntervals: 3,
      value: { amount: { amount: '2.0', currencyCode: 'USD' } },
    };
    subscribed(app, { pricing: [recurring('9.99', discount), usage('100.0')] });
    // Into the second interval.
    app.clock.advance(31 * 86_400_000);
    const [, subscriptionLineItemId] = await items(app);
    const price = { amount: '12.50', currencyCode: 'USD' };
    await app.billing.createUsageRecord({
      ...ask(app),
      subscriptionLineItemId,
      description: 'Reports',
      price,
    });
    app.network.next.push(besides(basic));
    const { hasActivePayment, appSubscriptions, oneTimePurchases } = await app.billing.check({
      ...ask(app),
      plans: 'Pro',
      returnObject: true,
    });
    expect({
      hasActivePayment,
      oneTimePurchases,
      names: appSubscriptions.map(({ name }) => name),
    }).toEqual({
      hasActivePayment: true,
      oneTimePurchases: [],
      names: ['Pro'],
    });
    expect(appSubscriptions[0]?.lineItems.map(({ plan }) => plan.pricingDetails)).toEqual([
      {
        price: { amount: 9.99, currencyCode: 'USD' },
        interval: 'EVERY_30_DAYS',
        discount: {
          durationLimitInIntervals: 3,
          remainingDurationInIntervals: 2,
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

  it('works for plans that the platform itself sells', async () => {
    const app = await createBilling({});
    subscribed(app, { name: 'Managed' });
    await expect(app.billing.check({ ...ask(app), plans: ['Managed'] })).resolves.toBe(true);
  });

  it('refuses work that needs a plan', async () => {
    const app = await createBilling();
    await expect(
      app.billing.require({ ...ask(app), plans: ['Pro', 'Basic'] }),
    ).rejects.toMatchObject({
      constructor: PlanRequiredError,
      code: 'ERR_PLAN_REQUIRED',
      shop: SHOP,
      plans: ['Pro', 'Basic'],
    });
    subscribed(app);
    await expect(
      app.billing.require({ ...ask(app), plans: ['Pro', 'Basic'] }),
    ).resolves.toMatchObject({ hasActivePayment: true });
  });
});

describe('requesting', () => {
  it('answers the whole reply of the platform, or the address alone', async () => {
    const app = await createBilling();
    const asked = { ...ask(app), plan: 'Basic' };
    const whole = await app.billing.request({ ...asked, returnObject: true });
    expect(whole).toEqual({
      confirmationUrl: expect.stringContaining('/charges/'),
      appSubscription: expect.objectContaining({ name: 'Basic' }),
      userErrors: [],
    });
    await expect(app.billing.request({ ...asked, returnObject: false })).resolves.toBe(
      whole.confirmationUrl,
    );
    await expect(app.billing.request(asked)).resolves.toEqual(whole);
  });

  it('asks for a subscription with one price', async () => {
    const app = await createBilling();
    const { confirmationUrl, appSubscription, oneTimePurchase } = await app.billing.request({
      ...ask(app),
      plan: 'Basic',
    });
    expect(confirmationUrl).toBe(app.shop.billing.confirmationUrl(appSubscription?.id ?? ''));
    expect(appSubscription).toMatchObject({
      name: 'Basic',
      status: 'PENDING',
      test: false,
      trialDays: 7,
    });
    expect(oneTimePurchase).toBeUndefined();
    expect(sent(app)).toEqual({
      name: 'Basic',
      test: false,
      trialDays: 7,
      returnUrl: `https://admin.shopify.com/store/dev-shop/apps/${API_KEY}`,
      lineItems: [
        {
          plan: {
            appRecurringPricingDetails: {
              interval: 'EVERY_30_DAYS',
              price: { amount: 5, currencyCode: 'USD' },
            },
          },
        },
      ],
    });
  });

  it('asks for a subscription with two prices', async () => {
    const app = await createBilling();
    await app.billing.request({ ...ask(app), plan: 'Metered', isTest: true });
    expect(sent(app)).toMatchObject({
      test: true,
      trialDays: 14,
      lineItems: [
        {
          plan: {
            appRecurringPricingDetails: {
              interval: 'EVERY_30_DAYS',
              price: { amount: 10, currencyCode: 'USD' },
            },
          },
        },
        {
          plan: {
            appUsagePricingDetails: {
              terms: '1 USD per report',
              cappedAmount: { amount: 100, currencyCode: 'USD' },
            },
          },
        },
      ],
    });
  });

  it('asks for use alone, with terms under their older name', async () => {
    const price = { amount: 100, currencyCode: 'USD', interval: BillingInterval.Usage } as const;
    const app = await createBilling({ Reports: { ...price, usageTerms: '1 USD per report' } });
    await app.billing.request({ ...ask(app), plan: 'Reports', isTest: true });
    const { lineItems } = sent(app);
    expect(lineItems).toEqual([
      {
        plan: {
          appUsagePricingDetails: {
            terms: '1 USD per report',
            cappedAmount: { amount: 100, currencyCode: 'USD' },
          },
        },
      },
    ]);
  });

  it('asks for a single payment', async () => {
    const app = await createBilling({ ...PLANS, isTest: true });
    const { oneTimePurchase, appSubscription } = await app.billing.request({
      ...ask(app),
      plan: 'Setup',
      returnUrl: 'https://elsewhere.example/a',
    });
    expect(oneTimePurchase).toMatchObject({
      name: 'Setup',
      status: 'PENDING',
      test: true,
      price: { amount: 25, currencyCode: 'USD' },
    });
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
  ])('leads back to the app: %j, %j', async (options, returnUrl, expected) => {
    const app = await createBilling(PLANS, options);
    await app.billing.request({ ...ask(app), plan: 'Pro', returnUrl });
    expect(sent(app)['returnUrl']).toBe(expected);
  });

  it('leads back to the admin of a simulated store', async () => {
    const app: BillingApp = await createBilling(PLANS, { shopOrigin: () => app.shop.origin });
    await app.billing.request({ ...ask(app), plan: 'Pro' });
    expect(sent(app)['returnUrl']).toBe(`${app.shop.origin}/admin/apps/${API_KEY}`);
  });

  it('answers with the same charge as long as it waits for approval', async () => {
    const app = await createBilling();
    const first = await app.billing.request({ ...ask(app), plan: 'Pro' });
    await expect(
      app.billing.request({ ...ask(app), plan: 'Pro', trialDays: undefined }),
    ).resolves.toEqual(first);
    const { returnUrl } = app.shop.billing.charges[0]!;
    await expect(app.billing.request({ ...ask(app), plan: 'Pro', returnUrl })).resolves.toEqual(
      first,
    );
    decide(app, first.confirmationUrl, { isApproved: false });
    await expect(app.billing.request({ ...ask(app), plan: 'Pro' })).resolves.not.toEqual(first);
    expect(asked(app)).toBe(2);
  });

  it('makes one purchase of requests that come at once, and another when that is paid', async () => {
    const app = await createBilling();
    const request = () => app.billing.request({ ...ask(app), plan: 'Setup' });
    const [first, second] = await Promise.all([request(), request()]);
    expect(second).toEqual(first);
    decide(app, first.confirmationUrl, { isApproved: true });
    await expect(request()).resolves.not.toEqual(first);
    expect(asked(app)).toBe(2);
  });

  it('tells all who wait for one charge that it could not be made, and asks anew for who comes later', async () => {
    const app = await createBilling();
    const request = () => app.billing.request({ ...ask(app), plan: 'Pro' });
    app.network.next.push(failed(500));
    const outcomes = await Promise.allSettled([request(), request(), request()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(app.network.operations).toHaveLength(1);
    await expect(request()).resolves.toMatchObject({
      confirmationUrl: expect.stringContaining('/charges/'),
    });
  });

  it.each([
    ['another plan', { plan: 'Basic' }],
    ['a test', { plan: 'Pro', isTest: true }],
    ['another return address', { plan: 'Pro', returnUrl: '/thanks' }],
    ['another price', { plan: 'Pro', amount: 5 }],
  ])('makes another charge for %s', async (_, params) => {
    const app = await createBilling();
    await app.billing.request({ ...ask(app), plan: 'Pro' });
    await app.billing.request({ ...ask(app), ...params });
    expect(asked(app)).toBe(2);
  });

  it('sends amounts as they are written', async () => {
    const app = await createBilling();
    await app.billing.request({ ...ask(app), plan: 'Pro' });
    expect(sent(app)).toMatchObject({
      lineItems: [{ plan: { appRecurringPricingDetails: { price: { amount: '9.99' } } } }],
    });
  });

  it('overrides a plan for one shop', async () => {
    const app = await createBilling();
    await app.billing.request({
      ...ask(app),
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
    const app = await createBilling();
    await app.billing.request({
      ...ask(app),
      plan: 'Metered',
      lineItems: [{ interval: BillingInterval.Usage, amount: 250, terms: undefined }],
    });
    expect(sent(app)).toMatchObject({
      lineItems: [
        { plan: { appRecurringPricingDetails: { price: { amount: 10 } } } },
        {
          plan: {
            appUsagePricingDetails: { terms: '1 USD per report', cappedAmount: { amount: 250 } },
          },
        },
      ],
    });
  });

  it.each([
    [
      'there is no such plan',
      { plan: 'Gold' },
      'Could not find plan Gold in billing settings. There are: Basic, Pro, Setup, Metered.',
    ],
    ['a plan of two prices is given one', { plan: 'Metered', amount: 3 }, 'several line items'],
    [
      'an override is for no line item',
      { plan: 'Basic', lineItems: [{ interval: 'USAGE' as const }] },
      'no line item with the interval USAGE',
    ],
    [
      'an override is no amount',
      { plan: 'Basic', amount: -1 },
      'Basic.lineItems.0.amount must be a number',
    ],
    [
      'a single payment is given a trial',
      { plan: 'Setup', trialDays: 3 },
      'Setup.trialDays is unknown here',
    ],
  ])('refuses when %s, before anything is sent', async (_, params, message) => {
    const app = await createBilling();
    const request = app.billing.request({ ...ask(app), ...params });
    await expect(request).rejects.toThrow(BillingError);
    await expect(request).rejects.toThrow(message);
    expect(app.network.operations).toEqual([]);
  });
});

describe('changing', () => {
  it('cancels, with the unused part credited unless told otherwise', async () => {
    const app = await createBilling();
    const id = subscribed(app);
    await expect(app.billing.cancel({ ...ask(app), subscriptionId: id })).resolves.toMatchObject({
      id,
      status: 'CANCELLED',
    });
    expect(sent(app)).toEqual({ id, prorate: true });
    const other = subscribed(app);
    await app.billing.cancel({ ...ask(app), subscriptionId: other, prorate: false });
    expect(sent(app)).toEqual({ id: other, prorate: false });
    expect(app.shop.billing.charges.map(({ status }) => status)).toEqual([
      'CANCELLED',
      'CANCELLED',
    ]);
  });

  it('asks for a higher cap, which holds once the merchant has approved it', async () => {
    const app = await createBilling();
    const subscription = subscribed(app, { pricing: [recurring('10.0'), usage('100.0')] });
    const [, id = ''] = await items(app);
    const cappedAmount = { amount: '200.00', currencyCode: 'USD' };
    const { confirmationUrl, appSubscription } = await app.billing.updateUsageCappedAmount({
      ...ask(app),
      subscriptionLineItemId: id,
      cappedAmount,
    });
    expect(sent(app)).toEqual({ id, cappedAmount });
    expect(confirmationUrl).toBe(app.shop.billing.confirmationUrl(subscription));
    expect(appSubscription.lineItems[1]?.plan.pricingDetails).toMatchObject({
      cappedAmount: { amount: 100 },
    });
    app.shop.billing.approve(subscription);
    const [raised] = await running(app);
    expect(raised?.lineItems[1]?.plan.pricingDetails).toMatchObject({
      cappedAmount: { amount: 200 },
    });
  });
});

describe('charging for use', () => {
  const price = { amount: '0.10', currencyCode: 'USD' };
  const record = (app: BillingApp) => ({ ...ask(app), description: 'A report', price });

  it('makes one charge of two that arrive at once with one key', async () => {
    const app = await createBilling();
    subscribed(app, { pricing: [usage('100.0')] });
    const twice = [0, 1].map(() =>
      app.billing.createUsageRecord({ ...record(app), idempotencyKey: 'report-1' }),
    );
    const [one, other] = await Promise.all(twice);
    expect(one).toEqual(other);
    expect(one).toMatchObject({
      idempotencyKey: 'report-1',
      description: 'A report',
      price: { amount: 0.1, currencyCode: 'USD' },
    });
    expect(app.shop.billing.usageRecords).toHaveLength(1);
    await app.billing.createUsageRecord({ ...record(app), idempotencyKey: 'report-2' });
    await app.billing.createUsageRecord(record(app));
    await app.billing.createUsageRecord(record(app));
    expect(app.shop.billing.usageRecords.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      'report-1',
      'report-2',
      null,
      null,
    ]);
  });

  it('sends a charge again only when its key makes that safe', async () => {
    const app = await createBilling(PLANS, {}, { retries: 1 });
    subscribed(app, { pricing: [usage('100.0')] });
    const [subscriptionLineItemId] = await items(app);
    const params = { ...record(app), subscriptionLineItemId };
    app.network.next.push(failed(502));
    await expect(
      app.billing.createUsageRecord({ ...params, idempotencyKey: 'k' }),
    ).resolves.toMatchObject({ idempotencyKey: 'k' });
    // As a column of a database that holds none is read.
    for (const idempotencyKey of [undefined, null as never]) {
      app.network.next.push(failed(502));
      await expect(app.billing.createUsageRecord({ ...params, idempotencyKey })).rejects.toThrow(
        HttpResponseError,
      );
    }
    expect(app.shop.billing.usageRecords).toHaveLength(1);
  });

  it.each([
    ['is empty', ''],
    ['is too long', 'k'.repeat(256)],
    ['is no text', 7 as never],
  ])(
    'refuses a key that %s: the platform would take it for another, or for none',
    async (_, idempotencyKey) => {
      const app = await createBilling();
      subscribed(app, { pricing: [usage('100.0')] });
      await expect(
        app.billing.createUsageRecord({ ...record(app), idempotencyKey }),
      ).rejects.toThrow(BillingError);
      expect(app.shop.billing.usageRecords).toEqual([]);
    },
  );

  it('finds the line item by itself, of a real subscription before one of a test', async () => {
    const app = await createBilling();
    subscribed(app, { test: true, pricing: [usage('100.0')] });
    const tests = await running(app);
    const real = subscribed(app, { pricing: [recurring('10.0'), usage('100.0')] });
    app.network.next.push(besides(tests));
    await app.billing.createUsageRecord({ ...record(app), isTest: true });
    expect(app.shop.billing.usageRecords).toMatchObject([
      { subscription: app.shop.billing.find(real), index: 1 },
    ]);
  });

  it('records the use of a test subscription where there is no other', async () => {
    const app = await createBilling();
    const test = subscribed(app, { test: true, pricing: [usage('100.0')] });
    await app.billing.createUsageRecord(record(app));
    expect(app.shop.billing.usageRecords).toMatchObject([
      { subscription: app.shop.billing.find(test), index: 0 },
    ]);
  });

  it.each([
    ['there is no subscription', () => {}, 'No active subscriptions found.'],
    ['none has a price by use', subscribed, 'No active usage subscription found.'],
    [
      'there are tests only',
      (app: BillingApp) => subscribed(app, { test: true, pricing: [usage('100.0')] }),
      'There are test subscriptions: pass isTest to use them.',
    ],
  ])('refuses when %s', async (_, prepare, message) => {
    const app = await createBilling();
    prepare(app);
    await expect(app.billing.createUsageRecord({ ...record(app), isTest: false })).rejects.toThrow(
      message,
    );
    expect(app.shop.billing.usageRecords).toEqual([]);
  });
});

describe('failures', () => {
  const price = { amount: 1, currencyCode: 'USD' };
  const item = { subscriptionLineItemId: 'gid://shopify/AppSubscriptionLineItem/1?v=1&index=0' };
  const calls: [string, (app: BillingApp) => Promise<unknown>, string][] = [
    [
      'request',
      (app) =>
        app.billing.request({ ...ask(app), plan: 'Pro', returnUrl: 'ftp://app.example.com' }),
      'Error while billing the store',
    ],
    [
      'cancel',
      (app) =>
        app.billing.cancel({ ...ask(app), subscriptionId: 'gid://shopify/AppSubscription/1' }),
      'Error while canceling a subscription',
    ],
    [
      'createUsageRecord',
      (app) => app.billing.createUsageRecord({ ...ask(app), ...item, description: 'x', price }),
      'Error while creating a usage record',
    ],
    [
      'updateUsageCappedAmount',
      (app) => app.billing.updateUsageCappedAmount({ ...ask(app), ...item, cappedAmount: price }),
      'Error while updating usage subscription capped amount',
    ],
  ];
  /** What the store finds wrong with them. */
  const refusals: Record<string, { field: string[]; message: string }> = {
    request: { field: ['returnUrl'], message: 'Return url is invalid' },
    cancel: { field: ['id'], message: 'Subscription does not exist' },
    createUsageRecord: {
      field: ['subscriptionLineItemId'],
      message: 'Subscription line item does not exist',
    },
    updateUsageCappedAmount: { field: ['id'], message: 'Subscription line item does not exist' },
  };

  it.each(calls)('tells what the platform found wrong with %s', async (name, call, message) => {
    const app = await createBilling(PLANS, { userErrors: 'throw' });
    await expect(call(app)).rejects.toMatchObject({
      constructor: BillingError,
      code: 'ERR_BILLING',
      message: `${message}: ${refusals[name]?.message}`,
      errorData: [refusals[name]],
    });
  });

  it.each<(typeof calls)[number]>([
    ...calls,
    ['check', (app) => app.billing.check(ask(app)), 'Error while reading what the store pays'],
  ])('tells the same of GraphQL errors in %s', async (_, call, message) => {
    const app = await createBilling();
    app.network.next.push(replied({ errors: [{ message: 'Nobody pays today' }] }));
    const error: unknown = await call(app).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'ERR_BILLING',
      message: `${message}: Nobody pays today`,
      errorData: [{ message: 'Nobody pays today' }],
    });
    expect((error as BillingError).cause).toBeInstanceOf(GraphqlQueryError);
  });

  it.each(calls)('leaves a refused token in %s to those who renew it', async (_, call) => {
    const app = await createBilling();
    app.shop.revokeTokens(API_KEY);
    await expect(call(app)).rejects.toMatchObject({ response: { code: 401 } });
  });

  const page = (more: object = {}) => ({ nodes: [], pageInfo: { hasNextPage: false }, ...more });
  const installed = (more: object = {}) => ({
    currentAppInstallation: { activeSubscriptions: [], oneTimePurchases: page(), ...more },
  });
  // A TypeError, or a shop that paid for nothing.
  it.each([
    ['no installation', { currentAppInstallation: null }],
    ['nothing', {}],
    ['no subscriptions', installed({ activeSubscriptions: undefined })],
    ['null for a subscription', installed({ activeSubscriptions: [null] })],
    ['null for purchases', installed({ oneTimePurchases: null })],
    ['no list of purchases', installed({ oneTimePurchases: page({ nodes: undefined }) })],
    ['null for a purchase', installed({ oneTimePurchases: page({ nodes: [null] }) })],
    ['no end of purchases', installed({ oneTimePurchases: page({ pageInfo: undefined }) })],
    ['no next page', installed({ oneTimePurchases: page({ pageInfo: { hasNextPage: true } }) })],
    ['no list of charges', installed({ allSubscriptions: {} })],
    [
      'an edge to nothing',
      installed({ oneTimePurchases: { ...page({ nodes: undefined }), edges: [{ node: null }] } }),
    ],
    [
      'null for an edge',
      installed({ oneTimePurchases: { ...page({ nodes: undefined }), edges: [null] } }),
    ],
    ['null for a charge', installed({ allSubscriptions: { nodes: [null] } })],
  ])('does not take a state that names %s for a shop that pays nothing', async (_, data) => {
    const app = await createBilling();
    app.network.others = replied({ data });
    for (const read of [
      () => app.billing.check(ask(app)),
      () => app.billing.require(ask(app)),
      () => app.billing.subscriptions(ask(app)),
      () => app.gate.require(inbound('/'), app.session, { plans: 'Pro' }),
    ])
      await expect(read()).rejects.toMatchObject({
        code: 'ERR_BILLING',
        message: expect.stringContaining('the reply of the platform is incomplete'),
      });
  });

  it('takes what the tests of apps answer with: subscriptions alone, purchases without an id', async () => {
    const app = await createBilling();
    app.network.next.push(
      replied({ data: { currentAppInstallation: { activeSubscriptions: [] } } }),
      replied({
        data: installed({
          oneTimePurchases: page({ nodes: [{ name: 'Import', status: 'ACTIVE', test: false }] }),
        }),
      }),
    );
    await expect(app.billing.subscriptions(ask(app))).resolves.toEqual({ activeSubscriptions: [] });
    await expect(app.billing.check({ ...ask(app), plans: 'Import' })).resolves.toBe(true);
  });

  it('does not take the first pages of purchases for all', async () => {
    const app = await createBilling();
    for (let number = 0; number < 60; number++) bought(app);
    app.network.next.push(
      (answer) => answer(),
      replied({ data: installed({ oneTimePurchases: null }) }),
    );
    await expect(app.billing.check(ask(app))).rejects.toThrow('incomplete');
  });

  it('finds no line item in subscriptions that name none', async () => {
    const app = await createBilling();
    app.network.next.push(
      replied({
        data: installed({ activeSubscriptions: [{ id: 'x', name: 'Pro', test: false }] }),
      }),
    );
    await expect(
      app.billing.createUsageRecord({ ...ask(app), description: 'x', price }),
    ).rejects.toThrow('No active usage subscription found.');
  });

  it('does not take silence for success', async () => {
    const app = await createBilling();
    app.network.next.push(replied({ data: { appSubscriptionCreate: null } }));
    await expect(app.billing.request({ ...ask(app), plan: 'Pro' })).rejects.toThrow(
      'did not say what became of it',
    );
    app.network.next.push(replied({ data: { appSubscriptionCreate: {} } }));
    await expect(app.billing.request({ ...ask(app), plan: 'Pro' })).rejects.toThrow(
      'did not say what became of it',
    );
    app.network.next.push(
      replied({ data: { appSubscriptionCreate: { confirmationUrl: null, userErrors: [] } } }),
    );
    await expect(app.billing.request({ ...ask(app), plan: 'Pro' })).rejects.toThrow(
      'named no page',
    );
  });
});
