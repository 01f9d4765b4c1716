import { AUTH_HOOKS } from '../../auth/auth.options.js';
import { AuthService } from '../../auth/auth.service.js';
import { AppProxyAuthenticator } from '../../auth/public/app-proxy.authenticator.js';
import { ExtensionAuthenticator } from '../../auth/public/extension.authenticator.js';
import { SignedRequestAuthenticator } from '../../auth/signed/signed-request.authenticator.js';
import { BillingGate } from '../../billing/billing-gate.js';
import { bind } from '../../core/binding.js';
import { InFlight } from '../../core/concurrency/in-flight.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import { PlatformLogger } from '../../core/logger.js';
import { PlatformApi } from '../../platform/api/platform.api.js';
import { HandlerDiscovery } from '../../platform/host/handler-discovery.js';
import { PlatformRoutes } from '../../platform/host/platform-routes.js';
import { GIVEN_STORAGE } from '../../platform/kernel/platform.providers.js';
import { SessionStorage } from '../../sessions/session.storage.js';
import { WebhookReceiver } from '../../webhooks/deliveries/webhook.receiver.js';
import { WebhookRegistry } from '../../webhooks/handlers/webhook.registry.js';
import { WebhooksPageEndpoint } from '../../webhooks/page/webhooks-page.endpoint.js';
import { ExpressIntegration } from './express.integration.js';

/** The Express host. */
export const EXPRESS_BINDINGS = [
  bind(
    ExpressIntegration,
    {
      config: PlatformConfig,
      logger: PlatformLogger,
      given: GIVEN_STORAGE,
      storage: SessionStorage,
      api: PlatformApi,
      hooks: AUTH_HOOKS,
      auth: AuthService,
      billingGate: BillingGate,
      webhooks: WebhookReceiver,
      registry: WebhookRegistry,
      webhooksPage: WebhooksPageEndpoint,
      routes: PlatformRoutes,
      inFlight: InFlight,
      discovery: HandlerDiscovery,
      appProxy: AppProxyAuthenticator,
      extensions: ExtensionAuthenticator,
      signed: SignedRequestAuthenticator,
    },
    // A storage of the app's own is wrapped: the app gets back what it gave.
    ({ given, storage, ...dependencies }) =>
      new ExpressIntegration({ ...dependencies, storage: given.storage ?? storage }),
  ),
];
