import { PlatformError } from '../core/core.errors.js';

/**
 * The subscription names no way of delivery we know, or a queue that the topic is delivered to
 * already.
 */
export class InvalidDeliveryMethodError extends PlatformError {
  readonly code = 'ERR_WEBHOOK_DELIVERY_METHOD';
}

/** A webhook handler cannot be run as it is written; the message names it and the fix. */
export class InvalidWebhookHandlerError extends PlatformError {
  readonly code = 'ERR_WEBHOOK_HANDLER_INVALID';
}

/** The body of a delivery is not JSON. `rawBody` still has it. */
export class InvalidWebhookPayloadError extends PlatformError {
  readonly code = 'ERR_WEBHOOK_PAYLOAD_INVALID';
}

/** A webhook handler was not back in time: its attempt counts as failed, whatever it does later. */
export class WebhookHandlerTimeoutError extends PlatformError {
  readonly code = 'ERR_WEBHOOK_HANDLER_TIMEOUT';

  constructor(
    readonly handler: string,
    /** In milliseconds. */
    readonly timeout: number,
  ) {
    super(
      `${handler} did not return within ${timeout} ms, and the delivery counts as failed. ` +
        'Leave long work to a job of your own, or raise `webhooks.handlerTimeout`.',
    );
  }
}

/** One handler that threw. */
export interface HandlerFailure {
  readonly handler: string;
  readonly error: unknown;
}

/** Handlers of a delivery threw; every other handler of the topic has run. */
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
