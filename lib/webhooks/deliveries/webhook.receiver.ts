import type { PlatformConfig } from '../../core/config/platform-config.js';
import { SHUTTING_DOWN } from '../../core/concurrency/in-flight.js';
import type { InFlight } from '../../core/concurrency/in-flight.js';
import { ShuttingDownError } from '../../core/core.errors.js';
import { busy, denied } from '../../core/decision.js';
import type { AcceptedDecision, DeniedDecision } from '../../core/decision.js';
import { denialOfBody } from '../../core/http/body-denial.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type {
  Claim,
  DeliveryKey,
  GrantedClaim,
} from '../../sessions/coordination/webhook.inbox.js';
import type { ShopContextLoader } from './shop-context-loader.js';
import { WebhookClaims } from './webhook-claims.js';
import type { WebhookClaimsDependencies } from './webhook-claims.js';
import { createDelivery } from './webhook-delivery.js';
import type { WebhookDelivery } from './webhook-delivery.js';
import { factsOf } from '../handlers/webhook.dispatcher.js';
import type { WebhookDispatcher } from '../handlers/webhook.dispatcher.js';
import type { Admission } from '../handlers/built-in-handler.js';
import type { WebhookTimeLimit } from './webhook-time-limit.js';
import type { RejectedWebhook, VerifiedWebhook, WebhookVerifier } from './webhook.verifier.js';
import { WebhookHandlersFailedError } from '../webhooks.errors.js';

/** What a {@link WebhookReceiver} works with. */
export interface WebhookReceiverDependencies extends WebhookClaimsDependencies {
  readonly config: PlatformConfig;
  readonly verifier: WebhookVerifier;
  readonly access: ShopContextLoader;
  readonly dispatcher: WebhookDispatcher;
  readonly inFlight: InFlight;
  readonly timeLimit: WebhookTimeLimit;
}

interface VerifiedRequest {
  readonly kind: 'verified';
  readonly webhook: VerifiedWebhook;
  readonly body: Buffer;
  /** The path it was sent to. */
  readonly path: string;
}

/**
 * Takes deliveries in: verified, claimed, handled, marked done, answered, in this order, so that
 * none is lost and none runs twice at once.
 */
export class WebhookReceiver {
  readonly #claims: WebhookClaims;

  constructor(private readonly dependencies: WebhookReceiverDependencies) {
    this.#claims = new WebhookClaims(dependencies);
  }

  /**
   * Handles a delivery with what is registered for its topic and says how to answer. A delivery
   * that was handled before is accepted without running anything, and so is one that is not
   * believed; one that is being handled is waited for. What the platform should try again is
   * answered with 5xx, as is everything once the app is shutting down.
   */
  receive(request: InboundRequest): Promise<AcceptedDecision | DeniedDecision> {
    return this.dependencies.inFlight.admit(() => this.process(request));
  }

  /**
   * Verifies a delivery and opens the shop it came from; running it is up to the caller, and so is
   * telling duplicates apart. What the toolkit itself has to do with it is done by then: the
   * delivery keeps the session it was opened with. One that is not believed is answered with
   * success, and the caller must not run it.
   * @throws when the session storage fails
   */
  accept(request: InboundRequest): Promise<WebhookDelivery | AcceptedDecision | DeniedDecision> {
    return this.dependencies.inFlight.admit(() => this.verifyAndOpen(request));
  }

  private async process(request: InboundRequest): Promise<AcceptedDecision | DeniedDecision> {
    const verified = await this.verify(request);
    if (verified.kind === 'denied') return verified;
    const { topic, domain: shop, webhookId } = verified.webhook;
    const { config, dispatcher, logger } = this.dependencies;
    if (!dispatcher.handles(topic))
      return this.refuse(
        denied(404, 'topic_unknown', `No webhook handler is registered for ${topic}.`),
        { topic, shop },
      );

    const key: DeliveryKey = { app: config.apiKey, shop, webhookId };
    let claim: Claim;
    try {
      claim = await this.#claims.take(key);
    } catch (error) {
      logger.error('A delivery could not be claimed', {
        ...factsOf({ topic, shop, webhookId }),
        error,
      });
      return busy('inbox_unavailable', 'The delivery could not be recorded.');
    }
    if (claim.state === 'done') return { kind: 'accepted', reason: 'duplicate' };
    if (claim.state === 'busy')
      return busy('delivery_in_progress', 'This delivery is being handled already.');
    return this.handle(verified, key, claim);
  }

  private async verifyAndOpen(
    request: InboundRequest,
  ): Promise<WebhookDelivery | AcceptedDecision | DeniedDecision> {
    const verified = await this.verify(request);
    if (verified.kind === 'denied') return verified;
    try {
      const delivery = await this.open(verified);
      const admission = await this.dependencies.dispatcher.admit(delivery);
      if (admission === 'undecided') return this.refuse(UNDECIDED, factsOf(delivery));
      if (admission === 'refused') return NOT_BELIEVED;
      await this.dependencies.dispatcher.builtInHandler(delivery);
      return delivery;
    } catch (error) {
      if (error instanceof ShuttingDownError) return SHUTTING_DOWN;
      // The dispatcher has told of it.
      if (error instanceof WebhookHandlersFailedError) return FAILED;
      throw error;
    }
  }

  private async handle(
    verified: VerifiedRequest,
    key: DeliveryKey,
    claim: GrantedClaim,
  ): Promise<AcceptedDecision | DeniedDecision> {
    const { dispatcher, logger } = this.dependencies;
    const { path, webhook } = verified;
    const facts = factsOf({ ...key, topic: webhook.topic });
    const handled = new Set(claim.handled);
    let admission: Admission;
    try {
      admission = await this.#claims.holding(key, claim, async () => {
        const delivery = await this.open(verified);
        const decided = await dispatcher.admit(delivery);
        if (decided === 'admitted') await dispatcher.dispatch(delivery, { path, handled });
        return decided;
      });
    } catch (error) {
      await this.#claims.release(key, claim, handled);
      if (error instanceof ShuttingDownError) {
        logger.warn(
          'A delivery was given back before it was handled, since the app is shutting down',
          facts,
        );
        return SHUTTING_DOWN;
      }
      // The dispatcher has told of each handler that failed.
      if (!(error instanceof WebhookHandlersFailedError))
        logger.error('A delivery could not be handed to its handlers', { ...facts, error });
      return FAILED;
    }
    if (admission === 'undecided') {
      await this.#claims.release(key, claim, handled);
      return this.refuse(UNDECIDED, facts);
    }
    await this.#claims.complete(key, claim);
    if (admission === 'refused') return NOT_BELIEVED;
    logger.debug('A delivery was handled', facts);
    return { kind: 'accepted', reason: 'handled' };
  }

  private async open({ webhook, body }: VerifiedRequest): Promise<WebhookDelivery> {
    const { access, timeLimit } = this.dependencies;
    const { domain: shop, topic, webhookId } = webhook;
    const facts = factsOf({ topic, shop, webhookId });
    return createDelivery(
      webhook,
      body,
      await timeLimit.run('opening of the shop', facts, () => access.to(shop, topic)),
    );
  }

  private async verify(request: InboundRequest): Promise<VerifiedRequest | DeniedDecision> {
    if (request.method !== 'POST')
      return denied(405, 'method_not_allowed', 'Webhooks are delivered with POST.', [
        ['allow', 'POST'],
      ]);
    const header = (name: string): string | undefined => request.header(name);
    // Before the body is read: nobody who does not even claim to be the platform makes us buffer
    // one.
    const hopeless = this.dependencies.verifier.precheck(header);
    if (hopeless) return this.refuse(refusalOf(hopeless));
    let body: Buffer;
    try {
      body = await request.rawBody();
    } catch (error) {
      return this.refuseUnread(error);
    }
    const webhook = this.dependencies.verifier.verify(body, header);
    return webhook.valid
      ? { kind: 'verified', webhook, body, path: request.url.pathname }
      : this.refuse(refusalOf(webhook));
  }

  private refuseUnread(error: unknown): DeniedDecision {
    const decision = denialOfBody(error);
    const { logger } = this.dependencies;
    // Anybody can hang up as often as they like: that is nothing to wake an operator for, and
    // nobody reads the answer.
    if (decision.reason === 'body_incomplete') logger.debug(decision.message);
    else if (decision.reason === 'raw_body_unavailable') logger.error(decision.message);
    else return this.refuse(decision);
    return decision;
  }

  private refuse(
    decision: DeniedDecision,
    facts: Readonly<Record<string, string>> = {},
  ): DeniedDecision {
    this.dependencies.logger.warn('A delivery was refused', { reason: decision.reason, ...facts });
    return decision;
  }
}

const FAILED = denied(
  500,
  'handler_failed',
  'The app failed to handle this delivery. Its log says why.',
);

const NOT_BELIEVED: AcceptedDecision = { kind: 'accepted', reason: 'not_believed' };
const UNDECIDED = busy(
  'platform_unreachable',
  'The platform did not say whether this delivery is true.',
);

function refusalOf({ reason, missingHeaders = [] }: RejectedWebhook): DeniedDecision {
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
