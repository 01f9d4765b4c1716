import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import type { NodeWriter } from './node-writer.js';

/** The app that calls. */
type Caller = Pick<NodeWriter, 'apiKey'>;

/**
 * What each app has of its own, and is shown to no other.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/queries/cartTransforms
 * @see https://shopify.dev/docs/api/admin-graphql/latest/queries/shopifyFunctions
 */
const OF_ONE_APP: ReadonlySet<string> = new Set([
  'CartTransform',
  'MarketingActivity',
  'MarketingEvent',
  'ProductResourceFeedback',
  'ResourceFeedback',
  'ShopifyFunction',
]);

/**
 * What has an owner: all apps see a carrier service, and its own alone changes it.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/carrierServiceUpdate
 */
const OWNED: ReadonlySet<string> = new Set([...OF_ONE_APP, 'DeliveryCarrierService']);

/**
 * Whether something belongs to the app that calls, by its field `appKey`. What has none, such as
 * what a test has added to the shop, belongs to all apps.
 */
export function isOwn({ apiKey }: Caller, { appKey }: Readonly<NodeFields>): boolean {
  return appKey == null || appKey === apiKey;
}

/** Whether a node is of a type that each app has its own of, and another app's than the caller. */
export function isHidden(caller: Caller, { type, fields }: StoredNode): boolean {
  return OF_ONE_APP.has(type) && !isOwn(caller, fields);
}

/** Whether a node belongs to another app than the caller, which may not change it. */
export function isForeignNode(caller: Caller, { type, fields }: StoredNode): boolean {
  return OWNED.has(type) && !isOwn(caller, fields);
}

/** The field that makes a node belong to the app that calls. */
export function ownership({ apiKey }: Caller): Readonly<NodeFields> {
  return apiKey === undefined ? {} : { appKey: apiKey };
}

/** The {@link ownership} of a new node; none for a type that belongs to no app. */
export function ownershipOf(type: string, caller: Caller): Readonly<NodeFields> {
  return OWNED.has(type) ? ownership(caller) : {};
}
