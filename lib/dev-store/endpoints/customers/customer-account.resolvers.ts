import { randomUUID } from 'node:crypto';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { addNode } from '../nodes/new-node.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { inputError } from '../nodes/user-errors.js';
import { cleanEmail, isEmail } from './contact-values.js';

interface CustomerArgs {
  readonly customerId: string;
}

interface TaxArgs extends CustomerArgs {
  readonly taxExemptions: readonly string[];
}

interface MethodArgs {
  readonly customerPaymentMethodId: string;
}

/**
 * The resolvers of the mutations of a customer's account, taxes, payment methods and privacy.
 * Nothing is sent, and no address that is answered leads anywhere.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/customerSendAccountInviteEmail
 */
export function accountRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed, view } = writer;
  const { nodes, defaults } = reader.store;
  const isThere = (id: string): boolean => nodes.find(id)?.type === 'Customer';
  const update = (id: string, fields: NodeFields): void => {
    nodes.update(id, fields);
    changed('update', id, nodes.fieldsOf(id));
  };
  const exempted =
    (change: (before: readonly string[], given: readonly string[]) => readonly string[]) =>
    ({ customerId: id, taxExemptions }: TaxArgs): object => {
      if (!isThere(id))
        return {
          customer: null,
          userErrors: [inputError('customerId', 'Customer does not exist.')],
        };
      const before = (nodes.fieldsOf(id)['taxExemptions'] ?? []) as readonly string[];
      update(id, { taxExemptions: [...new Set(change(before, taxExemptions))] });
      return { customer: view(id), userErrors: [] };
    };
  const method = (
    { customerPaymentMethodId: id }: MethodArgs,
    results: (id: string) => object,
    none: object,
  ): object => {
    const isKnown = nodes.find(id)?.type === 'CustomerPaymentMethod';
    return isKnown ? { ...results(id), userErrors: [] } : { ...none, userErrors: [NO_METHOD] };
  };
  return {
    customerAddTaxExemptions: exempted((before, given) => [...before, ...given]),
    customerRemoveTaxExemptions: exempted((before, given) =>
      before.filter((one) => !given.includes(one)),
    ),
    customerReplaceTaxExemptions: exempted((_before, given) => given),
    customerGenerateAccountActivationUrl: ({ customerId }: CustomerArgs) =>
      isThere(customerId)
        ? {
            accountActivationUrl: `${defaults.url}/account/activate/${randomUUID()}`,
            userErrors: [],
          }
        : {
            accountActivationUrl: null,
            userErrors: [inputError('customerId', "The customer can't be found.")],
          },
    customerSendAccountInviteEmail: ({ customerId: id }: CustomerArgs) => {
      const refused = (error: NodeError): object => ({ customer: null, userErrors: [error] });
      if (!isThere(id)) return refused(inputError('customerId', "Customer can't be found"));
      update(id, { state: 'INVITED' });
      return { customer: view(id), userErrors: [] };
    },
    customerPaymentMethodSendUpdateEmail: (args: MethodArgs) =>
      method(args, (id) => ({ customer: view(String(nodes.fieldsOf(id)['customer'])) }), {
        customer: null,
      }),
    customerPaymentMethodGetUpdateUrl: (args: MethodArgs) =>
      method(
        args,
        () => ({ updatePaymentMethodUrl: `${defaults.url}/account/payment/${randomUUID()}` }),
        { updatePaymentMethodUrl: null },
      ),
    customerPaymentMethodRevoke: (args: MethodArgs) =>
      method(
        args,
        (id) => {
          nodes.update(id, { revokedAt: defaults.now(), revokedReason: 'MANUALLY_REVOKED' });
          return { revokedCustomerPaymentMethodId: id };
        },
        { revokedCustomerPaymentMethodId: null },
      ),
    dataSaleOptOut: ({ email: given }: { readonly email: string }) => {
      const email = cleanEmail(given);
      if (!isEmail(email))
        return {
          customerId: null,
          userErrors: [inputError(null, 'Data sale opt out failed.', 'FAILED')],
        };
      const known = nodes.all(['Customer']).find(({ fields }) => fields['email'] === email);
      if (known) update(known.id, { dataSaleOptOut: true });
      const customerId =
        known?.id ?? addNode(writer, ['Customer', { email, dataSaleOptOut: true }], false);
      return { customerId, userErrors: [] };
    },
  };
}

const NO_METHOD = inputError(
  'customerPaymentMethodId',
  'Customer payment method does not exist',
  'PAYMENT_METHOD_DOES_NOT_EXIST',
);
