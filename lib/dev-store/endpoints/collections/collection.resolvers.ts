import type { GraphQLResolveInfo } from 'graphql';
import { freeHandle, slug } from '../../base/text-values.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import { publish, publishedOn } from '../../state/products/publications.js';
import { startedJob } from '../nodes/job.resolvers.js';
import type { NodeWriter } from '../nodes/node-writer.js';

interface ProductsArgs {
  id: string;
  productIds: readonly string[];
}

interface MovesArgs {
  id: string;
  moves: ReadonlyArray<{ readonly id: string; readonly newPosition: string | number }>;
}

interface CollectionArgs {
  input: NodeFields & {
    readonly id?: string | null;
    products?: readonly string[] | null;
    ruleSet?: { readonly rules?: readonly object[] | null } | null;
  };
}

interface DuplicateArgs {
  input: {
    readonly collectionId: string;
    readonly newTitle: string;
    readonly copyPublications?: boolean | null;
  };
}

interface CollectionError {
  readonly field: readonly string[] | null;
  readonly message: string;
  readonly code?: string;
}

/** `collectionUpdate` was called without the collection that it is about. */
class MissingCollectionId extends Error {
  readonly extensions = { code: 'BAD_REQUEST' };

  constructor() {
    super('id must be specified on collectionUpdate');
  }
}

/**
 * The resolvers of the mutations of collections that have rules of their own. Those that return
 * undefined leave the rest to the conventions.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/objects/Collection
 */
export function collectionRoot({
  reader,
  catalog,
  changed,
  view,
}: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const manual = (id: string): string[] => {
    const { products } = nodes.fieldsOf(id);
    return Array.isArray(products) ? (products as string[]) : [];
  };
  const change = (id: string, products: readonly string[]): void => {
    nodes.update(id, { products });
    changed('update', id, nodes.fieldsOf(id));
  };
  const isThere = (id: string): boolean => nodes.find(id)?.type === 'Collection';
  const isSmart = (id: string): boolean => nodes.fieldsOf(id)['ruleSet'] != null;
  const noProduct = ({ products }: CollectionArgs['input']): CollectionError | undefined => {
    const index = (products ?? []).findIndex((product) => !view(product));
    return index < 0
      ? undefined
      : { field: ['products', String(index)], message: 'Product does not exist' };
  };
  /** Why products are not put into a collection by hand, or taken out of it. */
  const unchangeable = (id: string, words: string, code: string): CollectionError | undefined => {
    if (!isThere(id)) return { ...NO_COLLECTION, code: 'COLLECTION_DOES_NOT_EXIST' };
    const message = `Can't manually ${words} a smart collection`;
    return isSmart(id) ? { field: ['id'], message, code } : undefined;
  };

  return {
    collectionCreate: ({ input }: CollectionArgs) => {
      const message = 'id cannot be specified on collection creation';
      const error =
        input.id == null
          ? (noProduct(input) ?? (input.ruleSet && !input.ruleSet.rules ? NO_RULES : undefined))
          : { field: ['id'], message };
      if (error) return { collection: null, userErrors: [error] };
      if (input.products) input.products = [...new Set(input.products)];
      // Without a rule it is a custom collection.
      if (input.ruleSet?.rules?.length === 0) input.ruleSet = null;
      return undefined;
    },

    collectionUpdate: (
      args: CollectionArgs,
      context: GraphqlContext,
      info: GraphQLResolveInfo,
    ): unknown => {
      const { id, ruleSet } = args.input;
      if (id == null) throw new MissingCollectionId();
      const error = !isThere(id)
        ? { ...NO_COLLECTION, field: null }
        : ruleSet && !isSmart(id)
          ? { field: ['id'], message: 'Cannot update rule set of a custom collection' }
          : ruleSet && !ruleSet.rules?.length
            ? NO_RULES
            : noProduct(args.input);
      if (error) return { collection: null, job: null, userErrors: [error] };
      const result = context.missing({}, args, context, info) as { userErrors: readonly object[] };
      const isStarted = ruleSet != null && result.userErrors.length === 0;
      return { ...result, job: isStarted ? startedJob(nodes) : null };
    },

    collectionAddProducts: ({ id, productIds }: ProductsArgs) => {
      const error = unchangeable(id, 'add products to', 'CANT_ADD_TO_SMART_COLLECTION');
      if (error) return { collection: null, userErrors: [withoutCode(error)] };
      const before = manual(id);
      const unknown = productIds.some((product) => !view(product));
      const twice = productIds.some((product) => before.includes(product));
      const message = unknown
        ? 'Product does not exist'
        : twice
          ? 'Product is already in the collection'
          : undefined;
      if (message) return { collection: null, userErrors: [{ field: ['productIds'], message }] };
      change(id, [...new Set([...before, ...productIds])]);
      return { collection: view(id), userErrors: [] };
    },

    collectionAddProductsV2: ({ id, productIds }: ProductsArgs) => {
      const error = unchangeable(id, 'add products to', 'CANT_ADD_TO_SMART_COLLECTION');
      if (error) return { job: null, userErrors: [error] };
      const added = productIds.filter((product) => view(product));
      change(id, [...new Set([...manual(id), ...added])]);
      return { job: startedJob(nodes), userErrors: [] };
    },

    collectionRemoveProducts: ({ id, productIds }: ProductsArgs) => {
      const error = unchangeable(id, 'remove products from', '');
      if (error) return { job: null, userErrors: [withoutCode(error)] };
      change(
        id,
        manual(id).filter((product) => !productIds.includes(product)),
      );
      return { job: startedJob(nodes), userErrors: [] };
    },

    collectionReorderProducts: ({ id, moves }: MovesArgs) => {
      const isManual = !isSmart(id) && nodes.fieldsOf(id)['sortOrder'] === 'MANUAL';
      const order = [...manual(id)];
      const error = !isThere(id)
        ? { ...NO_COLLECTION, code: 'COLLECTION_NOT_FOUND' }
        : isManual
          ? undefined
          : NOT_MANUAL;
      if (error) return { job: null, userErrors: [error] };
      for (const move of moves) {
        const from = order.indexOf(move.id);
        if (from < 0) continue;
        order.splice(from, 1);
        order.splice(Number(move.newPosition), 0, move.id);
      }
      change(id, order);
      return { job: startedJob(nodes), userErrors: [] };
    },

    collectionDuplicate: ({ input }: DuplicateArgs) => {
      const { collectionId, newTitle, copyPublications } = input;
      if (!isThere(collectionId)) {
        const error = { field: ['input', 'collectionId'], message: NO_COLLECTION.message };
        return {
          collection: null,
          job: null,
          userErrors: [{ ...error, code: 'COLLECTION_NOT_FOUND' }],
        };
      }
      const fields = structuredClone(nodes.fieldsOf(collectionId));
      const taken = new Set(nodes.all(['Collection']).map((one) => one.fields['handle']));
      const handle = freeHandle(slug(newTitle), taken);
      const { id } = nodes.create('Collection', { ...fields, title: newTitle, handle });
      const shop = { nodes, catalog };
      if (copyPublications !== false)
        for (const { publication, at } of publishedOn(shop, collectionId))
          publish(shop, id, publication.id, at);
      changed('create', id, nodes.fieldsOf(id));
      return { collection: view(id), job: startedJob(nodes), userErrors: [] };
    },
  };
}

function withoutCode({ field, message }: CollectionError): CollectionError {
  return { field, message };
}

const NO_COLLECTION: CollectionError = { field: ['id'], message: 'Collection does not exist' };
const NO_RULES: CollectionError = {
  field: ['ruleSet', 'rules'],
  message: 'Rules cannot be an empty set',
};
const NOT_MANUAL: CollectionError = {
  field: ['id'],
  message: "Can't reorder products unless collection is manually sorted",
  code: 'MANUALLY_SORTED_COLLECTION',
};
