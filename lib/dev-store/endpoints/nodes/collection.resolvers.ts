import { startedJob } from './job.resolvers.js';
import type { NodeWriter } from './node-writer.js';

interface ProductsArgs {
  id: string;
  productIds: readonly string[];
}

/** The resolvers of the mutations that add products to collections and take them out. */
export function collectionRoot({ reader, changed, view }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const productsOf = (id: string): string[] => {
    const { products } = nodes.fieldsOf(id);
    return Array.isArray(products) ? (products as string[]) : [];
  };
  const change = (id: string, products: readonly string[]): void => {
    nodes.update(id, { products });
    changed('update', id, nodes.fieldsOf(id));
  };
  const isThere = (id: string): boolean => nodes.find(id)?.type === 'Collection';
  const noCollection = { field: ['id'], message: 'Collection does not exist' };
  return {
    collectionAddProducts: ({ id, productIds }: ProductsArgs) => {
      if (!isThere(id)) return { collection: null, userErrors: [noCollection] };
      const before = productsOf(id);
      const unknown = productIds.some((product) => !view(product));
      const twice = productIds.some((product) => before.includes(product));
      const message = unknown
        ? 'Product does not exist'
        : twice
          ? 'Product is already in the collection'
          : undefined;
      if (message) return { collection: null, userErrors: [{ field: ['productIds'], message }] };
      change(id, [...before, ...productIds]);
      return { collection: view(id), userErrors: [] };
    },
    collectionRemoveProducts: ({ id, productIds }: ProductsArgs) => {
      if (!isThere(id)) return { job: null, userErrors: [noCollection] };
      change(
        id,
        productsOf(id).filter((product) => !productIds.includes(product)),
      );
      return { job: startedJob(nodes), userErrors: [] };
    },
  };
}
