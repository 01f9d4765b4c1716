import type { NodeStore } from '../../state/nodes/node-store.js';
import type { OwnField } from '../nodes/node-reader.js';

/** The fields of companies, and of customers about them, that follow from others. */
export function companyFields(nodes: NodeStore): Record<string, OwnField> {
  const bought = (type: string) => (id: string) =>
    nodes
      .all([type])
      .filter(({ fields }) => Object.values(Object(fields['purchasingEntity'])).includes(id))
      .map((node) => node.id);
  const orders = ['Company', 'CompanyContact', 'CompanyLocation'].flatMap((type) => [
    [`${type}.orders`, bought('Order')] as const,
    [`${type}.draftOrders`, bought('DraftOrder')] as const,
  ]);
  return {
    ...Object.fromEntries(orders),
    'CompanyContact.isMainContact': (id) =>
      nodes.fieldsOf(String(nodes.fieldsOf(id)['company']))['mainContact'] === id,
    'Customer.companyContactProfiles': (id) =>
      nodes.naming(id, ['CompanyContact']).map((contact) => contact.id),
    'Company.ordersCount': (id) => ({ count: bought('Order')(id).length, precision: 'EXACT' }),
    'CompanyLocation.ordersCount': (id) => ({
      count: bought('Order')(id).length,
      precision: 'EXACT',
    }),
  };
}
