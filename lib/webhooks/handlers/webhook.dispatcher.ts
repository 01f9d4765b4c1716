import type { PlatformConfig } from '../../core/config/platform-config.js';
import { ShuttingDownError } from '../../core/core.errors.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { WebhookDelivery } from '../deliveries/webhook-delivery.js';
import { builtInHandlerOf } from './built-in-handler.js';
import type { Admission, BuiltInHandler } from './built-in-handler.js';
import type { WebhookHandlerEntry } from './webhook-handler-entry.js';
import type { WebhookRegistry } from './webhook.registry.js';
import { pathOf, withoutSlash } from '../subscriptions/webhook-subscription.js';
import type { WebhookTimeLimit } from '../deliveries/webhook-time-limit.js';
import { WebhookHandlersFailedError } from '../webhooks.errors.js';
import type { HandlerFailure } from '../webhooks.errors.js';

type Runnable = WebhookHandlerEntry & { readonly run: NonNullable<WebhookHandlerEntry['run']> };

/** Which of a topic's handlers run. */
export interface DispatchOptions {
  /** Path the delivery arrived at. */
  readonly path: string;
  /**
   * Names of handlers that are done with the delivery: they are skipped, and those that succeed are
   * added.
   */
  readonly handled: Set<string>;
}

/**
 * Runs what is registered for a topic, and then what the toolkit itself does with its deliveries.
 */
export class WebhookDispatcher {
  constructor(
    private readonly config: PlatformConfig,
    private readonly registry: WebhookRegistry,
    private readonly logger: PlatformLogger,
    private readonly builtInHandlers: readonly BuiltInHandler[],
    private readonly timeLimit: WebhookTimeLimit,
  ) {}

  /** True when something runs for the topic. */
  handles(topic: string): boolean {
    return (
      this.runnable(topic).length > 0 || builtInHandlerOf(topic, this.builtInHandlers) !== undefined
    );
  }

  /**
   * Whether the app may hear of the delivery. Comes before {@link dispatch} and
   * {@link builtInHandler}.
   * @throws when that cannot be found out
   */
  async admit(delivery: WebhookDelivery): Promise<Admission> {
    return (
      (await builtInHandlerOf(delivery.topic, this.builtInHandlers)?.admit?.(delivery)) ??
      'admitted'
    );
  }

  /**
   * Runs the handlers of the topic one after the other: those whose subscription leads to `path`,
   * or all when none does. One that fails, or is not back in time, keeps no other from running, but
   * the follow-up waits for an attempt in which none of them is left.
   * @throws {WebhookHandlersFailedError} naming those that failed
   * @throws {ShuttingDownError} when a shutdown no longer waits: nothing further runs
   */
  async dispatch(delivery: WebhookDelivery, { path, handled }: DispatchOptions): Promise<void> {
    const failures: HandlerFailure[] = [];
    for (const handler of this.addressed(delivery.topic, withoutSlash(path))) {
      if (handled.has(handler.name)) continue;
      const failure = await this.attempt(handler, delivery);
      if (failure) failures.push(failure);
      else handled.add(handler.name);
    }
    if (failures.length > 0) throw new WebhookHandlersFailedError(delivery.topic, failures);
    await this.builtInHandler(delivery);
  }

  /**
   * Does what the toolkit itself has to do with a delivery; nothing for most topics.
   * @throws {WebhookHandlersFailedError}
   * @throws {ShuttingDownError}
   */
  async builtInHandler(delivery: WebhookDelivery): Promise<void> {
    const builtInHandler = builtInHandlerOf(delivery.topic, this.builtInHandlers);
    const failure = builtInHandler && (await this.attempt(builtInHandler, delivery));
    if (failure) throw new WebhookHandlersFailedError(delivery.topic, [failure]);
  }

  private async attempt(
    { name, run }: Pick<Runnable, 'name' | 'run'>,
    delivery: WebhookDelivery,
  ): Promise<HandlerFailure | undefined> {
    try {
      await this.timeLimit.run(name, factsOf(delivery), () => run(delivery));
      return undefined;
    } catch (error) {
      if (error instanceof ShuttingDownError) throw error;
      this.logger.error('A webhook handler failed', { handler: name, ...factsOf(delivery), error });
      return { handler: name, error };
    }
  }

  private addressed(topic: string, path: string): Runnable[] {
    const all = this.runnable(topic);
    const named = all.filter(({ subscription }) => pathOf(subscription, this.config) === path);
    return named.length > 0 ? named : all;
  }

  private runnable(topic: string): Runnable[] {
    return this.registry
      .handlersFor(topic)
      .filter((entry): entry is Runnable => entry.run !== undefined);
  }
}

/** What identifies a delivery in a log line. */
export function factsOf({
  topic,
  shop,
  webhookId,
}: Pick<WebhookDelivery, 'topic' | 'shop' | 'webhookId'>): Record<string, string> {
  return { topic, shop, webhookId };
}
