import type { GraphQLResolveInfo } from 'graphql';
import { capital } from '../../base/text-values.js';
import { idOf } from '../../base/vendor.js';
import { typedId } from '../../graphql/graphql.errors.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { countView } from '../../graphql/graphql.views.js';
import { search } from '../../graphql/graphql-search.js';
import { dateField, numberField, type SearchFields } from '../../graphql/search-fields.js';
import { parseSearch, type SearchNode } from '../../graphql/search-query.js';
import {
  isPubSubProject,
  isPubSubTopic,
  LONGEST_TEXT,
} from '../../state/webhooks/webhook-address.js';
import {
  addressOf,
  constantOf,
  type SubscriptionChange,
  type SubscriptionInput,
  type SubscriptionProblem,
  type WebhookSubscriptions,
} from '../../state/webhooks/webhook-subscriptions.js';
import type { WebhookSubscription } from '../../state/webhooks/webhook-subscription.js';
import { subscriptionCaller, type ApiCall } from '../admin-api/admin-api-access.js';
import { subscriptionView } from './graphql.views.js';

interface SubscriptionFields {
  callbackUrl?: string | null;
  uri?: string | null;
  arn?: string | null;
  pubSubProject?: string;
  pubSubTopic?: string;
  includeFields?: string[] | null;
  metafieldNamespaces?: string[] | null;
  metafields?: ReadonlyArray<{ namespace?: string | null; key: string }> | null;
  filter?: string | null;
  format?: 'JSON' | 'XML' | null;
  name?: string | null;
}

interface SubscriptionsArgs extends ConnectionArgs {
  topics?: string[] | null;
  uri?: string | null;
  format?: 'JSON' | 'XML' | null;
  query?: string | null;
}

interface UserError {
  field: string[];
  message: string;
}

/**
 * The resolvers of webhook subscriptions for one caller. An app sees only its own.
 * @param appId number of the app: part of the namespace that is reserved for its metafields
 */
export function webhooksRoot(
  webhooks: WebhookSubscriptions,
  call: ApiCall,
  appId: number,
): Record<string, unknown> {
  const { apiKey } = call.token;
  const found = (
    { topics, uri, format, query }: SubscriptionsArgs,
    context: GraphqlContext,
    info: GraphQLResolveInfo,
  ): WebhookSubscription[] => {
    const own = webhooks
      .of(apiKey)
      .filter(
        (one) =>
          (!topics || topics.includes(constantOf(one))) &&
          (!uri || addressOf(one.endpoint) === uri) &&
          (!format || one.format === format.toLowerCase()),
      );
    return search(own, query, SUBSCRIPTION_FIELDS, { context, info });
  };
  const create = (args: { topic: string; webhookSubscription: SubscriptionFields }): object =>
    changed(args.webhookSubscription, appId, (input) =>
      webhooks.create(subscriptionCaller(call), args.topic, input),
    );
  const update = (args: { id: string; webhookSubscription: SubscriptionFields }): object =>
    changed(args.webhookSubscription, appId, (input) =>
      webhooks.update(apiKey, idOf('WebhookSubscription', args.id) ?? NaN, input),
    );
  return {
    webhookSubscription: ({ id }: { id: string }) => {
      const subscription = webhooks.find(apiKey, typedId('WebhookSubscription', id));
      return subscription ? subscriptionView(subscription) : null;
    },
    webhookSubscriptions: (
      args: SubscriptionsArgs,
      context: GraphqlContext,
      info: GraphQLResolveInfo,
    ) => connection(found(args, context, info), args, context, subscriptionView),
    webhookSubscriptionsCount: (
      { query = null, limit }: { query?: string | null; limit?: number | null },
      context: GraphqlContext,
      info: GraphQLResolveInfo,
    ) => countView(found({ query }, context, info).length, limit ?? undefined),
    webhookSubscriptionCreate: create,
    eventBridgeWebhookSubscriptionCreate: create,
    pubSubWebhookSubscriptionCreate: create,
    webhookSubscriptionUpdate: update,
    eventBridgeWebhookSubscriptionUpdate: update,
    pubSubWebhookSubscriptionUpdate: update,
    webhookSubscriptionDelete: ({ id }: { id: string }) => {
      const deleted = webhooks.delete(apiKey, idOf('WebhookSubscription', id) ?? NaN);
      return {
        deletedWebhookSubscriptionId: deleted ? id : null,
        userErrors: deleted ? [] : [NO_SUBSCRIPTION],
      };
    },
  };
}

/**
 * The fields that subscriptions are searched by.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/queries/webhookSubscriptions
 */
const SUBSCRIPTION_FIELDS: SearchFields<WebhookSubscription> = {
  default: [],
  named: new Map([
    ['created_at', dateField(({ createdAt }) => createdAt)],
    ['id', numberField(({ id }) => id)],
    ['updated_at', dateField(({ updatedAt }) => updatedAt)],
  ]),
};

const NO_SUBSCRIPTION = { field: ['id'], message: 'Webhook subscription does not exist' };

/** Makes a change, unless the input has mistakes of its own. */
function changed(
  fields: SubscriptionFields,
  appId: number,
  change: (input: SubscriptionInput) => SubscriptionChange | undefined,
): object {
  const refused = (...userErrors: UserError[]): object => ({
    webhookSubscription: null,
    userErrors,
  });
  const mistakes = inputMistakes(fields);
  if (mistakes.length > 0) return refused(...mistakes);
  const result = change(subscriptionInput(fields, appId));
  if (!result) return refused(NO_SUBSCRIPTION);
  if (result.problems) return refused(...result.problems.map((one) => userErrorOf(fields, one)));
  return { webhookSubscription: subscriptionView(result.subscription), userErrors: [] };
}

/** Mistakes that the platform reports before all others. */
function inputMistakes({ pubSubProject, pubSubTopic, filter }: SubscriptionFields): UserError[] {
  const mistakes: UserError[] = [];
  const add = (name: string, what: string): void =>
    void mistakes.push({
      field: ['webhookSubscription', name],
      message: `Google Cloud Pub/Sub ${what} ID is not valid`,
    });
  if (pubSubProject !== undefined && !isPubSubProject(pubSubProject))
    add('pubSubProject', 'project');
  if (pubSubTopic !== undefined && !isPubSubTopic(pubSubTopic)) add('pubSubTopic', 'topic');
  const message =
    Buffer.byteLength(filter ?? '') > LONGEST_TEXT
      ? 'The specified filter exceeds the maximum allowed size.'
      : filter && hasBareTerm(parseSearch(filter))
        ? 'The specified filter is invalid, please ensure you specify the field(s) you wish to filter on.'
        : undefined;
  if (message) mistakes.push({ field: ['webhookSubscription'], message });
  return mistakes;
}

/** True for a search with a term that names no field, or with no term at all. */
function hasBareTerm(node: SearchNode | undefined): boolean {
  if (!node) return true;
  if (node.kind === 'term') return node.field === undefined;
  return node.kind === 'not' ? hasBareTerm(node.node) : node.nodes.some(hasBareTerm);
}

/** The platform calls every address that has no input field of its own a callback URL. */
function userErrorOf(
  fields: SubscriptionFields,
  { field, message }: SubscriptionProblem,
): UserError {
  if (field === 'topic') return { field: ['topic'], message };
  const addressField = fields.arn == null ? 'callbackUrl' : 'arn';
  return {
    field: ['webhookSubscription', field === 'address' ? addressField : field],
    message: `${capital(field)} ${message}`,
  };
}

function subscriptionInput(fields: SubscriptionFields, appId: number): SubscriptionInput {
  const input: SubscriptionInput = {};
  const pubSub =
    fields.pubSubProject === undefined
      ? undefined
      : `pubsub://${fields.pubSubProject}:${fields.pubSubTopic}`;
  const address = fields.uri ?? fields.callbackUrl ?? fields.arn ?? pubSub;
  if (address !== undefined) input.address = address;
  if (fields.includeFields) input.includeFields = fields.includeFields;
  const writtenOut = (namespace: string): string =>
    namespace.replace(/^\$app(?=$|:)/, `app--${appId}`).replace(':', '--');
  if (fields.metafieldNamespaces)
    input.metafieldNamespaces = fields.metafieldNamespaces.map(writtenOut);
  if (fields.metafields)
    input.metafields = fields.metafields.map(({ namespace, key }) => ({
      namespace: writtenOut(namespace ?? '$app'),
      key,
    }));
  if (fields.filter !== undefined) input.filter = fields.filter;
  if (fields.name !== undefined) input.name = fields.name;
  if (fields.format) input.format = fields.format === 'XML' ? 'xml' : 'json';
  return input;
}
