import { PlatformError } from '../core/core.errors.js';
import type { SchemaIssue } from './payloads/standard-schema.js';

/**
 * The delivery method of a subscription is unknown, or its topic already goes to the same queue.
 * @remedy Use `http`, `eventbridge` or `pubsub`, and each queue once per topic.
 */
export class InvalidDeliveryMethodError extends PlatformError {
  readonly code = 'ERR_WEBHOOK_DELIVERY_METHOD';
}

/**
 * A webhook handler cannot run as it is declared; the message names it and the fix.
 * @remedy Change the handler as the message says.
 */
export class InvalidWebhookHandlerError extends PlatformError {
  readonly code = 'ERR_WEBHOOK_HANDLER_INVALID';
}

/**
 * The body of a delivery is not JSON. `rawBody` still has it.
 * @remedy Handle `rawBody`: no repetition makes it JSON.
 */
export class InvalidWebhookPayloadError extends PlatformError {
  readonly code = 'ERR_WEBHOOK_PAYLOAD_INVALID';
}

/**
 * A message of EventBridge, SQS or Pub/Sub is no delivery of the platform; the error names the
 * member that is missing or wrong. The same message never becomes one: it must not be tried again.
 * @remedy Move the message to a dead-letter queue, and see that no other service writes to this
 * one.
 */
export class InvalidWebhookMessageError extends PlatformError {
  readonly code = 'ERR_WEBHOOK_MESSAGE_INVALID';
}

/** How many properties a message names, and how long each may be. */
const NAMED_PROPERTIES = 10;
const LONGEST_PROPERTY = 100;

/**
 * The payload of a delivery does not fit the `schema` of its handler, which has not run. The
 * message, and so the log, names the properties that do not fit, but neither their values nor the
 * words of the schema, which may quote them.
 * @remedy Compare `issues` with what the platform sends in the version of the subscription, and
 * change the schema if it is wrong.
 */
export class WebhookPayloadMismatchError extends PlatformError {
  readonly code = 'ERR_WEBHOOK_PAYLOAD_MISMATCH';
  readonly #issues: readonly SchemaIssue[];

  constructor(
    /** As a constant. */
    readonly topic: string,
    issues: readonly SchemaIssue[],
  ) {
    super(
      `The payload of this ${topic} delivery does not fit the schema of its handler: see ${propertiesOf(issues)}. ` +
        'The delivery counts as failed. Change the schema if it is what the platform sends.',
    );
    this.#issues = issues;
  }

  /** What the schema says. Not written by loggers: the messages may quote the payload. */
  get issues(): readonly SchemaIssue[] {
    return this.#issues;
  }
}

/** `title, variants.0.price`. */
function propertiesOf(issues: readonly SchemaIssue[]): string {
  const names = [...new Set(issues.map(({ path = [] }) => propertyAt(path)))];
  const more = names.length - NAMED_PROPERTIES;
  return [...names.slice(0, NAMED_PROPERTIES), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function propertyAt(path: NonNullable<SchemaIssue['path']>): string {
  if (path.length === 0) return 'the payload as a whole';
  return path
    .map((part) => String(typeof part === 'object' ? part.key : part))
    .join('.')
    .slice(0, LONGEST_PROPERTY);
}

/**
 * A webhook handler exceeded its time limit: the attempt failed, whatever the handler does later.
 * @remedy Leave long work to a job of the app's own, or raise the limit that the message names.
 */
export class WebhookHandlerTimeoutError extends PlatformError {
  readonly code = 'ERR_WEBHOOK_HANDLER_TIMEOUT';

  constructor(
    readonly handler: string,
    /** In milliseconds. */
    readonly timeout: number,
  ) {
    super(
      `${handler} did not return within ${timeout} ms, and the delivery counts as failed. ` +
        'Leave long work to a job of your own, or raise `webhooks.handlerTimeout` or the `timeout` of the handler.',
    );
  }
}

/** One handler that threw. */
export interface HandlerFailure {
  readonly handler: string;
  readonly error: unknown;
}

/**
 * Handlers of a delivery failed; every other handler of the topic has run.
 * @remedy Mend the handlers in `failures`; the platform delivers again for some hours, and a
 * durable queue keeps what was given up.
 */
export class WebhookHandlersFailedError extends PlatformError {
  readonly code = 'ERR_WEBHOOK_HANDLERS_FAILED';

  constructor(
    topic: string,
    readonly failures: readonly HandlerFailure[],
  ) {
    super(`Failed to handle ${topic}: ${failures.map(({ handler }) => handler).join(', ')}.`, {
      cause: failures[0]?.error,
    });
  }
}

/**
 * The queue of deliveries cannot be used, or a delivery in it was not handled; `cause` holds the
 * driver's error where there is one.
 * @remedy See `cause`: the server of the queue is away or full. The platform delivers again.
 */
export class WebhookQueueError extends PlatformError {
  readonly code = 'ERR_WEBHOOK_QUEUE';
}
