import type { InFlight } from '../../core/concurrency/in-flight.js';
import type { VerifiedDelivery } from '../deliveries/webhook-delivery.js';
import type { DeliveryOutcome, TopicOutcome, UnavailableDelivery } from '../queue/webhook.queue.js';
import { deliveryIn } from './webhook-message.js';

/** What became of a message. Only after `retry` must the transport hand it over again. */
export type IngestResult =
  /** Its handlers have succeeded. */
  | { readonly kind: 'handled' }
  /** It is stored in the durable queue of the app. */
  | { readonly kind: 'queued' }
  /** It had been handled before. */
  | { readonly kind: 'duplicate' }
  /** Nothing is to be done about it. */
  | { readonly kind: 'ignored'; readonly reason: 'not_believed' | 'not_acted_upon' }
  /** It could not be handled now, or by this version of the app. The log says more. */
  | { readonly kind: 'retry'; readonly reason: IngestRetryReason };

/** Why a message has to be handed over again. */
export type IngestRetryReason = 'handler_failed' | 'topic_unknown' | UnavailableDelivery['reason'];

/** Takes deliveries over that are known to be true. */
interface DeliveryTaking {
  /** Never rejects. */
  take(delivery: VerifiedDelivery): Promise<DeliveryOutcome | TopicOutcome>;
}

/** Takes deliveries over that do not arrive over HTTP. */
export class WebhookIngest {
  constructor(
    private readonly receiver: DeliveryTaking,
    private readonly inFlight: InFlight,
  ) {}

  /**
   * Treats a message as a delivery over HTTP is treated: duplicates of what is done run nothing, a
   * durable queue stores it, else the handlers of its topic run before this resolves. Takes an
   * event of EventBridge, a record or message of SQS that has one as its body, what Pub/Sub pushes
   * as the body of a request, or a message that its client pulls.
   *
   * Nothing is verified: such messages have no signature, and are as trustworthy as the transport
   * that authenticates who publishes. Pass only what a client or trigger of that transport hands
   * over. A route that Pub/Sub pushes to is open to everybody, who could send deliveries for any
   * shop: check its OIDC token before, as Pub/Sub documents it.
   * @throws {InvalidWebhookMessageError} naming what is missing; it must not be tried again
   * @see https://shopify.dev/docs/apps/build/webhooks/subscribe/subscribe-using-eventbridge
   * @see https://cloud.google.com/pubsub/docs/authenticate-push-subscriptions
   */
  async ingest(message: unknown): Promise<IngestResult> {
    const delivery = deliveryIn(message);
    const outcome = await this.inFlight.admit(() => this.receiver.take(delivery));
    switch (outcome.kind) {
      case 'accepted':
        return outcome.reason === 'not_believed' || outcome.reason === 'not_acted_upon'
          ? { kind: 'ignored', reason: outcome.reason }
          : { kind: outcome.reason };
      case 'unknown':
        return { kind: 'retry', reason: 'topic_unknown' };
      case 'failed':
        return { kind: 'retry', reason: 'handler_failed' };
      case 'unavailable':
        return { kind: 'retry', reason: outcome.reason };
      // Refused, since a shutdown has begun.
      case 'denied':
        return { kind: 'retry', reason: 'shutting_down' };
    }
  }
}
