import type { PlatformConfig } from '../../core/config/platform-config.js';
import { normalizedPath } from '../../core/config/platform-config.js';

/** How deliveries travel. */
export enum DeliveryMethod {
  Http = 'http',
  EventBridge = 'eventbridge',
  PubSub = 'pubsub',
}

/**
 * A metafield of what an event is about. Without `namespace`, one in the namespace that is reserved
 * for the app.
 * @see
 * https://shopify.dev/docs/api/admin-graphql/latest/input-objects/HasMetafieldsMetafieldIdentifierInput
 */
export interface MetafieldIdentifier {
  readonly namespace?: string | undefined;
  readonly key: string;
}

/** What deliveries of a subscription contain, and which events are delivered. */
export interface SubscriptionDetails {
  /** Fields of the payload. @default all */
  readonly includeFields?: readonly string[] | undefined;
  /** Namespaces whose metafields are added to the payload. @default none */
  readonly metafieldNamespaces?: readonly string[] | undefined;
  /** Metafields that are added to the payload; from API version 2025-10. @default none */
  readonly metafields?: readonly MetafieldIdentifier[] | undefined;
  /** A search expression: events it does not match are not delivered. @default none */
  readonly filter?: string | undefined;
  /** Comes back as `name` of each delivery; from API version 2026-04. @default none */
  readonly name?: string | undefined;
}

/** Deliveries to an address of the app. */
export interface HttpSubscription extends SubscriptionDetails {
  readonly deliveryMethod: DeliveryMethod.Http | 'http';
  /**
   * A path on the app (in Nest without the global prefix), or an absolute URL. Deliveries that
   * arrive there run the handlers that name it; at a path that no handler of the topic names, all
   * of them run. On the app's own origin the toolkit serves it like the webhook path when it has a
   * handler. @default the app's webhook path
   */
  readonly callbackUrl?: string | undefined;
}

/** Deliveries to a partner event source of Amazon EventBridge. */
export interface EventBridgeSubscription extends SubscriptionDetails {
  readonly deliveryMethod: DeliveryMethod.EventBridge | 'eventbridge';
  /** Of the partner event source. */
  readonly arn: string;
}

/** Deliveries to a topic of Google Cloud Pub/Sub. */
export interface PubSubSubscription extends SubscriptionDetails {
  readonly deliveryMethod: DeliveryMethod.PubSub | 'pubsub';
  readonly pubSubProject: string;
  readonly pubSubTopic: string;
}

/** What the platform delivers, and where. */
export type WebhookSubscription = HttpSubscription | EventBridgeSubscription | PubSubSubscription;

/** An address without what may be secret in it: credentials, and the values of its query. */
export function shownUri(uri: string): string {
  if (!/^https?:/i.test(uri)) return uri;
  return uri
    .replace(/^(https?:\/\/)[^/?#]*@/i, '$1[redacted]@')
    .replace(/\?.*$/s, (query) => query.replace(/=[^&#]*/g, '=[redacted]'));
}

/**
 * The address of a subscription as one line: an absolute URL, an ARN or `pubsub://project:topic`.
 * Equal lines are the same endpoint.
 */
export function uriOf(subscription: WebhookSubscription, config: PlatformConfig): string {
  if (subscription.deliveryMethod !== 'http') return queueOf(subscription);
  const { callbackUrl } = subscription;
  if (callbackUrl === undefined) return config.appPath(config.paths.webhooks);
  return callbackUrl.startsWith('/')
    ? config.appPath(config.paths.mountedWebhook(callbackUrl))
    : callbackUrl;
}

/**
 * The path that deliveries of a subscription arrive at, without trailing slash; `undefined` for
 * those that go to a queue.
 */
export function pathOf(
  subscription: WebhookSubscription,
  config: PlatformConfig,
): string | undefined {
  if (subscription.deliveryMethod !== 'http') return undefined;
  const uri = uriOf(subscription, config);
  return URL.canParse(uri) ? normalizedPath(new URL(uri).pathname) : undefined;
}

/**
 * As {@link pathOf}, wherever the app is mounted: the same in each of its processes, also in one
 * that answers no requests. For what goes to a queue the delivery method, which no path looks like.
 */
export function declaredPathOf(
  subscription: WebhookSubscription,
  { paths }: PlatformConfig,
): string | undefined {
  if (subscription.deliveryMethod !== 'http') return subscription.deliveryMethod;
  const { callbackUrl } = subscription;
  if (callbackUrl === undefined) return new Map(paths.entries()).get('webhooks');
  return URL.canParse(callbackUrl, 'http://app')
    ? normalizedPath(new URL(callbackUrl, 'http://app').pathname)
    : undefined;
}

/**
 * The path that those of the subscriptions declare whose deliveries arrive at `path`; that itself
 * when there are none, or they declare several.
 */
export function declaredPathAt(
  path: string,
  declared: readonly { readonly subscription: WebhookSubscription }[],
  config: PlatformConfig,
): string {
  const arrived = normalizedPath(path);
  const [first, ...others] = declared
    .filter(({ subscription }) => pathOf(subscription, config) === arrived)
    .map(({ subscription }) => declaredPathOf(subscription, config));
  return first !== undefined && others.every((other) => other === first) ? first : path;
}

/** As {@link pathOf}; `undefined` for an address on another origin, too. */
export function ownPathOf(
  subscription: WebhookSubscription,
  config: PlatformConfig,
): string | undefined {
  if (subscription.deliveryMethod !== 'http') return undefined;
  return subscription.callbackUrl === undefined
    ? normalizedPath(config.paths.webhooks)
    : namedPath(subscription)(config);
}

/**
 * The path that a handler names, without trailing slash, under the prefix the app is mounted at;
 * `undefined` when it is on another origin.
 */
export type NamedPath = (config: PlatformConfig) => string | undefined;

/** As {@link ownPathOf}, for a callback URL that is used often: it is parsed once. */
export function namedPath({ callbackUrl = '' }: HttpSubscription): NamedPath {
  if (!URL.canParse(callbackUrl, 'http://app')) return () => undefined;
  const { pathname } = new URL(callbackUrl, 'http://app');
  if (callbackUrl.startsWith('/'))
    return ({ paths }) => normalizedPath(paths.mountedWebhook(pathname));
  return ({ appUrl }) =>
    callbackUrl.startsWith(`${appUrl}/`) ? normalizedPath(pathname) : undefined;
}

/** As {@link uriOf}, for a subscription to a queue. */
function queueOf(subscription: EventBridgeSubscription | PubSubSubscription): string {
  return subscription.deliveryMethod === 'eventbridge'
    ? subscription.arn
    : `pubsub://${subscription.pubSubProject}:${subscription.pubSubTopic}`;
}

/** The queue of a subscription, when one of the others goes there, too. */
export function sameQueue(
  subscription: WebhookSubscription,
  others: readonly { readonly subscription: WebhookSubscription }[],
): string | undefined {
  if (subscription.deliveryMethod === 'http') return undefined;
  const queue = queueOf(subscription);
  return others.some(
    ({ subscription: other }) => other.deliveryMethod !== 'http' && queueOf(other) === queue,
  )
    ? queue
    : undefined;
}

/** The reverse of {@link uriOf}. */
export function subscriptionTo(uri: string): WebhookSubscription {
  if (uri.startsWith('arn:')) return { deliveryMethod: DeliveryMethod.EventBridge, arn: uri };
  const queue = /^pubsub:\/\/([^:]+):(.+)$/.exec(uri);
  if (queue)
    return {
      deliveryMethod: DeliveryMethod.PubSub,
      pubSubProject: queue[1]!,
      pubSubTopic: queue[2]!,
    };
  return { deliveryMethod: DeliveryMethod.Http, callbackUrl: uri };
}
