import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { isBlank, itemErrors, userError } from '../nodes/user-errors.js';
import { contactErrors, customerOf } from './company-input.js';
import { addContact, hasOrders, nodeId, removeWithParts } from './company-nodes.js';
import { notThere } from './company.resolvers.js';

interface CreateArgs {
  readonly companyId: string;
  readonly input: NodeFields;
}

interface UpdateArgs {
  readonly companyContactId: string;
  readonly input: NodeFields;
}

type ContactArgs = Pick<UpdateArgs, 'companyContactId'>;

const NO_CONTACT = "The company contact doesn't exist.";
const TAKEN = userError(['input', 'email'], 'Email address has already been taken.', 'TAKEN');
const ORDERED = 'Cannot delete a company contact with existing orders or draft orders.';

/**
 * The resolvers of the mutations of the contacts of companies.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/companyContactCreate
 */
export function companyContactRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed, view } = writer;
  const { nodes } = reader.store;
  const refused = (...userErrors: readonly NodeError[]): object => ({
    companyContact: null,
    userErrors,
  });
  const empty = (action: string): object =>
    refused(userError(null, `Company contact ${action} input is empty.`, 'NO_INPUT'));
  const blocked = (id: string, path: readonly string[]): NodeError[] => {
    if (!nodeId(nodes, 'CompanyContact', id)) return [notThere(path, NO_CONTACT)];
    return hasOrders(nodes, id) ? [userError(path, ORDERED, 'FAILED_TO_DELETE')] : [];
  };
  const removed =
    (result: string) =>
    ({ companyContactId: id }: ContactArgs): object => {
      const userErrors = blocked(id, ['companyContactId']);
      if (userErrors.length === 0) removeWithParts(writer, id);
      return { [result]: userErrors.length > 0 ? null : id, userErrors };
    };
  return {
    companyContactCreate: ({ companyId, input }: CreateArgs) => {
      const company = nodeId(nodes, 'Company', companyId);
      if (company === undefined) return refused(notThere(['companyId'], 'Company does not exist.'));
      if (Object.keys(input).length === 0) return empty('create');
      const userErrors = contactErrors(nodes, company, input, { path: ['input'] });
      if (userErrors.length > 0) return refused(...userErrors);
      return { companyContact: view(addContact(writer, company, input)), userErrors };
    },
    companyContactUpdate: ({ companyContactId, input }: UpdateArgs) => {
      const id = nodeId(nodes, 'CompanyContact', companyContactId);
      if (id === undefined) return refused(notThere(['companyContactId'], NO_CONTACT));
      if (Object.keys(input).length === 0) return empty('update');
      const { company, customer } = nodes.fieldsOf(id);
      const userErrors = contactErrors(nodes, String(company), input, { path: ['input'], id });
      if (userErrors.length > 0) return refused(...userErrors);
      const { title, locale, ...person } = input;
      if (!isBlank(person['email'])) {
        const holder = customerOf(nodes, person['email']);
        if (holder && holder.id !== customer) return refused(TAKEN);
        person['email'] = String(person['email']).toLowerCase();
      }
      nodes.update(id, {
        ...(title === undefined ? {} : { title }),
        ...(locale == null ? {} : { locale }),
      });
      nodes.update(String(customer), person);
      changed('update', id, nodes.fieldsOf(id));
      return { companyContact: view(id), userErrors };
    },
    companyContactDelete: removed('deletedCompanyContactId'),
    companyContactRemoveFromCompany: removed('removedCompanyContactId'),
    companyContactsDelete: ({
      companyContactIds,
    }: {
      readonly companyContactIds: readonly string[];
    }) => {
      const deletedCompanyContactIds: string[] = [];
      const userErrors = itemErrors(companyContactIds, ['companyContactIds'], (id, path) => {
        const errors = blocked(id, path);
        if (errors.length > 0) return errors;
        removeWithParts(writer, id);
        deletedCompanyContactIds.push(id);
        return [];
      });
      return { deletedCompanyContactIds, userErrors };
    },
  };
}
