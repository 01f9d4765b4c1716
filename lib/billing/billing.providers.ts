import { AuthUrls } from '../auth/responses/auth-urls.js';
import { bind, typedToken } from '../core/binding.js';
import { PlatformConfig } from '../core/config/platform-config.js';
import { PlatformLogger } from '../core/logger.js';
import { Clock } from '../core/time/clock.js';
import { AdminGraphqlClient } from '../graphql-client/admin-graphql.client.js';
import { BillingGate } from './billing-gate.js';
import { BillingStateCache } from './billing-state-cache.js';
import type { BillingOptions } from './billing.options.js';
import { BillingService } from './billing.service.js';
import { PlanCatalog } from './plan-catalog.js';

export const BILLING_OPTIONS = typedToken<BillingOptions>('BILLING_OPTIONS');

/** Plans and charges, and the pages that need a plan. */
export const BILLING_BINDINGS = [
  bind(
    PlanCatalog,
    { options: BILLING_OPTIONS },
    ({ options }) => new PlanCatalog(options.billing),
  ),
  bind(BillingStateCache, { clock: Clock }, ({ clock }) => new BillingStateCache(clock)),
  bind(
    BillingService,
    {
      config: PlatformConfig,
      graphql: AdminGraphqlClient,
      plans: PlanCatalog,
      cache: BillingStateCache,
      logger: PlatformLogger,
    },
    ({ config, graphql, plans, cache, logger }) =>
      new BillingService(config, graphql, plans, cache, logger),
  ),
  bind(
    BillingGate,
    {
      config: PlatformConfig,
      clock: Clock,
      logger: PlatformLogger,
      urls: AuthUrls,
      billing: BillingService,
    },
    (dependencies) => new BillingGate(dependencies),
  ),
];
