import { setTimer } from '../../core/time/clock.js';
import type { Clock } from '../../core/time/clock.js';
import type { InFlight } from '../../core/concurrency/in-flight.js';
import { ShuttingDownError } from '../../core/core.errors.js';
import type { PlatformLogger } from '../../core/logger.js';
import { WebhookHandlerTimeoutError } from '../webhooks.errors.js';

/** What a {@link WebhookTimeLimit} works with. */
export interface WebhookTimeLimitDependencies {
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly inFlight: InFlight;
  /** In milliseconds; `Infinity` for none. */
  readonly handlerTimeout: number;
}

/**
 * Waits for what is done with a delivery, but no longer than it may take, and no longer than a
 * shutdown waits.
 */
export class WebhookTimeLimit {
  constructor(private readonly dependencies: WebhookTimeLimitDependencies) {}

  /**
   * Settles as `work` does. When that comes too late, its outcome counts no more; a failure is
   * still logged.
   * @param handler for logs and errors
   * @param facts for logs: what identifies the delivery
   * @throws {WebhookHandlerTimeoutError} when the time is over
   * @throws {ShuttingDownError} when a shutdown no longer waits
   */
  run<T>(
    handler: string,
    facts: Readonly<Record<string, string>>,
    work: () => T | Promise<T>,
  ): Promise<T> {
    const { clock, logger, inFlight, handlerTimeout } = this.dependencies;
    if (inFlight.isAbandoned)
      return Promise.reject(
        new ShuttingDownError(`${handler} was not run: the app is shutting down.`),
      );
    // The functions below live as long as the work, perhaps for ever: they must not refer to
    // `work`, which has the delivery.
    const outcome = begin(work);
    return new Promise((resolve, reject) => {
      let isOver = false;
      const end = (): void => {
        isOver = true;
        callOff?.();
        forget();
      };
      const giveUp = (error: Error): void => {
        end();
        reject(error);
      };
      const callOff =
        handlerTimeout === Infinity
          ? undefined
          : setTimer(clock, handlerTimeout, () =>
              giveUp(new WebhookHandlerTimeoutError(handler, handlerTimeout)),
            );
      const forget = inFlight.onAbandon(() =>
        giveUp(new ShuttingDownError(`The app shut down while ${handler} was running.`)),
      );
      outcome.then(
        (value) => {
          if (isOver) return;
          end();
          resolve(value);
        },
        (error: unknown) => {
          if (isOver)
            return logger.error('A webhook handler failed after it was given up', {
              handler,
              ...facts,
              error,
            });
          end();
          reject(error as Error);
        },
      );
    });
  }
}

/** What throws at once fails like what rejects. */
async function begin<T>(work: () => T | Promise<T>): Promise<T> {
  return work();
}
