import { PlatformError } from '../core/core.errors.js';

/**
 * The delivery method of a subscription is unknown, or its topic already goes to the same queue.
 */
export class InvalidDeliveryMethodError extends PlatformError {
  readonly code = 'ERR_WEBHOOK_DELIVERY_METHOD';
}

/** A webhook handler cannot run as it is declared; the message names it and the fix. */
export class InvalidWebhookHandlerError extends PlatformError {
  readonly code = 'ERR_WEBHOOK_HANDLER_INVALID';
}

/** The body of a delivery is not JSON. `rawBody` still has it. */
export class InvalidWebhookPayloadError extends PlatformError {
  readonly code = 'ERR_WEBHOOK_PAYLOAD_INVALID';
}

/**
 * A webhook handler exceeded its time limit: the attempt failed, whatever the handler does later.
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

/** Handlers of a delivery failed; every other handler of the topic has run. */
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
 */
export class WebhookQueueError extends PlatformError {
  readonly code = 'ERR_WEBHOOK_QUEUE';
}
