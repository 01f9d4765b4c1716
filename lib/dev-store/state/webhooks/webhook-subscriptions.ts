import { coversScope } from '../../base/access-scopes.js';
import { SUBSCRIBABLE_TOPICS, topicConstant, topicName } from '../../base/webhook-topics.js';
import { parseAddress, type WebhookEndpoint } from './webhook-address.js';
import type { MetafieldIdentifier, WebhookSubscription } from './webhook-subscription.js';

/** The input of a subscription in an API call. */
export interface SubscriptionInput {
  /** An https URL, `arn:aws:events:…` or `pubsub://project:topic`. */
  address?: string;
  includeFields?: readonly string[];
  metafieldNamespaces?: readonly string[];
  metafields?: readonly MetafieldIdentifier[];
  filter?: string | null;
  name?: string | null;
  format?: 'json' | 'xml';
}

/** The calling app, and what it may read. */
export interface SubscriptionCaller {
  apiKey: string;
  scopes: readonly string[];
  apiVersion: string;
}

/** Why a subscription was refused: what is wrong, and the platform's message about it. */
export interface SubscriptionProblem {
  field: 'topic' | 'address' | 'format' | 'name';
  message: string;
}

/** The changed subscription, or why nothing changed. */
export type SubscriptionChange =
  | { subscription: WebhookSubscription; problems?: never }
  | { subscription?: never; problems: readonly SubscriptionProblem[] };

/** The webhook subscriptions of one shop. An app sees only its own. */
export class WebhookSubscriptions {
  private readonly subscriptions = new Map<number, WebhookSubscription>();

  constructor(
    private readonly now: () => Date,
    private lastId: number,
  ) {}

  all(): WebhookSubscription[] {
    return [...this.subscriptions.values()];
  }

  of(apiKey: string): WebhookSubscription[] {
    return this.all().filter((subscription) => subscription.apiKey === apiKey);
  }

  /**
   * The subscriptions of a topic, in either spelling; with `apiKey`, only those of one app.
   * @throws TypeError when there is no such topic
   */
  to(topic: string, apiKey?: string): WebhookSubscription[] {
    const name = topicName(topic);
    if (!name)
      throw new TypeError(
        `There is no webhook topic "${topic}"; topics look like "PRODUCTS_CREATE" or "products/create".`,
      );
    return (apiKey === undefined ? this.all() : this.of(apiKey)).filter(
      (subscription) => subscription.topic === name,
    );
  }

  find(apiKey: string, id: number): WebhookSubscription | undefined {
    const found = this.subscriptions.get(id);
    return found?.apiKey === apiKey ? found : undefined;
  }

  create(
    caller: SubscriptionCaller,
    topicText: string,
    input: SubscriptionInput,
  ): SubscriptionChange {
    const topic = topicName(topicText);
    if (!topic || !SUBSCRIBABLE_TOPICS.includes(topic))
      return refused('topic', `Could not find the webhook topic ${topicText}`);
    if (topic.startsWith('products/') && !coversScope(caller.scopes, 'read_products'))
      return refused(
        'topic',
        `You do not have permission to create or update webhooks with ${topic} topic`,
      );
    const endpoint = parseAddress(input.address ?? '');
    if ('length' in endpoint) return refused('address', ...endpoint);
    const problems = problemsOf(input, endpoint, topic);
    if (problems.length > 0) return { problems };
    if (this.isTaken(caller.apiKey, topic, endpoint))
      return refused('address', 'for this topic has already been taken');
    const at = this.now();
    const subscription: WebhookSubscription = {
      id: ++this.lastId,
      apiKey: caller.apiKey,
      topic,
      endpoint,
      includeFields: [...(input.includeFields ?? [])],
      metafieldNamespaces: [...(input.metafieldNamespaces ?? [])],
      metafields: [...(input.metafields ?? [])],
      filter: input.filter ?? null,
      name: input.name ?? null,
      format: input.format ?? 'json',
      apiVersion: caller.apiVersion,
      createdAt: at,
      updatedAt: at,
    };
    this.subscriptions.set(subscription.id, subscription);
    return { subscription };
  }

  /** Undefined when the app has no such subscription. */
  update(apiKey: string, id: number, input: SubscriptionInput): SubscriptionChange | undefined {
    const subscription = this.find(apiKey, id);
    if (!subscription) return undefined;
    const endpoint =
      input.address === undefined ? subscription.endpoint : parseAddress(input.address);
    if ('length' in endpoint) return refused('address', ...endpoint);
    const problems = problemsOf(
      { format: subscription.format, ...input },
      endpoint,
      subscription.topic,
    );
    if (problems.length > 0) return { problems };
    if (this.isTaken(apiKey, subscription.topic, endpoint, id))
      return refused('address', 'for this topic has already been taken');
    subscription.endpoint = endpoint;
    if (input.includeFields) subscription.includeFields = [...input.includeFields];
    if (input.metafieldNamespaces)
      subscription.metafieldNamespaces = [...input.metafieldNamespaces];
    if (input.metafields) subscription.metafields = [...input.metafields];
    if (input.filter !== undefined) subscription.filter = input.filter;
    if (input.name !== undefined) subscription.name = input.name;
    if (input.format !== undefined) subscription.format = input.format;
    subscription.updatedAt = this.now();
    return { subscription };
  }

  /** Returns whether the app had such a subscription. */
  delete(apiKey: string, id: number): boolean {
    return this.find(apiKey, id) !== undefined && this.subscriptions.delete(id);
  }

  /** Removes every subscription of an app. */
  drop(apiKey: string): void {
    for (const { id } of this.of(apiKey)) this.subscriptions.delete(id);
  }

  private isTaken(
    apiKey: string,
    topic: string,
    endpoint: WebhookEndpoint,
    exceptId?: number,
  ): boolean {
    const address = addressOf(endpoint);
    return this.of(apiKey).some(
      (other) =>
        other.id !== exceptId && other.topic === topic && addressOf(other.endpoint) === address,
    );
  }
}

/** The one-line address of an endpoint, as in `uri` and REST's `address`. */
export function addressOf(endpoint: WebhookEndpoint): string {
  if (endpoint.kind === 'http') return endpoint.callbackUrl;
  return endpoint.kind === 'eventbridge'
    ? endpoint.arn
    : `pubsub://${endpoint.project}:${endpoint.topic}`;
}

/** A subscription's topic in the GraphQL spelling. */
export function constantOf(subscription: WebhookSubscription): string {
  return topicConstant(subscription.topic);
}

/** The topics that have no deliveries in XML. */
const JSON_ONLY = /^returns\//;

/** The problems of an input that are none of its address. */
function problemsOf(
  { format, name }: SubscriptionInput,
  endpoint: WebhookEndpoint,
  topic: string,
): SubscriptionProblem[] {
  const problems: SubscriptionProblem[] = [];
  if (format === 'xml' && JSON_ONLY.test(topic))
    problems.push({
      field: 'format',
      message: "'xml' is invalid for this webhook topic. Allowed formats: json",
    });
  if (format === 'xml' && endpoint.kind !== 'http')
    problems.push({ field: 'format', message: "can only be used with format: 'json'" });
  if (name == null) return problems;
  if (name === '')
    problems.push({ field: 'name', message: 'is too short (minimum is 1 character)' });
  if (!/^[\w-]+$/.test(name))
    problems.push({
      field: 'name',
      message: 'name field can only contain alphanumeric characters, underscores, and hyphens',
    });
  return problems;
}

function refused(
  field: SubscriptionProblem['field'],
  ...messages: readonly string[]
): { problems: SubscriptionProblem[] } {
  return { problems: messages.map((message) => ({ field, message })) };
}
