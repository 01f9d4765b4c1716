import type { EventLog } from '../../base/event-log.js';
import { AccessDenied } from '../../graphql/graphql-access.js';
import type { Resolution } from '../../graphql/graphql-execution.js';
import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import type { OwnResolverContext, OwnResolvers } from '../../state/nodes/own-resolvers.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import type { ShopIdentity } from '../../state/shop/shop-identity.js';
import { locationFields } from '../inventory/location-fields.js';
import { OrderStock } from '../orders/order-stock.js';
import { publishingFields } from '../publishing/publishing-fields.js';
import { missingFields } from './missing-fields.js';
import { scopeOf } from './node-access.js';
import { nodeRoot } from './node-root.js';
import { NodeReader, typeOfId, type ReadableShop } from './node-reader.js';
import type { NodeChange, NodeWriter, OnNodeChange } from './node-writer.js';
import { changePayload, changeTopic } from './node-webhooks.js';
import { withOwnResolvers } from './own-root.js';
import { shopDefaults } from './shop-defaults.js';

/** The part of a shop that nodes are resolved from. */
export interface NodeShop extends ShopIdentity {
  readonly nodes: NodeStore;
  readonly catalog: ProductCatalog;
  readonly resolvers: OwnResolvers;
  readonly log: EventLog;
  /** Sends an event to the subscriptions of a topic, without waiting for them. */
  notify(topic: string, payload: object): void;
}

/** The call whose fields are resolved. */
export interface NodeCall extends Pick<OwnResolverContext, 'api' | 'apiKey' | 'version'> {
  readonly now: () => Date;
  /** Whether its token covers a scope. */
  readonly mayUse: (scope: string) => boolean;
}

/** A resolver of a root field, with its arguments alone. */
type RootField = (args: object) => object | null;

/**
 * Lays the resolvers of an interface over the generic store of nodes, and those of an app's tests
 * over both.
 * @param root has the fields `node` and `shop`
 */
export function nodeResolution(
  root: Readonly<Record<string, unknown>>,
  shop: NodeShop,
  { now, mayUse, ...call }: NodeCall,
): Resolution & { readonly root: Record<string, unknown> } {
  shop.nodes.beginCall();
  let own: ReadableShop['own'] | undefined;
  const reader = new NodeReader({
    nodes: shop.nodes,
    defaults: shopDefaults(shop, now),
    get own() {
      return (own ??= {
        ...publishingFields(shop, now),
        ...locationFields(shop.catalog),
      });
    },
    get stock() {
      return new OrderStock(shop.nodes, shop.catalog, now, (...event) => shop.notify(...event));
    },
    other: (id) => (root['node'] as RootField)({ id }),
    shop: () => (root['shop'] as () => object)(),
  });
  const told = (topic: string, change: NodeChange, id: string, fields: NodeFields): void =>
    shop.notify(topic, changePayload(change, id, fields, shop.nodes.find(id)));
  const changed: OnNodeChange = Object.assign(
    (change: NodeChange, id: string, fields: Readonly<NodeFields>) => {
      shop.log.add({ kind: 'node', summary: `${id}: ${change}d` });
      const topic = changeTopic(change, id);
      if (topic) told(topic, change, id, fields);
    },
    {
      topic: (topic: string, id: string) => told(topic, 'update', id, shop.nodes.fieldsOf(id)),
    },
  );
  const view = (id: string): object | null => {
    const scope = shop.nodes.find(id) && scopeOf(typeOfId(id), 'read');
    if (scope !== undefined && !mayUse(scope)) throw new AccessDenied('node', scope);
    return reader.view(id);
  };
  const writer: NodeWriter = {
    reader,
    catalog: shop.catalog,
    changed,
    notify: (topic, payload) => shop.notify(topic, payload),
    version: call.version,
    view: (id) => reader.view(id),
  };
  const all = {
    ...(call.api === 'admin' ? nodeRoot(writer, mayUse) : {}),
    ...root,
    node: ({ id }: { id: string }) => view(id),
    nodes: ({ ids }: { ids: string[] }) => ids.map(view),
  };
  const ownCall = { ...call, shop: shop.domain, nodes: shop.nodes };
  return {
    root: withOwnResolvers(all, shop.resolvers, ownCall, reader),
    missing: missingFields({ reader, changed, mayUse }),
  };
}
