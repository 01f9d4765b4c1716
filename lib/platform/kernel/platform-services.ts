import type { AuthService } from '../../auth/auth.service.js';
import type { BillingGate } from '../../billing/billing-gate.js';
import type { PlatformRoutes } from './platform-routes.js';
import type { WebhookReceiver } from '../../webhooks/deliveries/webhook.receiver.js';
import type { WebhookRegistrar } from '../../webhooks/subscriptions/webhook.registrar.js';

/** The services and routes of one app that a host uses. */
export class PlatformServices {
  constructor(
    readonly auth: AuthService,
    readonly billingGate: BillingGate,
    readonly webhooks: WebhookReceiver,
    readonly registrar: WebhookRegistrar,
    readonly routes: PlatformRoutes,
  ) {}
}
