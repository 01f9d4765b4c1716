import type { AppRegistry } from '../../base/app-registry.js';
import type { EventLog } from '../../base/event-log.js';
import { topicName } from '../../base/webhook-topics.js';
import { configuredSubscriptions } from './configured-subscriptions.js';
import type { WebhookSubscriptions } from './webhook-subscriptions.js';
import type { WebhookSubscription } from './webhook-subscription.js';
import type { WebhookSimulator } from './webhook.simulator.js';
import type { WebhookDelivery } from './webhook-delivery.js';

/** What a {@link WebhookDispatcher} depends on. */
interface WebhookDispatcherDependencies {
  /** Domain of the shop. */
  readonly shop: string;
  readonly subscriptions: WebhookSubscriptions;
  readonly apps: AppRegistry;
  /** Whether an app is installed. */
  readonly isInstalled: (apiKey: string) => boolean;
  readonly simulator: WebhookSimulator;
  readonly log: EventLog;
  readonly now: () => Date;
}

/** Sends the events of one shop to the webhook subscriptions of their topics. */
export class WebhookDispatcher {
  constructor(private readonly dependencies: WebhookDispatcherDependencies) {}

  /**
   * Sends an event to the subscriptions of a topic, in either spelling; with `apiKey`, to those of
   * one app. Resolves when each delivery has succeeded or finally failed. @throws TypeError when
   * there is no such topic
   */
  async deliver(
    topic: string,
    payload: unknown,
    options: { apiKey?: string } = {},
  ): Promise<WebhookDelivery[]> {
    return this.prepare(topic, payload, options)();
  }

  /**
   * Records an event with the current time and the current subscriptions. The returned function
   * delivers it, each time it is called.
   */
  prepare(
    topic: string,
    payload: unknown,
    { apiKey }: { apiKey?: string } = {},
  ): () => Promise<WebhookDelivery[]> {
    const { shop, subscriptions, simulator, log, now } = this.dependencies;
    const event = { shop, payload, triggeredAt: now(), log };
    const receivers = [...subscriptions.to(topic, apiKey), ...this.configured(topic, apiKey)];
    return () => simulator.deliver(event, receivers);
  }

  /** Of one app, whether it is installed or not: `app/uninstalled` comes when it no longer is. */
  private configured(topic: string, apiKey?: string): WebhookSubscription[] {
    const { apps, isInstalled } = this.dependencies;
    return apps
      .all()
      .filter((app) => (apiKey === undefined ? isInstalled(app.apiKey) : app.apiKey === apiKey))
      .flatMap(configuredSubscriptions)
      .filter((subscription) => subscription.topic === topicName(topic));
  }
}
