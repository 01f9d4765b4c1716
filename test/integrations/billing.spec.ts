import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { Clock } from '../../lib/core/time/clock.js';
import { systemClock } from '../../lib/core/time/clock.js';
import { DevStore, base64Host, signedSessionToken } from '../../lib/dev-store/index.js';
import type { DevShop } from '../../lib/dev-store/index.js';
import { BillingInterval } from '../../lib/index.js';
import { Session, offlineSessionId } from '../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_KEY, API_SECRET, APP_URL, SHOP } from '../support/app.js';
import { reloadIn } from '../support/bounced.js';
import { HOSTS } from '../support/hosts.js';
import type { Host, RunningHost } from '../support/hosts.js';

const monthly = (amount: number) => ({
  amount,
  currencyCode: 'USD',
  interval: BillingInterval.Every30Days as const,
});
const PLANS = { Pro: monthly(20), Basic: monthly(5) };

const token = (): string => signedSessionToken({ apiKey: API_KEY, secret: API_SECRET, shop: SHOP });
/** Nobody waits between two looks at a charge. */
const IMPATIENT: Clock = {
  now: () => systemClock.now(),
  sleep: async () => {},
  timer: (ms, ring) => systemClock.timer!(ms, ring),
};
const HTML = { accept: 'text/html' };

/**
 * How a request can come, with what it asks for and how the merchant is led to the confirmation
 * page.
 */
const CONTEXTS: readonly {
  readonly name: string;
  readonly request: (
    query?: Record<string, string>,
  ) => readonly [path: string, headers: Record<string, string>];
  /** The address of the confirmation page in an answer that asks for a plan. */
  readonly asked: (response: Response, host: Host) => Promise<string | null>;
  /** The status of an answer that refuses without asking. */
  readonly refused: number;
}[] = [
  {
    name: 'a document',
    request: (query) => [
      `/pro?${new URLSearchParams({ shop: SHOP, id_token: token(), ...query })}`,
      HTML,
    ],
    asked: async (response) => (response.status === 302 ? response.headers.get('location') : null),
    refused: 402,
  },
  {
    name: 'a document in the frame of the admin',
    request: (query) => {
      const frame = {
        shop: SHOP,
        host: base64Host(SHOP),
        embedded: '1',
        id_token: token(),
        ...query,
      };
      return [`/pro?${new URLSearchParams(frame)}`, { ...HTML, 'sec-fetch-dest': 'iframe' }];
    },
    asked: async (response, { exitIframePath }) => {
      const location = new URL(response.headers.get('location') ?? '', APP_URL);
      return response.status === 302 && location.pathname === exitIframePath
        ? (location.searchParams.get('redirectUri') ?? location.searchParams.get('exitIframe'))
        : null;
    },
    refused: 402,
  },
  {
    name: 'a fetch of App Bridge',
    request: (query = {}) => [
      `/pro?${new URLSearchParams(query)}`,
      { authorization: `Bearer ${token()}`, 'sec-fetch-dest': 'empty' },
    ],
    asked: async ({ status, headers }, { isWeb }) =>
      status === (isWeb ? 401 : 403)
        ? headers.get('x-shopify-api-request-failure-reauthorize-url')
        : null,
    refused: 402,
  },
  {
    name: 'a call of an API',
    request: (query) => [
      `/pro?${new URLSearchParams({ id_token: token(), ...query })}`,
      { accept: 'application/json' },
    ],
    asked: async (response) => {
      const body = (await response.json()) as { error: string; confirmationUrl?: string };
      return response.status === 402 && body.error === 'plan_required'
        ? (body.confirmationUrl ?? null)
        : null;
    },
    refused: 402,
  },
];

describe.each(HOSTS)('a page that needs a plan, on $name', (kind) => {
  let devStore: DevStore;
  let shop: DevShop;
  let host: RunningHost;

  beforeAll(async () => {
    devStore = await DevStore.open({
      apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
      shops: [SHOP],
      // The webhooks of a subscription have no app to go to here.
      deliveryRetries: [],
    });
    shop = devStore.shop();
  });
  afterAll(() => devStore.close());

  beforeEach(async () => {
    shop.billing.activation = 'immediate';
    const accessToken = shop.install(API_KEY, { scopes: ['write_products'] });
    const sessionStorage = new MemorySessionStorage();
    const session = {
      id: offlineSessionId(SHOP),
      shop: SHOP,
      state: '',
      isOnline: false,
      scope: 'write_products',
      accessToken,
    };
    await sessionStorage.storeSession(new Session(session));
    host = await kind.open({
      options: {
        sessionStorage,
        shopOrigin: devStore.shopOrigin,
        billing: PLANS,
        clock: IMPATIENT,
      },
    });
  });
  afterEach(async () => {
    await host.close();
    for (const { id, status } of shop.billing.subscriptionsOf(API_KEY)) {
      if (status === 'ACTIVE' || status === 'PENDING') shop.billing.cancel(id);
    }
  });

  const send = ([path, headers]: readonly [string, Record<string, string>]): Promise<Response> =>
    fetch(host.url + path, { redirect: 'manual', headers });

  /** The shop has a subscription of the name, approved by the merchant. */
  function subscribe(name: string, { trialDays = 0 } = {}): number {
    const charge = shop.billing.subscribe(API_KEY, {
      name,
      test: false,
      returnUrl: APP_URL,
      trialDays,
      replacementBehavior: 'STANDARD',
      pricing: [
        {
          kind: 'recurring',
          price: { amount: '20.00', currencyCode: 'USD' },
          interval: 'EVERY_30_DAYS',
          discount: null,
        },
      ],
    });
    shop.billing.approve(charge.id);
    return charge.id;
  }

  it('waits in the frame of the admin, with a fresh session token for every load, until an approved charge runs', async () => {
    const frame = { ...HTML, 'sec-fetch-dest': 'iframe' };
    shop.billing.activation = 'manual';
    const id = subscribe('Pro');
    const opened = {
      shop: SHOP,
      host: base64Host(SHOP),
      embedded: '1',
      charge_id: String(id),
      id_token: token(),
    };
    let response = await send([`/pro?${new URLSearchParams(opened)}`, frame]);
    for (let reload = 1; reload <= 3; reload++) {
      expect(response.status).toBe(200);
      const [, refresh = ''] =
        /http-equiv="refresh" content="\d+;url=([^"]*)"/.exec(await response.text()) ?? [];
      const { pathname, search } = new URL(refresh.replaceAll('&amp;', '&'));
      const bounced = await send([pathname + search, frame]);
      // What App Bridge does on the page it is sent to.
      const again = (await reloadIn(bounced, APP_URL))!;
      again.searchParams.set('id_token', token());
      if (reload === 3) shop.billing.activate(id);
      response = await send([again.pathname + again.search, frame]);
    }
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 200,
      body: { paidBy: SHOP },
    });
  });

  describe.each(CONTEXTS)('opened by $name', ({ request, asked, refused }) => {
    const expectAsked = async (): Promise<void> => {
      const url = await asked(await send(request()), kind);
      const charge = shop.billing
        .subscriptionsOf(API_KEY)
        .find(({ status }) => status === 'PENDING');
      expect(charge).toMatchObject({ name: 'Pro', test: false });
      expect(url).toBe(shop.billing.confirmationUrl(charge!.id));
    };
    const expectGranted = async (query?: Record<string, string>): Promise<void> => {
      const response = await send(request(query));
      expect({ status: response.status, body: await response.json() }).toEqual({
        status: 200,
        body: { paidBy: SHOP },
      });
    };

    it('asks a shop without a plan for it', async () => {
      expect(shop.billing.subscriptionsOf(API_KEY).some(({ status }) => status === 'ACTIVE')).toBe(
        false,
      );
      await expectAsked();
    });

    it('asks a shop with another plan for it', async () => {
      subscribe('Basic');
      await expectAsked();
    });

    it('takes no plan for another whose name it begins with', async () => {
      subscribe('Pro Plus');
      await expectAsked();
    });

    it('lets a shop with the plan in', async () => {
      subscribe('Pro');
      await expectGranted();
    });

    it('lets a shop in whose trial is running', async () => {
      subscribe('Pro', { trialDays: 7 });
      await expectGranted();
    });

    it('asks a shop again that has cancelled', async () => {
      shop.billing.cancel(subscribe('Pro'));
      await expectAsked();
    });

    it('lets a merchant in who comes back from approving', async () => {
      await asked(await send(request()), kind);
      const { id } = shop.billing
        .subscriptionsOf(API_KEY)
        .find(({ status }) => status === 'PENDING')!;
      shop.billing.approve(id);
      await expectGranted({ charge_id: String(id) });
    });

    it('refuses a merchant who comes back from declining, and asks for no second charge by itself', async () => {
      await asked(await send(request()), kind);
      const { id } = shop.billing
        .subscriptionsOf(API_KEY)
        .find(({ status }) => status === 'PENDING')!;
      shop.billing.decline(id);
      const before = shop.billing.subscriptionsOf(API_KEY).length;
      const response = await send(request({ charge_id: String(id) }));
      expect(response.status).toBe(refused);
      expect(response.headers.get('location')).toBeNull();
      expect(shop.billing.subscriptionsOf(API_KEY)).toHaveLength(before);
      await expectAsked();
    });
  });
});
