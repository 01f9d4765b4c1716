import { cleanText } from '../../base/text-values.js';
import { ForeignIdError } from '../../graphql/graphql.errors.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { inputError } from '../nodes/user-errors.js';
import { addressProblems } from './customer-checks.js';

interface AddressArgs {
  readonly customerId: string;
  readonly addressId: string;
  readonly address: Readonly<Record<string, string | null>>;
  readonly setAsDefault?: boolean | null;
}

const TYPE = 'MailingAddress';

/**
 * The resolvers of the mutations of a customer's addresses, of which one is the default.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/customerAddressCreate
 */
export function addressRoot({ reader, changed, view }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const isThere = (id: string): boolean => nodes.find(id)?.type === 'Customer';
  const addressesOf = (id: string): string[] =>
    [nodes.fieldsOf(id)['addresses'] ?? []].flat() as string[];
  const keep = (customerId: string, fields: NodeFields): void => {
    nodes.update(customerId, fields);
    changed('update', customerId, nodes.fieldsOf(customerId));
  };
  const defaultOf = (id: string): unknown =>
    nodes.fieldsOf(id)['defaultAddress'] ?? addressesOf(id)[0] ?? null;
  /** Why an address is not one of a customer's. */
  const problem = ({ customerId, addressId }: AddressArgs): NodeError | undefined => {
    if (!isThere(customerId)) return NOBODY;
    if (nodes.find(addressId)?.type !== TYPE) throw new ForeignIdError(addressId);
    return addressesOf(customerId).includes(addressId)
      ? undefined
      : inputError('addressId', 'Address does not exist');
  };
  const cleaned = (address: AddressArgs['address'], customerId: string): NodeFields => {
    const { firstName, lastName } = nodes.fieldsOf(customerId);
    const own = Object.fromEntries(
      Object.entries(address).map(([name, text]) => [name, cleanText(text)]),
    );
    return {
      ...own,
      firstName: own['firstName'] ?? firstName ?? null,
      lastName: own['lastName'] ?? lastName ?? null,
    };
  };
  const isSame = (id: string, fields: NodeFields): boolean =>
    COMPARED.every((name) => (nodes.fieldsOf(id)[name] ?? null) === (fields[name] ?? null));
  return {
    customerAddressCreate: ({ customerId, address, setAsDefault }: AddressArgs) => {
      const refused = (userErrors: readonly NodeError[]): object => ({ address: null, userErrors });
      if (!isThere(customerId)) return refused([NOBODY]);
      const problems = addressProblems(address, 'address.');
      if (problems.length > 0) return refused(problems);
      const fields = cleaned(address, customerId);
      const before = addressesOf(customerId);
      if (before.some((id) => isSame(id, fields)))
        return refused([inputError('address', 'Address already exists')]);
      const { id } = nodes.create(TYPE, fields);
      const isDefault = setAsDefault === true || before.length === 0;
      const defaultAddress = isDefault ? id : defaultOf(customerId);
      keep(customerId, { addresses: [...before, id], defaultAddress });
      return { address: view(id), userErrors: [] };
    },
    customerAddressUpdate: (args: AddressArgs) => {
      const { customerId, addressId, address, setAsDefault } = args;
      const error = problem(args);
      const problems = error ? [error] : addressProblems(address, 'address.');
      if (problems.length > 0) return { address: null, userErrors: problems };
      const { firstName, lastName } = nodes.fieldsOf(addressId);
      const names = { firstName, lastName } as AddressArgs['address'];
      nodes.update(addressId, cleaned({ ...names, ...address }, customerId));
      keep(customerId, setAsDefault ? { defaultAddress: addressId } : {});
      return { address: view(addressId), userErrors: [] };
    },
    customerAddressDelete: (args: AddressArgs) => {
      const { customerId, addressId } = args;
      const error = problem(args);
      if (error) return { deletedAddressId: null, userErrors: [error] };
      const addresses = addressesOf(customerId).filter((id) => id !== addressId);
      const isDefault = defaultOf(customerId) === addressId;
      const defaultAddress = isDefault ? (addresses[0] ?? null) : defaultOf(customerId);
      nodes.delete(addressId);
      keep(customerId, { addresses, defaultAddress });
      return { deletedAddressId: addressId, userErrors: [] };
    },
    customerUpdateDefaultAddress: (args: AddressArgs) => {
      const { customerId, addressId } = args;
      const error = problem(args);
      if (!error) keep(customerId, { defaultAddress: addressId });
      return { customer: view(customerId), userErrors: error ? [error] : [] };
    },
  };
}

const NOBODY = inputError('customerId', 'Customer does not exist');
const COMPARED =
  'address1 address2 city company countryCode provinceCode zip phone firstName lastName'.split(' ');
