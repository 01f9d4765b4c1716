import type { Resolution } from '../../graphql/graphql-execution.js';
import type { PrivacyRequests } from '../../state/customers/privacy-requests.js';
import type { StoredNode } from '../../state/nodes/node-store.js';
import type { OwnResolverContext, OwnResolvers } from '../../state/nodes/own-resolvers.js';
import type { ThemeFiles } from '../../state/themes/theme-files.js';
import { companyFields } from '../b2b/company-fields.js';
import { locationFields } from '../inventory/location-fields.js';
import { translationFields } from '../localization/translation-fields.js';
import { marketFields } from '../markets/price-list-prices.js';
import { collectionFields } from '../collections/collection-fields.js';
import { transferFields } from '../inventory/transfer-fields.js';
import { actionsOf } from '../orders/fulfillment-orders.js';
import { OrderStock } from '../orders/order-stock.js';
import { customerOrders } from '../payloads/customer-payload.js';
import type { NotifyingShop } from '../payloads/payload-values.js';
import { mediaFields } from '../products/product-media.js';
import { publishingFields } from '../publishing/publishing-fields.js';
import { sellingPlanFields } from '../selling-plans/selling-plan-fields.js';
import { quantityFields } from '../storefront/cart-stock.js';
import { fulfillmentServicesOf } from '../shipping/fulfillment-service.resolvers.js';
import { filesField } from '../themes/theme-files.resolvers.js';
import { missingFields } from './missing-fields.js';
import { demandAccess } from './node-access.js';
import { ruledRoot } from './node-root.js';
import { NodeReader, typeOfId, type ReadableShop } from './node-reader.js';
import type { NodeWriter } from './node-writer.js';
import { nodeNotices } from './node-webhooks.js';
import { lookedUpRoot } from './own-root.js';
import { shopDefaults } from './shop-defaults.js';

/** The part of a shop that nodes are resolved from. */
export interface NodeShop extends NotifyingShop {
  readonly resolvers: OwnResolvers;
  readonly privacy: PrivacyRequests;
  readonly themes: ThemeFiles;
}

/** The calls whose fields are resolved: all those of one caller. */
interface NodeCall extends Pick<OwnResolverContext, 'api' | 'apiKey' | 'version'> {
  readonly now: () => Date;
  /** Whether its token covers a scope. */
  readonly mayUse: (scope: string) => boolean;
  /** Whether its app may not know of a node. Default: of none. */
  readonly hides?: (node: StoredNode) => boolean;
}

/** A resolver of a root field, with its arguments alone. */
type RootField = (args: object) => object | null;

/** What the fields of a caller are resolved with. */
export interface NodeResolution extends Resolution {
  readonly root: Readonly<Record<string, unknown>>;
  /** The store's own `node`, whatever tests resolve the field with. */
  readonly node: (args: { id: string }) => object | null;
}

/**
 * Lays the resolvers of an interface over the generic store of nodes, and those of an app's tests
 * over both.
 * @param root has the fields `node` and `shop`
 */
export function nodeResolution(
  root: Readonly<Record<string, unknown>>,
  shop: NodeShop,
  { now, mayUse, hides = () => false, ...call }: NodeCall,
): NodeResolution {
  let own: ReadableShop['own'] | undefined;
  const reader = new NodeReader({
    nodes: shop.nodes,
    hides,
    defaults: shopDefaults(shop, now),
    get own() {
      return (own ??= {
        ...publishingFields(shop, now, call.apiKey),
        ...locationFields(shop),
        ...collectionFields(shop),
        ...transferFields(shop.nodes),
        ...mediaFields(shop.nodes),
        'FulfillmentOrder.supportedActions': (id) => actionsOf(shop.nodes, id),
        ...quantityFields(shop.nodes),
        ...companyFields(shop.nodes),
        ...sellingPlanFields(shop.nodes, shop.catalog),
        ...translationFields(shop.nodes),
        ...marketFields(shop.nodes, shop.catalog),
        'Customer.amountSpent': (id) =>
          shop.nodes.fieldsOf(id)['amountSpent'] ?? {
            amount: customerOrders(id, shop.nodes).spent,
          },
        'Customer.lastOrder': (id) =>
          shop.nodes.fieldsOf(id)['lastOrder'] ?? customerOrders(id, shop.nodes).last?.id,
        'Shop.shopPolicies': () => shop.nodes.all(['ShopPolicy']).map(({ id }) => id),
        'Shop.fulfillmentServices': () => fulfillmentServicesOf(shop.nodes),
        'OnlineStoreTheme.files': (id) => filesField(shop.themes, id),
      });
    },
    get stock() {
      return new OrderStock(shop.nodes, shop.catalog, now, (...event) => shop.notify(...event));
    },
    other: (id) => (root['node'] as RootField)({ id }),
    shop: () => (root['shop'] as () => object)(),
  });
  const changed = nodeNotices(shop, now);
  const view = (id: string): object | null => {
    if (shop.nodes.find(id)) demandAccess('node', [typeOfId(id), 'read'], mayUse);
    return reader.view(id);
  };
  const writer: NodeWriter = {
    reader,
    catalog: shop.catalog,
    privacy: shop.privacy,
    themes: shop.themes,
    apiKey: call.apiKey,
    changed,
    notify: (topic, payload) => shop.notify(topic, payload),
    version: call.version,
    view: (id) => reader.view(id),
  };
  const node: NodeResolution['node'] = ({ id }) => view(id);
  const fields: Readonly<Record<string, unknown>> = {
    ...root,
    node,
    nodes: ({ ids }: { ids: string[] }) => ids.map(view),
  };
  const ruled = call.api === 'admin' ? ruledRoot(writer, mayUse) : () => undefined;
  const stores = (name: string): unknown => fields[name] ?? ruled(name);
  const ownCall = { ...call, shop: shop.domain, nodes: shop.nodes };
  return {
    root: lookedUpRoot(stores, shop.resolvers, ownCall, reader),
    missing: missingFields({ reader, writer, mayUse }),
    mayUse,
    node,
  };
}
