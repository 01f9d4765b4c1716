import type { Clock } from '../core/clock.js';
import type { PlatformConfig } from '../core/config/platform.config.js';
import { BodyTooLargeError, RawBodyUnavailableError } from '../core/core.errors.js';
import { denied } from '../core/decision.js';
import type { AcceptedDecision, DeniedDecision } from '../core/decision.js';
import type { InboundRequest } from '../core/http/inbound-request.js';
import type { PlatformLogger } from '../core/logger.js';
import { EVENT_HEADERS, WEBHOOK_HEADERS } from '../core/vendor.js';
import type { Claim, DeliveryKey, WebhookInbox } from '../sessions/webhook.inbox.js';
import type { WebhookAccess } from './webhook.access.js';
import { createDelivery } from './webhook.delivery.js';
import type { WebhookDelivery } from './webhook.delivery.js';
import { factsOf } from './webhook.dispatcher.js';
import type { WebhookDispatcher } from './webhook.dispatcher.js';
import type { RejectedWebhook, VerifiedWebhook, WebhookVerifier } from './webhook.verifier.js';
import { WebhookHandlersFailedError } from './webhooks.errors.js';

/**
 * How long a claim lasts, in milliseconds. Much longer than the 5 s the platform waits for an answer, so that its next attempt does
 * not run beside a slow handler; short enough that a delivery that died with its process is handled soon.
 */
const LEASE = 60_000;
/** How long a duplicate waits for the outcome of the delivery it repeats, in milliseconds: the platform hangs up after 5 s. */
const PATIENCE = 4_000;
const POLL_INTERVAL = 200;

/** What a {@link WebhookReceiver} works with. */
export interface WebhookReceiverParts {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly verifier: WebhookVerifier;
  readonly inbox: WebhookInbox;
  readonly access: WebhookAccess;
  readonly dispatcher: WebhookDispatcher;
}

interface VerifiedRequest {
  readonly kind: 'verified';
  readonly webhook: VerifiedWebhook;
  readonly body: Buffer;
}

/** Takes deliveries in: verified, claimed, handled, marked done, answered, in this order, so that none is lost and none runs twice at once. */
export class WebhookReceiver {
  constructor(private readonly parts: WebhookReceiverParts) {}

  /**
   * Handles a delivery with what is registered for its topic and says how to answer. A delivery that was handled before is accepted
   * without running anything; one that is being handled is waited for. What the platform should try again is answered with 5xx.
   */
  async receive(request: InboundRequest): Promise<AcceptedDecision | DeniedDecision> {
    const verified = await this.verify(request);
    if (verified.kind === 'denied') return verified;
    const { topic, domain: shop, webhookId } = verified.webhook;
    const { config, dispatcher, logger } = this.parts;
    if (!dispatcher.handles(topic))
      return this.refuse(denied(404, 'topic_unknown', `No webhook handler is registered for ${topic}.`), { topic, shop });

    const key: DeliveryKey = { app: config.apiKey, shop, webhookId };
    let claim: Claim;
    try {
      claim = await this.claim(key);
    } catch (error) {
      logger.error('A delivery could not be claimed', { ...factsOf({ topic, shop, webhookId }), error });
      return busy('inbox_unavailable', 'The delivery could not be recorded.');
    }
    if (claim.state === 'done') return { kind: 'accepted', reason: 'duplicate' };
    if (claim.state === 'busy') return busy('delivery_in_progress', 'This delivery is being handled already.');
    return this.handle(verified, key, claim.token);
  }

  /**
   * Verifies a delivery and opens the shop it came from; running it is up to the caller, and so is telling duplicates apart.
   * @throws when the session storage fails
   */
  async accept(request: InboundRequest): Promise<WebhookDelivery | DeniedDecision> {
    const verified = await this.verify(request);
    return verified.kind === 'denied' ? verified : this.open(verified);
  }

  private async handle(verified: VerifiedRequest, key: DeliveryKey, token: string): Promise<AcceptedDecision | DeniedDecision> {
    const { dispatcher, inbox, logger } = this.parts;
    const facts = factsOf({ ...key, topic: verified.webhook.topic });
    const settle = (how: 'complete' | 'release'): Promise<void> =>
      inbox[how](key, token).catch((error: unknown) => logger.error(`The inbox failed to ${how} a delivery`, { ...facts, error }));
    try {
      await dispatcher.dispatch(await this.open(verified));
    } catch (error) {
      // The dispatcher has told of each handler that failed.
      if (!(error instanceof WebhookHandlersFailedError))
        logger.error('A delivery could not be handed to its handlers', { ...facts, error });
      await settle('release');
      return denied(500, 'handler_failed', 'The app failed to handle this delivery. Its log says why.');
    }
    // Handled is handled: if it cannot be recorded, a repetition is the lesser evil, and it is not asked for.
    await settle('complete');
    logger.debug('A delivery was handled', facts);
    return { kind: 'accepted', reason: 'handled' };
  }

  private async open({ webhook, body }: VerifiedRequest): Promise<WebhookDelivery> {
    return createDelivery(webhook, body, await this.parts.access.to(webhook.domain));
  }

  /** The claim, or what stands in its way after a while: whoever holds the delivery may be about to finish it, or to give it back. */
  private async claim(key: DeliveryKey): Promise<Claim> {
    const { clock, inbox } = this.parts;
    const deadline = clock.now().getTime() + PATIENCE;
    for (;;) {
      const claim = await inbox.claim(key, LEASE);
      if (claim.state !== 'busy' || clock.now().getTime() >= deadline) return claim;
      await clock.sleep(POLL_INTERVAL);
    }
  }

  private async verify(request: InboundRequest): Promise<VerifiedRequest | DeniedDecision> {
    if (request.method !== 'POST') return denied(405, 'method_not_allowed', 'Webhooks are delivered with POST.', [['allow', 'POST']]);
    const header = (name: string): string | undefined => request.header(name);
    // Before the body is read: nobody who does not even claim to be the platform makes us buffer one.
    if (!header(WEBHOOK_HEADERS.hmac) && !header(EVENT_HEADERS.hmac))
      return this.refuse(refusalOf({ valid: false, reason: 'missing_hmac' }));
    let body: Buffer;
    try {
      body = await request.rawBody();
    } catch (error) {
      if (error instanceof BodyTooLargeError) return this.refuse(denied(413, 'body_too_large', error.message));
      if (!(error instanceof RawBodyUnavailableError)) throw error;
      this.parts.logger.error(error.message);
      return denied(500, 'raw_body_unavailable', error.message);
    }
    const webhook = this.parts.verifier.verify(body, header);
    return webhook.valid ? { kind: 'verified', webhook, body } : this.refuse(refusalOf(webhook));
  }

  private refuse(decision: DeniedDecision, facts: Readonly<Record<string, string>> = {}): DeniedDecision {
    this.parts.logger.warn('A delivery was refused', { reason: decision.reason, ...facts });
    return decision;
  }
}

function refusalOf({ reason, missingHeaders = [] }: RejectedWebhook): DeniedDecision {
  switch (reason) {
    case 'missing_body':
      return denied(400, reason, 'The delivery has no body.');
    case 'missing_hmac':
      return denied(400, reason, 'The delivery is not signed.');
    case 'invalid_hmac':
      return denied(401, reason, "The signature matches neither the body nor any of the app's secrets.");
    case 'missing_headers':
      return denied(400, reason, `The delivery lacks required headers: ${missingHeaders.join(', ')}.`);
    case 'invalid_shop':
      return denied(400, reason, 'The delivery names no shop.');
  }
}

function busy(reason: string, message: string): DeniedDecision {
  return denied(503, reason, `${message} Try again later.`, [['retry-after', '5']]);
}
