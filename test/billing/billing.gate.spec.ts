import { describe, expect, it } from '@jest/globals';

import { BillingError, PlanRequiredError } from '../../lib/billing/billing.errors.js';
import type { InboundRequest } from '../../lib/core/http/inbound-request.js';
import { replyTo } from '../../lib/core/http/reply.js';
import { AuthUrls } from '../../lib/auth/auth.urls.js';
import { SecretKeys } from '../../lib/core/crypto/secret-keys.js';
import { API_KEY, APP_URL, HOST, SHOP, inbound, page, script } from '../auth/auth.fixture.js';
import { PLANS, SESSION, createBilling } from './billing.fixture.js';
import type { BillingApp } from './billing.fixture.js';

const CONFIRMATION = /^https:\/\/dev-shop\.myshopify\.com\/admin\/charges\/\d+\/confirm/;
const FRAME = `shop=${SHOP}&host=${encodeURIComponent(HOST)}&embedded=1&id_token=spent`;
const framed = (target: string): InboundRequest => page(target, { 'sec-fetch-dest': 'iframe' });
const pro = { plans: ['Pro'] };

const REQUESTS: Record<string, () => InboundRequest> = {
  document: () => page('/reports?month=5'),
  iframe: () => framed(`/reports?month=5&${FRAME}`),
  fetch: () => script('/api/reports', 'a.session.token'),
  'JSON API': () => inbound('/api/reports', { accept: 'application/json' }),
};

/** What a shop without a plan that counts is answered, and to where. */
async function destination(app: BillingApp, request: InboundRequest): Promise<{ kind: string; url: string }> {
  const decision = await app.gate.require(request, SESSION, pro);
  if (decision.kind === 'granted' || decision.kind === 'answered') throw new Error(`the request was ${decision.kind}`);
  const { status, headers, body } = replyTo(request, decision);
  const header = (name: string) => headers.find(([one]) => one === name)?.[1] ?? '';
  if (status === 302 && header('location').startsWith('/exitiframe')) {
    const exit = page(header('location'));
    const urls = new AuthUrls(app.config, new SecretKeys(app.config.apiSecretKeys), app.clock);
    return { kind: 'leaves the frame', url: urls.exitTarget(exit, SHOP) ?? '' };
  }
  if (status === 302) return { kind: 'redirects', url: header('location') };
  if (status === 403) return { kind: 'tells App Bridge', url: header('x-shopify-api-request-failure-reauthorize-url') };
  const { error, confirmationUrl } = JSON.parse(body) as { error: string; confirmationUrl: string };
  return { kind: `${status} ${error}`, url: confirmationUrl };
}

const ANSWERS: Record<string, string> = {
  document: 'redirects',
  iframe: 'leaves the frame',
  fetch: 'tells App Bridge',
  'JSON API': '402 plan_required',
};

const UNPAID: Record<string, (app: BillingApp) => void> = {
  'no plan': () => {},
  'another plan': ({ platform }) => platform.has({ name: 'Basic' }),
  'a cancelled plan': ({ platform }) => platform.has({ status: 'CANCELLED' }),
  'a declined plan': ({ platform }) => platform.has({ status: 'DECLINED' }),
  'a frozen plan': ({ platform }) => platform.has({ status: 'FROZEN' }),
  'a plan that was tried out only': ({ platform }) => platform.has({ test: true }),
};

describe.each(Object.keys(REQUESTS))('a request by %s', (kind) => {
  const request = REQUESTS[kind]!;

  it.each(Object.keys(UNPAID))('of a shop with %s is led to where it can pay', async (unpaid) => {
    const app = createBilling();
    UNPAID[unpaid]!(app);
    const { kind: answer, url } = await destination(app, request());
    expect(answer).toBe(ANSWERS[kind]);
    expect(url).toMatch(CONFIRMATION);
    expect(app.platform.operations.at(-1)).toMatchObject({ name: 'subscribe', variables: { name: 'Pro', test: false } });
  });

  it.each([
    ['the plan', {}],
    ['the plan on trial', { trialDays: 14 }],
  ])('of a shop with %s goes on', async (_, subscription) => {
    const app = createBilling();
    const { id } = app.platform.has(subscription);
    const decision = await app.gate.require(request(), SESSION, pro);
    expect(decision).toMatchObject({ kind: 'granted', check: { hasActivePayment: true, appSubscriptions: [{ id }] } });
  });

  it('is answered by the app where it wants to', async () => {
    const app = createBilling();
    const failures: PlanRequiredError[] = [];
    const onFailure = (error: PlanRequiredError) => (failures.push(error), Promise.resolve('plans'));
    await expect(app.gate.require(request(), SESSION, { plans: 'Pro', onFailure })).resolves.toEqual({ kind: 'answered', answer: 'plans' });
    expect(failures).toMatchObject([{ code: 'ERR_PLAN_REQUIRED', reason: 'plan_required', plans: ['Pro'], shop: SHOP }]);
    expect(app.platform.asked).toBe(0);
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
    ['the app in the admin after a fetch', {}, 'fetch', `https://admin.shopify.com/store/dev-shop/apps/${API_KEY}`],
    ['the page that was asked for', { isEmbeddedApp: false }, 'document', `${APP_URL}/reports?month=5`],
    ['the home of the app after a fetch', { isEmbeddedApp: false }, 'JSON API', `${APP_URL}?shop=${SHOP}`],
  ])('leads back to %s', async (_, options, kind, expected) => {
    const app = createBilling(PLANS, options);
    await app.gate.require(REQUESTS[kind]!(), SESSION, pro);
    expect(app.platform.subscriptions[0]?.returnUrl).toBe(expected);
  });

  it('takes the plan that is named, else the first that the app sells', async () => {
    const app = createBilling();
    const plans = ['Legacy', 'Basic', 'Pro'];
    await app.gate.require(page('/'), SESSION, { plans, returnUrl: '/thanks' });
    await app.gate.require(page('/'), SESSION, { plans, plan: 'Pro', isTest: true, returnUrl: '/thanks' });
    expect(app.platform.subscriptions.map(({ name, test, returnUrl }) => [name, test, returnUrl])).toEqual([
      ['Basic', false, `${APP_URL}/thanks`],
      ['Pro', true, `${APP_URL}/thanks`],
    ]);
  });

  it('never asks for a plan that would not do', async () => {
    const app = createBilling();
    await expect(app.gate.require(page('/'), SESSION, { plans: 'Pro', plan: 'Basic' })).rejects.toThrow(BillingError);
    await expect(app.gate.require(page('/'), SESSION, { plans: [] })).rejects.toThrow(BillingError);
    expect(app.platform.asked).toBe(0);
  });

  it('makes one charge of requests that come at once, and of those that follow', async () => {
    const app = createBilling();
    const first = await Promise.all([1, 2, 3].map(() => destination(app, REQUESTS['fetch']!())));
    const later = await destination(app, REQUESTS['fetch']!());
    expect(new Set([...first, later].map(({ url }) => url)).size).toBe(1);
    expect(app.platform.asked).toBe(1);
  });

  it.each(['DECLINED', 'EXPIRED'])('makes another charge when the last one was %s', async (status) => {
    const app = createBilling();
    const { url } = await destination(app, REQUESTS['fetch']!());
    app.platform.subscriptions[0]!.status = status;
    const again = await Promise.all([1, 2, 3].map(() => destination(app, REQUESTS['fetch']!())));
    expect(new Set(again.map((one) => one.url)).size).toBe(1);
    expect(again[0]?.url).not.toBe(url);
    expect(app.platform.asked).toBe(2);
  });

  it('makes another charge when the platform no longer names the last one', async () => {
    const app = createBilling();
    const { url } = await destination(app, REQUESTS['fetch']!());
    app.platform.subscriptions.length = 0;
    const again = await destination(app, REQUESTS['fetch']!());
    expect(again.url).toMatch(CONFIRMATION);
    expect(again.url).not.toBe(url);
  });

  it('asks again after the platform refused', async () => {
    const app = createBilling();
    app.platform.refusal = { field: null, message: 'Not now' };
    await expect(app.gate.require(page('/'), SESSION, pro)).rejects.toThrow('Not now');
    await expect(app.gate.require(page('/'), SESSION, pro)).resolves.toMatchObject({ kind: 'redirect' });
  });
});

describe('what is remembered', () => {
  it('lets paying shops through without a query for a minute', async () => {
    const app = createBilling();
    app.platform.has();
    for (let count = 0; count < 3; count++) await app.gate.require(page('/'), SESSION, pro);
    expect(app.platform.count('readBillingState')).toBe(1);
    app.clock.advance(60_000);
    await app.gate.require(page('/'), SESSION, pro);
    expect(app.platform.count('readBillingState')).toBe(2);
  });

  it('is dropped by news of the platform', async () => {
    const app = createBilling();
    const subscription = app.platform.has();
    await app.gate.require(page('/'), SESSION, pro);
    subscription.status = 'CANCELLED';
    await expect(app.gate.require(page('/'), SESSION, pro)).resolves.toMatchObject({ kind: 'granted' });
    app.cache.forget(SHOP);
    await expect(app.gate.require(page('/'), SESSION, pro)).resolves.toMatchObject({ kind: 'redirect' });
  });

  it('is dropped when the app cancels', async () => {
    const app = createBilling();
    const { id } = app.platform.has();
    await app.gate.require(page('/'), SESSION, pro);
    await app.billing.cancel({ session: SESSION, subscriptionId: id });
    await expect(app.gate.require(page('/'), SESSION, pro)).resolves.toMatchObject({ kind: 'redirect' });
  });

  it('never keeps a shop out that has paid meanwhile', async () => {
    const app = createBilling();
    await app.gate.require(page('/'), SESSION, pro);
    app.platform.has();
    await expect(app.gate.require(page('/'), SESSION, pro)).resolves.toMatchObject({ kind: 'granted' });
  });

  it('does not outlive news that came while it was read', async () => {
    const app = createBilling();
    const subscription = app.platform.has();
    let answer = () => {};
    const waiting = new Promise<void>((resolve) => (answer = resolve));
    const before = {
      data: {
        currentAppInstallation: {
          activeSubscriptions: [{ ...subscription }],
          allSubscriptions: { nodes: [] },
          oneTimePurchases: { nodes: [], pageInfo: { hasNextPage: false } },
        },
      },
    };
    app.platform.replies.push(() => waiting.then(() => Response.json(before)));
    const first = app.gate.require(page('/'), SESSION, pro);
    await new Promise((resolve) => setImmediate(resolve));
    subscription.status = 'CANCELLED';
    app.cache.forget(SHOP);
    answer();
    await expect(first).resolves.toMatchObject({ kind: 'granted' });
    await expect(app.gate.require(page('/'), SESSION, pro)).resolves.toMatchObject({ kind: 'redirect' });
  });

  it('is not what a failed query left behind', async () => {
    const app = createBilling();
    app.platform.has();
    app.platform.replies.push(() => new Response('', { status: 500 }));
    await expect(app.gate.require(page('/'), SESSION, pro)).rejects.toMatchObject({ response: { code: 500 } });
    await expect(app.gate.require(page('/'), SESSION, pro)).resolves.toMatchObject({ kind: 'granted' });
  });
});

describe('coming back from a charge', () => {
  /** The merchant has been sent away and has decided. */
  async function comeBack(app: BillingApp, isApproved: boolean): Promise<string> {
    const { url } = await destination(app, page('/reports?month=5'));
    return new URL(app.platform.decide(url, isApproved)).searchParams.get('charge_id') ?? '';
  }

  it('goes on, even if it was remembered that the shop does not pay', async () => {
    const app = createBilling();
    const number = await comeBack(app, true);
    await expect(app.gate.require(framed(`/reports?charge_id=${number}&${FRAME}`), SESSION, pro)).resolves.toMatchObject({
      kind: 'granted',
    });
  });

  it('waits a little for the charge to become active', async () => {
    const app = createBilling();
    app.platform.delay = 2;
    const number = await comeBack(app, true);
    await expect(app.gate.require(page(`/?charge_id=${number}`), SESSION, pro)).resolves.toMatchObject({ kind: 'granted' });
    expect(app.platform.asked).toBe(1);
  });

  it('then loads the page again, and at last says that nothing was confirmed', async () => {
    const app = createBilling();
    app.platform.delay = Infinity;
    const number = await comeBack(app, true);
    let target = `/reports?charge_id=${number}&${FRAME}`;
    for (let load = 0; load < 3; load++) {
      const decision = await app.gate.require(framed(target), SESSION, pro);
      expect(decision).toMatchObject({ kind: 'document', reason: 'plan_pending', status: 200 });
      const next = /content="2;url=([^"]*)"/.exec('html' in decision ? decision.html : '')?.[1]?.replaceAll('&amp;', '&') ?? '';
      expect(next).toContain(`charge_id=${number}`);
      expect(next).not.toContain('spent');
      target = next.slice(APP_URL.length);
    }
    const decision = await app.gate.require(framed(target), SESSION, pro);
    expect(decision).toMatchObject({ kind: 'document', reason: 'plan_pending', status: 402 });
    expect('html' in decision && decision.html).toContain('Look again');
    expect(app.platform.asked).toBe(1);
  });

  it('is refused when the merchant has declined, with a way to start over', async () => {
    const app = createBilling();
    const number = await comeBack(app, false);
    const decision = await app.gate.require(framed(`/reports?charge_id=${number}&a="><b&${FRAME}`), SESSION, pro);
    expect(decision).toMatchObject({ kind: 'document', reason: 'plan_declined', status: 402 });
    const html = 'html' in decision ? decision.html : '';
    expect(html).not.toContain('<b&');
    const [, link = ''] = /href="([^"]*)"/.exec(html) ?? [];
    expect(link).not.toContain('charge_id');
    const [, policy] = 'headers' in decision ? (decision.headers?.[0] ?? []) : [];
    expect(policy).toContain(`frame-ancestors https://${SHOP}`);
    await app.gate.require(framed(link.replaceAll('&amp;', '&').slice(APP_URL.length)), SESSION, pro);
    expect(app.platform.asked).toBe(2);
  });

  it.each([
    ['plan_declined', false],
    ['plan_pending', true],
  ])('tells a program that it is %s', async (reason, isApproved) => {
    const app = createBilling();
    app.platform.delay = Infinity;
    const number = await comeBack(app, isApproved);
    const request = script(`/api?charge_id=${number}`, 'a.session.token');
    const decision = await app.gate.require(request, SESSION, pro);
    expect(decision).toMatchObject({ kind: 'denied', status: 402, reason });
    expect(app.platform.asked).toBe(1);
  });

  it.each([
    ['plan_declined', false],
    ['plan_pending', true],
  ])('asks for no second charge where the app itself asks for them: %s', async (reason, isApproved) => {
    const app = createBilling();
    const onFailure = () => app.billing.request({ session: SESSION, plan: 'Pro' });
    const first = await app.gate.require(page('/'), SESSION, { ...pro, onFailure });
    app.platform.delay = Infinity;
    const url = 'answer' in first ? first.answer.confirmationUrl : '';
    const back = new URL(app.platform.decide(url, isApproved));
    const decision = await app.gate.require(page(`/${back.search}`), SESSION, { ...pro, onFailure });
    expect(decision).toMatchObject({ kind: 'document', reason });
    expect(app.platform.asked).toBe(1);
    const [, link = ''] = /href="([^"]*)">Choose the plan again/.exec('html' in decision ? decision.html : '') ?? [];
    if (!isApproved) await app.gate.require(page(link.replaceAll('&amp;', '&').slice(APP_URL.length)), SESSION, { ...pro, onFailure });
    expect(app.platform.asked).toBe(isApproved ? 1 : 2);
  });

  it('makes one charge where the app itself asks for it in requests that come at once', async () => {
    const app = createBilling();
    const onFailure = () => app.billing.request({ session: SESSION, plan: 'Pro' });
    const decisions = await Promise.all([1, 2, 3].map(() => app.gate.require(page('/'), SESSION, { ...pro, onFailure })));
    expect(new Set(decisions.map((decision) => 'answer' in decision && decision.answer.confirmationUrl)).size).toBe(1);
    expect(app.platform.asked).toBe(1);
  });

  it('is refused when what was approved does not count', async () => {
    const app = createBilling();
    const { id } = app.platform.has({ name: 'Basic' });
    const request = page(`/?charge_id=${id.split('/').at(-1)}`);
    await expect(app.gate.require(request, SESSION, pro)).resolves.toMatchObject({
      kind: 'document',
      status: 402,
      reason: 'plan_required',
    });
    expect(app.platform.asked).toBe(1);
  });

  it.each(['0', 'no-number', '../../x'])('never grants for a charge that nobody knows: %s', async (number) => {
    const app = createBilling();
    app.platform.has({ status: 'CANCELLED' });
    const load = (looks: string) =>
      app.gate.require(page(`/?${new URLSearchParams({ charge_id: number, 'billing-look': looks })}`), SESSION, pro);
    for (const looks of ['0', '1', '2']) await expect(load(looks)).resolves.toMatchObject({ status: 200, reason: 'plan_pending' });
    const readsBefore = app.platform.count('readBillingState');
    await expect(load('3')).resolves.toMatchObject({ status: 402, reason: 'plan_required' });
    expect(app.platform.count('readBillingState')).toBe(readsBefore + 1);
    expect(app.platform.asked).toBe(1);
  });

  it.each([
    ['subscription', 'DECLINED', 'PENDING'],
    ['purchase', 'PENDING', 'DECLINED'],
  ])('waits for the one of two charges with its number that is undecided, against the %s', async (_, status, purchaseStatus) => {
    const app = createBilling();
    app.platform.has({ id: 'gid://shopify/AppSubscription/77', status });
    app.platform.hasBought({ id: 'gid://shopify/AppPurchaseOneTime/77', status: purchaseStatus });
    await expect(app.gate.require(page('/?charge_id=77'), SESSION, { plans: ['Pro', 'Setup'] })).resolves.toMatchObject({
      reason: 'plan_pending',
    });
  });

  it('keeps no shop waiting that nobody has come back for, whatever charge it once accepted', async () => {
    const app = createBilling();
    app.platform.has({ status: 'ACCEPTED' });
    const onFailure = () => 'plans';
    await expect(app.gate.require(page('/'), SESSION, { ...pro, onFailure })).resolves.toEqual({ kind: 'answered', answer: 'plans' });
    await expect(destination(app, page('/'))).resolves.toMatchObject({ kind: 'redirects', url: expect.stringMatching(CONFIRMATION) });
  });
});
