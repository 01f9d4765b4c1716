import type { AdminContext } from '../../auth/clients/admin-context.js';
import { parseJson } from '../../core/json.js';
import type { Untyped } from '../../core/json.js';
import type { StorefrontClient } from '../../graphql-client/storefront-graphql.client.js';
import type { Session } from '../../sessions/session.js';
import type { PayloadOf, TopicOf } from '../payloads/webhook-payload.js';
import type { StandardSchema } from '../payloads/standard-schema.js';
import { InvalidWebhookPayloadError, WebhookPayloadMismatchError } from '../webhooks.errors.js';

/** What the headers of a delivery say. Optional facts are absent when their header is. */
export interface WebhookFacts {
  /** The family: `events` has `handle`, `action` and `resourceId`, `webhooks` has `name`. */
  readonly webhookType: 'webhooks' | 'events';
  /** As a constant: `PRODUCTS_CREATE`. */
  readonly topic: string;
  /** In its canonical spelling. */
  readonly shop: string;
  /** Identifies the delivery: the same in every attempt. */
  readonly webhookId: string;
  /** Identifies the event: the same in the deliveries of several subscriptions. */
  readonly eventId?: string | undefined;
  readonly apiVersion: string;
  /** Name of the subscription. */
  readonly name?: string | undefined;
  /** ISO 8601. */
  readonly triggeredAt?: string | undefined;
  readonly handle?: string | undefined;
  readonly action?: string | undefined;
  readonly resourceId?: string | undefined;
}

/**
 * One verified delivery, as handlers receive it. `T` is its topic, as a constant, which gives the
 * payload its documented type; or the type of the payload itself. `Payload` is for what a `schema`
 * makes of the payload of that topic. The last argument follows from the first.
 */
export interface WebhookDelivery<
  T = Untyped,
  Payload = PayloadOf<T>,
  Topic extends string = TopicOf<T>,
> extends WebhookFacts {
  /** As a constant: `PRODUCTS_CREATE`. */
  readonly topic: Topic;
  /**
   * The body, parsed when it is read for the first time; or what the `schema` of the handler has
   * made of it. @throws {InvalidWebhookPayloadError} when it is not JSON
   */
  readonly payload: Payload;
  /** The body as text. */
  readonly rawBody: string;
  /** The shop's offline session; `undefined` when the app is not installed. */
  readonly session?: Session | undefined;
  /** The Admin API of the shop; `undefined` without a session or a valid access token. */
  readonly admin?: AdminContext | undefined;
  /** The Storefront API of the shop; `undefined` without a session or a valid access token. */
  readonly storefront?: StorefrontClient | undefined;
  /**
   * Aborted when the handler has exceeded its timeout or a shutdown no longer waits for it, with
   * the error that says so: to be passed to what the handler calls. Made when it is read. Of a
   * delivery that a route of the app handles, it is never aborted.
   */
  readonly signal: AbortSignal;
  /**
   * What `webhooks.process({ context })` was called with. A durable queue does not store it.
   * @default undefined
   */
  readonly context?: Untyped;
}

/** A delivery whose handler may be given up while it runs. */
export interface AbandonableDelivery extends WebhookDelivery {
  /** Aborts `signal`. @returns the delivery for the next handler, with a signal of its own */
  abandon(reason: Error): WebhookDelivery;
}

/**
 * The body of a delivery.
 * @throws {InvalidWebhookPayloadError} when it is not JSON
 */
export function parsePayload(body: string, topic: string): unknown {
  try {
    return parseJson(body);
  } catch {
    // Without the cause: the parser quotes the body in its message.
    throw new InvalidWebhookPayloadError(
      `The body of this ${topic} delivery is not JSON. Read \`rawBody\` instead.`,
    );
  }
}

/** A delivery whose signature is valid: plain data that a queue can store, but for its context. */
export interface VerifiedDelivery {
  readonly facts: WebhookFacts;
  readonly body: Buffer;
  /**
   * The path it arrived at; as its handlers declare it where they do, so that it is the same in
   * processes that are mounted elsewhere. `eventbridge` or `pubsub` for one that came that way.
   */
  readonly path: string;
  /** For handlers that run before the platform is answered. @default none */
  readonly context?: unknown;
}

/**
 * A handler that gets what the schema makes of each payload; the same handler without a schema. It
 * rejects with {@link WebhookPayloadMismatchError} when a payload does not fit, and with what the
 * schema throws.
 */
export function withSchema(
  schema: StandardSchema | undefined,
  run: (delivery: WebhookDelivery) => unknown,
): (delivery: WebhookDelivery) => unknown {
  if (!schema) return run;
  return async (delivery) => {
    const result = await schema['~standard'].validate(delivery.payload);
    if (result.issues) throw new WebhookPayloadMismatchError(delivery.topic, result.issues);
    return run(new CheckedDelivery(delivery, result.value));
  };
}

/** A delivery with what a schema has made of its payload. Everything else is read on demand. */
class CheckedDelivery implements WebhookDelivery {
  declare readonly webhookType: WebhookDelivery['webhookType'];
  declare readonly topic: string;
  declare readonly shop: string;
  declare readonly webhookId: string;
  declare readonly apiVersion: string;
  declare readonly session: Session | undefined;
  readonly #delivery: WebhookDelivery;

  constructor(
    delivery: WebhookDelivery,
    readonly payload: unknown,
  ) {
    // Its facts and its session: API clients, text and signal are members of its class.
    Object.assign(this, delivery, { payload });
    this.#delivery = delivery;
  }

  get admin(): AdminContext | undefined {
    return this.#delivery.admin;
  }

  get storefront(): StorefrontClient | undefined {
    return this.#delivery.storefront;
  }

  get rawBody(): string {
    return this.#delivery.rawBody;
  }

  get signal(): AbortSignal {
    return this.#delivery.signal;
  }
}
