import type { Provider } from '@nestjs/common';
import {
  ApplicationConfig,
  DiscoveryService,
  ExternalContextCreator,
  MetadataScanner,
} from '@nestjs/core';

import { PlatformConfig } from '../core/config/platform-config.js';
import type { PlatformModules } from '../core/nest/platform-plugin.js';
import { ScopedEnhancers } from '../core/nest/scoped-enhancers.js';
import { WebhookExplorer } from './handlers/webhook.explorer.js';
import { WebhookHandlerFactory } from './handlers/webhook-handler.factory.js';
import { WebhookRegistry } from './handlers/webhook.registry.js';
import type { SignedPaths } from './signed/signed-topic.js';
import { SIGNED_PATHS } from './webhooks.providers.js';

/** What only Nest can do: find decorated methods, and run them with pipes and enhancers. */
export function webhooksNestProviders(app: PlatformModules): Provider[] {
  return [
    {
      provide: WebhookHandlerFactory,
      useFactory: (
        contexts: ExternalContextCreator,
        config: ApplicationConfig,
        discovery: DiscoveryService,
      ) => new WebhookHandlerFactory(contexts, new ScopedEnhancers(config, discovery)),
      inject: [ExternalContextCreator, ApplicationConfig, DiscoveryService],
    },
    {
      provide: WebhookExplorer,
      useFactory: (
        discovery: DiscoveryService,
        scanner: MetadataScanner,
        handlers: WebhookHandlerFactory,
        registry: WebhookRegistry,
        signedPaths: SignedPaths,
        config: PlatformConfig,
      ) =>
        new WebhookExplorer(app.name, discovery, scanner, handlers, registry, signedPaths, config),
      inject: [
        DiscoveryService,
        MetadataScanner,
        WebhookHandlerFactory,
        app.token(WebhookRegistry),
        app.token(SIGNED_PATHS),
        app.token(PlatformConfig),
      ],
    },
  ];
}
