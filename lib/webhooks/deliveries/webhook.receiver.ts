import { SHUTTING_DOWN } from '../../core/concurrency/in-flight.js';
import type { InFlight } from '../../core/concurrency/in-flight.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { busy, denied } from '../../core/decision.js';
import type { AcceptedDecision, DeniedDecision } from '../../core/decision.js';
import { denialOfBody } from '../../core/http/body-denial.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { MeasuredOutcome, Telemetry } from '../../core/telemetry/telemetry.js';
import { PRIVACY_TOPICS } from '../../core/vendor.js';
import { logFieldsOf } from '../handlers/webhook.dispatcher.js';
import { declaredPathAt } from '../subscriptions/webhook-subscription.js';
import type { WebhookRegistry } from '../handlers/webhook.registry.js';
import { WebhookQueue } from '../queue/webhook.queue.js';
import type { DeliveryOutcome, TopicOutcome, UnavailableDelivery } from '../queue/webhook.queue.js';
import type { OpenedDelivery, WebhookProcessor } from './webhook.processor.js';
import type { RejectedWebhook, WebhookVerifier } from './webhook.verifier.js';
import type { VerifiedDelivery } from './webhook-delivery.js';

/** What a {@link WebhookReceiver} depends on. */
interface WebhookReceiverDependencies {
  readonly config: PlatformConfig;
  readonly logger: PlatformLogger;
  readonly inFlight: InFlight;
  readonly verifier: WebhookVerifier;
  readonly registry: WebhookRegistry;
  readonly queue: WebhookQueue;
  readonly processor: WebhookProcessor;
  readonly telemetry: Telemetry;
  /** Whether the handlers of a topic get what routes of the app handle. @default false */
  readonly enqueuesFromRoutes?: boolean | undefined;
}

interface VerifiedRequest {
  readonly kind: 'verified';
  readonly delivery: VerifiedDelivery;
}

/** Turns requests into verified deliveries, and their outcomes into responses. */
export class WebhookReceiver {
  constructor(private readonly dependencies: WebhookReceiverDependencies) {}

  /**
   * Verifies a delivery, hands it to the queue and decides on the response: success for a delivery
   * that is done or must not be believed, 5xx for one that the platform must deliver again. Every
   * delivery is answered with 503 once the app is shutting down.
   * @param context for handlers that run before the response @default none
   */
  receive(request: InboundRequest, context?: unknown): Promise<AcceptedDecision | DeniedDecision> {
    return this.dependencies.inFlight.admit(() =>
      this.#verified(request, (delivery) =>
        this.#enqueue(context === undefined ? delivery : { ...delivery, context }),
      ),
    );
  }

  /**
   * Verifies a delivery for a route of the app, which handles it and recognizes duplicates. The
   * built-in handler of the topic has run, or the queue has taken the delivery over for all of its
   * handlers, if they are to have it; the delivery keeps the session it was opened with. A delivery
   * that must not be believed is accepted: the route must not handle it.
   * @throws what the session storage throws
   */
  verifyAndOpen(
    request: InboundRequest,
  ): Promise<OpenedDelivery | AcceptedDecision | DeniedDecision> {
    return this.dependencies.inFlight.admit(() =>
      this.#verified(request, (delivery) => this.#open(delivery)),
    );
  }

  /** Takes a delivery over that is known to be true: hands it to the queue. Never rejects. */
  async take(delivery: VerifiedDelivery): Promise<DeliveryOutcome | TopicOutcome> {
    const { logger, queue, registry } = this.dependencies;
    const { facts } = delivery;
    if (registry.handles(facts.topic)) return queue.enqueue(delivery);
    if (!PRIVACY_TOPICS.includes(facts.topic)) {
      logger.warn('A delivery was refused', { reason: 'topic_unknown', ...logFieldsOf(facts) });
      return { kind: 'unknown' };
    }
    // Every app has to accept these, and an app that keeps no data has nothing to do.
    logger.info(
      'A delivery of a privacy topic was acknowledged; no handler acts upon it',
      logFieldsOf(facts),
    );
    return { kind: 'accepted', reason: 'not_acted_upon' };
  }

  async #enqueue(delivery: VerifiedDelivery): Promise<AcceptedDecision | DeniedDecision> {
    const outcome = await this.take(delivery);
    return outcome.kind === 'unknown'
      ? denied(
          404,
          'topic_unknown',
          `No webhook handler is registered for ${delivery.facts.topic}.`,
        )
      : decisionOf(outcome);
  }

  async #open(
    delivery: VerifiedDelivery,
  ): Promise<OpenedDelivery | AcceptedDecision | DeniedDecision> {
    const { queue, registry, processor, enqueuesFromRoutes } = this.dependencies;
    // The built-in handler alone runs here, as it does for every other route.
    const isForHandlers =
      enqueuesFromRoutes && registry.handlersFor(delivery.facts.topic).length > 0;
    const outcome = await processor.open(delivery, isForHandlers ? queue : undefined);
    return outcome.kind === 'opened' ? outcome : decisionOf(outcome);
  }

  /** What `next` makes of a delivery, if it is one. */
  #verified<T extends MeasuredOutcome>(
    request: InboundRequest,
    next: (delivery: VerifiedDelivery) => Promise<T>,
  ): Promise<T | DeniedDecision> {
    const { instruments } = this.dependencies.telemetry;
    if (!instruments) return this.#read(request, next);
    return instruments.delivery((verified) =>
      this.#read(request, (delivery) => {
        verified(delivery.facts);
        return next(delivery);
      }),
    );
  }

  async #read<T>(
    request: InboundRequest,
    next: (delivery: VerifiedDelivery) => Promise<T>,
  ): Promise<T | DeniedDecision> {
    const refused = this.#precheck(request);
    if (refused) return refused;
    let body: Buffer;
    try {
      body = await request.rawBody();
    } catch (error) {
      return this.#denyUnread(error);
    }
    const verified = this.#verify(request, body);
    return verified.kind === 'denied' ? verified : next(verified.delivery);
  }

  /** Before the body is read: a request without a signature must not make us buffer one. */
  #precheck(request: InboundRequest): DeniedDecision | undefined {
    if (request.method !== 'POST')
      return denied(405, 'method_not_allowed', 'Webhooks are delivered with POST.', [
        ['allow', 'POST'],
      ]);
    const unsigned = this.dependencies.verifier.precheck((name) => request.header(name));
    return unsigned && this.#deny(denialOf(unsigned));
  }

  #verify(request: InboundRequest, body: Buffer): VerifiedRequest | DeniedDecision {
    const { config, registry, verifier } = this.dependencies;
    const result = verifier.verify(body, (name) => request.header(name));
    if (result.kind === 'rejected') return this.#deny(denialOf(result));
    const { facts } = result;
    const handlers = registry.handlersFor(facts.topic);
    const path =
      handlers.length < 2 ? request.path : declaredPathAt(request.path, handlers, config);
    return { kind: 'verified', delivery: { facts, body, path } };
  }

  #denyUnread(error: unknown): DeniedDecision {
    const decision = denialOfBody(error);
    const { logger } = this.dependencies;
    // Any client can close its connection early, as often as it likes: that is no warning, and
    // nobody reads the response.
    if (decision.reason === 'body_incomplete') logger.debug(decision.message);
    else if (decision.reason === 'raw_body_unavailable') logger.error(decision.message);
    else return this.#deny(decision);
    return decision;
  }

  #deny(decision: DeniedDecision): DeniedDecision {
    this.dependencies.logger.warn('A delivery was refused', { reason: decision.reason });
    return decision;
  }
}

/** The response to what became of a delivery. */
export function decisionOf(
  outcome: DeliveryOutcome | Exclude<TopicOutcome, { kind: 'unknown' }>,
): AcceptedDecision | DeniedDecision {
  switch (outcome.kind) {
    case 'accepted':
      return outcome;
    case 'failed':
      return FAILED;
    case 'unavailable':
      return UNAVAILABLE[outcome.reason];
  }
}

const FAILED = denied(
  500,
  'handler_failed',
  'The app failed to handle this delivery. Its log says why.',
);
const UNAVAILABLE: Readonly<Record<UnavailableDelivery['reason'], DeniedDecision>> = {
  delivery_in_progress: busy('delivery_in_progress', 'This delivery is being handled already.'),
  inbox_unavailable: busy('inbox_unavailable', 'The delivery could not be recorded.'),
  platform_unreachable: busy(
    'platform_unreachable',
    'The platform did not say whether this delivery is true.',
  ),
  queue_unavailable: busy('queue_unavailable', 'The delivery could not be stored.'),
  shutting_down: SHUTTING_DOWN,
};

function denialOf({ reason, missingHeaders = [] }: RejectedWebhook): DeniedDecision {
  switch (reason) {
    case 'missing_body':
      return denied(400, reason, 'The delivery has no body.');
    case 'missing_hmac':
      return denied(400, reason, 'The delivery is not signed.');
    case 'invalid_hmac':
      return denied(
        401,
        reason,
        "The signature matches neither the body nor any of the app's secrets.",
      );
    case 'missing_headers':
      return denied(
        400,
        reason,
        `The delivery lacks required headers: ${missingHeaders.join(', ')}.`,
      );
    case 'invalid_shop':
      return denied(400, reason, 'The delivery names no shop.');
  }
}

/** Processes each delivery at once, in this process, while the platform waits for the response. */
export class InlineWebhookQueue extends WebhookQueue {
  constructor(private readonly processor: WebhookProcessor) {
    super();
  }

  enqueue(delivery: VerifiedDelivery): Promise<DeliveryOutcome> {
    return this.processor.process(delivery);
  }
}
