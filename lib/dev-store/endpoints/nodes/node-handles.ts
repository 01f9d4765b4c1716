import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import { slug } from './derived-values.js';

/**
 * The fields of a new node with its handle: the one that it is given, else that of its title, with
 * a number when another of its type has it. Later titles do not change it.
 */
export function withHandle(type: string, fields: NodeFields, nodes: NodeStore): NodeFields {
  const title = fields['title'] ?? fields['name'];
  if (fields['handle'] != null || typeof title !== 'string') return fields;
  const taken = new Set(nodes.all([type]).map((node) => node.fields['handle']));
  const base = slug(title);
  let handle = base;
  for (let number = 1; taken.has(handle); number++) handle = `${base}-${number}`;
  return { ...fields, handle };
}
