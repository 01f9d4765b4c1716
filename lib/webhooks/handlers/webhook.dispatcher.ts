import type { InFlight } from '../../core/concurrency/in-flight.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { ShuttingDownError } from '../../core/core.errors.js';
import type { Telemetry } from '../../core/telemetry/telemetry.js';
import { setTimer } from '../../core/time/clock.js';
import type { Clock } from '../../core/time/clock.js';
import type {
  AbandonableDelivery,
  WebhookDelivery,
  WebhookFacts,
} from '../deliveries/webhook-delivery.js';
import { declaredPathOf, pathOf } from '../subscriptions/webhook-subscription.js';
import { normalizedPath } from '../../core/config/platform-config.js';
import {
  InvalidWebhookHandlerError,
  WebhookHandlerTimeoutError,
  WebhookHandlersFailedError,
} from '../webhooks.errors.js';
import type { HandlerFailure } from '../webhooks.errors.js';
import type { HandlerErrorContext, HandlerErrors } from './handler-errors.js';
import type { Admission, WebhookRegistry } from './webhook.registry.js';
import type { RegisteredHandler } from './webhook.registry.js';

/** Which of a topic's handlers run. */
interface DispatchOptions {
  /**
   * Path the delivery arrived at, as its handlers declare it or as it is; or the delivery method of
   * one that did not arrive over HTTP.
   */
  readonly path: string;
  /** Names of handlers that have succeeded: they are skipped, and those that succeed are added. */
  readonly handled: string[];
  /**
   * Waited for after each handler that succeeds, once its name was added: it may be recorded.
   * @default nothing is recorded in between
   */
  readonly onHandled?: (() => Promise<void>) | undefined;
}

/** Runs the handlers of a topic, and then the toolkit's own. */
export class WebhookDispatcher {
  constructor(
    private readonly config: PlatformConfig,
    private readonly errors: HandlerErrors,
    private readonly registry: WebhookRegistry,
    private readonly timeLimit: WebhookTimeLimit,
    private readonly telemetry: Telemetry,
  ) {}

  /** True when something that runs for the topic may read the session of the shop. */
  usesShop(topic: string): boolean {
    return this.registry.usesShop(topic);
  }

  /**
   * Whether the app may see the delivery. To be called before {@link dispatch} and
   * {@link runBuiltIn}.
   * @throws when that cannot be found out
   */
  admit(delivery: WebhookDelivery): Admission | Promise<Admission> {
    return this.registry.builtInHandlerFor(delivery.topic)?.admit?.(delivery) ?? 'admitted';
  }

  /**
   * Runs the handlers of the topic one after the other: those whose subscription leads to `path`,
   * or all when none does. A handler that fails or exceeds its time limit does not keep the others
   * from running; the built-in handler runs when all of them have succeeded.
   * @throws {WebhookHandlersFailedError} naming those that failed
   * @throws {InvalidWebhookHandlerError} when nothing at all runs for the topic
   * @throws {ShuttingDownError} when a shutdown no longer waits: nothing further runs
   */
  async dispatch(
    delivery: WebhookDelivery,
    { path, handled, onHandled }: DispatchOptions,
  ): Promise<void> {
    // A queue may have been given it by a process that declares more.
    if (!this.registry.handles(delivery.topic))
      throw new InvalidWebhookHandlerError(
        `This process has no handler for ${delivery.topic}, so the delivery counts as failed. Declare the handler in every process that works the queue.`,
      );
    const failures: HandlerFailure[] = [];
    let current = delivery;
    for (const handler of this.#handlersAt(path, delivery.topic)) {
      if (handled.includes(handler.name)) continue;
      const failure = await this.#attempt(handler, current);
      if (!failure) {
        handled.push(handler.name);
        if (onHandled) await onHandled();
        continue;
      }
      failures.push(failure);
      if (failure.error instanceof WebhookHandlerTimeoutError)
        current = abandoned(current, failure.error);
    }
    if (failures.length > 0) throw new WebhookHandlersFailedError(delivery.topic, failures);
    return this.runBuiltIn(delivery);
  }

  /**
   * Runs the built-in handler of the topic; most topics have none.
   * @throws {WebhookHandlersFailedError}
   * @throws {ShuttingDownError}
   */
  runBuiltIn(delivery: WebhookDelivery): Promise<void> | undefined {
    const handler = this.registry.builtInHandlerFor(delivery.topic);
    return (
      handler &&
      this.#attempt(handler, delivery).then((failure) => {
        if (failure) throw new WebhookHandlersFailedError(delivery.topic, [failure]);
      })
    );
  }

  #attempt(
    { name, run, timeout }: Pick<RegisteredHandler, 'name' | 'run' | 'timeout'>,
    delivery: WebhookDelivery,
  ): Promise<HandlerFailure | undefined> {
    const fields = logFieldsOf(delivery);
    const { instruments } = this.telemetry;
    const work = (): unknown => run(delivery);
    return this.timeLimit
      .run(
        name,
        fields,
        instruments ? () => instruments.handler(name, delivery, work) : work,
        timeout,
      )
      .then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof ShuttingDownError) {
            abandoned(delivery, error);
            throw error;
          }
          this.errors.report('A webhook handler failed', error, { handler: name, ...fields });
          return { handler: name, error };
        },
      );
  }

  #handlersAt(path: string, topic: string): readonly RegisteredHandler[] {
    const all = this.registry.handlersFor(topic);
    if (all.length < 2) return all;
    const arrived = path.startsWith('/') ? normalizedPath(path) : path;
    const named = all.filter(({ subscription }) =>
      [declaredPathOf, pathOf].some((pathIn) => pathIn(subscription, this.config) === arrived),
    );
    return named.length > 0 ? named : all;
  }
}

/** What identifies a delivery in a log line. */
export function logFieldsOf({
  topic,
  shop,
  webhookId,
}: DeliveryFields): DeliveryFields & Record<string, string> {
  return { topic, shop, webhookId };
}

type DeliveryFields = Pick<WebhookFacts, 'topic' | 'shop' | 'webhookId'>;

/**
 * Tells a handler that is no longer waited for, where it asks.
 * @returns what the handlers after it are given
 */
function abandoned(
  delivery: WebhookDelivery & Partial<AbandonableDelivery>,
  reason: Error,
): WebhookDelivery {
  return delivery.abandon?.(reason) ?? delivery;
}

/** What a {@link WebhookTimeLimit} depends on. */
interface WebhookTimeLimitDependencies {
  readonly clock: Clock;
  readonly errors: HandlerErrors;
  readonly inFlight: InFlight;
  /** Where a step has no limit of its own. In milliseconds; `Infinity` for none. */
  readonly handlerTimeout: number;
}

/** Limits how long each step of handling a delivery may take, also when the app shuts down. */
export class WebhookTimeLimit {
  constructor(private readonly dependencies: WebhookTimeLimitDependencies) {}

  /**
   * Settles as `work` does. Once the time is over, the result of `work` is ignored; a failure is
   * still logged.
   * @param handler for logs and errors
   * @param fields for logs: what identifies the delivery
   * @param timeout in milliseconds; `Infinity` for none
   * @throws {WebhookHandlerTimeoutError} when the time is over
   * @throws {ShuttingDownError} when a shutdown no longer waits
   */
  run<T>(
    handler: string,
    fields: DeliveryFields,
    work: () => T | Promise<T>,
    timeout: number = this.dependencies.handlerTimeout,
  ): Promise<T> {
    const { clock, errors, inFlight } = this.dependencies;
    if (inFlight.isAbandoned)
      return Promise.reject(
        new ShuttingDownError(`${handler} was not run: the app is shutting down.`),
      );
    // The functions below live as long as the work, perhaps for ever: they must not refer to
    // `work`, which holds the delivery.
    const outcome = begin(work);
    return new Promise((resolve, reject) => {
      let isOver = false;
      const end = (): void => {
        isOver = true;
        cancelTimer?.();
        cancelAbandon();
      };
      const abandon = (error: Error): void => {
        end();
        reject(error);
      };
      const cancelTimer =
        timeout === Infinity
          ? undefined
          : setTimer(clock, timeout, () =>
              abandon(new WebhookHandlerTimeoutError(handler, timeout)),
            );
      const cancelAbandon = inFlight.onAbandon(() =>
        abandon(new ShuttingDownError(`The app shut down while ${handler} was running.`)),
      );
      outcome.then(
        (value) => {
          if (isOver) return;
          end();
          resolve(value);
        },
        (error: unknown) => {
          if (isOver) {
            const context: HandlerErrorContext = { handler, ...fields };
            return errors.report('A webhook handler failed after it was given up', error, context);
          }
          end();
          reject(error as Error);
        },
      );
    });
  }
}

/** What throws synchronously fails like what rejects. */
function begin<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error as Error);
  }
}
