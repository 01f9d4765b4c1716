import type { Provider } from '@nestjs/common';

import { AuthUrls } from '../auth/responses/auth-urls.js';
import { Clock } from '../core/time/clock.js';
import { PlatformConfig } from '../core/config/platform-config.js';
import { SecretKeys } from '../core/crypto/secret-keys.js';
import { PlatformLogger } from '../core/logger.js';
import { BillingGate } from './billing-gate.js';
import { BillingService } from './billing.service.js';

/** Token of the app's billing service, which is made outside of the container. */
export const BILLING = Symbol.for('shopwright:BILLING');

export const BILLING_PROVIDERS: Provider[] = [
  { provide: BillingService, useExisting: BILLING },
  {
    provide: AuthUrls,
    useFactory: (config: PlatformConfig, keys: SecretKeys, clock: Clock) =>
      new AuthUrls(config, keys, clock),
    inject: [PlatformConfig, SecretKeys, Clock],
  },
  {
    provide: BillingGate,
    useFactory: (
      config: PlatformConfig,
      clock: Clock,
      logger: PlatformLogger,
      urls: AuthUrls,
      billing: BillingService,
    ) => new BillingGate({ config, clock, logger, urls, billing }),
    inject: [PlatformConfig, Clock, PlatformLogger, AuthUrls, BillingService],
  },
];
