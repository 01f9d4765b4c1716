import type { GraphQLSchema } from 'graphql';
import { globalId } from '../../base/vendor.js';
import type { NodeStore } from '../../state/nodes/node-store.js';
import type { Product } from '../../state/products/product.js';
import { NodeInputs } from '../nodes/node-inputs.js';

/** The fields of an input that the catalog keeps, or another store. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'id',
  'title',
  'descriptionHtml',
  'vendor',
  'productType',
  'handle',
  'status',
  'tags',
  'metafields',
  'productOptions',
]);

/** Keeps the fields of a product that the catalog has no rules for, such as `seo`. */
export function keepOtherFields(
  nodes: NodeStore,
  schema: GraphQLSchema,
  { id }: Product,
  fields: object,
): void {
  const type = schema.getType('Product');
  const others = Object.entries(fields).filter(
    ([name, value]) => !ELSEWHERE.has(name) && value != null,
  );
  if (!type || others.length === 0) return;
  const inputs = new NodeInputs(nodes, schema);
  nodes.update(globalId('Product', id), inputs.fields(Object.fromEntries(others), type));
}
