import type { NodeFields, NodeStore, StoredNode } from '../../state/nodes/node-store.js';

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
 * The function of an app that a mutation names. A shop that has no `ShopifyFunction` nodes takes
 * any: what an app has released the store cannot know.
 * @param types the `apiType`s that the mutation takes, e.g. `cart_transform`
 */
export function namedFunction(
  nodes: NodeStore,
  { functionId, functionHandle }: FunctionNames,
  types: readonly string[],
): FoundFunction {
  const name = functionId ?? functionHandle;
  if (functionId != null && functionHandle != null) return { kind: 'several', name: functionId };
  if (name == null) return { kind: 'missing', name: '' };
  const known = nodes.all(['ShopifyFunction']);
  if (known.length === 0) return { kind: 'found', fields: assumed(name, types) };
  const node = known.find((one) =>
    functionId == null ? one.fields['handle'] === name : idIn(one) === name,
  );
  if (!node) return { kind: 'unknown', name };
  if (!types.includes(String(node.fields['apiType']).toLowerCase())) return { kind: 'other', name };
  return { kind: 'found', fields: { ...node.fields, id: idIn(node) } };
}

/** The id of a function, which a test may give it: the platform's are no global ids. */
function idIn({ id, fields }: StoredNode): unknown {
  return fields['id'] ?? id;
}

function assumed(name: string, [apiType]: readonly string[]): NodeFields {
  return { id: name, handle: name, title: name, description: name, apiType };
}
