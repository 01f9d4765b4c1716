import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';

import type { PlatformModules } from '../core/nest/platform-plugin.js';
import { BillingGate } from './billing-gate.js';
import { BILLING_PROVIDERS } from './billing.providers.js';
import { BillingService } from './billing.service.js';

/** Billing for one app. */
@Module({})
export class BillingModule {
  static for(app: PlatformModules): DynamicModule {
    return {
      module: BillingModule,
      imports: [app.kernel],
      providers: BILLING_PROVIDERS,
      exports: [BillingService, BillingGate],
    };
  }
}
