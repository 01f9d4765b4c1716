import type {
  DesiredSubscription,
  PlannedSubscription,
  SubscriptionDifference,
} from './subscription-plan.js';
import { uriOfNode } from './webhook.queries.js';
import type { SubscriptionDialect, SubscriptionNode } from './webhook.queries.js';
import { subscriptionTo } from './webhook-subscription.js';
import type {
  MetafieldIdentifier,
  WebhookSubscription,
  SubscriptionDetails,
} from './webhook-subscription.js';

/**
 * One subscription per address for all handlers of a topic. It covers what any of them asked for,
 * so that several handlers never take deliveries or fields from each other.
 */
export function desiredSubscriptions(
  topic: string,
  subscriptions: readonly WebhookSubscription[],
  uriOf: (subscription: WebhookSubscription) => string,
): DesiredSubscription[] {
  const perUri = new Map<string, WebhookSubscription>();
  for (const subscription of subscriptions) {
    const uri = uriOf(subscription);
    const first = perUri.get(uri);
    perUri.set(uri, first ? { ...first, ...union(first, subscription) } : subscription);
  }
  return [...perUri].map(([uri, subscription]) => ({ topic, uri, subscription }));
}

function distinct(metafields: readonly MetafieldIdentifier[]): MetafieldIdentifier[] {
  return [...new Map(metafields.map((metafield) => [nameOf(metafield), metafield])).values()];
}

function union(a: SubscriptionDetails, b: SubscriptionDetails): SubscriptionDetails {
  const all = !a.includeFields?.length || !b.includeFields?.length;
  return {
    includeFields: all ? undefined : [...new Set([...a.includeFields!, ...b.includeFields!])],
    metafieldNamespaces: [
      ...new Set([...(a.metafieldNamespaces ?? []), ...(b.metafieldNamespaces ?? [])]),
    ],
    metafields: distinct([...(a.metafields ?? []), ...(b.metafields ?? [])]),
    filter: a.filter === b.filter ? a.filter : undefined,
    name: a.name ?? b.name,
  };
}

/** Which subscriptions are deleted besides. */
interface Obsolescence {
  /** Everything that is not desired, a second subscription to a desired address included. */
  readonly prune: boolean;
  /** True for an address of the app's: one that is not desired is obsolete in any case. */
  readonly isOwn: (uri: string) => boolean;
  /** True for one that another process of the app needs: it is never obsolete. @default none is */
  readonly isNeeded?: ((node: SubscriptionNode) => boolean) | undefined;
}

/**
 * What is to become of one topic: create what is missing, update what differs, delete what is
 * obsolete, keep the rest.
 * @param existing the topic's subscriptions in the shop
 */
export function diffSubscriptions(
  desired: readonly DesiredSubscription[],
  existing: readonly SubscriptionNode[],
  dialect: SubscriptionDialect,
  { prune, isOwn, isNeeded = () => false }: Obsolescence,
): PlannedSubscription[] {
  const matched = new Set<SubscriptionNode>();
  const declared = desired.map((one): PlannedSubscription => {
    const candidates = existing
      .filter((node) => uriOfNode(node) === one.uri)
      .map((node) => ({ node, differences: differencesOf(node, one.subscription, dialect) }));
    const chosen = candidates.find(({ differences }) => differences.length === 0) ?? candidates[0];
    if (!chosen) return { ...one, operation: 'create', differences: [], isDeclared: true };
    const { node, differences } = chosen;
    matched.add(node);
    const operation = differences.length === 0 ? 'keep' : 'update';
    return { ...one, operation, id: node.id, differences, isDeclared: true };
  });
  const wanted = new Set(desired.map(({ uri }) => uri));
  const others = existing
    .filter((node) => !matched.has(node))
    .map((node) => {
      const uri = uriOfNode(node);
      const isObsolete = prune || (!wanted.has(uri) && isOwn(uri));
      return undeclared(node, isObsolete && !isNeeded(node) ? 'delete' : 'keep');
    });
  const all = [...declared, ...others];
  // New before old, so that no event falls between an old address and its replacement.
  return (['create', 'update', 'delete', 'keep'] as const).flatMap((operation) =>
    all.filter((planned) => planned.operation === operation),
  );
}

/** What is to become of an existing subscription that the app does not declare. */
export function undeclared(
  node: SubscriptionNode,
  operation: 'delete' | 'keep',
): PlannedSubscription {
  const { id, topic } = node;
  const uri = uriOfNode(node);
  const subscription = { ...subscriptionTo(uri), ...detailsOf(node) };
  return { operation, id, topic, uri, subscription, differences: [], isDeclared: false };
}

const DETAILS = ['includeFields', 'metafieldNamespaces', 'metafields', 'filter', 'name'] as const;

/** The details that differ, as far as the version of the API has them. */
function differencesOf(
  node: SubscriptionNode,
  declared: WebhookSubscription,
  dialect: SubscriptionDialect,
): SubscriptionDifference[] {
  const existing = dialect.supported(detailsOf(node));
  const desired = dialect.supported(declared);
  return DETAILS.filter(
    (detail) => normalForm(existing[detail]) !== normalForm(desired[detail]),
  ).map((detail) => ({ detail, existing: existing[detail], desired: desired[detail] }));
}

/** The details that are set. */
function detailsOf(node: SubscriptionNode): SubscriptionDetails {
  return Object.fromEntries(
    DETAILS.map((detail) => [detail, node[detail]]).filter(([, value]) => value?.length),
  );
}

/** Equal for details that mean the same: order is ignored, and absent is the same as empty. */
function normalForm(detail: SubscriptionDetails[keyof SubscriptionDetails]): string {
  if (detail === undefined || typeof detail === 'string') return detail ?? '';
  const names = detail.map((one) => (typeof one === 'string' ? one : nameOf(one)));
  return names.length === 0 ? '' : JSON.stringify(names.sort());
}

/** The platform writes out `$app`, the namespace that is reserved for an app: `app--1234`. */
function nameOf({ namespace = '$app', key }: MetafieldIdentifier): string {
  return JSON.stringify([namespace.replace(/^app--\d+(?:--|$)/, '$app:').replace(/:$/, ''), key]);
}
