import type { NodeFields } from '../../state/nodes/node-store.js';
import { isOwn, ownership } from '../nodes/app-ownership.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { nodeOf } from '../orders/fulfillment-orders.js';

interface CarrierInput {
  readonly id?: string;
  readonly name?: string | null;
  readonly callbackUrl?: string | null;
  readonly active?: boolean | null;
  readonly supportsServiceDiscovery?: boolean | null;
}

type Verb = 'CREATE' | 'UPDATE' | 'DELETE';

/** Where the platform's own pages are: no app answers there. */
const PLATFORM_HOST = /(?:^|\.)(?:shopify|myshopify)\.com$/;

/**
 * The resolvers of services that tell the rates of carriers. Their callbacks are never called.
 * Each app changes its own.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/objects/DeliveryCarrierService
 */
export function carrierServiceRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed, view } = writer;
  const { nodes } = reader.store;
  const error = (verb: Verb, message: string): object => ({
    ...{ field: verb === 'DELETE' ? ['id'] : null, message },
    code: `CARRIER_SERVICE_${verb}_FAILED`,
  });
  const refused = (verb: Verb, message: string): object => ({
    carrierService: null,
    userErrors: [error(verb, message)],
  });

  const own = (id: string): Readonly<NodeFields> | undefined => {
    const fields = nodeOf(nodes, TYPE, id);
    return fields && isOwn(writer, fields) ? fields : undefined;
  };

  /** Why an input is refused. */
  const problem = ({ id, name, callbackUrl }: CarrierInput): string | undefined => {
    if (name !== undefined && !name?.trim()) return `${WORDS} name can't be blank`;
    if (callbackUrl != null) {
      if (!URL.canParse(callbackUrl)) return `${WORDS} callback url invalid host`;
      const { protocol, hostname } = new URL(callbackUrl);
      if (protocol !== 'https:') return `${WORDS} callback url must use HTTPS`;
      if (PLATFORM_HOST.test(hostname)) return `${WORDS} callback url invalid host`;
    }
    const other = nodes
      .all([TYPE])
      .find((one) => one.id !== id && isSame(one.fields['name'], name));
    return other && `${String(other.fields['name'])} is already configured`;
  };
  const named = ({ id: _id, ...given }: CarrierInput): NodeFields => ({
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value != null)),
    ...(given.name ? { formattedName: `${given.name} (Rates provided by app)` } : {}),
  });

  return {
    carrierServiceCreate: ({ input }: { input: CarrierInput }) => {
      const message = problem(input);
      if (message) return refused('CREATE', message);
      const { id } = nodes.create(TYPE, { ...named(input), ...ownership(writer) });
      changed('create', id, nodes.fieldsOf(id));
      return { carrierService: view(id), userErrors: [] };
    },

    carrierServiceUpdate: ({ input }: { input: CarrierInput }) => {
      const id = String(input.id);
      if (!own(id)) return refused('UPDATE', NOT_FOUND);
      const message = problem(input);
      if (message) return refused('UPDATE', message);
      nodes.update(id, named(input));
      changed('update', id, nodes.fieldsOf(id));
      return { carrierService: view(id), userErrors: [] };
    },

    carrierServiceDelete: ({ id }: { id: string }) => {
      const fields = own(id);
      if (!fields) return { deletedId: null, userErrors: [error('DELETE', NOT_FOUND)] };
      nodes.delete(id);
      changed('delete', id, fields);
      return { deletedId: id, userErrors: [] };
    },

    availableCarrierServices: () => {
      const locations = nodes
        .all(['Location'])
        .filter(({ fields }) => fields['isActive'] !== false)
        .map(({ id }) => id);
      return nodes
        .all([TYPE])
        .filter(({ fields }) => fields['active'] === true)
        .map(({ id }) => reader.objectOf({ carrierService: id, locations }));
    },
  };
}

function isSame(one: unknown, other: string | null | undefined): boolean {
  return other != null && String(one).toLowerCase() === other.toLowerCase();
}

const TYPE = 'DeliveryCarrierService';
const WORDS = 'Shipping rate provider';
const NOT_FOUND = 'The carrier or app could not be found.';
