import { shopOf } from '../../core/api-session.js';
import type { ApiSession } from '../../core/api-session.js';
import { messageOf } from '../../core/error-message.js';
import { nodesOf, onlyValue } from '../../core/json.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import { PRIVACY_TOPICS } from '../../core/vendor.js';
import type { AdminGraphqlClient } from '../../graphql-client/admin-graphql.client.js';
import { desiredSubscriptions, diffSubscriptions, undeclared } from './subscription-diff.js';
import type {
  PlannedSubscription,
  RegisterCallOptions,
  SubscriptionPlan,
} from './subscription-plan.js';
import { SubscriptionDialect, uriOfNode } from './webhook.queries.js';
import type {
  SubscriptionNode,
  SubscriptionOperation,
  SubscriptionOutcome,
  SubscriptionsPage,
} from './webhook.queries.js';
import type { BuiltInHandler, WebhookRegistry } from '../handlers/webhook.registry.js';
import type { WebhookRegistration } from '../handlers/webhook.registry.js';
import { DeliveryMethod, ownPathOf, uriOf } from './webhook-subscription.js';
import type { WebhookSubscription } from './webhook-subscription.js';

const PAGE_SIZE = 250;

/** The result for one subscription. */
export interface RegisterResult {
  readonly topic: string;
  /** Its address: an absolute URL, an ARN or `pubsub://project:topic`. */
  readonly uri: string;
  readonly deliveryMethod: `${DeliveryMethod}`;
  readonly operation: SubscriptionOperation;
  readonly success: boolean;
  /** The platform's reply: its `data`, or the `errors` that came instead. */
  readonly result: { readonly data?: unknown; readonly errors?: RegisterErrors };
  /** Why it failed. */
  readonly errors?: RegisterErrors;
}

type RegisterErrors = readonly {
  readonly field?: readonly string[] | null;
  readonly message: string;
}[];

/** Options of a registration. */
export interface RegisterOptions extends RegisterCallOptions {
  /**
   * Also deletes subscriptions of this app in the shop that it does not declare. @default false
   */
  readonly prune?: boolean | undefined;
}

/** A subscription that is to be changed. */
type SubscriptionChange = PlannedSubscription & { readonly operation: SubscriptionOperation };

/** Brings a shop's webhook subscriptions in line with the handlers of the app. */
export class WebhookRegistrar {
  constructor(
    private readonly config: PlatformConfig,
    private readonly graphql: AdminGraphqlClient,
    private readonly registry: WebhookRegistry,
    private readonly logger: PlatformLogger,
  ) {}

  /**
   * Creates missing subscriptions and updates those that differ; for declared topics, also deletes
   * subscriptions that point to another address of this app. Every other subscription is left
   * alone. Privacy topics are configured with the app, never subscribed. Without a topic to
   * subscribe, the platform is not called, unless subscriptions are to be pruned.
   * @returns the results by topic; a step that fails is logged and does not keep the others from
   * running
   * @throws what the Admin API throws when the existing subscriptions cannot be read
   */
  async register(
    session: ApiSession,
    options: RegisterOptions = {},
  ): Promise<Record<string, RegisterResult[]>> {
    return this.apply(session, await this.plan(session, options), options);
  }

  /**
   * What {@link register} would do with each subscription of a shop, and changes nothing.
   * @throws what the Admin API throws when the existing subscriptions cannot be read
   */
  async plan(
    session: ApiSession,
    { prune = false, ...call }: RegisterOptions = {},
  ): Promise<SubscriptionPlan> {
    const shop = shopOf(session);
    const topics = this.topics();
    const subscribed = topics.filter((topic) => !PRIVACY_TOPICS.includes(topic));
    if (subscribed.length === 0 && !prune) return { shop, topics, subscriptions: [] };
    const dialect = this.#dialectOf(topics);
    const existing = await this.#read(session, dialect, call);
    return { shop, topics, subscriptions: this.#diff(subscribed, existing, dialect, prune) };
  }

  /**
   * Makes the changes of a plan for the shop of the session, one after the other.
   * @returns as {@link register} does
   */
  async apply(
    session: ApiSession,
    { topics, subscriptions }: SubscriptionPlan,
    { priority }: RegisterCallOptions = {},
  ): Promise<Record<string, RegisterResult[]>> {
    const results: Record<string, RegisterResult[]> = Object.fromEntries(
      topics.map((topic) => [topic, []]),
    );
    const changes = subscriptions.filter(isChange);
    if (changes.length === 0) return results;
    const dialect = this.#dialectOf(topics);
    for (const change of changes)
      (results[change.topic] ??= []).push(
        await this.#change(session, change, dialect, { priority }),
      );
    return results;
  }

  /** Those the app has declared, and those the toolkit itself needs and receives. */
  topics(): string[] {
    const own = this.registry.ownTopics().filter((topic) => this.wanted(topic).length > 0);
    return [...new Set([...this.registry.topics(), ...own])];
  }

  #declared(topic: string): WebhookSubscription[] {
    return this.registry.registrationsFor(topic).map(({ subscription }) => subscription);
  }

  /**
   * What the app has declared, and what the toolkit itself needs: whole deliveries of the topics it
   * has a built-in handler for, and of its other topics where it receives them.
   */
  wanted(topic: string): WebhookSubscription[] {
    const { registry } = this;
    const declared = this.#declared(topic);
    const builtIn = registry.builtInHandlerFor(topic);
    const here = builtIn
      ? registry
          .registrationsFor(topic)
          .flatMap((registration) => this.#addressHere(registration, builtIn))
      : [];
    if (here.length === 0 && registry.ownTopics().includes(topic) && this.#isReceived(builtIn))
      here.push({ deliveryMethod: DeliveryMethod.Http });
    return [...declared, ...here];
  }

  /**
   * The address, when its deliveries reach the toolkit: none that goes to a queue or to a route of
   * the app. Where the toolkit has no route of its own, the app's routes pass deliveries on.
   */
  #addressHere(
    { kind, subscription }: WebhookRegistration,
    { runsInRoutes }: BuiltInHandler,
  ): WebhookSubscription[] {
    if (subscription.deliveryMethod !== 'http') return [];
    const { deliveryMethod, callbackUrl } = subscription;
    const isHere =
      kind === 'handler' || (runsInRoutes && ownPathOf(subscription, this.config) !== undefined);
    return isHere ? [{ deliveryMethod, callbackUrl }] : [];
  }

  /**
   * Whether deliveries at the webhook path reach the toolkit: something says that it answers there,
   * or the app declares deliveries that arrive there and have to reach it.
   */
  #isReceived(builtIn: BuiltInHandler | undefined): boolean {
    const { config, registry } = this;
    const arrivesHere = ({ kind, subscription }: WebhookRegistration): boolean =>
      (kind === 'handler' || builtIn?.runsInRoutes === true) &&
      ownPathOf(subscription, config) === config.paths.webhooks;
    return (
      registry.receives ||
      registry.topics().some((topic) => registry.registrationsFor(topic).some(arrivesHere))
    );
  }

  #dialectOf(topics: readonly string[]): SubscriptionDialect {
    const declared = topics.flatMap((topic) => this.#declared(topic));
    return new SubscriptionDialect(this.config.apiVersion, declared);
  }

  #diff(
    subscribed: readonly string[],
    existing: readonly SubscriptionNode[],
    dialect: SubscriptionDialect,
    prune: boolean,
  ): PlannedSubscription[] {
    const { config } = this;
    const isOwn = (uri: string): boolean => uri.startsWith(`${config.appUrl}/`);
    const isNeeded = (node: SubscriptionNode): boolean => this.#isNeededElsewhere(node);
    const changes = subscribed.flatMap((topic) => {
      const desired = desiredSubscriptions(topic, this.wanted(topic), (subscription) =>
        uriOf(subscription, config),
      );
      const ofTopic = existing.filter((node) => node.topic === topic);
      return diffSubscriptions(desired, ofTopic, dialect, { prune, isOwn, isNeeded });
    });
    const others = existing.filter(({ topic }) => !subscribed.includes(topic));
    return [
      ...changes,
      ...others.map((node) => undeclared(node, prune && !isNeeded(node) ? 'delete' : 'keep')),
    ];
  }

  /**
   * True for what a process of the app that answers the webhook path subscribes to for the toolkit,
   * when this one does not answer it: a command that only loads the app must not take it away.
   */
  #isNeededElsewhere(node: SubscriptionNode): boolean {
    const { config, registry } = this;
    return (
      !registry.receives &&
      !registry.builtInHandlers.some(({ runsInRoutes }) => runsInRoutes) &&
      registry.ownTopics().includes(node.topic) &&
      uriOfNode(node) === uriOf({ deliveryMethod: DeliveryMethod.Http }, config)
    );
  }

  async #read(
    session: ApiSession,
    dialect: SubscriptionDialect,
    call: RegisterCallOptions,
  ): Promise<SubscriptionNode[]> {
    const nodes: SubscriptionNode[] = [];
    let after: string | null | undefined;
    do {
      const variables: Record<string, unknown> = { first: PAGE_SIZE, after: after ?? null };
      const { data } = await this.graphql.request<SubscriptionsPage>(session, dialect.read, {
        ...call,
        variables,
      });
      const page = data.webhookSubscriptions;
      nodes.push(...nodesOf(page));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after);
    return nodes;
  }

  async #change(
    session: ApiSession,
    change: SubscriptionChange,
    dialect: SubscriptionDialect,
    call: RegisterCallOptions,
  ): Promise<RegisterResult> {
    const { operation, topic, uri, subscription } = change;
    const step = { topic, uri, deliveryMethod: subscription.deliveryMethod, operation };
    const result = await this.#send(session, change, dialect, call).then(
      (data): RegisterResult => {
        const errors = onlyValue(data)?.userErrors ?? [
          { message: 'The platform did not say what became of the subscription.' },
        ];
        return errors.length === 0
          ? { ...step, success: true, result: { data } }
          : { ...step, success: false, result: { data }, errors };
      },
      (error: unknown): RegisterResult => {
        const errors = [{ message: messageOf(error) }];
        return { ...step, success: false, result: { errors }, errors };
      },
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

  async #send(
    session: ApiSession,
    { operation, topic, uri, subscription, id }: SubscriptionChange,
    dialect: SubscriptionDialect,
    call: RegisterCallOptions,
  ): Promise<SubscriptionOutcome | undefined> {
    const variables: Record<string, unknown> = {
      ...(operation === 'create' ? { topic } : { id }),
      ...(operation !== 'delete' && {
        webhookSubscription: dialect.input(operation, uri, subscription),
      }),
    };
    const document = dialect.mutation(operation, subscription.deliveryMethod);
    const { data } = await this.graphql.request<SubscriptionOutcome>(session, document, {
      ...call,
      variables,
      userErrors: 'return',
    });
    return data;
  }
}

function isChange(planned: PlannedSubscription): planned is SubscriptionChange {
  return planned.operation !== 'keep';
}
