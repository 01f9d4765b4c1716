import type { VerifiedDelivery } from '../deliveries/webhook-delivery.js';

/** What became of a delivery; the response to the platform follows from it. */
export type DeliveryOutcome = AcceptedDelivery | FailedDelivery | UnavailableDelivery;

/** The platform need not deliver it again. */
export interface AcceptedDelivery {
  readonly kind: 'accepted';
  /** `not_believed` was acknowledged without running a handler, since a retry would be as false. */
  readonly reason: 'handled' | 'duplicate' | 'not_believed';
}

/** A handler failed: the platform must deliver it again. The log says why. */
export interface FailedDelivery {
  readonly kind: 'failed';
}

/** It could not be handled now: the platform must deliver it again. */
export interface UnavailableDelivery {
  readonly kind: 'unavailable';
  readonly reason:
    'delivery_in_progress' | 'inbox_unavailable' | 'platform_unreachable' | 'shutting_down';
}

/**
 * Decides when and where verified deliveries are processed. A port: the default processes each one
 * before the platform is answered; a durable queue stores it, answers, and processes it later.
 */
export abstract class WebhookQueue {
  /**
   * Takes a delivery over. Resolves as soon as the platform can be answered, and never rejects.
   */
  abstract enqueue(delivery: VerifiedDelivery): Promise<DeliveryOutcome>;
}
