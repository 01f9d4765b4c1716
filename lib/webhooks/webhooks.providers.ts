import { ApiClients } from '../auth/clients/shop-clients.js';
import { SignedRequestAuthenticator } from '../auth/signed/signed-request.authenticator.js';
import { TokenManager } from '../auth/tokens/token-manager.js';
import { bind, typedToken } from '../core/binding.js';
import { InFlight } from '../core/concurrency/in-flight.js';
import { PlatformConfig } from '../core/config/platform-config.js';
import { SecretKeys } from '../core/crypto/secret-keys.js';
import { PlatformLogger } from '../core/logger.js';
import { Telemetry } from '../core/telemetry/telemetry.js';
import { Clock } from '../core/time/clock.js';
import { AdminGraphqlClient } from '../graphql-client/admin-graphql.client.js';
import { WebhookInbox } from '../sessions/coordination/webhook.inbox.js';
import { SessionStorage } from '../sessions/session.storage.js';
import { WebhookClaims } from './deliveries/webhook-claims.js';
import { WebhookProcessor, ShopContextLoader } from './deliveries/webhook.processor.js';
import { InlineWebhookQueue, WebhookReceiver } from './deliveries/webhook.receiver.js';
import { WebhookVerifier } from './deliveries/webhook.verifier.js';
import { HandlerErrors } from './handlers/handler-errors.js';
import { WebhookDispatcher, WebhookTimeLimit } from './handlers/webhook.dispatcher.js';
import { WebhookRegistry } from './handlers/webhook.registry.js';
import type { BuiltInHandler } from './handlers/webhook.registry.js';
import type { RegisteredHandler } from './handlers/webhook.registry.js';
import { signedHandlersIn, signedPathsIn } from './signed/signed-handlers.js';
import { assertOwnPaths } from './signed/signed-paths.js';
import type { SignedPaths } from './signed/signed-topic.js';
import { SignedDeliveryReceiver } from './signed/signed-delivery.receiver.js';
import { WebhookIngest } from './ingest/webhook-ingest.js';
import { WebhooksPageEndpoint } from './page/webhooks-page.endpoint.js';
import { DeadLetters } from './queue/dead-letters.js';
import { WebhookQueue } from './queue/webhook.queue.js';
import { WebhookRegistrar } from './subscriptions/webhook.registrar.js';
import { WebhookRollout } from './subscriptions/webhook-rollout.js';
import { ownTopicsIn, timeoutsIn, topicsIn } from './webhooks.options.js';
import type { WebhooksOptions } from './webhooks.options.js';

/** The options about webhooks, as the app passed them. */
export const WEBHOOKS_OPTIONS = typedToken<WebhooksOptions>('WEBHOOKS_OPTIONS');

/** Handlers of the toolkit's own, beside those of the app. */
export const OWN_WEBHOOKS = typedToken<readonly RegisteredHandler[]>('OWN_WEBHOOKS');

/** Where signed requests arrive that are no webhooks. */
export const SIGNED_PATHS = typedToken<SignedPaths>('SIGNED_PATHS');

/** What the toolkit itself does with deliveries, at most one handler for each topic. */
export const BUILT_IN_HANDLERS = typedToken<readonly BuiltInHandler[]>('BUILT_IN_HANDLERS');

/** Deliveries, their handlers, and the subscriptions they come from. */
export const WEBHOOKS_BINDINGS = [
  bind(
    WebhookRegistry,
    {
      config: PlatformConfig,
      logger: PlatformLogger,
      options: WEBHOOKS_OPTIONS,
      own: OWN_WEBHOOKS,
      builtIn: BUILT_IN_HANDLERS,
    },
    ({ config, logger, options, own, builtIn }) => {
      const { enhancers } = options;
      const subscribed = ownTopicsIn(options);
      const registry = new WebhookRegistry(logger, { enhancers }, builtIn, subscribed);
      registry.addHandlers(topicsIn(options));
      for (const handler of signedHandlersIn(options.webhooks ?? {})) registry.add(handler);
      assertOwnPaths(registry.addresses, config);
      for (const handler of own) registry.add(handler);
      return registry;
    },
    { ready: (registry) => registry.complete() },
  ),
  bind(
    HandlerErrors,
    { logger: PlatformLogger, inFlight: InFlight, options: WEBHOOKS_OPTIONS },
    ({ logger, inFlight, options }) =>
      new HandlerErrors(logger, inFlight, options.webhooks?.onHandlerError),
  ),
  bind(
    WebhookTimeLimit,
    { clock: Clock, errors: HandlerErrors, inFlight: InFlight, options: WEBHOOKS_OPTIONS },
    ({ options, ...ports }) =>
      new WebhookTimeLimit({ ...ports, handlerTimeout: timeoutsIn(options).handlerTimeout }),
  ),
  bind(WebhookVerifier, { keys: SecretKeys }, ({ keys }) => new WebhookVerifier(keys)),
  bind(
    WebhookDispatcher,
    {
      config: PlatformConfig,
      errors: HandlerErrors,
      registry: WebhookRegistry,
      timeLimit: WebhookTimeLimit,
      telemetry: Telemetry,
    },
    ({ config, errors, registry, timeLimit, telemetry }) =>
      new WebhookDispatcher(config, errors, registry, timeLimit, telemetry),
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
    WebhookClaims,
    { clock: Clock, logger: PlatformLogger, inbox: WebhookInbox },
    (dependencies) => new WebhookClaims(dependencies),
  ),
  bind(
    WebhookProcessor,
    {
      config: PlatformConfig,
      logger: PlatformLogger,
      claims: WebhookClaims,
      shops: ShopContextLoader,
      dispatcher: WebhookDispatcher,
      timeLimit: WebhookTimeLimit,
    },
    (dependencies) => new WebhookProcessor(dependencies),
  ),
  bind(
    WebhookQueue,
    {
      config: PlatformConfig,
      clock: Clock,
      logger: PlatformLogger,
      inFlight: InFlight,
      processor: WebhookProcessor,
      options: WEBHOOKS_OPTIONS,
    },
    ({ options, processor, ...ports }) =>
      options.webhooks?.queue?.create({ ...ports, processor }) ?? new InlineWebhookQueue(processor),
    { ready: (queue) => queue.begin(), close: (queue) => queue.close() },
  ),
  bind(
    WebhooksPageEndpoint,
    {
      config: PlatformConfig,
      clock: Clock,
      keys: SecretKeys,
      inbox: WebhookInbox,
      queue: WebhookQueue,
    },
    (dependencies) => new WebhooksPageEndpoint(dependencies),
  ),
  bind(DeadLetters, { queue: WebhookQueue }, ({ queue }) => queue.deadLetters),
  bind(
    WebhookReceiver,
    {
      config: PlatformConfig,
      logger: PlatformLogger,
      inFlight: InFlight,
      verifier: WebhookVerifier,
      registry: WebhookRegistry,
      queue: WebhookQueue,
      processor: WebhookProcessor,
      telemetry: Telemetry,
      options: WEBHOOKS_OPTIONS,
    },
    ({ options, ...dependencies }) =>
      new WebhookReceiver({
        ...dependencies,
        enqueuesFromRoutes: options.webhooks?.enqueueFromRoutes ?? false,
      }),
  ),
  bind(SIGNED_PATHS, { options: WEBHOOKS_OPTIONS }, ({ options }) =>
    signedPathsIn(options.webhooks ?? {}),
  ),
  bind(
    SignedDeliveryReceiver,
    {
      config: PlatformConfig,
      logger: PlatformLogger,
      inFlight: InFlight,
      authenticator: SignedRequestAuthenticator,
      registry: WebhookRegistry,
      queue: WebhookQueue,
      telemetry: Telemetry,
      paths: SIGNED_PATHS,
      options: WEBHOOKS_OPTIONS,
    },
    ({ options, ...dependencies }) =>
      new SignedDeliveryReceiver({
        ...dependencies,
        enqueuesFromRoutes: options.webhooks?.enqueueFromRoutes ?? false,
      }),
  ),
  bind(
    WebhookIngest,
    { receiver: WebhookReceiver, inFlight: InFlight },
    ({ receiver, inFlight }) => new WebhookIngest(receiver, inFlight),
  ),
  bind(
    WebhookRegistrar,
    {
      config: PlatformConfig,
      graphql: AdminGraphqlClient,
      registry: WebhookRegistry,
      logger: PlatformLogger,
    },
    ({ config, graphql, registry, logger }) =>
      new WebhookRegistrar(config, graphql, registry, logger),
  ),
  bind(
    WebhookRollout,
    { registrar: WebhookRegistrar, storage: SessionStorage, tokens: TokenManager },
    ({ registrar, storage, tokens }) => new WebhookRollout(registrar, storage, tokens),
  ),
];
