import type { Provider } from '@nestjs/common';

import { Clock } from '../core/time/clock.js';
import { PlatformConfig } from '../core/config/platform-config.js';
import { SecretKeys } from '../core/crypto/secret-keys.js';
import { SessionTokenVerifier } from '../core/crypto/session-token.verifier.js';
import { PlatformLogger } from '../core/logger.js';
import { SessionStorage } from '../sessions/session.storage.js';
import { ApiClients } from './clients/shop-clients.js';
import { AUTH_HOOKS } from './auth.options.js';
import type { AuthHooks } from './auth.options.js';
import { AuthService } from './auth.service.js';
import { Lifecycle } from './lifecycle/lifecycle.js';
import { TokenClient } from './tokens/token.client.js';
import { TokenManager } from './tokens/token-manager.js';

export const AUTH_PROVIDERS: Provider[] = [
  {
    provide: AuthService,
    useFactory: (
      config: PlatformConfig,
      clock: Clock,
      logger: PlatformLogger,
      keys: SecretKeys,
      sessionTokens: SessionTokenVerifier,
      storage: SessionStorage,
      tokenClient: TokenClient,
      tokens: TokenManager,
      clients: ApiClients,
      lifecycle: Lifecycle,
      hooks: AuthHooks,
    ) =>
      new AuthService({
        config,
        clock,
        logger,
        keys,
        sessionTokens,
        storage,
        tokenClient,
        tokens,
        clients,
        lifecycle,
        hooks,
      }),
    inject: [
      PlatformConfig,
      Clock,
      PlatformLogger,
      SecretKeys,
      SessionTokenVerifier,
      SessionStorage,
      TokenClient,
      TokenManager,
      ApiClients,
      Lifecycle,
      AUTH_HOOKS,
    ],
  },
];
