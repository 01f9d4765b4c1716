import { idOf } from '../../base/vendor.js';
import { shopView } from '../admin-graphql/graphql.views.js';
import { NodeReader } from '../nodes/node-reader.js';
import { nodeNotices } from '../nodes/node-webhooks.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { shopDefaults } from '../nodes/shop-defaults.js';
import { productView } from '../products/product.views.js';
import { variantNode } from '../products/variants.resolvers.js';
import type { RestShop } from './rest.endpoint.js';

/** What a REST call changes nodes with: the same that a GraphQL call does. */
export function restWriter(shop: RestShop, apiKey: string, now: () => Date): NodeWriter {
  const other = (id: string): object | null => {
    const product = shop.catalog.find(idOf('Product', id) ?? NaN);
    return product ? productView(product) : variantNode(shop.catalog, id);
  };
  const reader = new NodeReader({
    ...{ nodes: shop.nodes, defaults: shopDefaults(shop, now), other },
    shop: () => shopView(shop),
  });
  return {
    ...{ reader, apiKey, catalog: shop.catalog, privacy: shop.privacy, themes: shop.themes },
    changed: nodeNotices(shop, now),
    view: (id) => reader.view(id),
  };
}
