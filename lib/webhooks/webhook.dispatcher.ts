import type { PlatformConfig } from '../core/config/platform.config.js';
import type { PlatformLogger } from '../core/logger.js';
import type { WebhookDelivery } from './webhook.delivery.js';
import type { WebhookHandlerEntry } from './webhook.handler-entry.js';
import type { WebhookRegistry } from './webhook.registry.js';
import { pathOf, withoutSlash } from './webhook.subscription.js';
import { WebhookHandlersFailedError } from './webhooks.errors.js';
import type { HandlerFailure } from './webhooks.errors.js';

type Runnable = WebhookHandlerEntry & { readonly run: NonNullable<WebhookHandlerEntry['run']> };

/** Which of a topic's handlers run. */
export interface DispatchOptions {
  /** Path the delivery arrived at. */
  readonly path: string;
  /** Names of handlers that are done with the delivery: they are skipped, and those that succeed are added. */
  readonly handled: Set<string>;
}

/** Runs what is registered for a topic. */
export class WebhookDispatcher {
  constructor(
    private readonly config: PlatformConfig,
    private readonly registry: WebhookRegistry,
    private readonly logger: PlatformLogger,
  ) {}

  /** True when something runs for the topic. */
  handles(topic: string): boolean {
    return this.runnable(topic).length > 0;
  }

  /**
   * Runs the handlers of the topic one after the other: those whose subscription leads to `path`, or all when none does. One that
   * fails keeps no other from running but those that run last.
   * @throws {WebhookHandlersFailedError} naming those that failed
   */
  async dispatch(delivery: WebhookDelivery, { path, handled }: DispatchOptions): Promise<void> {
    const failures: HandlerFailure[] = [];
    for (const { name, run, last } of this.addressed(delivery.topic, withoutSlash(path))) {
      if (handled.has(name) || (last && failures.length > 0)) continue;
      try {
        await run(delivery);
        handled.add(name);
      } catch (error) {
        failures.push({ handler: name, error });
        this.logger.error('A webhook handler failed', { handler: name, ...factsOf(delivery), error });
      }
    }
    if (failures.length > 0) throw new WebhookHandlersFailedError(delivery.topic, failures);
  }

  private addressed(topic: string, path: string): Runnable[] {
    const all = this.runnable(topic);
    const named = all.filter(({ subscription }) => pathOf(subscription, this.config) === path);
    return named.length > 0 ? all.filter((entry) => entry.last || named.includes(entry)) : all;
  }

  private runnable(topic: string): Runnable[] {
    return this.registry.handlersFor(topic).filter((entry): entry is Runnable => entry.run !== undefined);
  }
}

/** What identifies a delivery in a log line. */
export function factsOf({ topic, shop, webhookId }: Pick<WebhookDelivery, 'topic' | 'shop' | 'webhookId'>): Record<string, string> {
  return { topic, shop, webhookId };
}
