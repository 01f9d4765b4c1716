import { idOf } from '../../base/vendor.js';
import type { ApiCall } from '../admin-api/admin-api-access.js';
import { shopView } from '../shop/shop.views.js';
import { NodeReader } from '../nodes/node-reader.js';
import { nodeNotices } from '../nodes/node-webhooks.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { shopDefaults } from '../nodes/shop-defaults.js';
import { OrderStock } from '../orders/order-stock.js';
import { productView } from '../products/product.views.js';
import { variantNode } from '../products/variants.resolvers.js';
import type { RestShop } from './rest.endpoint.js';

/** What a REST call changes nodes with: the same that a GraphQL call does. */
export function restWriter(
  shop: RestShop,
  { token, version }: ApiCall,
  now: () => Date,
): NodeWriter {
  const notify = (topic: string, payload: object): void => shop.notify(topic, payload);
  const other = (id: string): object | null => {
    const product = shop.catalog.find(idOf('Product', id) ?? NaN);
    return product ? productView(product) : variantNode(shop.catalog, id);
  };
  const reader = new NodeReader({
    ...{ nodes: shop.nodes, defaults: shopDefaults(shop, now), other },
    ...{ own: {}, shop: () => shopView(shop), hides: () => false },
    get stock() {
      return new OrderStock(shop.nodes, shop.catalog, now, notify);
    },
  });
  return {
    ...{
      reader,
      notify,
      version,
      apiKey: token.apiKey,
      catalog: shop.catalog,
      privacy: shop.privacy,
      themes: shop.themes,
    },
    changed: nodeNotices(shop, now),
    view: (id) => reader.view(id),
  };
}
