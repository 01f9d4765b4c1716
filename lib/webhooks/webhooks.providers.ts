import type { Provider } from '@nestjs/common';
import { DiscoveryService, ExternalContextCreator, MetadataScanner } from '@nestjs/core';

import { ApiClients } from '../auth/clients/shop-clients.js';
import { TokenManager } from '../auth/tokens/token-manager.js';
import { Clock } from '../core/time/clock.js';
import { InFlight } from '../core/concurrency/in-flight.js';
import { PlatformConfig } from '../core/config/platform-config.js';
import { PlatformLogger } from '../core/logger.js';
import { AdminGraphqlClient } from '../graphql-client/admin-graphql.client.js';
import { SessionStorage } from '../sessions/session.storage.js';
import { WebhookInbox } from '../sessions/coordination/webhook.inbox.js';
import { ShopContextLoader } from './deliveries/shop-context-loader.js';
import { WebhookClaims } from './deliveries/webhook-claims.js';
import { WebhookProcessor } from './deliveries/webhook.processor.js';
import { WebhookDispatcher, WebhookTimeLimit } from './handlers/webhook.dispatcher.js';
import { InlineWebhookQueue } from './queue/inline-webhook.queue.js';
import { WebhookQueue } from './queue/webhook.queue.js';
import { WebhookExplorer } from './handlers/webhook.explorer.js';
import { WebhookHandlerFactory } from './handlers/webhook-handler.factory.js';
import { WebhookReceiver } from './deliveries/webhook.receiver.js';
import { WebhookRegistrar } from './subscriptions/webhook.registrar.js';
import { WebhookRegistry } from './handlers/webhook.registry.js';
import { WebhookVerifier } from './deliveries/webhook.verifier.js';

/** The providers of the webhooks of the app called `app`. */
export function webhooksProviders(app: string): Provider[] {
  return [
    {
      provide: WebhookDispatcher,
      useFactory: (
        config: PlatformConfig,
        logger: PlatformLogger,
        registry: WebhookRegistry,
        timeLimit: WebhookTimeLimit,
      ) => new WebhookDispatcher(config, logger, registry, timeLimit),
      inject: [PlatformConfig, PlatformLogger, WebhookRegistry, WebhookTimeLimit],
    },
    {
      provide: WebhookClaims,
      useFactory: (clock: Clock, logger: PlatformLogger, inbox: WebhookInbox) =>
        new WebhookClaims({ clock, logger, inbox }),
      inject: [Clock, PlatformLogger, WebhookInbox],
    },
    {
      provide: ShopContextLoader,
      useFactory: (
        config: PlatformConfig,
        logger: PlatformLogger,
        storage: SessionStorage,
        tokens: TokenManager,
        clients: ApiClients,
      ) => new ShopContextLoader({ config, logger, storage, tokens, clients }),
      inject: [PlatformConfig, PlatformLogger, SessionStorage, TokenManager, ApiClients],
    },
    {
      provide: WebhookProcessor,
      useFactory: (
        config: PlatformConfig,
        logger: PlatformLogger,
        claims: WebhookClaims,
        shops: ShopContextLoader,
        dispatcher: WebhookDispatcher,
        timeLimit: WebhookTimeLimit,
      ) => new WebhookProcessor({ config, logger, claims, shops, dispatcher, timeLimit }),
      inject: [
        PlatformConfig,
        PlatformLogger,
        WebhookClaims,
        ShopContextLoader,
        WebhookDispatcher,
        WebhookTimeLimit,
      ],
    },
    {
      provide: WebhookQueue,
      useFactory: (processor: WebhookProcessor) => new InlineWebhookQueue(processor),
      inject: [WebhookProcessor],
    },
    {
      provide: WebhookReceiver,
      useFactory: (
        logger: PlatformLogger,
        inFlight: InFlight,
        verifier: WebhookVerifier,
        registry: WebhookRegistry,
        queue: WebhookQueue,
        processor: WebhookProcessor,
      ) => new WebhookReceiver({ logger, inFlight, verifier, registry, queue, processor }),
      inject: [
        PlatformLogger,
        InFlight,
        WebhookVerifier,
        WebhookRegistry,
        WebhookQueue,
        WebhookProcessor,
      ],
    },
    {
      provide: WebhookRegistrar,
      useFactory: (
        config: PlatformConfig,
        graphql: AdminGraphqlClient,
        registry: WebhookRegistry,
        logger: PlatformLogger,
      ) => new WebhookRegistrar(config, graphql, registry, logger),
      inject: [PlatformConfig, AdminGraphqlClient, WebhookRegistry, PlatformLogger],
    },
    {
      provide: WebhookHandlerFactory,
      useFactory: (contexts: ExternalContextCreator) => new WebhookHandlerFactory(contexts),
      inject: [ExternalContextCreator],
    },
    {
      provide: WebhookExplorer,
      useFactory: (
        discovery: DiscoveryService,
        scanner: MetadataScanner,
        handlers: WebhookHandlerFactory,
        registry: WebhookRegistry,
      ) => new WebhookExplorer(app, discovery, scanner, handlers, registry),
      inject: [DiscoveryService, MetadataScanner, WebhookHandlerFactory, WebhookRegistry],
    },
  ];
}
