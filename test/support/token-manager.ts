import type { AuthHooks } from '../../lib/auth/auth.options.js';
import { InstallationRecords } from '../../lib/auth/installations/installation-records.js';
import { LifecycleHandlers } from '../../lib/auth/lifecycle/lifecycle-handlers.js';
import { TokenClient } from '../../lib/auth/tokens/token.client.js';
import { ClientCredentials } from '../../lib/auth/tokens/client-credentials.js';
import { AccessTokenStore } from '../../lib/auth/tokens/access-token-store.js';
import type { AccessTokenStoreDependencies } from '../../lib/auth/tokens/access-token-store.js';
import { Reauthorization } from '../../lib/auth/tokens/reauthorization.js';
import type { ReauthorizationDependencies } from '../../lib/auth/tokens/reauthorization.js';
import { TokenExchanger, TokenRefresher } from '../../lib/auth/tokens/token-grants.js';
import { TokenManager } from '../../lib/auth/tokens/token-manager.js';
import type { TokenManagerDependencies } from '../../lib/auth/tokens/token-manager.js';
import type { TokenRefresherDependencies } from '../../lib/auth/tokens/token-grants.js';
import type { Clock } from '../../lib/core/time/clock.js';
import type { PlatformConfig } from '../../lib/core/config/platform-config.js';
import { SecretKeys } from '../../lib/core/crypto/secret-keys.js';
import { SessionTokenVerifier } from '../../lib/auth/credentials/session-token.verifier.js';
import { HttpTransport } from '../../lib/core/http/http-transport.js';
import type { PlatformLogger } from '../../lib/core/logger.js';
import type { InstallationStore } from '../../lib/sessions/coordination/installation.store.js';
import type { Lock } from '../../lib/sessions/coordination/lock.js';
import type { SessionStorage } from '../../lib/sessions/session.storage.js';
import { MemoryRecordStore } from '../../lib/sessions/storages/memory/memory-record.store.js';
import {
  RecordInstallationStore,
  RecordLock,
} from '../../lib/sessions/coordination/coordination-stores.js';
import { inFlightOf } from './in-flight.js';

/** What a token manager of a test is made of. */
export interface TokenManagerSetup {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly storage: SessionStorage;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly hooks?: AuthHooks;
  readonly lock?: Lock;
  readonly installations?: InstallationStore;
}

/** A token manager over a fetch of the test. */
export function tokenManager({
  config,
  clock,
  logger,
  storage,
  fetch,
  hooks,
  ...kept
}: TokenManagerSetup): TokenManager {
  return tokenManagerOf({
    ...{ config, clock, logger, storage },
    inFlight: inFlightOf(clock, logger),
    lock: kept.lock ?? new RecordLock(new MemoryRecordStore(clock)),
    records: new InstallationRecords({
      app: config.apiKey,
      clock,
      store: kept.installations ?? new RecordInstallationStore(new MemoryRecordStore(clock)),
    }),
    handlers: new LifecycleHandlers(hooks),
    client: new TokenClient(config, new HttpTransport({ fetch, clock }), logger),
    sessionTokens: new SessionTokenVerifier(new SecretKeys(config.apiSecretKeys), config, clock),
  });
}

type Parts = Omit<
  TokenManagerDependencies &
    AccessTokenStoreDependencies &
    TokenRefresherDependencies &
    ReauthorizationDependencies,
  'store' | 'refresher' | 'exchanger' | 'clientCredentials' | 'reauthorization'
>;

/** A token manager with everything below it. */
function tokenManagerOf(dependencies: Parts): TokenManager {
  const { config, client } = dependencies;
  const reauthorization = new Reauthorization(dependencies);
  const store = new AccessTokenStore({ ...dependencies, reauthorization });
  return new TokenManager({
    ...dependencies,
    store,
    refresher: new TokenRefresher({ ...dependencies, store, reauthorization }),
    exchanger: new TokenExchanger(config, client, store),
    clientCredentials: new ClientCredentials(config, client, store),
  });
}
