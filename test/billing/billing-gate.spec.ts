import { describe, expect, it } from '@jest/globals';

import { checkedPlans } from '../../lib/billing/billing-gate.js';
import { BillingError, PlanRequiredError } from '../../lib/billing/billing.errors.js';
import type { InboundRequest } from '../../lib/core/http/inbound-request.js';
import { replyTo } from '../../lib/core/http/inbound-request.js';
import { AuthUrls } from '../../lib/auth/responses/auth-urls.js';
import { SecretKeys } from '../../lib/core/crypto/secret-keys.js';
import { API_KEY, APP_URL, HOST, SHOP, inbound, page, script } from '../auth/auth.fixture.js';
import { PLANS, createBilling, decide } from './billing.fixture.js';
import type { BillingApp, Verdict } from './billing.fixture.js';
import { amended, failed, replied } from './network.js';
import { bought, numberOf, subscribed } from './shop.charges.js';

const FRAME = `shop=${SHOP}&host=${encodeURIComponent(HOST)}&embedded=1&id_token=spent`;
const framed = (target: string): InboundRequest => page(target, { 'sec-fetch-dest': 'iframe' });
const pro = { plans: ['Pro'] };
/** How many charges the merchant was ever asked for. */
const asked = ({ shop }: BillingApp): number => shop.billing.charges.length;
/** Where the merchant decides about the newest of them. */
const confirmation = ({ shop }: BillingApp): string =>
  shop.billing.confirmationUrl(shop.billing.charges.at(-1)?.id ?? 'none');

const REQUESTS: Record<string, () => InboundRequest> = {
  document: () => page('/reports?month=5'),
  iframe: () => framed(`/reports?month=5&${FRAME}`),
  fetch: () => script('/api/reports', 'a.session.token'),
  'JSON API': () => inbound('/api/reports', { accept: 'application/json' }),
};

/** What the app reads of purchases. */
interface PurchasesData {
  readonly currentAppInstallation: {
    readonly oneTimePurchases: { readonly nodes: { id: string }[] };
  };
}

/** What a shop without a plan that counts is answered, and to where. */
async function destination(
  app: BillingApp,
  request: InboundRequest,
): Promise<{ kind: string; url: string }> {
  const decision = await app.gate.require(request, app.session, pro);
  if (decision.kind === 'granted' || decision.kind === 'answered')
    throw new Error(`the request was ${decision.kind}`);
  const { status, headers, body } = replyTo(request, decision, app.config);
  const header = (name: string) => headers.find(([one]) => one === name)?.[1] ?? '';
  if (status === 302 && header('location').startsWith('/exitiframe')) {
    const exit = page(header('location'));
    const urls = new AuthUrls(app.config, new SecretKeys(app.config.apiSecretKeys), app.clock);
    return {
      kind: 'leaves the frame',
      url: (await urls.exitTarget(exit, async () => false)) ?? '',
    };
  }
  if (status === 302) return { kind: 'redirects', url: header('location') };
  if (status === 403)
    return {
      kind: 'tells App Bridge',
      url: header('x-shopify-api-request-failure-reauthorize-url'),
    };
  const { error, confirmationUrl } = JSON.parse(body) as { error: string; confirmationUrl: string };
  return { kind: `${status} ${error}`, url: confirmationUrl };
}

const ANSWERS: Record<string, string> = {
  document: 'redirects',
  iframe: 'leaves the frame',
  fetch: 'tells App Bridge',
  'JSON API': '402 plan_required',
};

const UNPAID: Record<string, (app: BillingApp) => unknown> = {
  'no plan': () => {},
  'another plan': (app) => subscribed(app, { name: 'Basic' }),
  'a cancelled plan': (app) => subscribed(app, { status: 'CANCELLED' }),
  'a declined plan': (app) => subscribed(app, { status: 'DECLINED' }),
  'a frozen plan': (app) => subscribed(app, { status: 'FROZEN' }),
};

describe.each(Object.keys(REQUESTS))('a request by %s', (kind) => {
  const request = REQUESTS[kind]!;

  it.each(Object.keys(UNPAID))('of a shop with %s is led to where it can pay', async (unpaid) => {
    const app = await createBilling();
    UNPAID[unpaid]!(app);
    const { kind: answer, url } = await destination(app, request());
    expect(answer).toBe(ANSWERS[kind]);
    expect(url).toBe(confirmation(app));
    expect(app.network.operations.at(-1)).toMatchObject({
      name: 'subscribe',
      variables: { name: 'Pro', test: false },
    });
  });

  it.each([
    ['the plan', {}],
    ['the plan on trial', { trialDays: 14 }],
  ])('of a shop with %s goes on', async (_, subscription) => {
    const app = await createBilling();
    const id = subscribed(app, subscription);
    const decision = await app.gate.require(request(), app.session, pro);
    expect(decision).toMatchObject({
      kind: 'granted',
      check: { hasActivePayment: true, appSubscriptions: [{ id }] },
    });
  });

  it('of a shop with a test of the plan goes on, unless tests do not count', async () => {
    const app = await createBilling();
    const id = subscribed(app, { test: true });
    const required = (isTest?: boolean) =>
      app.gate.require(request(), app.session, { ...pro, isTest, onFailure: 'deny' });
    for (let visit = 0; visit < 2; visit++)
      await expect(required()).resolves.toMatchObject({
        kind: 'granted',
        check: { appSubscriptions: [{ id, test: true }] },
      });
    expect(app.log).toEqual([expect.stringContaining('only a test charge')]);
    await expect(required(false)).resolves.toMatchObject({ kind: 'denied', status: 402 });
    expect(asked(app)).toBe(1);
  });

  it('is answered by the app where it wants to', async () => {
    const app = await createBilling();
    const failures: PlanRequiredError[] = [];
    const onFailure = (error: PlanRequiredError) => (
      failures.push(error),
      Promise.resolve('plans')
    );
    await expect(
      app.gate.require(request(), app.session, { plans: 'Pro', onFailure }),
    ).resolves.toEqual({
      kind: 'answered',
      answer: 'plans',
    });
    expect(failures).toMatchObject([
      { code: 'ERR_PLAN_REQUIRED', reason: 'plan_required', plans: ['Pro'], shop: SHOP },
    ]);
    expect(asked(app)).toBe(0);
  });

  it('is denied where it says so, without asking for payment', async () => {
    const app = await createBilling();
    await expect(
      app.gate.require(request(), app.session, { plans: 'Pro', onFailure: 'deny' }),
    ).resolves.toMatchObject({
      kind: 'denied',
      status: 402,
      reason: 'plan_required',
      message: `${SHOP} pays for none of these plans: Pro.`,
    });
    expect(asked(app)).toBe(0);
  });
});

describe('asking for payment', () => {
  it.each([
    [
      'the page that was asked for, inside the admin',
      {},
      'iframe',
      `https://admin.shopify.com/store/dev-shop/apps/${API_KEY}/reports?month=5`,
    ],
    [
      'the app in the admin after a fetch',
      {},
      'fetch',
      `https://admin.shopify.com/store/dev-shop/apps/${API_KEY}`,
    ],
    [
      'the page that was asked for',
      { isEmbeddedApp: false },
      'document',
      `${APP_URL}/reports?month=5`,
    ],
    [
      'the home of the app after a fetch',
      { isEmbeddedApp: false },
      'JSON API',
      `${APP_URL}?shop=${SHOP}`,
    ],
  ])('leads back to %s', async (_, options, kind, expected) => {
    const app = await createBilling(PLANS, options);
    await app.gate.require(REQUESTS[kind]!(), app.session, pro);
    expect(app.shop.billing.charges[0]?.returnUrl).toBe(expected);
  });

  it('takes the plan that is named, else the first that the app sells', async () => {
    const app = await createBilling();
    const plans = ['Legacy', 'Basic', 'Pro'];
    await app.gate.require(page('/'), app.session, { plans, returnUrl: '/thanks' });
    await app.gate.require(page('/'), app.session, {
      plans,
      plan: 'Pro',
      isTest: true,
      returnUrl: '/thanks',
    });
    expect(
      app.shop.billing.charges.map(({ name, test, returnUrl }) => [name, test, returnUrl]),
    ).toEqual([
      ['Basic', false, `${APP_URL}/thanks`],
      ['Pro', true, `${APP_URL}/thanks`],
    ]);
  });

  it('never asks for a plan that would not do', async () => {
    const app = await createBilling();
    await expect(
      app.gate.require(page('/'), app.session, { plans: 'Pro', plan: 'Basic' }),
    ).rejects.toThrow(BillingError);
    await expect(app.gate.require(page('/'), app.session, { plans: [] })).rejects.toThrow(
      BillingError,
    );
    expect(asked(app)).toBe(0);
  });

  it('makes one charge of requests that come at once, and of those that follow', async () => {
    const app = await createBilling();
    const first = await Promise.all([1, 2, 3].map(() => destination(app, REQUESTS['fetch']!())));
    const later = await destination(app, REQUESTS['fetch']!());
    expect(new Set([...first, later].map(({ url }) => url)).size).toBe(1);
    expect(asked(app)).toBe(1);
  });

  it.each([
    ['DECLINED', 'decline'],
    ['EXPIRED', 'expire'],
  ] as const)('makes another charge when the last one was %s', async (status, end) => {
    const app = await createBilling();
    const { url } = await destination(app, REQUESTS['fetch']!());
    const [charge] = app.shop.billing.charges;
    app.shop.billing[end](charge!.id);
    expect(charge?.status).toBe(status);
    const again = await Promise.all([1, 2, 3].map(() => destination(app, REQUESTS['fetch']!())));
    expect(new Set(again.map((one) => one.url)).size).toBe(1);
    expect(again[0]?.url).not.toBe(url);
    expect(asked(app)).toBe(2);
  });

  it('makes another charge when the platform no longer names the last one', async () => {
    const app = await createBilling();
    const { url } = await destination(app, REQUESTS['fetch']!());
    // It names the last 25.
    for (let count = 0; count < 25; count++) subscribed(app, { status: 'DECLINED' });
    const again = await destination(app, REQUESTS['fetch']!());
    expect(again.url).toBe(confirmation(app));
    expect(again.url).not.toBe(url);
  });

  it('asks again after the platform refused', async () => {
    const app = await createBilling();
    const refusal = { field: null, message: 'Not now' };
    app.network.next.push(
      (answer) => answer(),
      replied({ data: { appSubscriptionCreate: { userErrors: [refusal] } } }),
    );
    await expect(app.gate.require(page('/'), app.session, pro)).rejects.toThrow('Not now');
    await expect(app.gate.require(page('/'), app.session, pro)).resolves.toMatchObject({
      kind: 'redirect',
    });
  });
});

describe('what is remembered', () => {
  it('lets paying shops through without a query for a minute', async () => {
    const app = await createBilling();
    subscribed(app);
    for (let count = 0; count < 3; count++) await app.gate.require(page('/'), app.session, pro);
    expect(app.network.count('readBillingState')).toBe(1);
    app.clock.advance(60_000);
    await app.gate.require(page('/'), app.session, pro);
    expect(app.network.count('readBillingState')).toBe(2);
  });

  it('is dropped by news of the platform', async () => {
    const app = await createBilling();
    const id = subscribed(app);
    await app.gate.require(page('/'), app.session, pro);
    app.shop.billing.cancel(id);
    await expect(app.gate.require(page('/'), app.session, pro)).resolves.toMatchObject({
      kind: 'granted',
    });
    app.cache.forget(SHOP);
    await expect(app.gate.require(page('/'), app.session, pro)).resolves.toMatchObject({
      kind: 'redirect',
    });
  });

  it('is dropped when the app cancels', async () => {
    const app = await createBilling();
    const subscriptionId = subscribed(app);
    await app.gate.require(page('/'), app.session, pro);
    await app.billing.cancel({ session: app.session, subscriptionId });
    await expect(app.gate.require(page('/'), app.session, pro)).resolves.toMatchObject({
      kind: 'redirect',
    });
  });

  it('never keeps a shop out that has paid meanwhile', async () => {
    const app = await createBilling();
    await app.gate.require(page('/'), app.session, pro);
    subscribed(app);
    await expect(app.gate.require(page('/'), app.session, pro)).resolves.toMatchObject({
      kind: 'granted',
    });
  });

  it('does not outlive news that came while it was read', async () => {
    const app = await createBilling();
    const id = subscribed(app);
    let deliver = () => {};
    const late = new Promise<void>((resolve) => (deliver = resolve));
    const read = new Promise<void>((resolve) => {
      app.network.next.push(async (answer) => {
        const before = await answer();
        resolve();
        await late;
        return before;
      });
    });
    const first = app.gate.require(page('/'), app.session, pro);
    await read;
    app.shop.billing.cancel(id);
    app.cache.forget(SHOP);
    deliver();
    await expect(first).resolves.toMatchObject({ kind: 'granted' });
    await expect(app.gate.require(page('/'), app.session, pro)).resolves.toMatchObject({
      kind: 'redirect',
    });
  });

  it('is not what a failed query left behind', async () => {
    const app = await createBilling();
    subscribed(app);
    app.network.next.push(failed(500));
    await expect(app.gate.require(page('/'), app.session, pro)).rejects.toMatchObject({
      response: { code: 500 },
    });
    await expect(app.gate.require(page('/'), app.session, pro)).resolves.toMatchObject({
      kind: 'granted',
    });
  });
});

describe('coming back from a charge', () => {
  const APPROVED: Verdict = { isApproved: true };
  const DECLINED: Verdict = { isApproved: false };
  const MEANWHILE = ['ACCEPTED', 'PENDING'] as const;
  const DECIDED: [string, Verdict][] = [
    ['plan_declined', DECLINED],
    ...MEANWHILE.map((meanwhile): [string, Verdict] => [
      'plan_pending',
      { isApproved: true, delay: Infinity, meanwhile },
    ]),
  ];

  /** The merchant has been sent away and has decided. */
  async function comeBack(app: BillingApp, verdict: Verdict): Promise<string> {
    const { url } = await destination(app, page('/reports?month=5'));
    return decide(app, url, verdict).searchParams.get('charge_id') ?? '';
  }

  it('goes on, even if it was remembered that the shop does not pay', async () => {
    const app = await createBilling();
    const number = await comeBack(app, APPROVED);
    await expect(
      app.gate.require(framed(`/reports?charge_id=${number}&${FRAME}`), app.session, pro),
    ).resolves.toMatchObject({
      kind: 'granted',
    });
  });

  it.each(MEANWHILE)(
    'waits a little for the charge to become active, which is %s until then',
    async (meanwhile) => {
      const app = await createBilling();
      const number = await comeBack(app, { isApproved: true, delay: 2, meanwhile });
      await expect(
        app.gate.require(page(`/?charge_id=${number}`), app.session, pro),
      ).resolves.toMatchObject({ kind: 'granted' });
      expect(asked(app)).toBe(1);
    },
  );

  it.each(MEANWHILE)(
    'then loads the page again, and at last says that nothing was confirmed: the charge is %s',
    async (meanwhile) => {
      const app = await createBilling();
      const number = await comeBack(app, { isApproved: true, delay: Infinity, meanwhile });
      let target = `/reports?charge_id=${number}&${FRAME}`;
      for (let load = 0; load < 3; load++) {
        const decision = await app.gate.require(framed(target), app.session, pro);
        expect(decision).toMatchObject({ kind: 'document', reason: 'plan_pending', status: 200 });
        const next =
          /content="2;url=([^"]*)"/
            .exec('html' in decision ? decision.html : '')?.[1]
            ?.replaceAll('&amp;', '&') ?? '';
        expect(next).toContain(`charge_id=${number}`);
        expect(next).not.toContain('spent');
        target = next.slice(APP_URL.length);
      }
      const decision = await app.gate.require(framed(target), app.session, pro);
      expect(decision).toMatchObject({ kind: 'document', reason: 'plan_pending', status: 402 });
      expect('html' in decision && decision.html).toContain('Look again');
      expect(asked(app)).toBe(1);
    },
  );

  it('is refused when the merchant has declined, with a way to start over', async () => {
    const app = await createBilling();
    const number = await comeBack(app, DECLINED);
    const decision = await app.gate.require(
      framed(`/reports?charge_id=${number}&a="><b&${FRAME}`),
      app.session,
      pro,
    );
    expect(decision).toMatchObject({ kind: 'document', reason: 'plan_declined', status: 402 });
    const html = 'html' in decision ? decision.html : '';
    expect(html).not.toContain('<b&');
    const [, link = ''] = /href="([^"]*)"/.exec(html) ?? [];
    expect(link).not.toContain('charge_id');
    const [, policy] = 'headers' in decision ? (decision.headers?.[0] ?? []) : [];
    expect(policy).toContain(`frame-ancestors https://${SHOP}`);
    await app.gate.require(
      framed(link.replaceAll('&amp;', '&').slice(APP_URL.length)),
      app.session,
      pro,
    );
    expect(asked(app)).toBe(2);
  });

  it.each(DECIDED)('tells a program that it is %s: %j', async (reason, verdict) => {
    const app = await createBilling();
    const number = await comeBack(app, verdict);
    const request = script(`/api?charge_id=${number}`, 'a.session.token');
    const decision = await app.gate.require(request, app.session, pro);
    expect(decision).toMatchObject({ kind: 'denied', status: 402, reason });
    expect(asked(app)).toBe(1);
  });

  it.each(DECIDED)(
    'asks for no second charge where the app itself asks for them: %s, %j',
    async (reason, verdict) => {
      const app = await createBilling();
      const onFailure = () => app.billing.request({ session: app.session, plan: 'Pro' });
      const first = await app.gate.require(page('/'), app.session, { ...pro, onFailure });
      const url = 'answer' in first ? first.answer.confirmationUrl : '';
      const { search } = decide(app, url, verdict);
      const decision = await app.gate.require(page(`/${search}`), app.session, {
        ...pro,
        onFailure,
      });
      expect(decision).toMatchObject({ kind: 'document', reason });
      expect(asked(app)).toBe(1);
      const [, link = ''] =
        /href="([^"]*)">Choose the plan again/.exec('html' in decision ? decision.html : '') ?? [];
      if (!verdict.isApproved)
        await app.gate.require(
          page(link.replaceAll('&amp;', '&').slice(APP_URL.length)),
          app.session,
          { ...pro, onFailure },
        );
      expect(asked(app)).toBe(verdict.isApproved ? 1 : 2);
    },
  );

  it('makes one charge where the app itself asks for it in requests that come at once', async () => {
    const app = await createBilling();
    const onFailure = () => app.billing.request({ session: app.session, plan: 'Pro' });
    const decisions = await Promise.all(
      [1, 2, 3].map(() => app.gate.require(page('/'), app.session, { ...pro, onFailure })),
    );
    expect(
      new Set(decisions.map((decision) => 'answer' in decision && decision.answer.confirmationUrl))
        .size,
    ).toBe(1);
    expect(asked(app)).toBe(1);
  });

  it('is refused when what was approved does not count', async () => {
    const app = await createBilling();
    const id = subscribed(app, { name: 'Basic' });
    const request = page(`/?charge_id=${numberOf(id)}`);
    await expect(app.gate.require(request, app.session, pro)).resolves.toMatchObject({
      kind: 'document',
      status: 402,
      reason: 'plan_required',
    });
    expect(asked(app)).toBe(1);
  });

  it.each(['0', 'no-number', '../../x'])(
    'never grants for a charge that nobody knows: %s',
    async (number) => {
      const app = await createBilling();
      subscribed(app, { status: 'CANCELLED' });
      const load = (looks: string) =>
        app.gate.require(
          page(`/?${new URLSearchParams({ charge_id: number, 'billing-look': looks })}`),
          app.session,
          pro,
        );
      for (const looks of ['0', '1', '2'])
        await expect(load(looks)).resolves.toMatchObject({ status: 200, reason: 'plan_pending' });
      const readsBefore = app.network.count('readBillingState');
      await expect(load('3')).resolves.toMatchObject({ status: 402, reason: 'plan_required' });
      expect(app.network.count('readBillingState')).toBe(readsBefore + 1);
      expect(asked(app)).toBe(1);
    },
  );

  it.each([
    ['subscription', 'DECLINED', 'PENDING'],
    ['purchase', 'PENDING', 'DECLINED'],
  ] as const)(
    'waits for the one of two charges with its number that is undecided, against the %s',
    async (_, status, purchaseStatus) => {
      const app = await createBilling();
      const number = numberOf(subscribed(app, { status }));
      bought(app, { status: purchaseStatus });
      // The platform counts them apart, the simulated store together.
      app.network.others = amended<PurchasesData>(
        ({ currentAppInstallation: { oneTimePurchases } }) => {
          for (const purchase of oneTimePurchases.nodes)
            purchase.id = `gid://shopify/AppPurchaseOneTime/${number}`;
        },
      );
      const request = page(`/?charge_id=${number}`);
      await expect(
        app.gate.require(request, app.session, { plans: ['Pro', 'Setup'] }),
      ).resolves.toMatchObject({ reason: 'plan_pending' });
    },
  );

  it('keeps no shop waiting that nobody has come back for, whatever charge it once accepted', async () => {
    const app = await createBilling();
    subscribed(app, { status: 'ACCEPTED' });
    const onFailure = () => 'plans';
    await expect(app.gate.require(page('/'), app.session, { ...pro, onFailure })).resolves.toEqual({
      kind: 'answered',
      answer: 'plans',
    });
    const answer = await destination(app, page('/'));
    expect(answer).toEqual({ kind: 'redirects', url: confirmation(app) });
  });
});

describe('the plans that are required', () => {
  it.each([
    ['one plan', 'Pro', undefined, ['Pro']],
    ['a list', ['Basic', 'Pro'], undefined, ['Basic', 'Pro']],
    ['a list and one of it', ['Basic', 'Pro'], 'Pro', ['Basic', 'Pro']],
  ])('are %s', (_, plans, plan, expected) => {
    expect(checkedPlans({ plans, plan })).toEqual(expected);
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
    expect(() => checkedPlans({ plans, plan })).toThrow(BillingError);
    expect(() => checkedPlans({ plans, plan })).toThrow(message);
  });

  // The first shop that did not pay met a TypeError.
  it.each([['denied'], [''], [null], [true]])('cannot have %j as onFailure', (onFailure) => {
    const given = { plans: 'Pro', onFailure };
    expect(() => checkedPlans(given)).toThrow(BillingError);
    expect(() => checkedPlans(given)).toThrow("must be 'request', 'deny' or a function.");
  });
});
