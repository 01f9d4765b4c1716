import type { Provider } from '@nestjs/common';

import { Clock } from '../core/clock.js';
import { PlatformConfig } from '../core/config/platform.config.js';
import { SecretKeys } from '../core/crypto/secret-keys.js';
import { SessionTokenVerifier } from '../core/crypto/session-token.verifier.js';
import { HttpTransport } from '../core/http/http.transport.js';
import { PlatformLogger } from '../core/logger.js';
import { SessionStorage } from '../sessions/session.storage.js';
import { ApiClients } from './admin/admin.context.js';
import { AfterInstall } from './after-install.js';
import { AUTH_HOOKS } from './auth.options.js';
import type { AuthHooks } from './auth.options.js';
import { AuthService } from './auth.service.js';

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
      transport: HttpTransport,
      clients: ApiClients,
      afterInstall: AfterInstall,
      hooks: AuthHooks,
    ) => new AuthService({ config, clock, logger, keys, sessionTokens, storage, transport, clients, afterInstall, hooks }),
    inject: [
      PlatformConfig,
      Clock,
      PlatformLogger,
      SecretKeys,
      SessionTokenVerifier,
      SessionStorage,
      HttpTransport,
      ApiClients,
      AfterInstall,
      AUTH_HOOKS,
    ],
  },
];
