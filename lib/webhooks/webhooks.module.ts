import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import type { PlatformModules } from '../core/nest/platform-plugin.js';
import { WebhookReceiver } from './deliveries/webhook.receiver.js';
import { WebhookRegistrar } from './subscriptions/webhook.registrar.js';
import { webhooksProviders } from './webhooks.providers.js';

/** The webhooks of one app: receives deliveries, runs their handlers, subscribes shops to them. */
@Module({})
export class WebhooksModule {
  static for(app: PlatformModules): DynamicModule {
    return {
      module: WebhooksModule,
      imports: [app.kernel, app.graphql, DiscoveryModule],
      providers: webhooksProviders(app.name),
      exports: [WebhookReceiver, WebhookRegistrar],
    };
  }
}
