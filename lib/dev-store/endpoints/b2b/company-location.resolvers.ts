import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { itemErrors, userError } from '../nodes/user-errors.js';
import { addressErrors, companyErrors, locationErrors, plainText } from './company-input.js';
import { addAddress, addLocation, hasOrders, nodeId, removeWithParts } from './company-nodes.js';
import { notThere } from './company.resolvers.js';

interface LocationArgs {
  readonly companyLocationId: string;
}

interface UpdateArgs extends LocationArgs {
  readonly input: NodeFields;
}

interface TaxArgs extends LocationArgs {
  readonly taxRegistrationId?: string | null;
  readonly taxExempt?: boolean | null;
  readonly exemptionsToAssign?: readonly string[] | null;
  readonly exemptionsToRemove?: readonly string[] | null;
}

interface ExemptionArgs extends LocationArgs {
  readonly taxExemptions: readonly string[];
}

interface AddressArgs {
  readonly locationId: string;
  readonly address: NodeFields;
  readonly addressTypes: readonly ('BILLING' | 'SHIPPING')[];
}

interface StaffArgs extends LocationArgs {
  readonly staffMemberIds: readonly string[];
}

interface RemovalArgs {
  readonly companyLocationStaffMemberAssignmentIds: readonly string[];
}

const NO_LOCATION = "The company location doesn't exist";
const ASSIGNMENT = 'CompanyLocationStaffMemberAssignment';
const SIDES = { BILLING: 'billingAddress', SHIPPING: 'shippingAddress' };

/**
 * The resolvers of the mutations of the locations of companies, with their addresses, taxes and
 * staff.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/companyLocationCreate
 */
export function companyLocationRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed, view } = writer;
  const { nodes } = reader.store;
  const refused = (...userErrors: readonly NodeError[]): object => ({
    companyLocation: null,
    userErrors,
  });
  const locationId = (id: string): string | undefined => nodeId(nodes, 'CompanyLocation', id);
  const saved = (id: string, fields: NodeFields): object => {
    nodes.update(id, fields);
    changed('update', id, nodes.fieldsOf(id));
    return { companyLocation: view(id), userErrors: [] };
  };
  const blocked = (id: string, path: readonly string[], missing?: string): NodeError[] => {
    if (locationId(id) === undefined) return [notThere(path, missing)];
    const message = 'Failed to delete the company location.';
    return hasOrders(nodes, id) ? [userError(path, message, 'FAILED_TO_DELETE')] : [];
  };
  const taxed = ({ companyLocationId, ...given }: TaxArgs): object => {
    const id = locationId(companyLocationId);
    const field = ['companyLocationId'];
    if (id === undefined) return refused(notThere(field, NO_LOCATION));
    if (given.taxExempt === null)
      return refused(userError(['taxExempt'], 'Invalid input.', 'INVALID_INPUT'));
    if (Object.keys(given).length === 0)
      return refused(userError(field, 'No input provided.', 'NO_INPUT'));
    const { exemptionsToAssign, exemptionsToRemove, ...settings } = given;
    const before = Object(nodes.fieldsOf(id)['taxSettings']) as { taxExemptions?: string[] };
    const all = new Set([...(before.taxExemptions ?? []), ...(exemptionsToAssign ?? [])]);
    for (const exemption of exemptionsToRemove ?? []) all.delete(exemption);
    return saved(id, { taxSettings: { ...before, ...settings, taxExemptions: [...all] } });
  };
  return {
    companyLocationCreate: (args: { readonly companyId: string; readonly input: NodeFields }) => {
      const { companyId, input } = args;
      const company = nodeId(nodes, 'Company', companyId);
      if (company === undefined) return refused(notThere(['companyId'], 'Company does not exist.'));
      const userErrors = locationErrors(nodes, input, ['input']);
      if (userErrors.length > 0) return refused(...userErrors);
      return { companyLocation: view(addLocation(writer, company, input)), userErrors };
    },
    companyLocationUpdate: ({ companyLocationId, input }: UpdateArgs) => {
      const id = locationId(companyLocationId);
      if (id === undefined) return refused(notThere(['input'], NO_LOCATION));
      if (Object.keys(input).length === 0)
        return refused(userError(null, 'Company location update input is empty.', 'NO_INPUT'));
      if (input['name'] === null) {
        const message = 'Name is of unexpected type NilClass';
        return refused(userError(['input', 'name'], message, 'UNEXPECTED_TYPE'));
      }
      const userErrors = companyErrors(nodes, 'CompanyLocation', input, { path: ['input'], id });
      if (userErrors.length > 0) return refused(...userErrors);
      const name = 'name' in input ? { name: plainText(input['name']) } : {};
      return saved(id, { ...input, ...name });
    },
    companyLocationDelete: ({ companyLocationId: id }: LocationArgs) => {
      const userErrors = blocked(id, ['companyLocationId'], NO_LOCATION);
      if (userErrors.length === 0) removeWithParts(writer, id);
      return { deletedCompanyLocationId: userErrors.length > 0 ? null : id, userErrors };
    },
    companyLocationsDelete: (args: { readonly companyLocationIds: readonly string[] }) => {
      const deletedCompanyLocationIds: string[] = [];
      const path = ['companyLocationIds'];
      const userErrors = itemErrors(args.companyLocationIds, path, (id, at) => {
        const errors = blocked(id, at);
        if (errors.length > 0) return errors;
        removeWithParts(writer, id);
        deletedCompanyLocationIds.push(id);
        return [];
      });
      return { deletedCompanyLocationIds, userErrors };
    },
    companyLocationTaxSettingsUpdate: taxed,
    companyLocationAssignTaxExemptions: ({ companyLocationId, taxExemptions }: ExemptionArgs) =>
      taxed({ companyLocationId, exemptionsToAssign: taxExemptions }),
    companyLocationRevokeTaxExemptions: ({ companyLocationId, taxExemptions }: ExemptionArgs) =>
      taxed({ companyLocationId, exemptionsToRemove: taxExemptions }),
    companyLocationCreateTaxRegistration: (args: {
      readonly locationId: string;
      readonly taxId: string;
    }) => taxed({ companyLocationId: args.locationId, taxRegistrationId: args.taxId }),
    companyLocationRevokeTaxRegistration: ({ companyLocationId }: LocationArgs) =>
      taxed({ companyLocationId, taxRegistrationId: null }),
    companyLocationAssignAddress: ({ locationId: place, address, addressTypes }: AddressArgs) => {
      const none = (...userErrors: NodeError[]): object => ({ addresses: null, userErrors });
      const id = locationId(place);
      if (id === undefined) return none(notThere(['locationId'], NO_LOCATION));
      if (new Set(addressTypes).size < addressTypes.length)
        return none(userError(null, 'Invalid input.', 'INVALID_INPUT'));
      const errors = addressErrors(address, ['address']);
      if (errors.length > 0) return none(...errors);
      const addresses = addressTypes.map((side) => {
        const known = nodes.fieldsOf(id)[SIDES[side]];
        const own = typeof known === 'string' ? known : addAddress(nodes, address);
        nodes.update(String(own), address);
        nodes.update(id, { [SIDES[side]]: own });
        return view(String(own));
      });
      changed('update', id, nodes.fieldsOf(id));
      return { addresses, userErrors: [] };
    },
    companyAddressDelete: ({ addressId }: { readonly addressId: string }) => {
      const id = nodeId(nodes, 'CompanyAddress', addressId);
      if (id === undefined) {
        const error = notThere(['addressId'], 'Company address was not found.');
        return { deletedAddressId: null, userErrors: [error] };
      }
      for (const { id: place, fields } of nodes.naming(id, ['CompanyLocation']))
        for (const side of Object.values(SIDES))
          if (fields[side] === id) nodes.update(place, { [side]: null });
      nodes.delete(id);
      return { deletedAddressId: id, userErrors: [] };
    },
    companyLocationAssignStaffMembers: ({ companyLocationId, staffMemberIds }: StaffArgs) => {
      const result = 'companyLocationStaffMemberAssignments';
      const id = locationId(companyLocationId);
      if (id === undefined) {
        const userErrors = [notThere(['companyLocationId'], NO_LOCATION)];
        return { [result]: null, userErrors };
      }
      const assigned: object[] = [];
      const userErrors = itemErrors(staffMemberIds, ['staffMemberIds'], (staffMember, path) => {
        if (!nodeId(nodes, 'StaffMember', staffMember)) return [notThere(path)];
        const made = nodes.create(ASSIGNMENT, { staffMember, companyLocation: id });
        assigned.push({ ...view(made.id) });
        return [];
      });
      return { [result]: assigned.length > 0 ? assigned : null, userErrors };
    },
    companyLocationRemoveStaffMembers: (args: RemovalArgs) => {
      const name = 'companyLocationStaffMemberAssignmentIds';
      const deleted: string[] = [];
      const userErrors = itemErrors(args[name], [name], (id, path) => {
        if (!nodeId(nodes, ASSIGNMENT, id)) return [notThere(path)];
        nodes.delete(id);
        deleted.push(id);
        return [];
      });
      const result = deleted.length > 0 ? deleted : null;
      return { deletedCompanyLocationStaffMemberAssignmentIds: result, userErrors };
    },
  };
}
