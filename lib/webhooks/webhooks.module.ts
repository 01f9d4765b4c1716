import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { featureModule } from '../core/nest/platform-plugin.js';
import type { PlatformModules } from '../core/nest/platform-plugin.js';
import { webhooksNestProviders } from './webhooks.nest.providers.js';
import { WEBHOOKS_BINDINGS } from './webhooks.providers.js';

/** Receives deliveries, runs their handlers, and keeps the subscriptions of shops up to date. */
@Module({})
export class WebhooksModule {
  static for(app: PlatformModules): DynamicModule {
    return featureModule(WebhooksModule, app, WEBHOOKS_BINDINGS, {
      imports: [DiscoveryModule],
      providers: webhooksNestProviders(app),
    });
  }
}
