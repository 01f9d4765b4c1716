import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import { isOwn } from '../nodes/app-ownership.js';
import type { NodeReader } from '../nodes/node-reader.js';
import type { NodeWriter } from '../nodes/node-writer.js';

/** A function of an app, as its mutations name it. */
export interface FunctionNames {
  readonly functionId?: string | null;
  readonly functionHandle?: string | null;
}

/** A function that a mutation may use, or why it may not. */
export type FoundFunction =
  | { readonly kind: 'found'; readonly fields: NodeFields }
  | { readonly kind: 'missing' | 'several' | 'unknown' | 'other'; readonly name: string };

/**
 * The function that a mutation names, of the app that calls. A shop that has no `ShopifyFunction`
 * nodes takes any: what an app has released the store cannot know.
 * @param types the `apiType`s that the mutation takes, e.g. `cart_transform`
 */
export function namedFunction(
  writer: NodeWriter,
  { functionId, functionHandle }: FunctionNames,
  types: readonly string[],
): FoundFunction {
  const name = functionId ?? functionHandle;
  if (functionId != null && functionHandle != null) return { kind: 'several', name: functionId };
  if (name == null) return { kind: 'missing', name: '' };
  const known = writer.reader.store.nodes.all(['ShopifyFunction']);
  if (known.length === 0) return { kind: 'found', fields: assumed(name, types) };
  const node = known.find(
    (one) =>
      isOwn(writer, one.fields) &&
      (functionId == null ? one.fields['handle'] === name : idIn(one) === name),
  );
  if (!node) return { kind: 'unknown', name };
  if (!types.includes(String(node.fields['apiType']).toLowerCase())) return { kind: 'other', name };
  return { kind: 'found', fields: { ...node.fields, id: idIn(node) } };
}

/** The resolver of the query for a function of an app, whose id is no global one. */
export function shopFunctionRoot(reader: NodeReader): Record<string, unknown> {
  return {
    shopifyFunction: ({ id }: { readonly id: string }) => {
      const { nodes, hides } = reader.store;
      const all = nodes.all(['ShopifyFunction']);
      const node = all.find((one) => idIn(one) === id && !hides(one));
      return node ? reader.objectOf({ ...node.fields, id }) : null;
    },
  };
}

/** The id of a function, which a test may give it: the platform's are no global ids. */
function idIn({ id, fields }: StoredNode): unknown {
  return fields['id'] ?? id;
}

function assumed(name: string, [apiType]: readonly string[]): NodeFields {
  return { id: name, handle: name, title: name, description: name, apiType };
}
