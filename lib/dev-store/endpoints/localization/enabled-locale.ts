import type { NodeStore, StoredNode } from '../../state/nodes/node-store.js';

/** The node of a language that a shop has enabled. */
export function enabledLocale(nodes: NodeStore, code: string): StoredNode | undefined {
  return nodes.all(['ShopLocale']).find(({ fields }) => fields['locale'] === code);
}
