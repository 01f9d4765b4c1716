import { AuthUrls } from '../auth/responses/auth-urls.js';
import { bind, typedToken } from '../core/binding.js';
import { PlatformConfig } from '../core/config/platform-config.js';
import { PlatformLogger } from '../core/logger.js';
import { Clock } from '../core/time/clock.js';
import { AdminGraphqlClient } from '../graphql-client/admin-graphql.client.js';
import { BillingGate } from './billing-gate.js';
import { BillingStateCache } from './billing-state-cache.js';
import type { BillingOptions } from './billing.options.js';
import { BillingClient } from './billing.client.js';
import { BillingService } from './billing.service.js';
import { ChargeRequests } from './charge-requests.js';
import { PaymentCheck } from './payment-check.js';
import { PlanCatalog } from './plan-catalog.js';

/** The options of billing, as the app passed them. */
export const BILLING_OPTIONS = typedToken<BillingOptions>('BILLING_OPTIONS');

/** The bindings of billing. */
export const BILLING_BINDINGS = [
  bind(
    PlanCatalog,
    { options: BILLING_OPTIONS },
    ({ options }) => new PlanCatalog(options.billing),
  ),
  bind(BillingStateCache, { clock: Clock }, ({ clock }) => new BillingStateCache(clock)),
  bind(
    BillingClient,
    { graphql: AdminGraphqlClient, cache: BillingStateCache },
    ({ graphql, cache }) => new BillingClient(graphql, cache),
  ),
  bind(
    ChargeRequests,
    { config: PlatformConfig, client: BillingClient, plans: PlanCatalog, logger: PlatformLogger },
    ({ config, client, plans, logger }) => new ChargeRequests(config, client, plans, logger),
  ),
  bind(
    PaymentCheck,
    { plans: PlanCatalog, clock: Clock, logger: PlatformLogger },
    (dependencies) => new PaymentCheck(dependencies),
  ),
  bind(
    BillingService,
    {
      client: BillingClient,
      requests: ChargeRequests,
      plans: PlanCatalog,
      payments: PaymentCheck,
    },
    ({ client, requests, plans, payments }) =>
      new BillingService(client, requests, plans, payments),
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
