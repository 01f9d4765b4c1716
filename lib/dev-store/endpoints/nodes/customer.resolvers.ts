import type { PrivacyRequests } from '../../state/customers/privacy-requests.js';
import type { NodeWriter } from './node-writer.js';

type ErasureArgs = { readonly customerId: string };

/**
 * The resolvers of the mutations that delete a customer, never one with orders, and that have the
 * data of one erased.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/customerRequestDataErasure
 */
export function customerRoot(
  { reader, changed }: NodeWriter,
  privacy: PrivacyRequests,
): Record<string, unknown> {
  const { nodes } = reader.store;
  const isThere = (id: string): boolean => nodes.find(id)?.type === 'Customer';
  const erasure = (
    customerId: string,
    error: { message: string; code: string } | null,
  ): object => ({
    customerId: error ? null : customerId,
    userErrors: error ? [{ field: ['customerId'], ...error }] : [],
  });
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
    customerRequestDataErasure: ({ customerId }: ErasureArgs) =>
      erasure(customerId, privacy.scheduleErasure(customerId) ? null : NOBODY),
    customerCancelDataErasure: ({ customerId }: ErasureArgs) => {
      if (!isThere(customerId)) return erasure(customerId, NOBODY);
      return erasure(customerId, privacy.cancelErasure(customerId) ? null : NOT_SCHEDULED);
    },
  };
}

const NOBODY = { message: 'Customer does not exist', code: 'DOES_NOT_EXIST' };
const NOT_SCHEDULED = {
  message: "Customer's data is not scheduled for erasure",
  code: 'NOT_BEING_ERASED',
};
