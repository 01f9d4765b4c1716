import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';

import { featureModule } from '../core/nest/platform-plugin.js';
import type { PlatformModules } from '../core/nest/platform-plugin.js';
import { BILLING_BINDINGS } from './billing.providers.js';

/** The billing module of one app. */
@Module({})
export class BillingModule {
  static for(app: PlatformModules): DynamicModule {
    return featureModule(BillingModule, app, BILLING_BINDINGS);
  }
}
