import { afterEach } from '@jest/globals';

import { BillingGate } from '../../lib/billing/billing-gate.js';
import type { BillingSettings } from '../../lib/billing/billing.options.js';
import { BillingInterval } from '../../lib/billing/billing-plans.js';
import { BillingService } from '../../lib/billing/billing.service.js';
import { BillingStateCache } from '../../lib/billing/billing-state-cache.js';
import type { ConfigOptions } from '../../lib/core/config/config.options.js';
import { ApiCaller } from '../../lib/core/http/api-caller.js';
import { bindValue } from '../../lib/core/binding.js';
import { createResolver } from '../../lib/platform/kernel/platform.providers.js';
import { PlatformConfig } from '../../lib/core/config/platform-config.js';
import { DevStore } from '../../lib/dev-store/index.js';
import type { DevShop } from '../../lib/dev-store/index.js';
import type { Session } from '../../lib/sessions/session.js';
import {
  API_KEY,
  APP_URL,
  SECRET,
  SHOP,
  StillClock,
  offlineSession,
} from '../auth/auth.fixture.js';
import { apiCaller } from '../support/api-caller.js';
import { Network } from './network.js';
import { accept } from './shop.charges.js';

export const PLANS = {
  Basic: { amount: 5, currencyCode: 'USD', interval: BillingInterval.Every30Days, trialDays: 7 },
  Pro: { amount: '9.99', currencyCode: 'USD', interval: BillingInterval.Every30Days },
  Setup: { amount: 25, currencyCode: 'USD', interval: BillingInterval.OneTime },
  Metered: {
    trialDays: 14,
    lineItems: [
      { interval: BillingInterval.Every30Days, amount: 10, currencyCode: 'USD' },
      {
        interval: BillingInterval.Usage,
        amount: 100,
        currencyCode: 'USD',
        terms: '1 USD per report',
      },
    ],
  },
} satisfies BillingSettings;

/** A store with one shop, which ends with the test. */
export interface Platform {
  readonly devStore: DevStore;
  /** The store's, and that of every app with it. */
  readonly clock: StillClock;
}

/** The billing of an app, and the platform around it. */
export interface BillingApp {
  readonly shop: DevShop;
  readonly network: Network;
  /** Of the shop, which has installed the app. */
  readonly session: Session;
  readonly config: PlatformConfig;
  readonly clock: StillClock;
  readonly cache: BillingStateCache;
  readonly billing: BillingService;
  readonly gate: BillingGate;
  /** Warnings and errors that were logged. */
  readonly log: string[];
}

const open: DevStore[] = [];
afterEach(() => Promise.all(open.splice(0).map((devStore) => devStore.close())));

/** Opens a store, for apps that are to share it. */
export async function openPlatform(): Promise<Platform> {
  const clock = new StillClock();
  // While the clock stands still, no limit recovers.
  const devStore = await DevStore.open({ shops: [SHOP], clock, limits: { graphql: 'off' } });
  open.push(devStore);
  return { devStore, clock };
}

/** The billing of an app, over a store of its own unless it is given one. */
export async function createBilling(
  settings: BillingSettings = PLANS,
  options: Partial<ConfigOptions> = {},
  { retries = 0, platform }: { readonly retries?: number; readonly platform?: Platform } = {},
): Promise<BillingApp> {
  const { devStore, clock } = platform ?? (await openPlatform());
  const network = new Network(devStore.fetch);
  const graphql = apiCaller(network.fetch, clock, { retries });
  const log: string[] = [];
  const logger = { level: 1, log: (_: number, line: string) => void log.push(line) };
  const app = createResolver(
    {
      apiKey: API_KEY,
      apiSecretKey: SECRET,
      appUrl: APP_URL,
      apiVersion: '2026-07',
      scopes: [],
      ...{ clock, billing: settings, logger },
      ...options,
    },
    { environment: {} },
    [bindValue(ApiCaller, graphql)],
  );
  const config = app.get(PlatformConfig);
  const { apiKey } = config;
  devStore.addApp({ apiKey, apiSecretKey: SECRET, appUrl: APP_URL });
  const shop = devStore.shop();
  const session = offlineSession({
    accessToken: shop.install(apiKey, { scopes: ['write_products'] }),
  });
  return {
    shop,
    network,
    session,
    config,
    clock,
    cache: app.get(BillingStateCache),
    billing: app.get(BillingService),
    gate: app.get(BillingGate),
    log,
  };
}

/** What a merchant makes of a charge. */
export interface Verdict {
  readonly isApproved: boolean;
  /** How often the app calls the store before an approved charge is active. @default 0 */
  readonly delay?: number;
  /**
   * How the charge stands until then: the merchant may be faster than the news of what they did.
   * @default 'ACCEPTED'
   */
  readonly meanwhile?: 'ACCEPTED' | 'PENDING';
}

/**
 * The merchant decides on a confirmation page. @returns where they come back to, which from a
 * declined charge they do by hand
 */
export function decide(
  { shop, network }: BillingApp,
  confirmationUrl: string,
  verdict: Verdict,
): URL {
  const { billing } = shop;
  const { isApproved, delay = 0, meanwhile = 'ACCEPTED' } = verdict;
  const [, number = ''] = /\/charges\/(\d+)\/confirm\?/.exec(confirmationUrl) ?? [];
  const back = new URL(billing.find(number)?.returnUrl ?? '');
  back.searchParams.set('charge_id', number);
  if (!isApproved) billing.decline(number);
  else if (delay === 0) billing.approve(number);
  else {
    if (meanwhile === 'ACCEPTED') accept(billing, number);
    const begin = (): unknown =>
      meanwhile === 'ACCEPTED' ? billing.activate(number) : billing.approve(number);
    if (delay !== Infinity) network.after(delay, begin);
  }
  return back;
}
