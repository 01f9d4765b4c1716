import type { PrivacyRequests } from '../../state/customers/privacy-requests.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { checkedRoot } from '../nodes/refusals.js';
import { accountRoot } from './customer-account.resolvers.js';
import { addressRoot } from './customer-address.resolvers.js';
import { customerChecks } from './customer-checks.js';
import { consentRoot } from './customer-consent.resolvers.js';
import { mergeRoot } from './customer-merge.resolvers.js';
import { storeCreditRoot } from './store-credit.resolvers.js';

type ErasureArgs = { readonly customerId: string };

/**
 * The resolvers of customers: what their inputs are refused for, their addresses, consents, credit
 * and merges, how one is deleted, never with orders, and how the data of one is erased.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/customerRequestDataErasure
 */
export function customerRoot(
  writer: NodeWriter,
  privacy: PrivacyRequests,
): Record<string, unknown> {
  const { reader, changed } = writer;
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
    ...checkedRoot(customerChecks(writer)),
    ...accountRoot(writer),
    ...addressRoot(writer),
    ...consentRoot(writer),
    ...mergeRoot(writer),
    ...storeCreditRoot(writer),
    customerDelete: ({ input: { id } }: { readonly input: { readonly id: string } }) => {
      const refused = (message: string): object => ({
        deletedCustomerId: null,
        userErrors: [{ field: ['id'], message }],
      });
      const node = nodes.find(id);
      if (node?.type !== 'Customer') return refused("Customer can't be found");
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
