import { ApiClients } from '../auth/clients/shop-clients.js';
import { TokenManager } from '../auth/tokens/token-manager.js';
import { bind, typedToken } from '../core/binding.js';
import { InFlight } from '../core/concurrency/in-flight.js';
import { PlatformConfig } from '../core/config/platform-config.js';
import { SecretKeys } from '../core/crypto/secret-keys.js';
import { PlatformLogger } from '../core/logger.js';
import { Clock } from '../core/time/clock.js';
import { AdminGraphqlClient } from '../graphql-client/admin-graphql.client.js';
import { WebhookInbox } from '../sessions/coordination/webhook.inbox.js';
import { SessionStorage } from '../sessions/session.storage.js';
import { ShopContextLoader } from './deliveries/shop-context-loader.js';
import { WebhookReceiver } from './deliveries/webhook.receiver.js';
import { WebhookVerifier } from './deliveries/webhook.verifier.js';
import { WebhookTimeLimit } from './deliveries/webhook-time-limit.js';
import { BUILT_IN_HANDLERS } from './handlers/built-in-handler.js';
import { WebhookDispatcher } from './handlers/webhook.dispatcher.js';
import { WebhookRegistry } from './handlers/webhook.registry.js';
import type { WebhookHandlerEntry } from './handlers/webhook-handler-entry.js';
import { WebhookRegistrar } from './subscriptions/webhook.registrar.js';
import { timeoutsIn, topicsIn } from './webhooks.options.js';
import type { WebhooksOptions } from './webhooks.options.js';

export const WEBHOOKS_OPTIONS = typedToken<WebhooksOptions>('WEBHOOKS_OPTIONS');

/** Handlers of the toolkit's own, beside those of the app. */
export const OWN_WEBHOOKS = typedToken<readonly WebhookHandlerEntry[]>('OWN_WEBHOOKS');

/** Deliveries, their handlers, and the subscriptions they come from. */
export const WEBHOOKS_BINDINGS = [
  bind(
    WebhookRegistry,
    { logger: PlatformLogger, options: WEBHOOKS_OPTIONS, own: OWN_WEBHOOKS },
    ({ logger, options, own }) => {
      const registry = new WebhookRegistry(logger, { enhancers: options.enhancers });
      registry.addHandlers(topicsIn(options));
      for (const entry of own) registry.add(entry);
      return registry;
    },
  ),
  bind(
    WebhookTimeLimit,
    { clock: Clock, logger: PlatformLogger, inFlight: InFlight, options: WEBHOOKS_OPTIONS },
    ({ options, ...ports }) =>
      new WebhookTimeLimit({ ...ports, handlerTimeout: timeoutsIn(options).handlerTimeout }),
  ),
  bind(WebhookVerifier, { keys: SecretKeys }, ({ keys }) => new WebhookVerifier(keys)),
  bind(
    WebhookDispatcher,
    {
      config: PlatformConfig,
      registry: WebhookRegistry,
      logger: PlatformLogger,
      builtInHandlers: BUILT_IN_HANDLERS,
      timeLimit: WebhookTimeLimit,
    },
    ({ config, registry, logger, builtInHandlers, timeLimit }) =>
      new WebhookDispatcher(config, registry, logger, builtInHandlers, timeLimit),
  ),
  bind(
    ShopContextLoader,
    {
      config: PlatformConfig,
      logger: PlatformLogger,
      storage: SessionStorage,
      tokens: TokenManager,
      clients: ApiClients,
    },
    (dependencies) => new ShopContextLoader(dependencies),
  ),
  bind(
    WebhookReceiver,
    {
      config: PlatformConfig,
      clock: Clock,
      logger: PlatformLogger,
      verifier: WebhookVerifier,
      inbox: WebhookInbox,
      access: ShopContextLoader,
      dispatcher: WebhookDispatcher,
      inFlight: InFlight,
      timeLimit: WebhookTimeLimit,
    },
    (dependencies) => new WebhookReceiver(dependencies),
  ),
  bind(
    WebhookRegistrar,
    {
      config: PlatformConfig,
      graphql: AdminGraphqlClient,
      registry: WebhookRegistry,
      logger: PlatformLogger,
      builtInHandlers: BUILT_IN_HANDLERS,
    },
    ({ config, graphql, registry, logger, builtInHandlers }) =>
      new WebhookRegistrar(config, graphql, registry, logger, builtInHandlers),
  ),
];
