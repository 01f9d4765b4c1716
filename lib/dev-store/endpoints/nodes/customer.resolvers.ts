import type { NodeWriter } from './node-writer.js';

/** The resolver of the mutation that deletes a customer: never one with orders. */
export function customerRoot({ reader, changed }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  return {
    customerDelete: ({ input: { id } }: { readonly input: { readonly id: string } }) => {
      const refused = (message: string): object => ({
        deletedCustomerId: null,
        userErrors: [{ field: ['id'], message }],
      });
      const node = nodes.find(id);
      if (node?.type !== 'Customer') return refused('Customer does not exist');
      if (nodes.naming(id, ['Order']).length > 0)
        return refused('Customer can’t be deleted because they have associated orders');
      nodes.delete(id);
      changed('delete', id, node.fields);
      return { deletedCustomerId: id, userErrors: [] };
    },
  };
}
