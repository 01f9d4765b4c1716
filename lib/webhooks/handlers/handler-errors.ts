import type { InFlight } from '../../core/concurrency/in-flight.js';
import type { PlatformLogger } from '../../core/logger.js';

/** Which handler failed, with which delivery. */
export interface HandlerErrorContext {
  /** Such as `ProductHandlers.onProduct`. */
  readonly handler: string;
  /** As a constant: `PRODUCTS_CREATE`. */
  readonly topic: string;
  readonly shop: string;
  readonly webhookId: string;
}

/**
 * Receives what webhook handlers throw, and their timeouts. A shutdown waits for a promise that it
 * returns; nothing else does.
 */
export type HandlerErrorHook = (error: unknown, context: HandlerErrorContext) => unknown;

/** Tells the log, and the app's hook, of handlers that failed. */
export class HandlerErrors {
  constructor(
    private readonly logger: PlatformLogger,
    private readonly inFlight: InFlight,
    private readonly hook?: HandlerErrorHook,
  ) {}

  /** Returns at once, and never throws: a hook that fails is logged. */
  report(message: string, error: unknown, context: HandlerErrorContext): void {
    this.logger.error(message, { ...context, error });
    if (!this.hook) return;
    const log = (cause: unknown): void =>
      this.logger.error('webhooks.onHandlerError failed', { ...context, error: cause });
    try {
      const report = Promise.resolve(this.hook(error, context)).catch(log);
      void this.inFlight.track(report);
    } catch (cause) {
      log(cause);
    }
  }
}
