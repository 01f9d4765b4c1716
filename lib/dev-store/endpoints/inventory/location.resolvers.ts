import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';

interface LocationFields extends NodeFields {
  name?: string | null;
  address?: Readonly<NodeFields> | null;
  fulfillsOnlineOrders?: boolean | null;
}

/** The resolvers of the mutations that add and edit locations. */
export function locationRoot({ reader, changed, view }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const problem = ({ name }: LocationFields, id?: string): object | undefined => {
    const field = ['input', 'name'];
    if (name?.trim() === '') return { field, message: 'Add a location name', code: 'BLANK' };
    const isTaken = nodes
      .all(['Location'])
      .some((one) => one.id !== id && one.fields['name'] === name);
    const message = 'You already have a location with this name';
    return isTaken ? { field, message, code: 'TAKEN' } : undefined;
  };
  return {
    locationAdd: ({ input }: { input: LocationFields }) => {
      const error = problem(input);
      if (error) return { location: null, userErrors: [error] };
      const usual = { isActive: true, fulfillsOnlineOrders: true, shipsInventory: true };
      const { id } = nodes.create('Location', { ...usual, ...input });
      changed('create', id, nodes.fieldsOf(id));
      return { location: view(id), userErrors: [] };
    },
    locationEdit: ({ id, input }: { id: string; input: LocationFields }) => {
      const known = nodes.find(id)?.type === 'Location' ? nodes.fieldsOf(id) : undefined;
      const error = known
        ? problem(input, id)
        : { field: ['id'], message: 'Location not found.', code: 'NOT_FOUND' };
      if (error) return { location: null, userErrors: [error] };
      const address = input.address ? { ...Object(known?.['address']), ...input.address } : null;
      nodes.update(id, { ...input, ...(address ? { address } : {}) });
      changed('update', id, nodes.fieldsOf(id));
      return { location: view(id), userErrors: [] };
    },
  };
}
