import { freeName } from '../../core/free-name.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { WebhookHandlerEntry } from './webhook-handler-entry.js';
import { entriesOf, problemsInHandlers } from './webhook-handler-map.js';
import type { WebhookHandlerMap } from './webhook-handler-map.js';
import { namedPath, queueOf } from '../subscriptions/webhook-subscription.js';
import type { NamedPath } from '../subscriptions/webhook-subscription.js';
import { normalizeTopic } from '../subscriptions/webhook-topic.js';
import { InvalidDeliveryMethodError, InvalidWebhookHandlerError } from '../webhooks.errors.js';

/** How handlers run unless they say otherwise. */
export interface HandlerDefaults {
  /** With the app's guards and interceptors. @default false */
  readonly enhancers?: boolean | undefined;
}

/**
 * Keeps what an app does with which topic, in the order it was said. Never changes what it was
 * given.
 */
export class WebhookRegistry {
  readonly #entries = new Map<string, WebhookHandlerEntry[]>();
  readonly #named: NamedPath[] = [];

  constructor(
    private readonly logger: PlatformLogger,
    readonly defaults: HandlerDefaults = {},
  ) {}

  /** @throws {InvalidDeliveryMethodError} when the topic is delivered to the same queue already */
  add(entry: WebhookHandlerEntry): void {
    const topic = normalizeTopic(entry.topic);
    const entries = this.#entries.get(topic) ?? [];
    this.refuseSecondQueue(topic, entry, entries);
    if (entry.run && entries.some(({ run }) => run))
      this.logger.debug(`${topic} has several handlers; they run one after the other`);
    this.#entries.set(topic, [
      ...entries,
      { ...entry, topic, name: freeName(entry.name, entries) },
    ]);
    if (entry.run && 'callbackUrl' in entry.subscription)
      this.#named.push(namedPath(entry.subscription));
  }

  /**
   * Adds the handlers of a map.
   * @throws {InvalidDeliveryMethodError} when a way of delivery is unknown, or a queue is named
   * twice for a topic
   * @throws {InvalidWebhookHandlerError} when anything else about a handler is wrong
   */
  addHandlers(map: WebhookHandlerMap): void {
    const problems = problemsInHandlers(map);
    if (problems.length > 0) {
      const kind = problems.some(({ option }) => option.endsWith('.deliveryMethod'))
        ? InvalidDeliveryMethodError
        : InvalidWebhookHandlerError;
      throw new kind(
        `Webhook handlers cannot be added: ${problems.map(({ option, message }) => `${option} ${message}`).join('; ')}.`,
      );
    }
    for (const entry of entriesOf(map)) this.add(entry);
  }

  /**
   * The handlers of a topic in any spelling, each under a name of its own, in the order they run;
   * an empty list when there is none.
   */
  handlersFor(topic: string): readonly WebhookHandlerEntry[] {
    return this.#entries.get(normalizeTopic(topic)) ?? [];
  }

  /** Topics with a handler, as constants, in the order they came. */
  topics(): string[] {
    return [...this.#entries.keys()];
  }

  /**
   * The paths on the app, without trailing slash, that handlers with something to run name for
   * their deliveries. Cheap: every request asks.
   */
  paths(config: PlatformConfig): string[] {
    return this.#named.map((path) => path(config)).filter((path) => path !== undefined);
  }

  private refuseSecondQueue(
    topic: string,
    { subscription }: WebhookHandlerEntry,
    entries: readonly WebhookHandlerEntry[],
  ): void {
    if (subscription.deliveryMethod === 'http') return;
    const queue = queueOf(subscription);
    if (
      entries.some(
        ({ subscription: other }) => other.deliveryMethod !== 'http' && queueOf(other) === queue,
      )
    ) {
      throw new InvalidDeliveryMethodError(
        `${topic} is delivered to ${queue} already. Only subscriptions over http can have several handlers for one topic and address.`,
      );
    }
  }
}
