import type { Provider } from '@nestjs/common';
import { DiscoveryService, ExternalContextCreator, MetadataScanner } from '@nestjs/core';

import { ApiClients } from '../auth/clients/shop-clients.js';
import { TokenManager } from '../auth/tokens/token-manager.js';
import { Clock } from '../core/time/clock.js';
import { InFlight } from '../core/concurrency/in-flight.js';
import { PlatformConfig } from '../core/config/platform-config.js';
import { SecretKeys } from '../core/crypto/secret-keys.js';
import { PlatformLogger } from '../core/logger.js';
import { AdminGraphqlClient } from '../graphql-client/admin-graphql.client.js';
import { SessionStorage } from '../sessions/session.storage.js';
import { WebhookInbox } from '../sessions/coordination/webhook.inbox.js';
import { ShopContextLoader } from './deliveries/shop-context-loader.js';
import { WebhookDispatcher } from './handlers/webhook.dispatcher.js';
import { WebhookExplorer } from './handlers/webhook.explorer.js';
import { BUILT_IN_HANDLERS } from './handlers/built-in-handler.js';
import type { BuiltInHandler } from './handlers/built-in-handler.js';
import { WebhookHandlerFactory } from './handlers/webhook-handler.factory.js';
import { WebhookReceiver } from './deliveries/webhook.receiver.js';
import { WebhookRegistrar } from './subscriptions/webhook.registrar.js';
import { WebhookRegistry } from './handlers/webhook.registry.js';
import { WebhookTimeLimit } from './deliveries/webhook-time-limit.js';
import { WebhookVerifier } from './deliveries/webhook.verifier.js';

/** How Nest makes the room of the app called `app`. */
export function webhooksProviders(app: string): Provider[] {
  return [
    {
      provide: WebhookVerifier,
      useFactory: (keys: SecretKeys) => new WebhookVerifier(keys),
      inject: [SecretKeys],
    },
    {
      provide: WebhookDispatcher,
      useFactory: (
        config: PlatformConfig,
        registry: WebhookRegistry,
        logger: PlatformLogger,
        builtInHandlers: readonly BuiltInHandler[],
        timeLimit: WebhookTimeLimit,
      ) => new WebhookDispatcher(config, registry, logger, builtInHandlers, timeLimit),
      inject: [
        PlatformConfig,
        WebhookRegistry,
        PlatformLogger,
        BUILT_IN_HANDLERS,
        WebhookTimeLimit,
      ],
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
      provide: WebhookReceiver,
      useFactory: (
        config: PlatformConfig,
        clock: Clock,
        logger: PlatformLogger,
        verifier: WebhookVerifier,
        inbox: WebhookInbox,
        access: ShopContextLoader,
        dispatcher: WebhookDispatcher,
        inFlight: InFlight,
        timeLimit: WebhookTimeLimit,
      ) =>
        new WebhookReceiver({
          config,
          clock,
          logger,
          verifier,
          inbox,
          access,
          dispatcher,
          inFlight,
          timeLimit,
        }),
      inject: [
        PlatformConfig,
        Clock,
        PlatformLogger,
        WebhookVerifier,
        WebhookInbox,
        ShopContextLoader,
        WebhookDispatcher,
        InFlight,
        WebhookTimeLimit,
      ],
    },
    {
      provide: WebhookRegistrar,
      useFactory: (
        config: PlatformConfig,
        graphql: AdminGraphqlClient,
        registry: WebhookRegistry,
        logger: PlatformLogger,
        builtInHandlers: readonly BuiltInHandler[],
      ) => new WebhookRegistrar(config, graphql, registry, logger, builtInHandlers),
      inject: [
        PlatformConfig,
        AdminGraphqlClient,
        WebhookRegistry,
        PlatformLogger,
        BUILT_IN_HANDLERS,
      ],
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
