import { AuthService } from '../../auth/auth.service.js';
import { ScopesService } from '../../auth/scopes/scopes.service.js';
import { BillingService } from '../../billing/billing.service.js';
import { bind } from '../../core/binding.js';
import { InFlight } from '../../core/concurrency/in-flight.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import { PlatformLogger } from '../../core/logger.js';
import { Clock } from '../../core/time/clock.js';
import { WebhookReceiver } from '../../webhooks/deliveries/webhook.receiver.js';
import { SignedDeliveryReceiver } from '../../webhooks/signed/signed-delivery.receiver.js';
import { WebhookRegistry } from '../../webhooks/handlers/webhook.registry.js';
import { SharedChecks } from '../health/shared-checks.js';
import { HandlerDiscovery } from './handler-discovery.js';
import { PlatformRoutes } from './platform-routes.js';
import { RequestContexts } from './request-context.js';

/** What every host uses. */
export const HOST_BINDINGS = [
  // Where no module of the app is searched, all handlers are known from the start.
  bind(HandlerDiscovery, {}, (): HandlerDiscovery => ({ pending: undefined })),
  bind(
    PlatformRoutes,
    {
      config: PlatformConfig,
      logger: PlatformLogger,
      auth: AuthService,
      webhooks: WebhookReceiver,
      signed: SignedDeliveryReceiver,
      registry: WebhookRegistry,
      inFlight: InFlight,
      discovery: HandlerDiscovery,
    },
    (dependencies) => new PlatformRoutes(dependencies),
  ),
  bind(
    RequestContexts,
    { auth: AuthService, billing: BillingService, scopes: ScopesService },
    (services) => new RequestContexts(services),
  ),
  bind(SharedChecks, { clock: Clock }, ({ clock }) => new SharedChecks(clock)),
];
