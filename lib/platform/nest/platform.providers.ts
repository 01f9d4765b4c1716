import type { Provider } from '@nestjs/common';

import { ApiClients } from '../../auth/clients/shop-clients.js';
import { AfterInstall } from '../../auth/lifecycle/after-install.js';
import { AUTH_HOOKS } from '../../auth/auth.options.js';
import { AuthService } from '../../auth/auth.service.js';
import { InstallationRecords } from '../../auth/installations/installation-records.js';
import { LifecycleHandlers } from '../../auth/lifecycle/lifecycle-handlers.js';
import { Uninstallation } from '../../auth/lifecycle/uninstallation.js';
import { ScopesService } from '../../auth/scopes/scopes.service.js';
import { TokenClient } from '../../auth/tokens/token.client.js';
import { TokenManager } from '../../auth/tokens/token-manager.js';
import { BILLING } from '../../billing/billing.providers.js';
import { BillingGate } from '../../billing/billing-gate.js';
import { Clock } from '../../core/time/clock.js';
import { InFlight } from '../../core/concurrency/in-flight.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import { SecretKeys } from '../../core/crypto/secret-keys.js';
import { SessionTokenVerifier } from '../../core/crypto/session-token.verifier.js';
import { ApiCaller } from '../../core/http/api-caller.js';
import { HttpTransport } from '../../core/http/http-transport.js';
import { PlatformLogger } from '../../core/logger.js';
import { Pacer } from '../../core/pacing/pacer.js';
import {
  ADMIN_BULK,
  ADMIN_GRAPHQL,
  STOREFRONT_GRAPHQL,
} from '../../graphql-client/graphql-client.providers.js';
import { PlatformClients } from '../kernel/platform-clients.js';
import { PlatformKernel } from '../kernel/platform-kernel.js';
import { PlatformRoutes } from '../kernel/platform-routes.js';
import { PlatformServices } from '../kernel/platform-services.js';
import { ADMIN_REST } from '../../rest-client/rest-client.providers.js';
import { Lock } from '../../sessions/coordination/lock.js';
import { SessionStorage } from '../../sessions/session.storage.js';
import { WebhookInbox } from '../../sessions/coordination/webhook.inbox.js';
import { WebhookReceiver } from '../../webhooks/deliveries/webhook.receiver.js';
import { WebhookRegistrar } from '../../webhooks/subscriptions/webhook.registrar.js';
import { WebhookRegistry } from '../../webhooks/handlers/webhook.registry.js';
import { WebhookTimeLimit } from '../../webhooks/handlers/webhook.dispatcher.js';
import { WebhookVerifier } from '../../webhooks/deliveries/webhook.verifier.js';

type Token<T> = (abstract new (...args: never[]) => T) | symbol;

function ofKernel<T>(provide: Token<T>, pick: (kernel: PlatformKernel) => T): Provider {
  return { provide, useFactory: pick, inject: [PlatformKernel] };
}

/** The kernel's objects, each under its own class. */
export const KERNEL_PROVIDERS = [
  ofKernel(PlatformConfig, (kernel) => kernel.config),
  ofKernel(Clock, (kernel) => kernel.clock),
  ofKernel(PlatformLogger, (kernel) => kernel.logger),
  ofKernel(InFlight, (kernel) => kernel.inFlight),
  ofKernel(HttpTransport, (kernel) => kernel.transport),
  ofKernel(Pacer, (kernel) => kernel.pacer),
  ofKernel(ApiCaller, (kernel) => kernel.caller),
  ofKernel(SecretKeys, (kernel) => kernel.keys),
  ofKernel(SessionTokenVerifier, (kernel) => kernel.sessionTokens),
  ofKernel(SessionStorage, (kernel) => kernel.storage),
  ofKernel(WebhookInbox, (kernel) => kernel.inbox),
  ofKernel(Lock, (kernel) => kernel.lock),
  ofKernel(InstallationRecords, (kernel) => kernel.installations),
  ofKernel(LifecycleHandlers, (kernel) => kernel.lifecycleHandlers),
  ofKernel(Uninstallation, (kernel) => kernel.uninstallation),
  ofKernel(ScopesService, (kernel) => kernel.scopes),
  ofKernel(TokenClient, (kernel) => kernel.tokenClient),
  ofKernel(TokenManager, (kernel) => kernel.tokens),
  ofKernel(ADMIN_REST, (kernel) => kernel.rest),
  ofKernel(ADMIN_GRAPHQL, (kernel) => kernel.graphql),
  ofKernel(ADMIN_BULK, (kernel) => kernel.bulk),
  ofKernel(STOREFRONT_GRAPHQL, (kernel) => kernel.storefront),
  ofKernel(ApiClients, (kernel) => kernel.sessionClients),
  ofKernel(PlatformClients, (kernel) => kernel.clients),
  ofKernel(WebhookRegistry, (kernel) => kernel.handlers),
  ofKernel(WebhookTimeLimit, (kernel) => kernel.webhookTimeLimit),
  ofKernel(WebhookVerifier, (kernel) => kernel.webhookVerifier),
  ofKernel(AUTH_HOOKS, (kernel) => kernel.hooks),
  ofKernel(BILLING, (kernel) => kernel.billing),
];

/** What auth asks of the rooms above it: after an install the app's webhooks are subscribed. */
export const PORT_PROVIDERS: Provider[] = [
  {
    provide: AfterInstall,
    useFactory: (registrar: WebhookRegistrar): AfterInstall => ({
      run: async (session) => void (await registrar.register(session)),
    }),
    inject: [WebhookRegistrar],
  },
];

export const SERVICE_PROVIDERS: Provider[] = [
  {
    provide: PlatformRoutes,
    useFactory: (
      config: PlatformConfig,
      logger: PlatformLogger,
      auth: AuthService,
      webhooks: WebhookReceiver,
      handlers: WebhookRegistry,
      inFlight: InFlight,
    ) => new PlatformRoutes(config, logger, auth, webhooks, handlers, inFlight),
    inject: [
      PlatformConfig,
      PlatformLogger,
      AuthService,
      WebhookReceiver,
      WebhookRegistry,
      InFlight,
    ],
  },
  {
    provide: PlatformServices,
    useFactory: (
      auth: AuthService,
      billingGate: BillingGate,
      webhooks: WebhookReceiver,
      registrar: WebhookRegistrar,
      routes: PlatformRoutes,
    ) => new PlatformServices(auth, billingGate, webhooks, registrar, routes),
    inject: [AuthService, BillingGate, WebhookReceiver, WebhookRegistrar, PlatformRoutes],
  },
];
