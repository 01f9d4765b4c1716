import { ApiClients } from '../../auth/clients/shop-clients.js';
import { CodeGrant } from '../../auth/oauth/code-grant.js';
import { ScopesService } from '../../auth/scopes/scopes.service.js';
import { TokenClient } from '../../auth/tokens/token.client.js';
import { TokenManager } from '../../auth/tokens/token-manager.js';
import { TokenMigration } from '../../auth/tokens/token-migration.js';
import { BillingService } from '../../billing/billing.service.js';
import { bind } from '../../core/binding.js';
import { InFlight } from '../../core/concurrency/in-flight.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import { SecretKeys } from '../../core/crypto/secret-keys.js';
import { SessionTokenVerifier } from '../../auth/credentials/session-token.verifier.js';
import { PlatformLogger } from '../../core/logger.js';
import { Clock } from '../../core/time/clock.js';
import { AdminGraphqlClient } from '../../graphql-client/admin-graphql.client.js';
import { StorefrontGraphqlClient } from '../../graphql-client/storefront-graphql.client.js';
import { AdminRestClient } from '../../rest-client/admin-rest.client.js';
import { SessionStorage } from '../../sessions/session.storage.js';
import { WebhookReceiver } from '../../webhooks/deliveries/webhook.receiver.js';
import { WebhookVerifier } from '../../webhooks/deliveries/webhook.verifier.js';
import { DeadLetters } from '../../webhooks/queue/dead-letters.js';
import { WebhookRegistry } from '../../webhooks/handlers/webhook.registry.js';
import { WebhookRegistrar } from '../../webhooks/subscriptions/webhook.registrar.js';
import { WebhookRollout } from '../../webhooks/subscriptions/webhook-rollout.js';
import { AuthApi } from './auth.api.js';
import { ClientsApi } from './clients.api.js';
import { PlatformClients } from './platform-clients.js';
import { PlatformApi } from './platform.api.js';
import { RawOAuth } from './raw-oauth.js';
import { SessionApi } from './session.api.js';
import { SignedBodyApi } from './signed-body.api.js';
import { UtilsApi } from './utils.api.js';
import { WebhooksApi } from './webhooks.api.js';
import { HandlerDiscovery } from '../host/handler-discovery.js';

/** The library object below the hosts. */
export const API_BINDINGS = [
  bind(
    PlatformClients,
    {
      config: PlatformConfig,
      storage: SessionStorage,
      tokens: TokenManager,
      clients: ApiClients,
      inFlight: InFlight,
    },
    (dependencies) => new PlatformClients(dependencies),
  ),
  bind(
    UtilsApi,
    { config: PlatformConfig, keys: SecretKeys, clock: Clock },
    (dependencies) => new UtilsApi(dependencies),
  ),
  bind(
    RawOAuth,
    {
      config: PlatformConfig,
      keys: SecretKeys,
      clock: Clock,
      grant: CodeGrant,
      logger: PlatformLogger,
    },
    (dependencies) => new RawOAuth(dependencies),
  ),
  bind(
    SignedBodyApi,
    { config: PlatformConfig, keys: SecretKeys },
    ({ config, keys }) => new SignedBodyApi(config, keys),
  ),
  bind(
    AuthApi,
    {
      oauth: RawOAuth,
      config: PlatformConfig,
      sessionTokens: SessionTokenVerifier,
      tokenClient: TokenClient,
      migration: TokenMigration,
    },
    (dependencies) => new AuthApi(dependencies),
  ),
  bind(
    SessionApi,
    {
      config: PlatformConfig,
      clock: Clock,
      keys: SecretKeys,
      sessionTokens: SessionTokenVerifier,
      tokens: TokenManager,
    },
    (dependencies) => new SessionApi(dependencies),
  ),
  bind(
    WebhooksApi,
    {
      config: PlatformConfig,
      registry: WebhookRegistry,
      verifier: WebhookVerifier,
      receiver: WebhookReceiver,
      registrar: WebhookRegistrar,
      deadLetters: DeadLetters,
      rollout: WebhookRollout,
      discovery: HandlerDiscovery,
    },
    (dependencies) => new WebhooksApi(dependencies),
  ),
  bind(
    ClientsApi,
    {
      config: PlatformConfig,
      graphql: AdminGraphqlClient,
      storefront: StorefrontGraphqlClient,
      rest: AdminRestClient,
      clients: PlatformClients,
      logger: PlatformLogger,
    },
    (dependencies) => new ClientsApi(dependencies),
  ),
  bind(
    PlatformApi,
    {
      config: PlatformConfig,
      logger: PlatformLogger,
      utils: UtilsApi,
      auth: AuthApi,
      session: SessionApi,
      webhooks: WebhooksApi,
      signedBody: SignedBodyApi,
      clients: ClientsApi,
      billing: BillingService,
      scopes: ScopesService,
      restClient: AdminRestClient,
    },
    (dependencies) => new PlatformApi(dependencies),
  ),
];
