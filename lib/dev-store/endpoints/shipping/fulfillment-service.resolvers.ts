import { globalId } from '../../base/vendor.js';
import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { nodeOf, settle } from '../orders/fulfillment-orders.js';

interface ServiceArgs {
  id?: string;
  name?: string | null;
  callbackUrl?: string | null;
  trackingSupport?: boolean | null;
  inventoryManagement?: boolean | null;
  requiresShippingMethod?: boolean | null;
}

interface DeleteArgs {
  id: string;
  inventoryAction?: 'DELETE' | 'KEEP' | 'TRANSFER' | null;
  destinationLocationId?: string | null;
}

/** The handles of the platform's own services. */
const RESERVED = ['shopify', 'amazon', 'manual', 'gift_card'];

/**
 * The resolvers of the mutations of fulfillment services, each of which has a location of its own.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/objects/FulfillmentService
 */
export function fulfillmentServiceRoot({
  reader,
  changed,
  view,
}: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const refused = (...userErrors: NodeError[]): object => ({
    fulfillmentService: null,
    userErrors,
  });

  const nameErrors = (name: string, own?: string): NodeError[] => {
    const error = (message: string): NodeError => ({ field: ['name'], message: `Name ${message}` });
    if (name.trim() === '') return [error("can't be blank")];
    const around = [
      ...(/^\s/.test(name) ? [error('cannot begin with a whitespace character')] : []),
      ...(/\s$/.test(name) ? [error('cannot end with a whitespace character')] : []),
    ];
    if (around.length > 0) return around;
    const handle = handleOf(name);
    if (RESERVED.includes(handle)) return [error('is reserved')];
    const isTaken = nodes
      .all(['FulfillmentService'])
      .some(
        ({ id, fields }) =>
          id !== own &&
          (fields['handle'] === handle ||
            String(fields['serviceName']).toLowerCase() === name.toLowerCase()),
      );
    return isTaken ? [error('has already been taken')] : [];
  };
  const problems = ({ name, callbackUrl }: ServiceArgs, own?: string): NodeError[] => [
    ...(name == null ? [] : nameErrors(name, own)),
    ...(callbackUrl == null ? [] : callbackErrors(callbackUrl)),
  ];
  const kept = ({ id: _id, name, ...given }: ServiceArgs): NodeFields => ({
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(name == null ? {} : { serviceName: name }),
  });

  return {
    fulfillmentServiceCreate: (args: ServiceArgs) => {
      const name = args.name ?? '';
      const errors = problems({ ...args, name });
      if (errors.length > 0) return refused(...errors);
      const { id } = nodes.create('FulfillmentService', {
        ...{ ...kept(args), handle: handleOf(name), type: 'THIRD_PARTY' },
      });
      const { id: location } = nodes.create('Location', {
        ...{ name, isActive: true, isFulfillmentService: true, fulfillmentService: id },
        ...{ fulfillsOnlineOrders: true, shipsInventory: false },
      });
      nodes.update(id, { location });
      changed('create', location, nodes.fieldsOf(location));
      return { fulfillmentService: view(id), userErrors: [] };
    },

    fulfillmentServiceUpdate: (args: ServiceArgs) => {
      const id = plain(String(args.id));
      const before = nodeOf(nodes, 'FulfillmentService', id);
      if (!before) return refused({ field: ['id'], message: NOT_FOUND });
      const { name } = args;
      const errors = problems(args, id);
      if (errors.length > 0) return refused(...errors);
      nodes.update(id, kept(args));
      if (name != null) nodes.update(String(before['location']), { name });
      return { fulfillmentService: view(id), userErrors: [] };
    },

    fulfillmentServiceDelete: (args: DeleteArgs) => {
      const id = plain(args.id);
      const { inventoryAction: action, destinationLocationId: destination } = args;
      const fields = nodeOf(nodes, 'FulfillmentService', id);
      const error = (field: readonly string[] | null, message: string): object => ({
        deletedId: null,
        userErrors: [{ field, message }],
      });
      if (!fields) return error(['id'], NOT_FOUND);
      const isMoved = action === 'TRANSFER' || action == null;
      if (!isMoved && destination != null) return error(['inventoryAction'], NO_DESTINATION);
      const target = nodes.fieldsOf(destination ?? '');
      const isValid = target['isActive'] === true && target['isFulfillmentService'] !== true;
      if (isMoved && !isValid) return error(null, 'Invalid destination location.');
      const location = String(fields['location']);
      reassign(nodes, location, isMoved ? destination : undefined);
      if (action === 'KEEP')
        nodes.update(location, { fulfillmentService: null, isFulfillmentService: false });
      else nodes.delete(location);
      nodes.delete(id);
      return { deletedId: id, userErrors: [] };
    },
  };
}

/** The fulfillment services of a shop: itself first. */
export function fulfillmentServicesOf(nodes: NodeStore): unknown[] {
  return [manualService(nodes), ...nodes.all(['FulfillmentService']).map(({ id }) => id)];
}

/** From where a fulfillment order is shipped, and by which service. */
export function shippedBy(nodes: NodeStore, fulfillmentOrder: string | undefined): NodeFields {
  const { assignedLocation } = nodes.fieldsOf(fulfillmentOrder ?? '');
  const { location } = Object(assignedLocation) as NodeFields;
  const service = nodes.fieldsOf(String(location))['fulfillmentService'];
  return { location: location ?? null, service: service ?? manualService(nodes) };
}

/** The shop as a service: its merchant ships what is ordered. */
function manualService(nodes: NodeStore): NodeFields {
  return {
    ...{ id: globalId('FulfillmentService', 'manual'), handle: 'manual', serviceName: 'Manual' },
    ...{ callbackUrl: null, trackingSupport: false, inventoryManagement: false },
    ...{ requiresShippingMethod: true, type: 'MANUAL', location: nodes.first('Location')?.id },
  };
}

/** Why an address cannot be the callback of a service. */
function callbackErrors(address: string): NodeError[] {
  const { protocol, hostname } = new URL(address);
  const error = (problem: string): NodeError[] => [
    { field: ['callbackUrl'], message: `Callback url ${problem}` },
  ];
  if (!/^https?:$/.test(protocol)) return error(`protocol ${protocol}// is not supported`);
  return /(?:^|\.)shopify\.com$/.test(hostname) ? error('is not allowed') : [];
}

/** What waits at a location goes to another one, or is closed. */
function reassign(nodes: NodeStore, from: string, to: string | null | undefined): void {
  for (const { id, fields } of nodes.all(['FulfillmentOrder'])) {
    const { location } = Object(fields['assignedLocation']) as NodeFields;
    if (location !== from || ['CLOSED', 'CANCELLED'].includes(String(fields['status']))) continue;
    if (to) {
      const { name } = nodes.fieldsOf(to);
      nodes.update(id, { assignedLocation: { location: to, name } });
    } else settle(nodes, id, 'CLOSED');
  }
}

/** The platform gives ids of these services with a query behind them. */
function plain(id: string): string {
  return id.split('?')[0] ?? id;
}

/** A name in small letters without accents, whose underscores stay. */
function handleOf(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return letters.replace(/[^\p{L}\p{N}_]+/gu, '-').replace(/^-|-$/g, '');
}

const NOT_FOUND = 'Fulfillment service could not be found.';
const NO_DESTINATION =
  'Inventory action Destination location id should not be present when deleting/keeping the inventory of the fulfillment service.';
