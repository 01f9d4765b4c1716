import type { Clock } from '../core/time/clock.js';
import type { PlatformConfig } from '../core/config/platform-config.js';
import type { SecretKeys } from '../core/crypto/secret-keys.js';
import type { SessionTokenVerifier } from '../core/crypto/session-token.verifier.js';
import type { PlatformLogger } from '../core/logger.js';
import type { SessionStorage } from '../sessions/session.storage.js';
import type { ApiClients } from './clients/shop-clients.js';
import type { AuthHooks } from './auth.options.js';
import type { Lifecycle } from './lifecycle/lifecycle.js';
import type { TokenClient } from './tokens/token.client.js';
import type { TokenManager } from './tokens/token-manager.js';

/** What the auth room is built from. */
export interface AuthDependencies {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly keys: SecretKeys;
  readonly sessionTokens: SessionTokenVerifier;
  readonly storage: SessionStorage;
  readonly tokenClient: TokenClient;
  readonly tokens: TokenManager;
  readonly clients: ApiClients;
  readonly lifecycle: Lifecycle;
  readonly hooks: AuthHooks;
}
