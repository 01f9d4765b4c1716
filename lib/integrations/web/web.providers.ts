import { AuthService } from '../../auth/auth.service.js';
import { AppProxyAuthenticator } from '../../auth/public/app-proxy.authenticator.js';
import { ExtensionAuthenticator } from '../../auth/public/extension.authenticator.js';
import { SignedRequestAuthenticator } from '../../auth/signed/signed-request.authenticator.js';
import { BillingGate } from '../../billing/billing-gate.js';
import { bind } from '../../core/binding.js';
import type { Binding, Token } from '../../core/binding.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import { PlatformClients } from '../../platform/api/platform-clients.js';
import { PlatformApi } from '../../platform/api/platform.api.js';
import { HandlerDiscovery } from '../../platform/host/handler-discovery.js';
import { RequestContexts } from '../../platform/host/request-context.js';
import { PlatformRoutes } from '../../platform/host/platform-routes.js';
import { GIVEN_STORAGE } from '../../platform/kernel/platform.providers.js';
import { SessionStorage } from '../../sessions/session.storage.js';
import { WebhookReceiver } from '../../webhooks/deliveries/webhook.receiver.js';
import { WebhooksPageEndpoint } from '../../webhooks/page/webhooks-page.endpoint.js';
import { SignedDeliveryReceiver } from '../../webhooks/signed/signed-delivery.receiver.js';
import type { RouteConventions } from './route-conventions.js';
import type { WebDependencies, WebIntegration } from './web.integration.js';

/** The binding of a host that speaks web `Request` and `Response`. */
export function webBinding<Integration extends WebIntegration>(
  integration: Token<Integration>,
  conventions: RouteConventions,
  make: (dependencies: WebDependencies) => Integration,
): Binding {
  return bind(
    integration,
    {
      config: PlatformConfig,
      given: GIVEN_STORAGE,
      storage: SessionStorage,
      api: PlatformApi,
      auth: AuthService,
      billingGate: BillingGate,
      contexts: RequestContexts,
      clients: PlatformClients,
      webhooks: WebhookReceiver,
      routes: PlatformRoutes,
      discovery: HandlerDiscovery,
      appProxy: AppProxyAuthenticator,
      extensions: ExtensionAuthenticator,
      signed: SignedRequestAuthenticator,
      signedDeliveries: SignedDeliveryReceiver,
      webhooksPage: WebhooksPageEndpoint,
    },
    // A storage of the app's own is wrapped: the app gets back what it gave.
    ({ given, storage, ...dependencies }) =>
      make({ ...dependencies, storage: given.storage ?? storage, conventions }),
  );
}
