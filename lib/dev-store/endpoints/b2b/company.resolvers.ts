import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { itemErrors, userError } from '../nodes/user-errors.js';
import { companyErrors, contactErrors, locationErrors, plainText } from './company-input.js';
import { addCompany, hasOrders, nodeId, removeWithParts } from './company-nodes.js';

interface CreateArgs {
  readonly input: {
    readonly company: NodeFields;
    readonly companyContact?: NodeFields | null;
    readonly companyLocation?: NodeFields | null;
  };
}

interface UpdateArgs {
  readonly companyId: string;
  readonly input: NodeFields;
}

interface ContactArgs {
  readonly companyId: string;
  readonly companyContactId: string;
}

interface CustomerArgs {
  readonly companyId: string;
  readonly customerId: string;
}

const GONE = 'Resource requested does not exist.';
const NO_COMPANY = 'Company does not exist.';

/** The error about an id that nothing has. */
export function notThere(field: readonly string[], message = GONE): NodeError {
  return userError(field, message, 'RESOURCE_NOT_FOUND');
}

/**
 * The resolvers of the mutations of companies.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/companyCreate
 */
export function companyRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed, view } = writer;
  const { nodes } = reader.store;
  const refused = (...userErrors: readonly NodeError[]): object => ({ company: null, userErrors });
  const saved = (id: string, fields: NodeFields): object => {
    nodes.update(id, fields);
    changed('update', id, nodes.fieldsOf(id));
    return { company: view(id), userErrors: [] };
  };
  /** Why a company stays. */
  const blocked = (id: string, path: readonly string[], missing: string): NodeError[] => {
    if (!nodeId(nodes, 'Company', id)) return [notThere(path, missing)];
    const message = 'Failed to delete the company.';
    return hasOrders(nodes, id) ? [userError(path, message, 'FAILED_TO_DELETE')] : [];
  };
  return {
    companyCreate: ({ input }: CreateArgs) => {
      const { company, companyContact, companyLocation } = input;
      const userErrors = [
        ...companyErrors(nodes, 'Company', company, { path: ['input', 'company'] }),
        ...(companyContact
          ? contactErrors(nodes, '', companyContact, { path: ['input', 'companyContact'] })
          : []),
        ...locationErrors(nodes, companyLocation ?? {}, ['input', 'companyLocation']),
      ];
      if (userErrors.length > 0) return refused(...userErrors);
      const id = addCompany(writer, [company, companyContact, companyLocation ?? {}]);
      return { company: view(id), userErrors };
    },
    companyUpdate: ({ companyId, input }: UpdateArgs) => {
      const id = nodeId(nodes, 'Company', companyId);
      if (id === undefined) return refused(notThere(['companyId']));
      if ('customerSince' in input) {
        const field = ['input', 'customerSince'];
        const message = 'This field may only be set on creation.';
        return refused(userError(field, message, 'INVALID_INPUT'));
      }
      if (Object.keys(input).length === 0) {
        const message = 'At least one attribute to change must be present';
        return refused(userError(['input'], message, 'INVALID'));
      }
      const userErrors = companyErrors(nodes, 'Company', input, { path: ['input'], id });
      if (userErrors.length > 0) return refused(...userErrors);
      const name = 'name' in input ? { name: plainText(input['name']) } : {};
      return saved(id, { ...input, ...name });
    },
    companyDelete: ({ id }: { readonly id: string }) => {
      const userErrors = blocked(id, ['id'], NO_COMPANY);
      if (userErrors.length === 0) removeWithParts(writer, id);
      return { deletedCompanyId: userErrors.length > 0 ? null : id, userErrors };
    },
    companiesDelete: ({ companyIds }: { readonly companyIds: readonly string[] }) => {
      const deletedCompanyIds: string[] = [];
      const userErrors = itemErrors(companyIds, ['companyIds'], (id, path) => {
        const errors = blocked(id, path, GONE);
        if (errors.length > 0) return errors;
        removeWithParts(writer, id);
        deletedCompanyIds.push(id);
        return [];
      });
      return { deletedCompanyIds, userErrors };
    },
    companyAssignMainContact: ({ companyId, companyContactId }: ContactArgs) => {
      const id = nodeId(nodes, 'Company', companyId);
      if (id === undefined) return refused(notThere(['companyId'], NO_COMPANY));
      const contact = nodeId(nodes, 'CompanyContact', companyContactId);
      const field = ['companyContactId'];
      if (contact === undefined)
        return refused(notThere(field, "The company contact doesn't exist."));
      if (nodes.fieldsOf(contact)['company'] !== id) {
        const message = 'The company contact does not belong to the company.';
        return refused(userError(field, message, 'INVALID_INPUT'));
      }
      return saved(id, { mainContact: contact });
    },
    companyRevokeMainContact: ({ companyId }: { readonly companyId: string }) => {
      const id = nodeId(nodes, 'Company', companyId);
      return id === undefined
        ? refused(notThere(['companyId'], NO_COMPANY))
        : saved(id, { mainContact: null });
    },
    companyAssignCustomerAsContact: ({ companyId, customerId }: CustomerArgs) => {
      const none = (error: NodeError): object => ({ companyContact: null, userErrors: [error] });
      const company = nodeId(nodes, 'Company', companyId);
      const customer = nodeId(nodes, 'Customer', customerId);
      if (company === undefined) return none(notThere(['companyId'], NO_COMPANY));
      if (customer === undefined) return none(notThere(['customerId'], 'Customer does not exist.'));
      const why = nodes.fieldsOf(customer)['email']
        ? nodes
            .naming(customer, ['CompanyContact'])
            .some((one) => one.fields['company'] === company)
          ? 'Customer is already associated with a company contact.'
          : undefined
        : 'Customer must have an email address.';
      if (why) return none(userError(['companyId'], why, 'INVALID_INPUT'));
      const { id } = nodes.create('CompanyContact', {
        company,
        customer,
        title: null,
        locale: 'en',
      });
      changed('create', id, nodes.fieldsOf(id));
      return { companyContact: view(id), userErrors: [] };
    },
  };
}
