import { topicName } from '../../base/webhook-topics.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import { deletedPayload, nodePayload } from '../payloads/node-payload.js';
import type { NotifyingShop } from '../payloads/payload-values.js';
import { typeOfId } from './node-reader.js';
import { snakeCase } from './node-search.js';
import type { NodeChange, OnNodeChange } from './node-writer.js';

/** Resources whose topics are not called like their type. */
const RESOURCES: Readonly<Record<string, string>> = {
  OnlineStoreTheme: 'themes',
  DeliveryProfile: 'profiles',
  DiscountAutomaticNode: 'discounts',
  DiscountCodeNode: 'discounts',
  Company: 'companies',
};

/**
 * Notes what happens to the nodes of a shop, and tells the apps in the shape of the REST API.
 * @param now the time of the store
 */
export function nodeNotices(shop: NotifyingShop, now: () => Date): OnNodeChange {
  const notify = (topic: string, id: string): void => {
    const node = shop.nodes.find(id);
    if (node) shop.notify(topic, nodePayload(node, shop));
  };
  const changed = (change: NodeChange, id: string, fields: Readonly<NodeFields>): void => {
    shop.log.add({ kind: 'node', summary: `${id}: ${change}d` });
    const topic = changeTopic(change, id);
    if (topic && change === 'delete')
      shop.notify(topic, deletedPayload(id, typeOfId(id), fields, now()));
    else if (topic) notify(topic, id);
  };
  return Object.assign(changed, { topic: notify });
}

/** The topic of the webhook about a change; undefined when the platform has none. */
function changeTopic(change: NodeChange, id: string): string | undefined {
  const type = typeOfId(id);
  const resource = RESOURCES[type] ?? `${snakeCase(type)}s`;
  return topicName(`${resource}/${change}`) ?? topicName(`${resource}/${change}d`);
}
