import type { PlatformLogger } from '../core/logger.js';
import type { WebhookDelivery } from './webhook.delivery.js';
import type { WebhookHandlerEntry } from './webhook.handler-entry.js';
import type { WebhookRegistry } from './webhook.registry.js';
import { WebhookHandlersFailedError } from './webhooks.errors.js';
import type { HandlerFailure } from './webhooks.errors.js';

type Runnable = WebhookHandlerEntry & { readonly run: NonNullable<WebhookHandlerEntry['run']> };

/** Runs what is registered for a topic. */
export class WebhookDispatcher {
  constructor(
    private readonly registry: WebhookRegistry,
    private readonly logger: PlatformLogger,
  ) {}

  /** True when something runs for the topic. */
  handles(topic: string): boolean {
    return this.runnable(topic).length > 0;
  }

  /**
   * Runs every handler of the topic, one after the other; one that fails does not keep the others from running.
   * @throws {WebhookHandlersFailedError} naming those that failed
   */
  async dispatch(delivery: WebhookDelivery): Promise<void> {
    const failures: HandlerFailure[] = [];
    for (const { name, run } of this.runnable(delivery.topic)) {
      try {
        await run(delivery);
      } catch (error) {
        failures.push({ handler: name, error });
        this.logger.error('A webhook handler failed', { handler: name, ...factsOf(delivery), error });
      }
    }
    if (failures.length > 0) throw new WebhookHandlersFailedError(delivery.topic, failures);
  }

  private runnable(topic: string): Runnable[] {
    return this.registry.handlersFor(topic).filter((entry): entry is Runnable => entry.run !== undefined);
  }
}

/** What identifies a delivery in a log line. */
export function factsOf({ topic, shop, webhookId }: Pick<WebhookDelivery, 'topic' | 'shop' | 'webhookId'>): Record<string, string> {
  return { topic, shop, webhookId };
}
