import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';
import { openReceiver, type AppReceiver } from '../../app-receiver.js';

const START = new Date('2026-03-01T12:00:00Z');
const DAY = 86_400_000;
const RETURN = 'http://localhost:3000/plans?from=menu';

const PRICING = `plan { pricingDetails {
  ... on AppRecurringPricing { price { amount currencyCode } interval discount {
    durationLimitInIntervals remainingDurationInIntervals priceAfterDiscount { amount }
    value { ... on AppSubscriptionDiscountAmount { amount { amount } } ... on AppSubscriptionDiscountPercentage { percentage } }
  } }
  ... on AppUsagePricing { balanceUsed { amount } cappedAmount { amount currencyCode } terms interval }
} }`;
const FIELDS = `id name test status trialDays createdAt currentPeriodEnd returnUrl lineItems { id ${PRICING} }`;
const SUBSCRIBE = `mutation ($name: String!, $lineItems: [AppSubscriptionLineItemInput!]!, $returnUrl: URL!, $test: Boolean, $trialDays: Int) {
  appSubscriptionCreate(name: $name, lineItems: $lineItems, returnUrl: $returnUrl, test: $test, trialDays: $trialDays) {
    confirmationUrl appSubscription { ${FIELDS} } userErrors { field message }
  }
}`;
const PURCHASE = `mutation ($name: String!, $price: MoneyInput!, $returnUrl: URL!, $test: Boolean) {
  appPurchaseOneTimeCreate(name: $name, price: $price, returnUrl: $returnUrl, test: $test) {
    confirmationUrl appPurchaseOneTime { id status test price { amount currencyCode } } userErrors { field message }
  }
}`;
const USE = `mutation ($item: ID!, $price: MoneyInput!, $key: String) {
  appUsageRecordCreate(subscriptionLineItemId: $item, description: "Labels", price: $price, idempotencyKey: $key) {
    appUsageRecord { id idempotencyKey price { amount } subscriptionLineItem { id ${PRICING} } } userErrors { field message }
  }
}`;
const CANCEL = `mutation ($id: ID!) { appSubscriptionCancel(id: $id, prorate: true) { appSubscription { status } userErrors { field message } } }`;
const RAISE = `mutation ($id: ID!, $amount: Decimal!, $currency: CurrencyCode!) {
  appSubscriptionLineItemUpdate(id: $id, cappedAmount: { amount: $amount, currencyCode: $currency }) {
    confirmationUrl appSubscription { id } userErrors { field message }
  }
}`;
const STATE = `{ currentAppInstallation {
  activeSubscriptions { ${FIELDS} }
  allSubscriptions(first: 10, reverse: true) { nodes { name status } }
  oneTimePurchases(first: 10, sortKey: CREATED_AT) { nodes { name status } }
} }`;

const usd = (amount: unknown): object => ({ amount, currencyCode: 'USD' });
const recurring = (amount: unknown, more: object = {}): object => ({
  plan: { appRecurringPricingDetails: { price: usd(amount), interval: 'EVERY_30_DAYS', ...more } },
});
const usage = (amount: unknown): object => ({
  plan: { appUsagePricingDetails: { cappedAmount: usd(amount), terms: 'One cent a label' } },
});

interface Node {
  id: string;
  name: string;
  status: string;
  currentPeriodEnd: string | null;
  lineItems: Array<{ id: string; plan: { pricingDetails: Record<string, unknown> } }>;
}
interface Outcome {
  confirmationUrl: string | null;
  appSubscription: Node;
  appPurchaseOneTime: Node;
  appUsageRecord: Node | null;
  userErrors: Array<{ field: string[] | null; message: string }>;
}
interface State {
  activeSubscriptions: Node[];
  allSubscriptions: { nodes: Node[] };
  oneTimePurchases: { nodes: Node[] };
}

describe('What a simulated shop is charged', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let token: string;
  let app: AppReceiver;

  beforeEach(async () => {
    app = await openReceiver();
    const apps = ['key', 'other'].map((apiKey) => ({
      apiKey,
      apiSecretKey: 'hush',
      appUrl: 'http://localhost:3000',
      name: 'Labels & <Co>',
    }));
    devStore = await DevStore.open({
      apps,
      clock: { now: () => START },
      deliveryRetries: [],
      limits: { graphql: 'off' },
    });
    shop = devStore.shop();
    token = shop.install('key', { scopes: [] });
  });
  afterEach(async () => {
    await devStore.close();
    await app.close();
  });

  const run = async <T>(query: string, variables: object = {}, accessToken = token): Promise<T> => {
    const headers = { 'X-Shopify-Access-Token': accessToken, 'Content-Type': 'application/json' };
    const reply = await fetch(`${shop.origin}/admin/api/2026-07/graphql.json`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await reply.json()) as { data: T; errors?: unknown };
    expect(errors).toBeUndefined();
    return data;
  };
  const mutate = async (
    query: string,
    variables: object,
    accessToken = token,
  ): Promise<Outcome> => {
    const [outcome] = Object.values(
      await run<Record<string, Outcome>>(query, variables, accessToken),
    );
    if (!outcome) throw new Error('The mutation answered nothing');
    return outcome;
  };
  const subscribe = (variables: object = {}, accessToken = token): Promise<Outcome> =>
    mutate(
      SUBSCRIBE,
      { name: 'Pro', lineItems: [recurring('9.90')], returnUrl: RETURN, ...variables },
      accessToken,
    );
  const subscribed = async (variables: object = {}): Promise<Node> => {
    const { appSubscription } = await subscribe(variables);
    shop.billing.approve(appSubscription.id);
    return appSubscription;
  };
  const state = async (accessToken = token): Promise<State> =>
    (await run<{ currentAppInstallation: State }>(STATE, {}, accessToken)).currentAppInstallation;
  const active = async (): Promise<string[]> =>
    (await state()).activeSubscriptions.map(({ name }) => name);
  const pricing = async (index = 0): Promise<Record<string, unknown>> => {
    const [subscription] = (await state()).activeSubscriptions;
    return subscription?.lineItems[index]?.plan.pricingDetails ?? {};
  };
  const listen = (...topics: string[]): Promise<unknown> =>
    Promise.all(
      topics.map((topic) =>
        run(
          `mutation { webhookSubscriptionCreate(topic: ${topic}, webhookSubscription: { uri: "${app.url}" }) { userErrors { message } } }`,
        ),
      ),
    );
  const heard = async (): Promise<Array<Record<string, Record<string, unknown>>>> => {
    await devStore.settled();
    return app.received.map(
      ({ body }) => JSON.parse(body.toString()) as Record<string, Record<string, unknown>>,
    );
  };

  describe('by a subscription', () => {
    it('waits for the merchant, and costs nothing until then', async () => {
      const { confirmationUrl, appSubscription, userErrors } = await subscribe({
        test: true,
        trialDays: 7,
      });
      expect(userErrors).toEqual([]);
      expect(appSubscription).toEqual({
        id: expect.stringMatching(/^gid:\/\/shopify\/AppSubscription\/\d+$/),
        name: 'Pro',
        test: true,
        status: 'PENDING',
        trialDays: 7,
        createdAt: '2026-03-01T12:00:00Z',
        currentPeriodEnd: null,
        returnUrl: RETURN,
        lineItems: [
          {
            id: expect.stringMatching(
              /^gid:\/\/shopify\/AppSubscriptionLineItem\/\d+\?v=1&index=0$/,
            ),
            plan: {
              pricingDetails: {
                price: { amount: '9.9', currencyCode: 'USD' },
                interval: 'EVERY_30_DAYS',
                discount: null,
              },
            },
          },
        ],
      });
      expect(confirmationUrl).toMatch(
        new RegExp(`^${shop.origin}/admin/charges/\\d+/confirm\\?signature=[0-9a-f]{32}$`),
      );
      expect(confirmationUrl).toBe(shop.billing.confirmationUrl(appSubscription.id));
      expect((await state()).activeSubscriptions).toEqual([]);
    });

    it('is active as soon as it is approved, and leads back with its number', async () => {
      const { appSubscription } = await subscribe();
      const back = shop.billing.approve(appSubscription.id);
      const number = appSubscription.id.split('/').at(-1);
      expect(back).toBe(`${RETURN}&charge_id=${number}`);
      const { activeSubscriptions } = await state();
      expect(activeSubscriptions).toMatchObject([
        { id: appSubscription.id, status: 'ACTIVE', currentPeriodEnd: '2026-03-31T12:00:00Z' },
      ]);
    });

    it('is accepted first and active later, when activation is manual', async () => {
      shop.billing.activation = 'manual';
      const { id } = await subscribed();
      expect(shop.billing.find(id)?.status).toBe('ACCEPTED');
      expect(await active()).toEqual([]);
      shop.billing.activate(id);
      expect(await active()).toEqual(['Pro']);
    });

    it('takes the place of the one before, which ends', async () => {
      await subscribed({ name: 'Basic' });
      await subscribed({ name: 'Pro' });
      const { allSubscriptions } = await state();
      expect(await active()).toEqual(['Pro']);
      expect(allSubscriptions.nodes).toEqual([
        { name: 'Pro', status: 'ACTIVE' },
        { name: 'Basic', status: 'CANCELLED' },
      ]);
    });

    it('leaves the subscriptions of other apps alone, which see none of it', async () => {
      const other = shop.install('other', { scopes: [] });
      const theirs = (await subscribe({ name: 'Theirs' }, other)).appSubscription;
      shop.billing.approve(theirs.id);
      const { id } = await subscribed();
      expect((await state(other)).activeSubscriptions.map(({ name }) => name)).toEqual(['Theirs']);
      expect(await active()).toEqual(['Pro']);
      expect((await mutate(CANCEL, { id }, other)).userErrors).toEqual([
        { field: ['id'], message: 'Subscription does not exist' },
      ]);
      const node = 'query ($id: ID!) { node(id: $id) { ... on AppSubscription { name } } }';
      expect([await run(node, { id }), await run(node, { id }, other)]).toEqual([
        { node: { name: 'Pro' } },
        { node: null },
      ]);
    });

    it('is cancelled by the app, once', async () => {
      const { id } = await subscribed();
      expect(await mutate(CANCEL, { id })).toEqual({
        appSubscription: { status: 'CANCELLED' },
        userErrors: [],
      });
      expect(await mutate(CANCEL, { id })).toEqual({
        appSubscription: null,
        userErrors: [{ field: ['id'], message: 'Subscription is already cancelled' }],
      });
      expect(await active()).toEqual([]);
    });

    it('is declined, frozen and expired on command', async () => {
      const { id } = await subscribed();
      shop.billing.freeze(id);
      expect([shop.billing.find(id)?.status, await active()]).toEqual(['FROZEN', []]);
      shop.billing.unfreeze(id);
      expect(await active()).toEqual(['Pro']);
      const [declined, expired] = [
        (await subscribe()).appSubscription.id,
        (await subscribe()).appSubscription.id,
      ];
      shop.billing.decline(declined);
      shop.billing.expire(expired);
      expect(shop.billing.charges.map(({ status }) => status)).toEqual([
        'ACTIVE',
        'DECLINED',
        'EXPIRED',
      ]);
    });

    it('refuses commands that make no sense', async () => {
      const { id } = await subscribed();
      for (const command of ['approve', 'decline', 'activate', 'unfreeze', 'expire'] as const)
        expect(() => shop.billing[command](id)).toThrow(/is ACTIVE: it cannot become/);
      expect(() => shop.billing.approve(7)).toThrow('The shop has no charge 7.');
    });

    it('expires when the merchant has not decided within two days', async () => {
      const { id } = (await subscribe()).appSubscription;
      devStore.advance(2 * DAY - 1000);
      expect(shop.billing.find(id)?.status).toBe('PENDING');
      devStore.advance(1000);
      expect((await state()).allSubscriptions.nodes).toEqual([{ name: 'Pro', status: 'EXPIRED' }]);
    });

    it('ends with the installation', async () => {
      await subscribed();
      await subscribe({ name: 'Later' });
      await shop.uninstall('key');
      expect(shop.billing.charges.map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED']);
    });

    it('begins a period when the last one ends, the first of them behind the trial', async () => {
      await subscribed({ trialDays: 7 });
      const end = async (): Promise<string | null | undefined> =>
        (await state()).activeSubscriptions[0]?.currentPeriodEnd;
      expect(await end()).toBe('2026-04-07T12:00:00Z');
      devStore.advance(37 * DAY);
      expect(await end()).toBe('2026-05-07T12:00:00Z');
    });

    it.each([
      [{ percentage: 0.25 }, '7.43'],
      [{ amount: 2.5 }, '7.4'],
      [{ amount: '12' }, '0.0'],
    ])('takes %j off 9.90 for as many intervals as it is granted', async (value, left) => {
      await subscribed({
        lineItems: [recurring('9.90', { discount: { value, durationLimitInIntervals: 3 } })],
      });
      const shown = 'percentage' in value ? value : { amount: { amount: expect.any(String) } };
      expect((await pricing())['discount']).toEqual({
        durationLimitInIntervals: 3,
        remainingDurationInIntervals: 3,
        priceAfterDiscount: { amount: left },
        value: shown,
      });
      devStore.advance(30 * DAY);
      expect((await pricing())['discount']).toMatchObject({ remainingDurationInIntervals: 2 });
    });

    it.each([
      [{ name: ' ' }, ['name'], "Name can't be blank"],
      [{ returnUrl: 'javascript:alert(1)' }, ['returnUrl'], 'Return url is invalid'],
      [{ trialDays: -1 }, ['trialDays'], 'Trial days must be greater than or equal to 0'],
      [{ lineItems: [] }, ['lineItems'], 'At least one line item is required'],
      [
        { lineItems: [recurring(1), recurring(2)] },
        ['lineItems'],
        'There can be one line item of each pricing at most',
      ],
      [
        { lineItems: [recurring(1, { interval: 'ANNUAL' }), usage(5)] },
        ['lineItems'],
        'Usage pricing can only be combined with an interval of 30 days',
      ],
      [
        { lineItems: [recurring('-10')] },
        ['lineItems', '0', 'plan', 'appRecurringPricingDetails', 'price'],
        'Amount must be a decimal number that is not negative',
      ],
      [
        { lineItems: [recurring(9, { discount: { value: { percentage: 20 } } })] },
        ['lineItems', '0', 'plan', 'appRecurringPricingDetails', 'discount', 'value', 'percentage'],
        'Percentage must be greater than 0 and at most 1, such as 0.2 for 20 %',
      ],
    ])('is refused for %j', async (variables, field, message) => {
      expect(await subscribe(variables)).toEqual({
        confirmationUrl: null,
        appSubscription: null,
        userErrors: [{ field, message }],
      });
      expect(shop.billing.charges).toEqual([]);
    });
  });

  describe('once', () => {
    it('waits for the merchant, and stays active beside the others', async () => {
      const buy = (name: string): Promise<Outcome> =>
        mutate(PURCHASE, { name, price: usd(5), returnUrl: RETURN, test: true });
      const { appPurchaseOneTime, userErrors } = await buy('Setup');
      expect(userErrors).toEqual([]);
      expect(appPurchaseOneTime).toMatchObject({
        status: 'PENDING',
        test: true,
        price: { amount: '5.0', currencyCode: 'USD' },
      });
      shop.billing.approve(appPurchaseOneTime.id);
      shop.billing.approve((await buy('Training')).appPurchaseOneTime.id);
      shop.billing.decline((await buy('Extras')).appPurchaseOneTime.id);
      expect((await state()).oneTimePurchases.nodes).toEqual([
        { name: 'Setup', status: 'ACTIVE' },
        { name: 'Training', status: 'ACTIVE' },
        { name: 'Extras', status: 'DECLINED' },
      ]);
      expect(() => shop.billing.cancel(appPurchaseOneTime.id)).toThrow(/is no subscription/);
    });

    it('is refused without an amount', async () => {
      const { userErrors } = await mutate(PURCHASE, {
        name: 'Setup',
        price: usd('0.00'),
        returnUrl: RETURN,
      });
      expect(userErrors).toEqual([{ field: ['price'], message: 'Amount must be greater than 0' }]);
    });
  });

  describe('by use', () => {
    const metered = async (cap: unknown = '1.00'): Promise<string> =>
      (await subscribed({ lineItems: [recurring(9), usage(cap)] })).lineItems[1]?.id ?? '';
    const use = (item: string, amount: unknown, key?: string): Promise<Outcome> =>
      mutate(USE, { item, price: usd(amount), key });

    it('adds up exactly, up to the cap and no further', async () => {
      const item = await metered('0.30');
      expect((await use(item, 0.1)).appUsageRecord).toMatchObject({
        price: { amount: '0.1' },
        subscriptionLineItem: {
          id: item,
          plan: {
            pricingDetails: { balanceUsed: { amount: '0.1' }, cappedAmount: { amount: '0.3' } },
          },
        },
      });
      expect((await use(item, '0.20')).userErrors).toEqual([]);
      expect(await use(item, '0.01')).toEqual({
        appUsageRecord: null,
        userErrors: [{ field: null, message: 'Total price exceeds balance remaining' }],
      });
      expect(await pricing(1)).toMatchObject({
        balanceUsed: { amount: '0.3' },
        terms: 'One cent a label',
        interval: 'EVERY_30_DAYS',
      });
    });

    it('happens once for one key, also when two arrive at once', async () => {
      const item = await metered();
      const [first, second] = await Promise.all([
        use(item, 0.25, 'label-1'),
        use(item, 0.25, 'label-1'),
      ]);
      expect(first.appUsageRecord?.id).toBe(second.appUsageRecord?.id);
      expect(first.appUsageRecord).toMatchObject({ idempotencyKey: 'label-1' });
      await Promise.all([use(item, 0.25, 'label-2'), use(item, 0.25), use(item, 0.25)]);
      expect(shop.billing.usageRecords).toHaveLength(4);
      expect(await pricing(1)).toMatchObject({ balanceUsed: { amount: '1.0' } });
    });

    it('begins anew with the next period', async () => {
      const item = await metered();
      await use(item, 1);
      devStore.advance(30 * DAY);
      expect(await pricing(1)).toMatchObject({ balanceUsed: { amount: '0.0' } });
      expect((await use(item, 1)).userErrors).toEqual([]);
    });

    it.each([
      [
        { item: 'gid://shopify/AppSubscriptionLineItem/1?v=1&index=0' },
        'Subscription line item does not exist',
      ],
      [{ price: { amount: 1, currencyCode: 'EUR' } }, 'Currency must be USD'],
      [{ price: usd(0) }, 'Amount must be greater than 0'],
      [{ key: 'k'.repeat(256) }, 'Idempotency key is too long (maximum is 255 characters)'],
    ])('is refused for %j', async (variables, message) => {
      const { appUsageRecord, userErrors } = await mutate(USE, {
        item: await metered(),
        price: usd(1),
        ...variables,
      });
      expect([appUsageRecord, userErrors[0]?.message]).toEqual([null, message]);
    });

    it('is refused for a fixed price, and for a subscription that does not run', async () => {
      const { id, lineItems } = await subscribed({ lineItems: [recurring(9), usage(1)] });
      const [fixed, item] = lineItems.map((one) => one.id);
      expect((await use(fixed ?? '', 1)).userErrors).toMatchObject([
        { message: 'Subscription line item has no usage pricing' },
      ]);
      shop.billing.freeze(id);
      expect((await use(item ?? '', 1)).userErrors).toMatchObject([
        { message: 'Subscription is not active' },
      ]);
    });

    it('may go further once the merchant has approved a higher cap', async () => {
      const item = await metered();
      const raise = (): Promise<Outcome> =>
        mutate(RAISE, { id: item, amount: '2.50', currency: 'USD' });
      const { confirmationUrl, appSubscription, userErrors } = await raise();
      expect([userErrors, confirmationUrl]).toEqual([
        [],
        shop.billing.confirmationUrl(appSubscription.id),
      ]);
      expect((await use(item, 2)).userErrors).toHaveLength(1);
      shop.billing.decline(appSubscription.id);
      expect(await pricing(1)).toMatchObject({ cappedAmount: { amount: '1.0' } });
      await raise();
      shop.billing.approve(appSubscription.id);
      expect(await pricing(1)).toMatchObject({ cappedAmount: { amount: '2.5' } });
      expect((await use(item, 2)).userErrors).toEqual([]);
    });

    it('is told when nine tenths of the cap are used, once', async () => {
      await listen('APP_SUBSCRIPTIONS_APPROACHING_CAPPED_AMOUNT');
      const item = await metered();
      await use(item, 0.89);
      await use(item, 0.01);
      await use(item, 0.05);
      expect(await heard()).toEqual([
        {
          app_subscription: {
            admin_graphql_api_id: expect.stringMatching(/AppSubscription\/\d+$/),
            name: 'Pro',
            balance_used: 0.9,
            capped_amount: '1.0',
            currency_code: 'USD',
            admin_graphql_api_shop_id: `gid://shopify/Shop/${shop.id}`,
            created_at: '2026-03-01T12:00:00Z',
            updated_at: '2026-03-01T12:00:00Z',
          },
        },
      ]);
    });
  });

  describe('is told to the app', () => {
    it('when a subscription begins or ends, with what the platform says', async () => {
      await listen('APP_SUBSCRIPTIONS_UPDATE');
      const { id } = await subscribed({ lineItems: [recurring('9.99'), usage(20)] });
      expect(await heard()).toEqual([
        {
          app_subscription: {
            admin_graphql_api_id: id,
            name: 'Pro',
            status: 'ACTIVE',
            admin_graphql_api_shop_id: `gid://shopify/Shop/${shop.id}`,
            created_at: '2026-03-01T12:00:00Z',
            updated_at: '2026-03-01T12:00:00Z',
            currency: 'USD',
            capped_amount: '20.0',
            price: '9.99',
            interval: 'every_30_days',
            plan_handle: null,
          },
        },
      ]);
      await subscribed({ name: 'Plus' });
      shop.billing.decline((await subscribe({ name: 'Max' })).appSubscription.id);
      const told = (await heard())
        .slice(1)
        .map(({ app_subscription: one }) => `${String(one?.['name'])} ${String(one?.['status'])}`);
      expect(told.sort()).toEqual(['Max DECLINED', 'Plus ACTIVE', 'Pro CANCELLED']);
    });

    it('when something is bought', async () => {
      await listen('APP_PURCHASES_ONE_TIME_UPDATE');
      const { appPurchaseOneTime } = await mutate(PURCHASE, {
        name: 'Setup',
        price: usd(5),
        returnUrl: RETURN,
      });
      shop.billing.approve(appPurchaseOneTime.id);
      expect(await heard()).toEqual([
        {
          app_purchase_one_time: {
            admin_graphql_api_id: appPurchaseOneTime.id,
            name: 'Setup',
            status: 'ACTIVE',
            admin_graphql_api_shop_id: `gid://shopify/Shop/${shop.id}`,
            created_at: '2026-03-01T12:00:00Z',
            updated_at: '2026-03-01T12:00:00Z',
          },
        },
      ]);
    });

    it('when it is uninstalled, before its subscriptions of topics are gone', async () => {
      await listen('APP_SUBSCRIPTIONS_UPDATE');
      await subscribed();
      await shop.uninstall('key');
      expect((await heard()).map(({ app_subscription: one }) => one?.['status'])).toEqual([
        'ACTIVE',
        'CANCELLED',
      ]);
    });
  });

  describe('is confirmed on a page of the admin', () => {
    const open = (url: string | null): Promise<Response> =>
      fetch(url ?? '', { redirect: 'manual' });
    const consentOn = (page: string): string =>
      /name="consent" value="([0-9a-f]+)"/.exec(page)?.[1] ?? '';
    const press = async (
      url: string | null,
      decision: 'approve' | 'decline',
      consent?: string,
    ): Promise<Response> =>
      fetch((url ?? '').replace(/\?.*/, ''), {
        method: 'POST',
        body: new URLSearchParams({
          decision,
          consent: consent ?? consentOn(await (await open(url)).text()),
        }),
        redirect: 'manual',
      });

    it('that says what it costs', async () => {
      await subscribed({ name: 'Basic' });
      const lineItems = [
        recurring('9.90', {
          discount: { value: { percentage: 0.5 }, durationLimitInIntervals: 3 },
        }),
        usage(100),
      ];
      const reply = await open(
        (await subscribe({ name: 'Pro <b>', lineItems, test: true, trialDays: 14 }))
          .confirmationUrl,
      );
      const page = (await reply.text()).replace(/\s+/g, ' ');
      expect(reply.status).toBe(200);
      for (const text of [
        'Approve subscription',
        'Labels &amp; &lt;Co&gt;',
        'Pro &lt;b&gt;',
        'Test: nothing is billed',
        'Billed every 30 days',
        '$9.90',
        '$4.95',
        'The first 3 times.',
        'up to $100.00',
        'One cent a label',
        '14 days',
        'Takes the place of Basic',
      ])
        expect(page).toContain(text);
      expect(reply.headers.get('content-security-policy')).toMatch(
        /form-action 'self' http:\/\/localhost:3000; .*frame-ancestors 'none'/,
      );
    });

    it('from which an approving merchant goes back to the app', async () => {
      const { confirmationUrl, appSubscription } = await subscribe();
      const reply = await press(confirmationUrl, 'approve');
      const number = appSubscription.id.split('/').at(-1);
      expect([reply.status, reply.headers.get('location')]).toEqual([
        302,
        `${RETURN}&charge_id=${number}`,
      ]);
      expect(await active()).toEqual(['Pro']);
    });

    it.each([
      'https://admin.shopify.com/store/dev-shop/apps/key/plans?x=1',
      'https://dev-shop.myshopify.com/admin/apps/key/plans?x=1',
    ])('which finds %s here', async (returnUrl) => {
      const reply = await press((await subscribe({ returnUrl })).confirmationUrl, 'approve');
      expect(reply.headers.get('location')).toMatch(
        /^\/admin\/apps\/key\/plans\?x=1&charge_id=\d+$/,
      );
    });

    it('from which a declining merchant goes to the admin', async () => {
      const { confirmationUrl } = await subscribe();
      const reply = await press(confirmationUrl, 'decline');
      expect([reply.status, reply.headers.get('location')]).toEqual([303, '/admin']);
      expect(shop.billing.charges.map(({ status }) => status)).toEqual(['DECLINED']);
    });

    it('that asks once', async () => {
      const { confirmationUrl } = await subscribe();
      const second = consentOn(await (await open(confirmationUrl)).text());
      await press(confirmationUrl, 'decline');
      expect((await press(confirmationUrl, 'approve', second)).status).toBe(409);
      expect((await open(confirmationUrl)).status).toBe(409);
      expect(await active()).toEqual([]);
    });

    it('that nobody can answer who has not seen it', async () => {
      const { confirmationUrl } = await subscribe();
      expect((await press(confirmationUrl, 'approve', 'guess')).status).toBe(400);
      const others = consentOn(
        await (await open((await subscribe({ name: 'Other' })).confirmationUrl)).text(),
      );
      expect((await press(confirmationUrl, 'approve', others)).status).toBe(400);
      expect((await open((confirmationUrl ?? '').replace(/.$/, 'x'))).status).toBe(404);
      expect(await active()).toEqual([]);
    });

    it('that asks about a higher cap, too', async () => {
      const { lineItems } = await subscribed({ lineItems: [usage(5)] });
      const { confirmationUrl } = await mutate(RAISE, {
        id: lineItems[0]?.id,
        amount: 8,
        currency: 'USD',
      });
      const page = await (await open(confirmationUrl)).text();
      for (const text of ['Approve a new limit', '$5.00', '$8.00']) expect(page).toContain(text);
      expect((await press(confirmationUrl, 'approve')).headers.get('location')).toContain(
        'charge_id=',
      );
      expect(await pricing()).toMatchObject({ cappedAmount: { amount: '8.0' } });
      expect((await open(confirmationUrl)).status).toBe(404);
    });

    it('to which the list of charges leads, as long as there is something to decide', async () => {
      await subscribed({ name: 'Basic' });
      const { confirmationUrl } = await subscribe({ name: 'Pro <b>', test: true });
      const list = await (await open(`${shop.origin}/admin/charges`)).text();
      expect(list.match(/href="http[^"]*"/g)).toEqual([`href="${confirmationUrl}"`]);
      for (const text of [
        'Pro &lt;b&gt;',
        'Basic',
        'Test',
        'Pending',
        'Active',
        '$9.90 every 30 days',
      ])
        expect(list).toContain(text);
    });

    it('and noted in the event log', async () => {
      await press((await subscribe()).confirmationUrl, 'approve');
      const summaries = shop.events
        .filter(({ kind }) => kind === 'billing')
        .map(({ summary }) => summary);
      expect(summaries).toEqual([
        'Pro of Labels & <Co>: waits for the merchant',
        'Pro of Labels & <Co>: active',
      ]);
    });
  });
});
