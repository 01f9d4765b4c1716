import { uriOfNode } from './webhook.queries.js';
import type {
  SubscriptionDialect,
  SubscriptionNode,
  SubscriptionOperation,
} from './webhook.queries.js';
import { subscriptionTo } from './webhook-subscription.js';
import type { Subscription, SubscriptionDetails } from './webhook-subscription.js';

/** What an app wants for one topic and address. */
export interface DesiredSubscription {
  readonly topic: string;
  readonly uri: string;
  readonly subscription: Subscription;
}

/** One change that brings the existing subscriptions closer to the desired ones. */
export interface SubscriptionChange extends DesiredSubscription {
  readonly operation: SubscriptionOperation;
  /** Of the existing subscription. */
  readonly id?: string;
}

/**
 * One subscription per address for all handlers of a topic. It covers what any of them asked for,
 * so that several handlers never take deliveries or fields from each other.
 */
export function desiredSubscriptions(
  topic: string,
  subscriptions: readonly Subscription[],
  uriOf: (subscription: Subscription) => string,
): DesiredSubscription[] {
  const perUri = new Map<string, Subscription>();
  for (const subscription of subscriptions) {
    const uri = uriOf(subscription);
    const first = perUri.get(uri);
    perUri.set(uri, first ? { ...first, ...union(first, subscription) } : subscription);
  }
  return [...perUri].map(([uri, subscription]) => ({ topic, uri, subscription }));
}

function union(a: SubscriptionDetails, b: SubscriptionDetails): SubscriptionDetails {
  const all = !a.includeFields?.length || !b.includeFields?.length;
  return {
    includeFields: all ? undefined : [...new Set([...a.includeFields!, ...b.includeFields!])],
    metafieldNamespaces: [
      ...new Set([...(a.metafieldNamespaces ?? []), ...(b.metafieldNamespaces ?? [])]),
    ],
    filter: a.filter === b.filter ? a.filter : undefined,
    name: a.name ?? b.name,
  };
}

/**
 * The changes for one topic: create what is missing, update what differs, delete what
 * `isObsolete`.
 * @param existing the topic's subscriptions in the shop
 */
export function diffSubscriptions(
  desired: readonly DesiredSubscription[],
  existing: readonly SubscriptionNode[],
  dialect: SubscriptionDialect,
  isObsolete: (uri: string) => boolean,
): SubscriptionChange[] {
  const byUri = new Map(existing.map((node) => [uriOfNode(node), node]));
  const changes = desired.flatMap((one): SubscriptionChange[] => {
    const node = byUri.get(one.uri);
    if (!node) return [{ ...one, operation: 'create' }];
    const differs =
      normalForm(dialect.supported(one.subscription)) !==
      normalForm(
        dialect.supported({
          ...node,
          filter: node.filter ?? undefined,
          name: node.name ?? undefined,
        }),
      );
    return differs ? [{ ...one, operation: 'update', id: node.id }] : [];
  });
  const wanted = new Set(desired.map(({ uri }) => uri));
  const obsolete = existing.filter(
    (node) => !wanted.has(uriOfNode(node)) && isObsolete(uriOfNode(node)),
  );
  // New before old, so that no event falls between an old address and its replacement.
  return [
    ...changes.filter(({ operation }) => operation === 'create'),
    ...changes.filter(({ operation }) => operation === 'update'),
    ...obsolete.map(deletionOf),
  ];
}

/** The change that deletes a subscription. */
export function deletionOf(node: SubscriptionNode): SubscriptionChange {
  const uri = uriOfNode(node);
  return {
    operation: 'delete',
    id: node.id,
    topic: node.topic,
    uri,
    subscription: subscriptionTo(uri),
  };
}

/** Equal for details that mean the same: order is ignored, and absent is the same as empty. */
function normalForm({
  includeFields,
  metafieldNamespaces,
  filter,
  name,
}: SubscriptionDetails): string {
  return JSON.stringify([
    sorted(includeFields),
    sorted(metafieldNamespaces),
    filter || '',
    name || '',
  ]);
}

function sorted(list: readonly string[] = []): string[] {
  return [...list].sort();
}
