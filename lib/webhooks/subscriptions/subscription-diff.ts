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

/** Which subscriptions are deleted besides. */
export interface Obsolescence {
  /** Everything that is not desired, a second subscription to a desired address included. */
  readonly prune: boolean;
  /** True for an address of the app's: one that is not desired is obsolete in any case. */
  readonly isOwn: (uri: string) => boolean;
}

/**
 * The changes for one topic: create what is missing, update what differs, delete what is obsolete.
 * @param existing the topic's subscriptions in the shop
 */
export function diffSubscriptions(
  desired: readonly DesiredSubscription[],
  existing: readonly SubscriptionNode[],
  dialect: SubscriptionDialect,
  { prune, isOwn }: Obsolescence,
): SubscriptionChange[] {
  const kept = new Set<SubscriptionNode>();
  const changes = desired.flatMap((one): SubscriptionChange[] => {
    const nodes = existing.filter((node) => uriOfNode(node) === one.uri);
    const details = normalForm(dialect.supported(one.subscription));
    const same = nodes.find((node) => formOf(node, dialect) === details);
    const chosen = same ?? nodes[0];
    if (!chosen) return [{ ...one, operation: 'create' }];
    kept.add(chosen);
    return same ? [] : [{ ...one, operation: 'update', id: chosen.id }];
  });
  const wanted = new Set(desired.map(({ uri }) => uri));
  const obsolete = existing.filter((node) => {
    const uri = uriOfNode(node);
    return !kept.has(node) && (prune || (!wanted.has(uri) && isOwn(uri)));
  });
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

function formOf(node: SubscriptionNode, dialect: SubscriptionDialect): string {
  const { filter, name } = node;
  return normalForm(
    dialect.supported({ ...node, filter: filter ?? undefined, name: name ?? undefined }),
  );
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
