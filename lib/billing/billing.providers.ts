import type { Provider } from '@nestjs/common';

import { AuthUrls } from '../auth/responses/auth-urls.js';
import { Clock } from '../core/time/clock.js';
import { PlatformConfig } from '../core/config/platform-config.js';
import { PlatformLogger } from '../core/logger.js';
import { BillingGate } from './billing-gate.js';
import { BillingService } from './billing.service.js';

/**
 * Where the floor above puts the app's billing service: it also serves code that knows no
 * container.
 */
export const BILLING = Symbol.for('shopwright:BILLING');

export const BILLING_PROVIDERS: Provider[] = [
  { provide: BillingService, useExisting: BILLING },
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
