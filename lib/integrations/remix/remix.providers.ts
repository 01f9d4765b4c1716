import { AuthService } from '../../auth/auth.service.js';
import { BillingGate } from '../../billing/billing-gate.js';
import { bind } from '../../core/binding.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import { PlatformClients } from '../../platform/api/platform-clients.js';
import { PlatformApi } from '../../platform/api/platform.api.js';
import { HandlerDiscovery } from '../../platform/host/handler-discovery.js';
import { RequestContexts } from '../../platform/host/request-context.js';
import { PlatformRoutes } from '../../platform/host/platform-routes.js';
import { SessionStorage } from '../../sessions/session.storage.js';
import { WebhookReceiver } from '../../webhooks/deliveries/webhook.receiver.js';
import { RemixIntegration } from './remix.integration.js';

/** The host that speaks web `Request` and `Response`. */
export const REMIX_BINDINGS = [
  bind(
    RemixIntegration,
    {
      config: PlatformConfig,
      storage: SessionStorage,
      api: PlatformApi,
      auth: AuthService,
      billingGate: BillingGate,
      contexts: RequestContexts,
      clients: PlatformClients,
      webhooks: WebhookReceiver,
      routes: PlatformRoutes,
      discovery: HandlerDiscovery,
    },
    (dependencies) => new RemixIntegration(dependencies),
  ),
];
