import { bind } from '../core/binding.js';
import { InFlight } from '../core/concurrency/in-flight.js';
import { PlatformConfig } from '../core/config/platform-config.js';
import { SecretKeys } from '../core/crypto/secret-keys.js';
import { SessionTokenVerifier } from '../core/crypto/session-token.verifier.js';
import { HttpTransport } from '../core/http/http-transport.js';
import { PlatformLogger } from '../core/logger.js';
import { Clock } from '../core/time/clock.js';
import { TokenRenewer } from '../core/token-renewer.js';
import { AdminGraphqlClient } from '../graphql-client/admin-graphql.client.js';
import { AdminBulkClient } from '../graphql-client/bulk/admin-bulk.client.js';
import { SINGLE_ATTEMPT_GRAPHQL } from '../graphql-client/graphql-client.providers.js';
import { StorefrontGraphqlClient } from '../graphql-client/storefront-graphql.client.js';
import { AdminRestClient } from '../rest-client/admin-rest.client.js';
import { InstallationStore } from '../sessions/coordination/installation.store.js';
import { Lock } from '../sessions/coordination/lock.js';
import { SessionStorage } from '../sessions/session.storage.js';
import { SessionSweeper } from '../sessions/session-sweeper.js';
import { AUTH_HOOKS } from './auth.options.js';
import { AuthService } from './auth.service.js';
import { ApiClients } from './clients/shop-clients.js';
import { InstallationRecords } from './installations/installation-records.js';
import { AfterInstall } from './lifecycle/after-install.js';
import { InstallationCheck } from './lifecycle/installation-check.js';
import { Lifecycle } from './lifecycle/lifecycle.js';
import { LifecycleHandlers } from './lifecycle/lifecycle-handlers.js';
import { Uninstallation } from './lifecycle/uninstallation.js';
import { AuthUrls } from './responses/auth-urls.js';
import { ScopesService } from './scopes/scopes.service.js';
import { TokenClient } from './tokens/token.client.js';
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
    TokenClient,
    { config: PlatformConfig, transport: HttpTransport, logger: PlatformLogger },
    ({ config, transport, logger }) => new TokenClient(config, transport, logger),
  ),
  bind(
    SessionSweeper,
    { storage: SessionStorage, clock: Clock, logger: PlatformLogger },
    ({ storage, clock, logger }) => new SessionSweeper(storage, clock, logger),
  ),
  bind(
    TokenManager,
    {
      ...COMMON,
      ...STORES,
      inFlight: InFlight,
      handlers: LifecycleHandlers,
      client: TokenClient,
      sweeper: SessionSweeper,
      sessionTokens: SessionTokenVerifier,
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
    AuthService,
    {
      ...COMMON,
      keys: SecretKeys,
      sessionTokens: SessionTokenVerifier,
      storage: SessionStorage,
      tokenClient: TokenClient,
      tokens: TokenManager,
      clients: ApiClients,
      lifecycle: Lifecycle,
      hooks: AUTH_HOOKS,
    },
    (dependencies) => new AuthService(dependencies),
  ),
];
