import type { ServerResponse } from 'node:http';

import type { PlatformConfig } from '../../core/config/platform-config.js';
import { PlatformError } from '../../core/core.errors.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { nodeRequest, sendReply } from '../../core/http/node-http.js';
import type { NodeRequest } from '../../core/http/node-http.js';
import { replyTo } from '../../core/http/reply.js';
import type { Reply } from '../../core/http/reply.js';
import { webRequest } from '../../core/http/web-http.js';
import type { PlatformKernel } from '../kernel/platform-kernel.js';
import type { PlatformServices } from '../kernel/platform-services.js';
import type { Session } from '../../sessions/session.js';
import type { WebhookHandlerMap } from '../../webhooks/handlers/webhook-handler-map.js';
import type { RegisterResult } from '../../webhooks/subscriptions/webhook.registrar.js';
import type { Subscription } from '../../webhooks/subscriptions/webhook-subscription.js';
import type { RejectedWebhook, WebhookFacts } from '../../webhooks/deliveries/webhook.verifier.js';

/** A request as its host hands it out: Node's (Express, Fastify's `raw`) or a web `Request`. */
export type RawRequest = NodeRequest | Request;

/** A delivery whose body the app has read by itself, unparsed. */
export interface RawDelivery {
  readonly rawBody: string | Buffer;
  readonly rawRequest: RawRequest;
}

/** The result of `api.webhooks.verify()`: what the headers say, or why they must not be believed. */
export type WebhookVerification =
  | ({
      readonly valid: true;
      /** The shop, in its canonical spelling. */
      readonly domain: string;
      readonly hmac: string;
    } & Omit<WebhookFacts, 'shop'>)
  | ({ readonly valid: false } & Omit<RejectedWebhook, 'kind'>);

/** A delivery was refused, or could not be handled. */
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

/** The rooms' view of a request of any host. */
export function inboundOf(request: RawRequest, config: PlatformConfig): InboundRequest {
  return request.headers instanceof Headers
    ? webRequest(request as Request, config)
    : nodeRequest(request as NodeRequest, config);
}

/** `api.webhooks`: handlers, subscriptions, and deliveries taken by hand. */
export class WebhooksApi {
  constructor(
    private readonly kernel: PlatformKernel,
    private readonly services: () => Promise<PlatformServices>,
  ) {}

  /**
   * Adds handlers by topic, in any spelling. @throws {InvalidDeliveryMethodError} @throws
   * {InvalidWebhookHandlerError}
   */
  addHandlers(handlers: WebhookHandlerMap): void {
    this.kernel.handlers.addHandlers(handlers);
  }

  /** Topics that have a handler, as constants: `PRODUCTS_CREATE`. */
  getTopicsAdded(): string[] {
    return this.kernel.handlers.topics();
  }

  /** What is subscribed for a topic; an empty list when nothing is. */
  getHandlers(topic: string): Subscription[] {
    return this.kernel.handlers.registrationsFor(topic).map(({ subscription }) => subscription);
  }

  /** Subscribes a shop to the topics that have handlers, and answers what was done for each. */
  async register({
    session,
  }: {
    readonly session: Session;
  }): Promise<Record<string, RegisterResult[]>> {
    const { registrar } = await this.services();
    return registrar.register(session);
  }

  /**
   * True when the delivery was signed with a secret of this app and has every header it must have.
   */
  async validate(delivery: RawDelivery): Promise<boolean> {
    return (await this.verify(delivery)).valid;
  }

  /** As {@link validate}, with what the headers say, or with the reason why not. */
  async verify({ rawBody, rawRequest }: RawDelivery): Promise<WebhookVerification> {
    const request = inboundOf(rawRequest, this.kernel.config);
    const verification = this.kernel.webhookVerifier.verify(Buffer.from(rawBody ?? ''), (name) =>
      request.header(name),
    );
    if (verification.kind === 'rejected') {
      const { kind: _, ...rejection } = verification;
      return { valid: false, ...rejection };
    }
    const { shop: domain, ...facts } = verification.facts;
    return { valid: true, ...facts, domain, hmac: verification.hmac };
  }

  /**
   * Verifies a delivery and runs the handlers of its topic. With `rawResponse`, the platform is
   * answered as well.
   * @throws {InvalidWebhookError} when the delivery was refused or a handler failed;
   * `response.statusCode` is the answer it needs
   */
  async process({
    rawBody,
    rawRequest,
    rawResponse,
  }: RawDelivery & { readonly rawResponse?: ServerResponse | undefined }): Promise<Reply> {
    const request = {
      ...inboundOf(rawRequest, this.kernel.config),
      rawBody: async () => Buffer.from(rawBody ?? ''),
    };
    const { webhooks } = await this.services();
    const decision = await webhooks.receive(request);
    const reply = replyTo(request, decision, this.kernel.config);
    if (rawResponse) sendReply(rawResponse, reply);
    if (decision.kind === 'denied')
      throw new InvalidWebhookError(decision.message, decision.reason, {
        statusCode: decision.status,
      });
    return reply;
  }
}
