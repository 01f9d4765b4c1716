import type { PlatformConfig } from '../../core/config/platform-config.js';
import { PlatformError } from '../../core/core.errors.js';
import { sendReply } from '../../core/http/node-http.js';
import { replyTo } from '../../core/http/inbound-request.js';
import type { Reply } from '../../core/http/inbound-request.js';
import type { Session } from '../../sessions/session.js';
import type { WebhookReceiver } from '../../webhooks/deliveries/webhook.receiver.js';
import type {
  RejectedWebhook,
  WebhookVerifier,
} from '../../webhooks/deliveries/webhook.verifier.js';
import type { WebhookFacts } from '../../webhooks/deliveries/webhook-delivery.js';
import type { WebhookRegistry } from '../../webhooks/handlers/webhook.registry.js';
import type { WebhookHandlerMap } from '../../webhooks/handlers/handlers-by-topic.js';
import type { WebhookCallback } from '../../webhooks/handlers/webhook-handler-map.js';
import type {
  RegisterOptions,
  RegisterResult,
  WebhookRegistrar,
} from '../../webhooks/subscriptions/webhook.registrar.js';
import type {
  WebhookRollout,
  WebhookRolloutOptions,
  WebhookRolloutSummary,
} from '../../webhooks/subscriptions/webhook-rollout.js';
import type { SubscriptionPlan } from '../../webhooks/subscriptions/subscription-plan.js';
import type { WebhookSubscription } from '../../webhooks/subscriptions/webhook-subscription.js';
import type { IngestResult, WebhookIngest } from '../../webhooks/ingest/webhook-ingest.js';
import type { DeadLetters } from '../../webhooks/queue/dead-letters.js';
import type { HandlerDiscovery } from '../host/handler-discovery.js';
import { bytesOf, inboundOf } from './raw-request.js';
import type { RawDelivery } from './raw-request.js';

/** A delivery to be handled, with what its handlers are to know besides. */
export interface ProcessParams extends RawDelivery {
  /**
   * The last argument of a `callback`, and `context` of the delivery that other handlers get. A
   * durable queue does not store it. @default undefined
   */
  readonly context?: unknown;
}

/**
 * The result of `api.webhooks.verify()`: what the headers say, or why they must not be believed.
 */
export type WebhookVerification =
  | ({
      readonly valid: true;
      /** The shop, in its canonical spelling. */
      readonly domain: string;
      readonly hmac: string;
    } & Omit<WebhookFacts, 'shop'>)
  | ({ readonly valid: false } & Omit<RejectedWebhook, 'kind'>);

/**
 * A delivery was refused, or could not be handled.
 * @remedy Answer with `response.statusCode`, which tells the platform whether to deliver again;
 * `reason` says why.
 */
export class InvalidWebhookError extends PlatformError {
  readonly code = 'ERR_WEBHOOK_REFUSED';

  constructor(
    message: string,
    /** Machine-readable, such as `invalid_hmac`. */
    readonly reason: string,
    /** How the platform has to be answered. */
    readonly response: { readonly statusCode: number },
  ) {
    super(message);
  }
}

/** A subscription, with its function where one was declared. */
export type DeclaredHandler = WebhookSubscription & {
  readonly callback?: WebhookCallback | undefined;
};

/** What {@link WebhooksApi} works with. */
interface WebhooksApiDependencies {
  readonly config: PlatformConfig;
  readonly registry: WebhookRegistry;
  readonly verifier: WebhookVerifier;
  readonly receiver: WebhookReceiver;
  readonly ingest: WebhookIngest;
  readonly registrar: WebhookRegistrar;
  readonly deadLetters: DeadLetters;
  readonly rollout: WebhookRollout;
  readonly discovery: HandlerDiscovery;
}

/** `api.webhooks`: handlers, subscriptions, and deliveries taken by hand. */
export class WebhooksApi {
  constructor(private readonly dependencies: WebhooksApiDependencies) {}

  /** The deliveries that a durable queue has given up, to be looked at and handled again. */
  get deadLetters(): DeadLetters {
    return this.dependencies.deadLetters;
  }

  /**
   * Takes over a delivery that came through EventBridge, SQS or Pub/Sub; nothing is verified. See
   * {@link WebhookIngest.ingest}. @throws {InvalidWebhookMessageError}
   */
  async ingest(message: unknown): Promise<IngestResult> {
    const { discovery, ingest } = this.dependencies;
    await discovery.pending;
    return ingest.ingest(message);
  }

  /**
   * Adds handlers by topic, in any spelling.
   * @throws {InvalidDeliveryMethodError}
   * @throws {InvalidWebhookHandlerError}
   * @throws {InvalidOptionsError} when signed requests, as those of Flow, arrive at an address of
   * theirs
   */
  addHandlers(handlers: WebhookHandlerMap): void {
    const { registry, config } = this.dependencies;
    registry.addHandlers(handlers, config);
  }

  /** Topics that have a handler, as constants: `PRODUCTS_CREATE`. */
  getTopicsAdded(): string[] {
    return this.dependencies.registry.topics();
  }

  /** What is declared for a topic, in its order; an empty list when nothing is. */
  getHandlers(topic: string): DeclaredHandler[] {
    return this.dependencies.registry
      .registrationsFor(topic)
      .map((declared) =>
        declared.kind === 'handler' && declared.callback
          ? { ...declared.subscription, callback: declared.callback }
          : declared.subscription,
      );
  }

  /**
   * Subscribes a shop to the topics that have handlers, and answers what was done for each. `prune`
   * also deletes the app's other subscriptions in the shop.
   */
  async register({
    session,
    ...options
  }: { readonly session: Session } & RegisterOptions): Promise<Record<string, RegisterResult[]>> {
    const { discovery, registrar } = this.dependencies;
    await discovery.pending;
    return registrar.register(session, options);
  }

  /** What {@link register} would do with each subscription of a shop; nothing is changed. */
  async plan({
    session,
    ...options
  }: { readonly session: Session } & RegisterOptions): Promise<SubscriptionPlan> {
    const { discovery, registrar } = this.dependencies;
    await discovery.pending;
    return registrar.plan(session, options);
  }

  /** As {@link register}, for all shops or those named; see {@link WebhookRollout.apply}. */
  async registerAll(options?: WebhookRolloutOptions): Promise<WebhookRolloutSummary> {
    const { discovery, rollout } = this.dependencies;
    await discovery.pending;
    return rollout.apply(options);
  }

  /** What {@link registerAll} would do in each shop; nothing is changed. */
  async planAll(options?: WebhookRolloutOptions): Promise<WebhookRolloutSummary> {
    const { discovery, rollout } = this.dependencies;
    await discovery.pending;
    return rollout.plan(options);
  }

  /**
   * True when the delivery was signed with a secret of this app and has every header it must have.
   */
  async validate(delivery: RawDelivery): Promise<boolean> {
    return (await this.verify(delivery)).valid;
  }

  /** As {@link validate}, with what the headers say, or with the reason why not. */
  async verify({ rawBody, rawRequest }: RawDelivery): Promise<WebhookVerification> {
    const request = inboundOf(rawRequest, this.dependencies.config);
    const result = this.dependencies.verifier.verify(bytesOf(rawBody), (name) =>
      request.header(name),
    );
    if (result.kind === 'rejected') {
      const { kind: _, ...rejection } = result;
      return { valid: false, ...rejection };
    }
    const { shop: domain, ...facts } = result.facts;
    return { valid: true, ...facts, domain, hmac: result.hmac };
  }

  /**
   * Verifies a delivery and runs the handlers of its topic. With `rawResponse`, the platform is
   * answered as well.
   * @throws {InvalidWebhookError} when the delivery was refused or a handler failed;
   * `response.statusCode` is the answer it needs
   */
  async process({ rawBody, rawRequest, rawResponse, context }: ProcessParams): Promise<Reply> {
    const request = inboundOf(rawRequest, this.dependencies.config);
    request.rawBody = async () => bytesOf(rawBody);
    const { discovery, receiver } = this.dependencies;
    await discovery.pending;
    const decision = await receiver.receive(request, context);
    const reply = replyTo(request, decision, this.dependencies.config);
    if (rawResponse) sendReply(rawResponse, reply);
    if (decision.kind === 'denied')
      throw new InvalidWebhookError(decision.message, decision.reason, {
        statusCode: decision.status,
      });
    return reply;
  }
}
