import { isVersionCompatible } from '../../core/api-version.js';
import type { GraphqlConnection } from '../../graphql-client/graphql-pagination.js';
import type {
  DeliveryMethod,
  MetafieldIdentifier,
  WebhookSubscription,
  SubscriptionDetails,
} from './webhook-subscription.js';

// The Admin API's documents for subscriptions. 2025-10 added one field for the address of every
// kind of endpoint, 2026-04 added names. Metafields cost a point for each subscription, so that
// only apps that ask for some read them.

const READ_NAMED = `#graphql 2026-04
  query readWebhookSubscriptions($first: Int!, $after: String) {
    webhookSubscriptions(first: $first, after: $after) {
      nodes {
        id topic uri includeFields metafieldNamespaces filter name
        metafields { namespace key }
      }
      pageInfo { hasNextPage endCursor }
    }
  }`;

const READ_METAFIELDS = `#graphql
  query readWebhookSubscriptions($first: Int!, $after: String) {
    webhookSubscriptions(first: $first, after: $after) {
      nodes {
        id topic uri includeFields metafieldNamespaces filter
        metafields { namespace key }
      }
      pageInfo { hasNextPage endCursor }
    }
  }`;

const READ = `#graphql
  query readWebhookSubscriptions($first: Int!, $after: String) {
    webhookSubscriptions(first: $first, after: $after) {
      nodes { id topic uri includeFields metafieldNamespaces filter }
      pageInfo { hasNextPage endCursor }
    }
  }`;

const READ_ENDPOINTS = `#graphql
  query readWebhookSubscriptions($first: Int!, $after: String) {
    webhookSubscriptions(first: $first, after: $after) {
      nodes {
        id topic includeFields metafieldNamespaces filter
        endpoint {
          ... on WebhookHttpEndpoint { callbackUrl }
          ... on WebhookEventBridgeEndpoint { arn }
          ... on WebhookPubSubEndpoint { pubSubProject pubSubTopic }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }`;

const CREATE = `#graphql
  mutation createWebhookSubscription($topic: WebhookSubscriptionTopic!, $webhookSubscription: WebhookSubscriptionInput!) {
    webhookSubscriptionCreate(topic: $topic, webhookSubscription: $webhookSubscription) {
      webhookSubscription { id }
      userErrors { field message }
    }
  }`;

const UPDATE = `#graphql
  mutation updateWebhookSubscription($id: ID!, $webhookSubscription: WebhookSubscriptionInput!) {
    webhookSubscriptionUpdate(id: $id, webhookSubscription: $webhookSubscription) {
      webhookSubscription { id }
      userErrors { field message }
    }
  }`;

const DELETE = `#graphql
  mutation deleteWebhookSubscription($id: ID!) {
    webhookSubscriptionDelete(id: $id) {
      deletedWebhookSubscriptionId
      userErrors { field message }
    }
  }`;

const EVENT_BRIDGE_CREATE = `#graphql
  mutation createWebhookSubscription($topic: WebhookSubscriptionTopic!, $webhookSubscription: EventBridgeWebhookSubscriptionInput!) {
    eventBridgeWebhookSubscriptionCreate(topic: $topic, webhookSubscription: $webhookSubscription) {
      webhookSubscription { id }
      userErrors { field message }
    }
  }`;

const EVENT_BRIDGE_UPDATE = `#graphql
  mutation updateWebhookSubscription($id: ID!, $webhookSubscription: EventBridgeWebhookSubscriptionInput!) {
    eventBridgeWebhookSubscriptionUpdate(id: $id, webhookSubscription: $webhookSubscription) {
      webhookSubscription { id }
      userErrors { field message }
    }
  }`;

const PUB_SUB_CREATE = `#graphql
  mutation createWebhookSubscription($topic: WebhookSubscriptionTopic!, $webhookSubscription: PubSubWebhookSubscriptionInput!) {
    pubSubWebhookSubscriptionCreate(topic: $topic, webhookSubscription: $webhookSubscription) {
      webhookSubscription { id }
      userErrors { field message }
    }
  }`;

const PUB_SUB_UPDATE = `#graphql
  mutation updateWebhookSubscription($id: ID!, $webhookSubscription: PubSubWebhookSubscriptionInput!) {
    pubSubWebhookSubscriptionUpdate(id: $id, webhookSubscription: $webhookSubscription) {
      webhookSubscription { id }
      userErrors { field message }
    }
  }`;

/** What is done to a subscription. */
export type SubscriptionOperation = 'create' | 'update' | 'delete';
type Documents = Readonly<Record<SubscriptionOperation, string>>;

const PER_METHOD: Readonly<Record<`${DeliveryMethod}`, Documents>> = {
  http: { create: CREATE, update: UPDATE, delete: DELETE },
  eventbridge: { create: EVENT_BRIDGE_CREATE, update: EVENT_BRIDGE_UPDATE, delete: DELETE },
  pubsub: { create: PUB_SUB_CREATE, update: PUB_SUB_UPDATE, delete: DELETE },
};

/** A page of subscriptions, with the fields of every version. */
export interface SubscriptionsPage {
  readonly webhookSubscriptions: GraphqlConnection<SubscriptionNode>;
}

/** A subscription of a shop, as the platform answers with it. */
export interface SubscriptionNode {
  readonly id: string;
  readonly topic: string;
  readonly includeFields: readonly string[];
  readonly metafieldNamespaces: readonly string[];
  readonly metafields?: readonly MetafieldIdentifier[];
  readonly filter: string | null;
  readonly uri?: string;
  readonly endpoint?: {
    readonly callbackUrl?: string;
    readonly arn?: string;
    readonly pubSubProject?: string;
    readonly pubSubTopic?: string;
  };
  readonly name?: string | null;
}

/** The response to a mutation, under its name. */
export type SubscriptionOutcome = Readonly<
  Record<
    string,
    {
      readonly userErrors: readonly {
        readonly field: readonly string[] | null;
        readonly message: string;
      }[];
    } | null
  >
>;

/** The documents and inputs of one version of the Admin API. */
export class SubscriptionDialect {
  readonly #hasUri: boolean;
  readonly #hasNames: boolean;
  readonly #hasMetafields: boolean;

  /** @param declared what the app declares: a detail that it never uses is neither read nor set */
  constructor(apiVersion: string, declared: readonly SubscriptionDetails[]) {
    this.#hasUri = isVersionCompatible('2025-10', apiVersion);
    this.#hasNames =
      declared.some(({ name }) => name) && isVersionCompatible('2026-04', apiVersion);
    this.#hasMetafields = this.#hasUri && declared.some(({ metafields }) => metafields?.length);
  }

  get read(): string {
    if (this.#hasNames) return READ_NAMED;
    if (this.#hasMetafields) return READ_METAFIELDS;
    return this.#hasUri ? READ : READ_ENDPOINTS;
  }

  mutation(operation: SubscriptionOperation, method: `${DeliveryMethod}`): string {
    return PER_METHOD[this.#hasUri ? 'http' : method][operation];
  }

  /**
   * The details this version supports; the others are left out, so that they never count as a
   * difference.
   */
  supported({
    includeFields,
    metafieldNamespaces,
    metafields,
    filter,
    name,
  }: SubscriptionDetails): SubscriptionDetails {
    return {
      includeFields,
      metafieldNamespaces,
      filter,
      ...(this.#hasMetafields && { metafields }),
      ...(this.#hasNames && { name }),
    };
  }

  /**
   * The input of a mutation. A detail that is not set is cleared by an update and omitted by a
   * creation.
   */
  input(
    operation: 'create' | 'update',
    uri: string,
    subscription: WebhookSubscription,
  ): Record<string, unknown> {
    const wanted = Object.entries(this.supported(subscription));
    const details =
      operation === 'create'
        ? wanted.filter(([, value]) => value?.length)
        : wanted.map(([name, value]) => [name, value ?? EMPTY[name]]);
    return { ...this.#address(uri, subscription), ...Object.fromEntries(details) };
  }

  #address(uri: string, subscription: WebhookSubscription): Record<string, string> {
    if (this.#hasUri) return { uri };
    if (subscription.deliveryMethod === 'http') return { callbackUrl: uri };
    if (subscription.deliveryMethod === 'eventbridge') return { arn: subscription.arn };
    return { pubSubProject: subscription.pubSubProject, pubSubTopic: subscription.pubSubTopic };
  }
}

const EMPTY: Readonly<Record<string, unknown>> = {
  includeFields: [],
  metafieldNamespaces: [],
  metafields: [],
  filter: null,
  name: null,
};

/** The address of an existing subscription, as one line. */
export function uriOfNode({ uri, endpoint }: SubscriptionNode): string {
  if (uri !== undefined) return uri;
  return (
    endpoint?.callbackUrl ??
    endpoint?.arn ??
    `pubsub://${endpoint?.pubSubProject}:${endpoint?.pubSubTopic}`
  );
}
