import type { AuthService } from '../../auth/auth.service.js';
import type { BillingGate } from '../../billing/billing-gate.js';
import type { PlatformRoutes } from './platform-routes.js';
import type { WebhookReceiver } from '../../webhooks/deliveries/webhook.receiver.js';
import type { WebhookRegistrar } from '../../webhooks/subscriptions/webhook.registrar.js';

/** What a host needs of a container: the rooms' faces and the routes, of one app. */
export class PlatformServices {
  constructor(
    readonly auth: AuthService,
    readonly billing: BillingGate,
    readonly webhooks: WebhookReceiver,
    readonly registrar: WebhookRegistrar,
    readonly routes: PlatformRoutes,
  ) {}
}
