import type { NodeFields } from '../../state/nodes/node-store.js';
import { EMAIL } from '../nodes/contact-values.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { nodeOf } from './fulfillment-orders.js';

interface InvoiceArgs {
  id: string;
  email?: { readonly to?: string | null } | null;
}

/**
 * The resolvers of the mutations that name the customer of an order, and send invoices to them.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/orderCustomerSet
 */
export function orderCustomerRoot({ reader, changed, view }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const refused = (field: readonly string[] | null, message: string, code: string): object => {
    const error: NodeError = { field, message, code };
    return { order: null, userErrors: [error] };
  };
  const noOrder = refused(['orderId'], 'Order does not exist', 'NOT_FOUND');
  const companyOf = (order: Readonly<NodeFields>): unknown =>
    (Object(order['purchasingEntity']) as NodeFields)['company'];
  const written = (id: string, customer: string | null): object => {
    nodes.update(id, { customer });
    changed('update', id, nodes.fieldsOf(id));
    return { order: view(id), userErrors: [] };
  };

  return {
    orderCustomerSet: ({ orderId, customerId }: { orderId: string; customerId: string }) => {
      const order = nodeOf(nodes, 'Order', orderId);
      if (!order) return noOrder;
      const field = ['customerId'];
      if (!nodeOf(nodes, 'Customer', customerId))
        return refused(field, 'Customer does not exist', 'NOT_FOUND');
      const company = companyOf(order);
      const mayOrder = nodes
        .naming(customerId, ['CompanyContact'])
        .some(
          ({ id, fields }) =>
            fields['company'] === company &&
            nodes.naming(id, ['CompanyContactRoleAssignment']).length > 0,
        );
      if (company && !mayOrder) return refused(field, NOT_PERMITTED, 'NOT_PERMITTED');
      return written(orderId, customerId);
    },

    orderCustomerRemove: ({ orderId }: { orderId: string }) => {
      const order = nodeOf(nodes, 'Order', orderId);
      if (!order) return noOrder;
      if (companyOf(order))
        return refused(['orderId'], 'Action not permitted on B2B Orders', 'INVALID');
      return written(orderId, null);
    },

    orderInvoiceSend: ({ id, email }: InvoiceArgs) => {
      const code = 'ORDER_INVOICE_SEND_UNSUCCESSFUL';
      const order = nodeOf(nodes, 'Order', id);
      if (!order) return refused(['id'], 'Order does not exist', code);
      const { email: own } = nodes.fieldsOf(String(order['customer']));
      const to = String(email?.to ?? order['email'] ?? own ?? '');
      if (to === '') return refused(null, 'No recipient email address was provided', code);
      if (!EMAIL.test(to)) return refused(null, 'To is invalid', code);
      return { order: view(id), userErrors: [] };
    },
  };
}

const NOT_PERMITTED = 'Customer does not have the permissions to place this order';
