import { freeHandle, slug } from '../../base/text-values.js';
import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';

/**
 * The fields of a new node with its handle: the one that it is given, else that of its title, with
 * a number when another of its type has it. Later titles do not change it.
 */
export function withHandle(type: string, fields: NodeFields, nodes: NodeStore): NodeFields {
  const title = fields['title'] ?? fields['name'];
  if (fields['handle'] != null || typeof title !== 'string') return fields;
  const taken = new Set(nodes.all([type]).map((node) => node.fields['handle']));
  return { ...fields, handle: freeHandle(slug(title), taken) };
}
