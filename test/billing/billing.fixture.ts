import { AuthUrls } from '../../lib/auth/auth.urls.js';
import { BillingGate } from '../../lib/billing/billing.gate.js';
import type { BillingSettings } from '../../lib/billing/billing.options.js';
import { BillingInterval } from '../../lib/billing/billing.plans.js';
import { BillingService } from '../../lib/billing/billing.service.js';
import { BillingStateCache } from '../../lib/billing/billing.state.cache.js';
import { PlanCatalog } from '../../lib/billing/plan.catalog.js';
import type { ConfigOptions } from '../../lib/core/config/config.options.js';
import { resolveConfig } from '../../lib/core/config/platform.config.js';
import type { PlatformConfig } from '../../lib/core/config/platform.config.js';
import { SecretKeys } from '../../lib/core/crypto/secret-keys.js';
import { PlatformLogger } from '../../lib/core/logger.js';
import { AdminGraphqlClient } from '../../lib/graphql-client/admin-graphql.client.js';
import { API_KEY, APP_URL, SECRET, StillClock, offlineSession } from '../auth/auth.fixture.js';
import { apiCaller } from '../support/api-caller.js';
import { BillingPlatform } from './platform.simulation.js';

export const SESSION = offlineSession();

export const PLANS = {
  Basic: { amount: 5, currencyCode: 'USD', interval: BillingInterval.Every30Days, trialDays: 7 },
  Pro: { amount: '9.99', currencyCode: 'USD', interval: BillingInterval.Every30Days },
  Setup: { amount: 25, currencyCode: 'USD', interval: BillingInterval.OneTime },
  Metered: {
    trialDays: 14,
    lineItems: [
      { interval: BillingInterval.Every30Days, amount: 10, currencyCode: 'USD' },
      { interval: BillingInterval.Usage, amount: 100, currencyCode: 'USD', terms: '1 USD per report' },
    ],
  },
} satisfies BillingSettings;

export interface BillingApp {
  readonly platform: BillingPlatform;
  readonly config: PlatformConfig;
  readonly clock: StillClock;
  readonly cache: BillingStateCache;
  readonly billing: BillingService;
  readonly gate: BillingGate;
}

/** The billing room of an app over a simulated platform. */
export function createBilling(
  settings: BillingSettings = PLANS,
  options: Partial<ConfigOptions> = {},
  { platform = new BillingPlatform(), retries = 0 } = {},
): BillingApp {
  const clock = new StillClock();
  const config = resolveConfig(
    { apiKey: API_KEY, apiSecretKey: SECRET, appUrl: APP_URL, apiVersion: '2026-07', scopes: [], ...options },
    { environment: {} },
  );
  const logger = new PlatformLogger({ log: () => {} }, clock, config.apiSecretKeys);
  const cache = new BillingStateCache(clock);
  const graphql = new AdminGraphqlClient(config, apiCaller(platform.fetch, clock, { retries }), logger);
  const billing = new BillingService(config, graphql, new PlanCatalog(settings), cache, logger);
  const urls = new AuthUrls(config, new SecretKeys(config.apiSecretKeys), clock);
  return { platform, config, clock, cache, billing, gate: new BillingGate({ config, clock, logger, urls, billing }) };
}
