import { isoTime } from '../../base/iso-time.js';
import { topicName } from '../../base/webhook-topics.js';
import { jsonOf, jsonReply, type StoreReply, type StoreRequest } from '../../http/store-request.js';
import {
  addressOf,
  type SubscriptionChange,
  type SubscriptionInput,
} from '../../state/webhooks/webhook-subscriptions.js';
import type { WebhookSubscription } from '../../state/webhooks/webhook-subscription.js';
import { subscriptionCaller } from '../admin-api/admin-api-access.js';
import {
  limitOf,
  notFound,
  rootOf,
  selectFields,
  textOf,
  textsOf,
  unprocessable,
  type RestCall,
  type RestEndpoint,
} from './rest.endpoint.js';

/** The webhook endpoints of the Admin REST API. An app sees only its own subscriptions. */
export const REST_WEBHOOKS: readonly RestEndpoint[] = [
  { method: 'GET', pattern: /^webhooks$/, answer: list },
  { method: 'POST', pattern: /^webhooks$/, answer: create },
  {
    method: 'GET',
    pattern: /^webhooks\/count$/,
    answer: (call, { url }) => jsonReply(200, { count: matching(call, url).length }),
  },
  {
    method: 'GET',
    pattern: /^webhooks\/(\d{1,15})$/,
    answer: ({ shop, token }, { url }, id) => {
      const webhook = shop.webhooks.find(token.apiKey, id);
      return webhook
        ? jsonReply(200, { webhook: selectFields(webhookPayload(webhook), url) })
        : notFound();
    },
  },
  {
    method: 'PUT',
    pattern: /^webhooks\/(\d{1,15})$/,
    answer: ({ shop, token }, request, id) => {
      const change = shop.webhooks.update(
        token.apiKey,
        id,
        subscriptionInput(rootOf(jsonOf(request), 'webhook')),
      );
      return change ? changeReply(change, 200) : notFound();
    },
  },
  {
    method: 'DELETE',
    pattern: /^webhooks\/(\d{1,15})$/,
    answer: ({ shop, token }, _request, id) =>
      shop.webhooks.delete(token.apiKey, id) ? jsonReply(200, {}) : notFound(),
  },
];

function list(call: RestCall, { url }: StoreRequest): StoreReply {
  const sinceId = Number(url.searchParams.get('since_id') ?? 0);
  const page = matching(call, url)
    .filter(({ id }) => id > sinceId)
    .slice(0, limitOf(url));
  return jsonReply(200, {
    webhooks: page.map((webhook) => selectFields(webhookPayload(webhook), url)),
  });
}

function create(call: RestCall, request: StoreRequest): StoreReply {
  const body = rootOf(jsonOf(request), 'webhook');
  return changeReply(
    call.shop.webhooks.create(
      subscriptionCaller(call),
      textOf(body['topic']) ?? '',
      subscriptionInput(body),
    ),
    201,
  );
}

function changeReply({ subscription, problems }: SubscriptionChange, status: number): StoreReply {
  return subscription
    ? jsonReply(status, { webhook: webhookPayload(subscription) })
    : unprocessable(problems);
}

function matching({ shop, token }: RestCall, { searchParams }: URL): WebhookSubscription[] {
  const topic = searchParams.get('topic');
  const address = searchParams.get('address');
  return shop.webhooks
    .of(token.apiKey)
    .filter(
      (webhook) =>
        (topic === null || webhook.topic === topicName(topic)) &&
        (address === null || addressOf(webhook.endpoint) === address),
    );
}

function subscriptionInput(body: Record<string, unknown>): SubscriptionInput {
  const input: SubscriptionInput = {};
  const address = textOf(body['address']);
  const includeFields = textsOf(body['fields']);
  const metafieldNamespaces = textsOf(body['metafield_namespaces']);
  if (address !== undefined) input.address = address;
  if (includeFields) input.includeFields = includeFields;
  if (metafieldNamespaces) input.metafieldNamespaces = metafieldNamespaces;
  if (body['format'] === 'json' || body['format'] === 'xml') input.format = body['format'];
  return input;
}

function webhookPayload(webhook: WebhookSubscription): Record<string, unknown> {
  return {
    id: webhook.id,
    address: addressOf(webhook.endpoint),
    topic: webhook.topic,
    created_at: isoTime(webhook.createdAt),
    updated_at: isoTime(webhook.updatedAt),
    format: webhook.format,
    fields: webhook.includeFields,
    metafield_namespaces: webhook.metafieldNamespaces,
    api_version: webhook.apiVersion,
    private_metafield_namespaces: [],
  };
}
