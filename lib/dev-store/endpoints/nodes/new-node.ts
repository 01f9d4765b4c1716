import type { NodeFields } from '../../state/nodes/node-store.js';
import { ownershipOf } from './app-ownership.js';
import { withHandle } from './node-handles.js';
import { completeNode } from './node-rules.js';
import type { NodeWriter } from './node-writer.js';

/**
 * Adds a node with what comes with it, which is the app's own where each has its own, and tells
 * the apps. Returns its id.
 * @param hasHandle whether its type has an address of its own
 * @param completed is called before the apps are told
 */
export function addNode(
  { reader, changed, apiKey }: Pick<NodeWriter, 'reader' | 'changed' | 'apiKey'>,
  [type, given]: readonly [type: string, fields: NodeFields],
  hasHandle: boolean,
  completed: (id: string) => void = () => undefined,
): string {
  const { nodes } = reader.store;
  const fields = { ...given, ...ownershipOf(type, { apiKey }) };
  const { id } = nodes.create(type, hasHandle ? withHandle(type, fields, nodes) : fields);
  completeNode(type, id, { reader, id });
  completed(id);
  changed('create', id, nodes.fieldsOf(id));
  return id;
}
