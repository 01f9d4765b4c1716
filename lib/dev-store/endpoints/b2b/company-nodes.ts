import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import { PRIMARY } from '../localization/locales.table.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { isBlank } from '../nodes/user-errors.js';
import { customerOf, plainText } from './company-input.js';

type Fields = Readonly<NodeFields>;
type Writer = Pick<NodeWriter, 'reader' | 'changed'>;

/** The roles that every company has; its first contact gets the last one. */
const ROLES = ['Location admin', 'Ordering only'];

/** What goes with a company, a contact or a location when it is deleted. */
const PARTS = [
  'CompanyContact',
  'CompanyLocation',
  'CompanyContactRole',
  'CompanyContactRoleAssignment',
  'CompanyLocationStaffMemberAssignment',
];

/** The id of a node of a type; undefined for any other id. */
export function nodeId(nodes: NodeStore, type: string, id: unknown): string | undefined {
  return nodes.find(String(id))?.type === type ? String(id) : undefined;
}

/**
 * Adds a company with its roles, a location and, when it has one, its main contact. Its location is
 * named after the company by default, not after its address as one that is added later.
 */
export function addCompany(
  { reader, changed }: Writer,
  [company, contact, location]: readonly [Fields, Fields | null | undefined, Fields],
): string {
  const { nodes } = reader.store;
  const fields = { ...company, name: plainText(company['name']) };
  const { id } = nodes.create('Company', fields);
  const roles = ROLES.map((name) => nodes.create('CompanyContactRole', { name, company: id }).id);
  nodes.update(id, { contactRoles: roles, defaultRole: roles.at(-1), mainContact: null });
  const name = isBlank(location['name']) ? fields.name : location['name'];
  const placed = addLocation({ reader, changed }, id, { ...location, name });
  if (contact) {
    const mainContact = addContact({ reader, changed }, id, contact);
    nodes.update(id, { mainContact });
    addAssignment(nodes, [mainContact, String(roles.at(-1)), placed]);
  }
  changed('create', id, nodes.fieldsOf(id));
  return id;
}

/** Adds a contact to a company, and the customer it is. */
export function addContact({ reader, changed }: Writer, company: string, input: Fields): string {
  const { nodes } = reader.store;
  const { title = null, locale, ...person } = input;
  const known = customerOf(nodes, person['email'])?.id;
  const email = String(person['email']).toLowerCase();
  const customer = known ?? nodes.create('Customer', { ...person, email }).id;
  const { id } = nodes.create('CompanyContact', {
    company,
    customer,
    title,
    locale: locale ?? PRIMARY,
  });
  changed('create', id, nodes.fieldsOf(id));
  return id;
}

/** Adds a location to a company, which is named after its address or the company by default. */
export function addLocation({ reader, changed }: Writer, company: string, input: Fields): string {
  const { nodes, defaults } = reader.store;
  const { billingSameAsShipping, shippingAddress, billingAddress, taxExempt, ...rest } = input;
  const { taxRegistrationId = null, taxExemptions, ...fields } = rest;
  const names = [input['name'], Object(shippingAddress).address1, nodes.fieldsOf(company)['name']];
  const billing = billingSameAsShipping === true ? shippingAddress : billingAddress;
  const { id } = nodes.create('CompanyLocation', {
    currency: defaults.currency,
    ...fields,
    locale: fields['locale'] ?? PRIMARY,
    company,
    name: plainText(names.find((name) => !isBlank(name))),
    shippingAddress: addAddress(nodes, shippingAddress),
    billingAddress: addAddress(nodes, billing),
    taxSettings: {
      taxRegistrationId,
      taxExempt: taxExempt ?? false,
      taxExemptions: taxExemptions ?? [],
    },
  });
  changed('create', id, nodes.fieldsOf(id));
  return id;
}

/** Adds an address; null for none. */
export function addAddress(nodes: NodeStore, address: unknown): string | null {
  return address ? nodes.create('CompanyAddress', { ...Object(address) }).id : null;
}

/** Gives a contact a role in a location. Returns the id of the assignment. */
export function addAssignment(
  nodes: NodeStore,
  [companyContact, role, companyLocation]: readonly [string, string, string],
): string {
  const { company } = nodes.fieldsOf(companyContact);
  const fields = { companyContact, role, companyLocation, company };
  return nodes.create('CompanyContactRoleAssignment', fields).id;
}

/** Deletes a node with what it owns. */
export function removeWithParts({ reader, changed }: Writer, id: string): void {
  const { nodes } = reader.store;
  const fields = nodes.fieldsOf(id);
  const owned = nodes.naming(id, PARTS);
  if (!nodes.delete(id)) return;
  for (const part of owned) removeWithParts({ reader, changed }, part.id);
  changed('delete', id, fields);
}

/** Whether something was ordered for a company, by a contact or to a location. */
export function hasOrders(nodes: NodeStore, id: string): boolean {
  return nodes
    .all(['Order', 'DraftOrder'])
    .some(({ fields }) => Object.values(Object(fields['purchasingEntity'])).includes(id));
}
