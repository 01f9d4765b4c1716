import { identityView } from '../../graphql/graphql.views.js';
import type { WebhookEndpoint } from '../../state/webhooks/webhook-address.js';
import { addressOf, constantOf } from '../../state/webhooks/webhook-subscriptions.js';
import type { WebhookSubscription } from '../../state/webhooks/webhook-subscription.js';

/** A webhook subscription as the schema describes it. */
export function subscriptionView(subscription: WebhookSubscription): object {
  const { apiVersion } = subscription;
  const address = addressOf(subscription.endpoint);
  return {
    __typename: 'WebhookSubscription',
    ...identityView('WebhookSubscription', subscription),
    topic: constantOf(subscription),
    uri: address,
    callbackUrl: address,
    endpoint: endpointView(subscription.endpoint),
    includeFields: subscription.includeFields,
    metafieldNamespaces: subscription.metafieldNamespaces,
    metafields: subscription.metafields,
    filter: subscription.filter,
    name: subscription.name,
    format: subscription.format.toUpperCase(),
    apiVersion: { handle: apiVersion, displayName: apiVersion, supported: true },
  };
}

function endpointView(endpoint: WebhookEndpoint): object {
  switch (endpoint.kind) {
    case 'http':
      return { __typename: 'WebhookHttpEndpoint', callbackUrl: endpoint.callbackUrl };
    case 'eventbridge':
      return { __typename: 'WebhookEventBridgeEndpoint', arn: endpoint.arn };
    case 'pubsub':
      return {
        __typename: 'WebhookPubSubEndpoint',
        pubSubProject: endpoint.project,
        pubSubTopic: endpoint.topic,
      };
  }
}
