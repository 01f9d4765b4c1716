import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { nameTakenBy } from './location-fields.js';
import { LAST_ONLINE, locationStateRoot, onlineOnly } from './location-state.resolvers.js';

interface LocationFields extends NodeFields {
  name?: string | null;
  address?: Readonly<NodeFields> | null;
  fulfillsOnlineOrders?: boolean | null;
}

interface LocationError {
  readonly field: readonly string[];
  readonly message: string;
  readonly code: string;
}

/** How long the name of a location and a line of its address may be. */
const LONGEST_NAME = 100;
const LONGEST_LINE = 255;

/** What the lines of an address are called in a refusal. */
const LINES: Readonly<Record<string, string>> = {
  address1: 'name for the street',
  address2: 'name for the apartment or suite',
  city: 'city name',
  phone: 'phone number',
  zip: 'postal / ZIP code',
};

/**
 * The resolvers of the mutations that add and edit locations, and change their state.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/objects/Location
 */
export function locationRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed, view } = writer;
  const { nodes } = reader.store;
  const problem = ({ name, address }: LocationFields, id?: string): LocationError | undefined => {
    const refused = (code: string, message: string): LocationError => ({
      field: ['input', 'name'],
      message,
      code,
    });
    if (name?.trim() === '') return refused('BLANK', 'Add a location name');
    if ((name?.length ?? 0) > LONGEST_NAME)
      return refused('TOO_LONG', `Use a shorter location name (up to ${LONGEST_NAME} characters)`);
    if (name != null && nameTakenBy(nodes, name, id) !== undefined)
      return refused('TAKEN', 'You already have a location with this name');
    const line = Object.keys(LINES).find(
      (one) => String(address?.[one] ?? '').length > LONGEST_LINE,
    );
    return line === undefined
      ? undefined
      : {
          field: ['input', 'address', line],
          message: `Use a shorter ${LINES[line]} (up to ${LONGEST_LINE} characters)`,
          code: 'TOO_LONG',
        };
  };
  return {
    ...locationStateRoot(writer),
    locationAdd: ({ input }: { input: LocationFields }) => {
      const error = problem(input);
      if (error) return { location: null, userErrors: [error] };
      const usual = { isActive: true, fulfillsOnlineOrders: true, shipsInventory: false };
      const { id } = nodes.create('Location', { ...usual, ...input });
      changed('create', id, nodes.fieldsOf(id));
      return { location: view(id), userErrors: [] };
    },
    locationEdit: ({ id, input }: { id: string; input: LocationFields }) => {
      const known = nodes.find(id)?.type === 'Location' ? nodes.fieldsOf(id) : undefined;
      const isLast = input.fulfillsOnlineOrders === false && onlineOnly(nodes, id);
      const error = known
        ? (problem(input, id) ?? (isLast ? STAYS_ONLINE : undefined))
        : { field: ['id'], message: 'Location not found.', code: 'NOT_FOUND' };
      if (error) return { location: null, userErrors: [error] };
      const address = input.address ? { ...Object(known?.['address']), ...input.address } : null;
      nodes.update(id, { ...input, ...(address ? { address } : {}) });
      changed('update', id, nodes.fieldsOf(id));
      return { location: view(id), userErrors: [] };
    },
  };
}

const STAYS_ONLINE: LocationError = { field: ['input', 'fulfillsOnlineOrders'], ...LAST_ONLINE };
