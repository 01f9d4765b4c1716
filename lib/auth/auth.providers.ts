import { bind } from '../core/binding.js';
import { InFlight } from '../core/concurrency/in-flight.js';
import { PlatformConfig } from '../core/config/platform-config.js';
import { SecretKeys } from '../core/crypto/secret-keys.js';
import { SessionTokenVerifier } from './credentials/session-token.verifier.js';
import { HttpTransport } from '../core/http/http-transport.js';
import { PlatformLogger } from '../core/logger.js';
import { Telemetry } from '../core/telemetry/telemetry.js';
import { Clock } from '../core/time/clock.js';
import { TokenRenewer } from '../core/api-session.js';
import { AdminGraphqlClient } from '../graphql-client/admin-graphql.client.js';
import { AdminBulkClient } from '../graphql-client/bulk/admin-bulk.client.js';
import { SINGLE_ATTEMPT_GRAPHQL } from '../graphql-client/graphql-client.providers.js';
import { StorefrontGraphqlClient } from '../graphql-client/storefront-graphql.client.js';
import { AdminRestClient } from '../rest-client/admin-rest.client.js';
import { InstallationStore } from '../sessions/coordination/installation.store.js';
import { Lock } from '../sessions/coordination/lock.js';
import { SessionStorage } from '../sessions/session.storage.js';
import { SessionSweeper } from '../sessions/session-sweeper.js';
import { AdminResponses } from './admin/admin-responses.js';
import { EmbeddedAuthenticator } from './admin/embedded.authenticator.js';
import { SessionCheck } from './admin/session-check.js';
import { TopLevelVisits } from './admin/top-level-visits.js';
import { StandaloneAuthenticator } from './admin/standalone.authenticator.js';
import { AUTH_HOOKS } from './auth.options.js';
import { AuthService } from './auth.service.js';
import { ApiClients } from './clients/shop-clients.js';
import { InstallationRecords } from './installations/installation-records.js';
import { InstallationCheck } from './lifecycle/installation-check.js';
import { AfterInstall, Lifecycle } from './lifecycle/lifecycle.js';
import { LifecycleHandlers } from './lifecycle/lifecycle-handlers.js';
import { Uninstallation } from './lifecycle/uninstallation.js';
import { CodeGrant } from './oauth/code-grant.js';
import { OAuthFlow } from './oauth/oauth-flow.js';
import { OAuthStart } from './oauth/oauth-start.js';
import { PUBLIC_BINDINGS } from './public/public.providers.js';
import { AuthUrls } from './responses/auth-urls.js';
import { ScopesMismatch } from './scopes/scopes-mismatch.js';
import { ScopesService } from './scopes/scopes.service.js';
import { ClientCredentials } from './tokens/client-credentials.js';
import { Reauthorization } from './tokens/reauthorization.js';
import { AccessTokenStore } from './tokens/access-token-store.js';
import { TokenClient } from './tokens/token.client.js';
import { TokenExchanger, TokenRefresher } from './tokens/token-grants.js';
import { TokenManager } from './tokens/token-manager.js';
import { TokenMigration } from './tokens/token-migration.js';

/** What most of them work with. */
const COMMON = { config: PlatformConfig, clock: Clock, logger: PlatformLogger };
/** What those work with that remember something of a shop. */
const STORES = { lock: Lock, storage: SessionStorage, records: InstallationRecords };

/** Installations, sessions and tokens, and who a request comes from. */
export const AUTH_BINDINGS = [
  bind(
    InstallationRecords,
    { config: PlatformConfig, clock: Clock, store: InstallationStore },
    ({ config, ...ports }) => new InstallationRecords({ ...ports, app: config.apiKey }),
  ),
  bind(LifecycleHandlers, { hooks: AUTH_HOOKS }, ({ hooks }) => new LifecycleHandlers(hooks)),
  bind(
    SessionTokenVerifier,
    { keys: SecretKeys, config: PlatformConfig, clock: Clock },
    ({ keys, config, clock }) => new SessionTokenVerifier(keys, config, clock),
  ),
  bind(
    TokenClient,
    {
      config: PlatformConfig,
      transport: HttpTransport,
      logger: PlatformLogger,
      telemetry: Telemetry,
    },
    ({ config, transport, logger, telemetry }) =>
      new TokenClient(config, transport, logger, telemetry),
  ),
  bind(
    SessionSweeper,
    { storage: SessionStorage, clock: Clock, logger: PlatformLogger },
    ({ storage, clock, logger }) => new SessionSweeper(storage, clock, logger),
  ),
  bind(
    Reauthorization,
    {
      logger: PlatformLogger,
      inFlight: InFlight,
      records: InstallationRecords,
      handlers: LifecycleHandlers,
    },
    (dependencies) => new Reauthorization(dependencies),
  ),
  bind(
    AccessTokenStore,
    {
      ...COMMON,
      ...STORES,
      inFlight: InFlight,
      reauthorization: Reauthorization,
      sweeper: SessionSweeper,
    },
    (dependencies) => new AccessTokenStore(dependencies),
  ),
  bind(
    TokenRefresher,
    {
      ...COMMON,
      client: TokenClient,
      reauthorization: Reauthorization,
      store: AccessTokenStore,
    },
    (dependencies) => new TokenRefresher(dependencies),
  ),
  bind(
    TokenExchanger,
    { config: PlatformConfig, client: TokenClient, store: AccessTokenStore },
    ({ config, client, store }) => new TokenExchanger(config, client, store),
  ),
  bind(
    ClientCredentials,
    { config: PlatformConfig, client: TokenClient, store: AccessTokenStore },
    ({ config, client, store }) => new ClientCredentials(config, client, store),
  ),
  bind(
    TokenManager,
    {
      ...COMMON,
      storage: SessionStorage,
      sessionTokens: SessionTokenVerifier,
      client: TokenClient,
      store: AccessTokenStore,
      refresher: TokenRefresher,
      exchanger: TokenExchanger,
      clientCredentials: ClientCredentials,
    },
    (dependencies) => new TokenManager(dependencies),
  ),
  bind(TokenRenewer, { tokens: TokenManager }, ({ tokens }) => tokens),
  bind(
    TokenMigration,
    { storage: SessionStorage, tokens: TokenManager },
    ({ storage, tokens }) => new TokenMigration(storage, tokens),
  ),
  bind(
    ApiClients,
    {
      graphql: AdminGraphqlClient,
      rest: AdminRestClient,
      bulk: AdminBulkClient,
      storefront: StorefrontGraphqlClient,
    },
    ({ graphql, rest, bulk, storefront }) => new ApiClients(graphql, rest, bulk, storefront),
  ),
  bind(
    InstallationCheck,
    { ...COMMON, storage: SessionStorage, tokens: TokenManager, graphql: SINGLE_ATTEMPT_GRAPHQL },
    (dependencies) => new InstallationCheck(dependencies),
  ),
  bind(
    Uninstallation,
    { ...COMMON, ...STORES, handlers: LifecycleHandlers, check: InstallationCheck },
    (dependencies) => new Uninstallation(dependencies),
  ),
  bind(
    ScopesService,
    { ...COMMON, ...STORES, graphql: AdminGraphqlClient },
    (dependencies) => new ScopesService(dependencies),
  ),
  bind(
    Lifecycle,
    {
      ...COMMON,
      ...STORES,
      inFlight: InFlight,
      clients: ApiClients,
      handlers: LifecycleHandlers,
      afterInstall: AfterInstall,
    },
    (dependencies) => new Lifecycle(dependencies),
  ),
  bind(
    AuthUrls,
    { config: PlatformConfig, keys: SecretKeys, clock: Clock },
    ({ config, keys, clock }) => new AuthUrls(config, keys, clock),
  ),
  bind(
    CodeGrant,
    { config: PlatformConfig, keys: SecretKeys, clock: Clock, client: TokenClient },
    ({ config, keys, clock, client }) => new CodeGrant(config, keys, clock, client),
  ),
  bind(
    ScopesMismatch,
    { config: PlatformConfig, logger: PlatformLogger, clients: ApiClients, hooks: AUTH_HOOKS },
    ({ config, logger, clients, hooks }) => new ScopesMismatch(config, logger, clients, hooks),
  ),
  bind(
    OAuthStart,
    { config: PlatformConfig, logger: PlatformLogger, grant: CodeGrant, urls: AuthUrls },
    ({ config, logger, grant, urls }) => new OAuthStart(config, logger, grant, urls),
  ),
  bind(
    OAuthFlow,
    {
      ...COMMON,
      keys: SecretKeys,
      grant: CodeGrant,
      start: OAuthStart,
      urls: AuthUrls,
      tokens: TokenManager,
      lifecycle: Lifecycle,
      scopes: ScopesMismatch,
    },
    (dependencies) => new OAuthFlow(dependencies),
  ),
  bind(
    SessionCheck,
    { ...COMMON, storage: SessionStorage, tokens: TokenManager, scopes: ScopesMismatch },
    (dependencies) => new SessionCheck(dependencies),
  ),
  bind(
    AdminResponses,
    {
      ...COMMON,
      clients: ApiClients,
      lifecycle: Lifecycle,
      urls: AuthUrls,
      start: OAuthStart,
    },
    (dependencies) => new AdminResponses(dependencies),
  ),
  bind(
    TopLevelVisits,
    {
      ...COMMON,
      urls: AuthUrls,
      start: OAuthStart,
      installation: InstallationCheck,
      store: AccessTokenStore,
    },
    (dependencies) => new TopLevelVisits(dependencies),
  ),
  bind(
    EmbeddedAuthenticator,
    {
      ...COMMON,
      storage: SessionStorage,
      sessionTokens: SessionTokenVerifier,
      tokens: TokenManager,
      urls: AuthUrls,
      start: OAuthStart,
      scopes: ScopesMismatch,
      check: SessionCheck,
      responses: AdminResponses,
      visits: TopLevelVisits,
    },
    (dependencies) => new EmbeddedAuthenticator(dependencies),
  ),
  bind(
    StandaloneAuthenticator,
    {
      ...COMMON,
      keys: SecretKeys,
      sessionTokens: SessionTokenVerifier,
      storage: SessionStorage,
      check: SessionCheck,
      responses: AdminResponses,
    },
    (dependencies) => new StandaloneAuthenticator(dependencies),
  ),
  ...PUBLIC_BINDINGS,
  bind(
    AuthService,
    {
      config: PlatformConfig,
      logger: PlatformLogger,
      sessionTokens: SessionTokenVerifier,
      urls: AuthUrls,
      start: OAuthStart,
      flow: OAuthFlow,
      check: SessionCheck,
      responses: AdminResponses,
      visits: TopLevelVisits,
      embedded: EmbeddedAuthenticator,
      standalone: StandaloneAuthenticator,
      telemetry: Telemetry,
    },
    (dependencies) => new AuthService(dependencies),
  ),
];
