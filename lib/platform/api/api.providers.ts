import { ApiClients } from '../../auth/clients/shop-clients.js';
import { ScopesService } from '../../auth/scopes/scopes.service.js';
import { TokenClient } from '../../auth/tokens/token.client.js';
import { TokenManager } from '../../auth/tokens/token-manager.js';
import { TokenMigration } from '../../auth/tokens/token-migration.js';
import { BillingService } from '../../billing/billing.service.js';
import { bind } from '../../core/binding.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import { SecretKeys } from '../../core/crypto/secret-keys.js';
import { SessionTokenVerifier } from '../../auth/credentials/session-token.verifier.js';
import { PlatformLogger } from '../../core/logger.js';
import { Clock } from '../../core/time/clock.js';
import { AdminGraphqlClient } from '../../graphql-client/admin-graphql.client.js';
import { StorefrontGraphqlClient } from '../../graphql-client/storefront-graphql.client.js';
import { AdminRestClient } from '../../rest-client/admin-rest.client.js';
import { WebhookReceiver } from '../../webhooks/deliveries/webhook.receiver.js';
import { WebhookVerifier } from '../../webhooks/deliveries/webhook.verifier.js';
import { WebhookRegistry } from '../../webhooks/handlers/webhook.registry.js';
import { WebhookRegistrar } from '../../webhooks/subscriptions/webhook.registrar.js';
import { AuthApi } from './auth.api.js';
import { ClientsApi } from './clients.api.js';
import { PlatformClients } from './platform-clients.js';
import { PlatformApi } from './platform.api.js';
import { SessionApi } from './session.api.js';
import { UtilsApi } from './utils.api.js';
import { WebhooksApi } from './webhooks.api.js';
import { HandlerDiscovery } from '../host/handler-discovery.js';

/** The library object below the hosts. */
export const API_BINDINGS = [
  bind(
    PlatformClients,
    { tokens: TokenManager, clients: ApiClients },
    ({ tokens, clients }) => new PlatformClients(tokens, clients),
  ),
  bind(
    UtilsApi,
    { config: PlatformConfig, keys: SecretKeys, clock: Clock },
    (dependencies) => new UtilsApi(dependencies),
  ),
  bind(
    AuthApi,
    {
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
      discovery: HandlerDiscovery,
    },
    (dependencies) => new WebhooksApi(dependencies),
  ),
  bind(
    ClientsApi,
    {
      graphql: AdminGraphqlClient,
      storefront: StorefrontGraphqlClient,
      rest: AdminRestClient,
      clients: PlatformClients,
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
      clients: ClientsApi,
      billing: BillingService,
      scopes: ScopesService,
      restClient: AdminRestClient,
    },
    (dependencies) => new PlatformApi(dependencies),
  ),
];
