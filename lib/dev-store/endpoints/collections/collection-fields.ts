import { countView } from '../../graphql/graphql.views.js';
import type { OwnField } from '../nodes/node-reader.js';
import { isIn, productsOf, type CollectionShop } from './collection-rules.js';

/** The fields of collections and products that say what is in which collection. */
export function collectionFields(shop: CollectionShop): Record<string, OwnField> {
  const collectionsOf = (product: string): string[] =>
    shop.nodes
      .all(['Collection'])
      .map(({ id }) => id)
      .filter((id) => isIn(shop, id, product));
  return {
    'Collection.products': (id, { sortKey }) => productsOf(shop, id, sortKey),
    'Collection.productsCount': (id) => countView(productsOf(shop, id).length),
    'Collection.hasProduct': (id, { id: product }) => isIn(shop, id, String(product)),
    'Product.collections': collectionsOf,
    'Product.collectionsCount': (id) => countView(collectionsOf(id).length),
    'Product.inCollection': (id, { id: collection }) => isIn(shop, String(collection), id),
  };
}
