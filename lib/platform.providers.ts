import type { Provider } from '@nestjs/common';

import { AfterInstall } from './auth/after-install.js';
import { AUTH_HOOKS } from './auth/auth.options.js';
import { AuthService } from './auth/auth.service.js';
import { Clock } from './core/clock.js';
import { PlatformConfig } from './core/config/platform.config.js';
import { SecretKeys } from './core/crypto/secret-keys.js';
import { SessionTokenVerifier } from './core/crypto/session-token.verifier.js';
import { HttpTransport } from './core/http/http.transport.js';
import { PlatformLogger } from './core/logger.js';
import { AdminGraphqlClient } from './graphql-client/admin-graphql.client.js';
import { PlatformKernel } from './platform.kernel.js';
import { PlatformRoutes } from './platform.routes.js';
import { PlatformServices } from './platform.services.js';
import { AdminRestClient } from './rest-client/admin-rest.client.js';
import { SessionStorage } from './sessions/session.storage.js';
import { WebhookInbox } from './sessions/webhook.inbox.js';
import { WebhookReceiver } from './webhooks/webhook.receiver.js';
import { WebhookRegistrar } from './webhooks/webhook.registrar.js';
import { WebhookRegistry } from './webhooks/webhook.registry.js';

type Token<T> = (abstract new (...args: never[]) => T) | symbol;

function ofKernel<T>(provide: Token<T>, pick: (kernel: PlatformKernel) => T): Provider {
  return { provide, useFactory: pick, inject: [PlatformKernel] };
}

/** The kernel's objects, each under its own class. */
export const KERNEL_PROVIDERS = [
  ofKernel(PlatformConfig, (kernel) => kernel.config),
  ofKernel(Clock, (kernel) => kernel.clock),
  ofKernel(PlatformLogger, (kernel) => kernel.logger),
  ofKernel(HttpTransport, (kernel) => kernel.transport),
  ofKernel(SecretKeys, (kernel) => kernel.keys),
  ofKernel(SessionTokenVerifier, (kernel) => kernel.sessionTokens),
  ofKernel(SessionStorage, (kernel) => kernel.storage),
  ofKernel(WebhookInbox, (kernel) => kernel.inbox),
  ofKernel(AdminRestClient, (kernel) => kernel.rest),
  ofKernel(AdminGraphqlClient, (kernel) => kernel.graphql),
  ofKernel(WebhookRegistry, (kernel) => kernel.handlers),
  ofKernel(AUTH_HOOKS, (kernel) => kernel.hooks),
];

/** What auth asks of the rooms above it: after an install the app's webhooks are subscribed. */
export const PORT_PROVIDERS: Provider[] = [
  {
    provide: AfterInstall,
    useFactory: (registrar: WebhookRegistrar): AfterInstall => ({ run: async (session) => void (await registrar.register(session)) }),
    inject: [WebhookRegistrar],
  },
];

export const SERVICE_PROVIDERS: Provider[] = [
  {
    provide: PlatformRoutes,
    useFactory: (config: PlatformConfig, logger: PlatformLogger, auth: AuthService, webhooks: WebhookReceiver) =>
      new PlatformRoutes(config, logger, auth, webhooks),
    inject: [PlatformConfig, PlatformLogger, AuthService, WebhookReceiver],
  },
  {
    provide: PlatformServices,
    useFactory: (auth: AuthService, webhooks: WebhookReceiver, registrar: WebhookRegistrar, routes: PlatformRoutes) =>
      new PlatformServices(auth, webhooks, registrar, routes),
    inject: [AuthService, WebhookReceiver, WebhookRegistrar, PlatformRoutes],
  },
];
