import type { Provider } from '@nestjs/common';

import { PlatformConfig } from '../core/config/platform-config.js';
import { SecretKeys } from '../core/crypto/secret-keys.js';
import { SessionTokenVerifier } from '../core/crypto/session-token.verifier.js';
import { PlatformLogger } from '../core/logger.js';
import { Clock } from '../core/time/clock.js';
import { SessionStorage } from '../sessions/session.storage.js';
import { AdminResponses } from './admin/admin-responses.js';
import { EmbeddedAuthenticator } from './admin/embedded.authenticator.js';
import { SessionCheck } from './admin/session-check.js';
import { StandaloneAuthenticator } from './admin/standalone.authenticator.js';
import { AUTH_HOOKS } from './auth.options.js';
import type { AuthHooks } from './auth.options.js';
import { AuthService } from './auth.service.js';
import { ApiClients } from './clients/shop-clients.js';
import { Lifecycle } from './lifecycle/lifecycle.js';
import { CodeGrant } from './oauth/code-grant.js';
import { OAuthFlow } from './oauth/oauth-flow.js';
import { OAuthStart } from './oauth/oauth-start.js';
import { AuthUrls } from './responses/auth-urls.js';
import { ScopesMismatch } from './scopes/scopes-mismatch.js';
import { TokenClient } from './tokens/token.client.js';
import { TokenManager } from './tokens/token-manager.js';

type Class<T = unknown> = abstract new (...args: never[]) => T;
type Instances<Classes extends readonly Class[]> = {
  [I in keyof Classes]: Classes[I] extends Class<infer T> ? T : never;
};

/** How an object is made; the parameters of `make` are checked against `inject`. */
function bind<T, const Classes extends readonly Class[]>(
  provide: Class<T>,
  inject: Classes,
  make: (...injected: Instances<Classes>) => T,
): Provider {
  return { provide, inject: [...inject], useFactory: make };
}

export const AUTH_PROVIDERS: Provider[] = [
  bind(
    AuthUrls,
    [PlatformConfig, SecretKeys, Clock],
    (config, keys, clock) => new AuthUrls(config, keys, clock),
  ),
  bind(
    CodeGrant,
    [PlatformConfig, SecretKeys, Clock, TokenClient],
    (config, keys, clock, client) => new CodeGrant(config, keys, clock, client),
  ),
  {
    provide: ScopesMismatch,
    inject: [PlatformConfig, PlatformLogger, ApiClients, AUTH_HOOKS],
    useFactory: (
      config: PlatformConfig,
      logger: PlatformLogger,
      clients: ApiClients,
      hooks: AuthHooks,
    ) => new ScopesMismatch(config, logger, clients, hooks),
  },
  bind(
    OAuthStart,
    [PlatformConfig, PlatformLogger, CodeGrant, AuthUrls],
    (config, logger, grant, urls) => new OAuthStart(config, logger, grant, urls),
  ),
  bind(
    OAuthFlow,
    [
      PlatformConfig,
      Clock,
      PlatformLogger,
      SecretKeys,
      CodeGrant,
      OAuthStart,
      AuthUrls,
      TokenManager,
      Lifecycle,
      ScopesMismatch,
    ],
    (config, clock, logger, keys, grant, start, urls, tokens, lifecycle, scopes) =>
      new OAuthFlow({
        ...{ config, clock, logger, keys, grant },
        ...{ start, urls, tokens, lifecycle, scopes },
      }),
  ),
  bind(
    SessionCheck,
    [PlatformConfig, Clock, PlatformLogger, SessionStorage, TokenManager, ScopesMismatch],
    (config, clock, logger, storage, tokens, scopes) =>
      new SessionCheck({ config, clock, logger, storage, tokens, scopes }),
  ),
  bind(
    AdminResponses,
    [PlatformConfig, PlatformLogger, ApiClients, Lifecycle, AuthUrls, OAuthStart],
    (config, logger, clients, lifecycle, urls, start) =>
      new AdminResponses({ config, logger, clients, lifecycle, urls, start }),
  ),
  bind(
    EmbeddedAuthenticator,
    [
      PlatformConfig,
      Clock,
      PlatformLogger,
      SessionStorage,
      SessionTokenVerifier,
      TokenManager,
      AuthUrls,
      OAuthStart,
      ScopesMismatch,
      SessionCheck,
      AdminResponses,
    ],
    (
      config,
      clock,
      logger,
      storage,
      sessionTokens,
      tokens,
      urls,
      start,
      scopes,
      check,
      responses,
    ) =>
      new EmbeddedAuthenticator({
        ...{ config, clock, logger, storage, sessionTokens, tokens },
        ...{ urls, start, scopes, check, responses },
      }),
  ),
  bind(
    StandaloneAuthenticator,
    [
      PlatformConfig,
      Clock,
      PlatformLogger,
      SecretKeys,
      SessionTokenVerifier,
      SessionStorage,
      SessionCheck,
      AdminResponses,
    ],
    (config, clock, logger, keys, sessionTokens, storage, check, responses) =>
      new StandaloneAuthenticator({
        ...{ config, clock, logger, keys, sessionTokens, storage },
        ...{ check, responses },
      }),
  ),
  bind(
    AuthService,
    [
      PlatformConfig,
      PlatformLogger,
      SessionTokenVerifier,
      AuthUrls,
      OAuthStart,
      OAuthFlow,
      SessionCheck,
      AdminResponses,
      EmbeddedAuthenticator,
      StandaloneAuthenticator,
    ],
    (config, logger, sessionTokens, urls, start, flow, check, responses, embedded, standalone) =>
      new AuthService({
        ...{ config, logger, sessionTokens, urls, start, flow },
        ...{ check, responses, embedded, standalone },
      }),
  ),
];
