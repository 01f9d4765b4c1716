import { isoTime } from '../../base/iso-time.js';
import { topicName } from '../../base/webhook-topics.js';
import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import { numberOf, typeOfId } from './node-reader.js';
import { snakeCase } from './node-search.js';
import type { NodeChange } from './node-writer.js';

/** Resources whose topics are not called like their type. */
const RESOURCES: Readonly<Record<string, string>> = {
  OnlineStoreTheme: 'themes',
  DeliveryProfile: 'profiles',
  DiscountAutomaticNode: 'discounts',
  DiscountCodeNode: 'discounts',
  Company: 'companies',
};

/** The topic of the webhook about a change; undefined when the platform has none. */
export function changeTopic(change: NodeChange, id: string): string | undefined {
  const type = typeOfId(id);
  const resource = RESOURCES[type] ?? `${snakeCase(type)}s`;
  return topicName(`${resource}/${change}`) ?? topicName(`${resource}/${change}d`);
}

/**
 * The payload of such a webhook: the id alone of what was deleted, else the values that were set,
 * in the spelling of the REST API.
 */
export function changePayload(
  change: NodeChange,
  id: string,
  fields: Readonly<NodeFields>,
  node: StoredNode | undefined,
): object {
  const number = numberOf(id);
  if (change === 'delete') return { id: number };
  return {
    id: number,
    admin_graphql_api_id: id,
    ...(node ? { created_at: isoTime(node.createdAt), updated_at: isoTime(node.updatedAt) } : {}),
    ...(restSpelling(fields) as object),
  };
}

function restSpelling(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(restSpelling);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [snakeCase(name), restSpelling(inner)]),
  );
}
