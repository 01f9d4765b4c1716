import type { ApiSession } from '../../core/api-session.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import { PRIVACY_TOPICS } from '../../core/vendor.js';
import type { AdminGraphqlClient } from '../../graphql-client/admin-graphql.client.js';
import { builtInHandlerOf } from '../handlers/built-in-handler.js';
import type { BuiltInHandler } from '../handlers/built-in-handler.js';
import type { WebhookHandlerEntry } from '../handlers/webhook-handler-entry.js';
import { changesOf, deletionOf, desiredOf } from './subscription-diff.js';
import type { SubscriptionChange } from './subscription-diff.js';
import { SubscriptionDialect } from './webhook.queries.js';
import type {
  SubscriptionNode,
  SubscriptionOperation,
  SubscriptionOutcome,
  SubscriptionsPage,
} from './webhook.queries.js';
import type { WebhookRegistry } from '../handlers/webhook.registry.js';
import { DeliveryMethod, ownPathOf, uriOf } from './webhook-subscription.js';
import type { Subscription } from './webhook-subscription.js';

const PAGE_SIZE = 250;

/** What became of one subscription. */
export interface RegisterResult {
  readonly topic: string;
  readonly deliveryMethod: `${DeliveryMethod}`;
  readonly operation: SubscriptionOperation;
  readonly success: boolean;
  /** The platform's answer, when there was one. */
  readonly result?: unknown;
  /** Why it did not work. */
  readonly errors?: readonly {
    readonly field?: readonly string[] | null;
    readonly message: string;
  }[];
}

export interface RegisterOptions {
  /**
   * Also deletes the subscriptions of this app in the shop that nothing here declares. @default
   * false
   */
  readonly prune?: boolean | undefined;
}

/** Brings a shop's webhook subscriptions in line with the handlers of the app. */
export class WebhookRegistrar {
  constructor(
    private readonly config: PlatformConfig,
    private readonly graphql: AdminGraphqlClient,
    private readonly registry: WebhookRegistry,
    private readonly logger: PlatformLogger,
    private readonly builtInHandlers: readonly BuiltInHandler[],
  ) {}

  /**
   * Creates what is missing and updates what differs; of the topics that are declared, also deletes
   * what still points to another address of this app. Every other subscription is left alone.
   * Privacy topics are configured with the app, never subscribed.
   * @returns what was done, by topic; a step that failed is logged, told here, and keeps no other
   * from being taken
   * @throws what the Admin API throws when the present subscriptions cannot be read
   */
  async register(
    session: ApiSession,
    { prune = false }: RegisterOptions = {},
  ): Promise<Record<string, RegisterResult[]>> {
    const topics = this.topics();
    const results: Record<string, RegisterResult[]> = Object.fromEntries(
      topics.map((topic) => [topic, []]),
    );
    const dialect = this.dialectOf(topics);
    const present = await this.read(session, dialect);
    for (const change of this.plan(topics, present, dialect, prune)) {
      (results[change.topic] ??= []).push(await this.apply(session, change, dialect));
    }
    return results;
  }

  /** Those the app has declared, and those that are subscribed on the toolkit's own account. */
  private topics(): string[] {
    const ours = this.builtInHandlers
      .map(({ topic }) => topic)
      .filter((topic) => this.wanted(topic).length > 0);
    return [...new Set([...this.registry.topics(), ...ours])];
  }

  private declared(topic: string): Subscription[] {
    return this.registry.handlersFor(topic).map(({ subscription }) => subscription);
  }

  /**
   * What the app has declared, and what the toolkit itself needs: whole deliveries, of every shop,
   * of what it follows up on.
   */
  private wanted(topic: string): Subscription[] {
    const declared = this.declared(topic);
    const builtInHandler = builtInHandlerOf(topic, this.builtInHandlers);
    if (!builtInHandler) return declared;
    const here = this.registry
      .handlersFor(topic)
      .flatMap((entry) => this.addressHere(entry, builtInHandler));
    if (here.length === 0 && (builtInHandler.subscribesAlone || this.usesWebhookPath()))
      here.push({ deliveryMethod: DeliveryMethod.Http });
    return [...declared, ...here];
  }

  /**
   * None of what a route of the app takes by itself, or a queue. Where the toolkit has no route,
   * the app's hand their deliveries over.
   */
  private addressHere(
    { run, subscription }: WebhookHandlerEntry,
    { subscribesAlone }: BuiltInHandler,
  ): Subscription[] {
    if (subscription.deliveryMethod !== 'http') return [];
    const { deliveryMethod, callbackUrl } = subscription;
    const isHere =
      run !== undefined || (!subscribesAlone && ownPathOf(subscription, this.config) !== undefined);
    return isHere ? [{ deliveryMethod, callbackUrl }] : [];
  }

  private usesWebhookPath(): boolean {
    const { config, registry } = this;
    return registry
      .topics()
      .some((topic) =>
        this.declared(topic).some((one) => ownPathOf(one, config) === config.paths.webhooks),
      );
  }

  private dialectOf(topics: readonly string[]): SubscriptionDialect {
    const usesNames = topics.some((topic) => this.declared(topic).some(({ name }) => name));
    return new SubscriptionDialect(this.config.apiVersion, usesNames);
  }

  private plan(
    topics: readonly string[],
    present: readonly SubscriptionNode[],
    dialect: SubscriptionDialect,
    prune: boolean,
  ): SubscriptionChange[] {
    const { config } = this;
    const subscribed = topics.filter((topic) => !PRIVACY_TOPICS.includes(topic));
    const isObsolete = (uri: string): boolean => prune || uri.startsWith(`${config.appUrl}/`);
    const changes = subscribed.flatMap((topic) => {
      const desired = desiredOf(topic, this.wanted(topic), (subscription) =>
        uriOf(subscription, config),
      );
      const there = present.filter((node) => node.topic === topic);
      return changesOf(desired, there, dialect, isObsolete);
    });
    return prune
      ? [...changes, ...present.filter(({ topic }) => !subscribed.includes(topic)).map(deletionOf)]
      : changes;
  }

  private async read(
    session: ApiSession,
    dialect: SubscriptionDialect,
  ): Promise<SubscriptionNode[]> {
    const nodes: SubscriptionNode[] = [];
    let after: string | null = null;
    do {
      const variables: Record<string, unknown> = { first: PAGE_SIZE, after };
      const { data } = await this.graphql.request<SubscriptionsPage>(session, dialect.read, {
        variables,
      });
      const page = data.webhookSubscriptions;
      nodes.push(...page.nodes);
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    return nodes;
  }

  private async apply(
    session: ApiSession,
    change: SubscriptionChange,
    dialect: SubscriptionDialect,
  ): Promise<RegisterResult> {
    const { operation, topic, subscription } = change;
    const step = { topic, deliveryMethod: subscription.deliveryMethod, operation };
    const result = await this.send(session, change, dialect).then(
      (data): RegisterResult => {
        const errors = data?.outcome?.userErrors ?? [
          { message: 'The platform did not say what became of the subscription.' },
        ];
        return errors.length === 0
          ? { ...step, success: true, result: data }
          : { ...step, success: false, result: data, errors };
      },
      (error: unknown): RegisterResult => ({
        ...step,
        success: false,
        errors: [{ message: error instanceof Error ? error.message : String(error) }],
      }),
    );
    if (result.success)
      this.logger.debug(`Webhook subscription: ${operation}`, { shop: session.shop, topic });
    else
      this.logger.error(`Webhook subscription: ${operation} failed`, {
        shop: session.shop,
        topic,
        errors: result.errors,
      });
    return result;
  }

  private async send(
    session: ApiSession,
    { operation, topic, uri, subscription, id }: SubscriptionChange,
    dialect: SubscriptionDialect,
  ): Promise<SubscriptionOutcome | undefined> {
    const variables: Record<string, unknown> = {
      ...(operation === 'create' ? { topic } : { id }),
      ...(operation !== 'delete' && {
        webhookSubscription: dialect.input(operation, uri, subscription),
      }),
    };
    const document = dialect.mutation(operation, subscription.deliveryMethod);
    const { data } = await this.graphql.request<SubscriptionOutcome>(session, document, {
      variables,
      userErrors: 'return',
    });
    return data;
  }
}
