import type { GraphQLResolveInfo } from 'graphql';
import { isoTime } from '../../base/iso-time.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { changeQuantity, newLevel, quantityOf } from '../../state/inventory/inventory-level.js';
import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { runOnce } from './idempotent.js';
import { hasInventory, hasOpenOrders, isPrimary, nameTakenBy } from './location-fields.js';

interface StateArgs {
  readonly locationId: string;
  readonly destinationLocationId?: string | null;
}

interface StateError {
  readonly field: readonly string[];
  readonly message: string;
  readonly code: string;
}

/**
 * The resolvers of the mutations that activate, deactivate and delete locations.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/locationDeactivate
 */
export function locationStateRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, catalog, changed, view } = writer;
  const { nodes, defaults } = reader.store;
  const shop = { nodes, catalog };

  /** A mutation that changes the state of a location once for each key, or tells why not. */
  const moved =
    (
      errors: string,
      problem: (args: StateArgs) => StateError | undefined,
      topic: string,
      change: (args: StateArgs) => NodeFields,
    ) =>
    (args: StateArgs, _context: GraphqlContext, info: GraphQLResolveInfo): object =>
      runOnce(writer, args, info, () => {
        const { locationId } = args;
        if (!locationOf(nodes, locationId)) return { location: null, [errors]: [NOT_FOUND] };
        const error = problem(args);
        if (!error) {
          nodes.update(locationId, change(args));
          changed.topic(topic, locationId);
        }
        return { location: view(locationId), [errors]: error ? [error] : [] };
      });

  /** Moves what is at a location to another. */
  const relocate = (from: string, to: string): void => {
    for (const { variants } of catalog.all())
      for (const { levels } of variants) {
        const level = levels.find((one) => one.locationId === from && one.isActive);
        if (!level) continue;
        const known = levels.find((one) => one.locationId === to);
        const target = known ?? newLevel(to, defaults.now());
        if (!known) levels.push(target);
        const quantity = quantityOf(level, 'available');
        changeQuantity(target, 'available', quantity, defaults.now());
        changeQuantity(level, 'available', -quantity, defaults.now());
        target.isActive = true;
        level.isActive = false;
      }
  };

  const undeactivatable = ({
    locationId,
    destinationLocationId: to,
  }: StateArgs): StateError | undefined => {
    const destination = to == null ? undefined : locationOf(nodes, to);
    if (to === locationId) return { field: ['destinationLocationId'], ...SAME };
    if (to != null && destination?.['isActive'] !== true)
      return { field: ['destinationLocationId'], ...NO_DESTINATION };
    if (isPrimary(nodes, locationId)) return { field: ['locationId'], ...BLOCKED };
    if (onlineOnly(nodes, locationId)) return { field: ['locationId'], ...LAST_ONLINE };
    if (!destination && hasInventory(shop, locationId))
      return { field: ['locationId'], ...STOCKED };
    return !destination && hasOpenOrders(nodes, locationId)
      ? { field: ['locationId'], ...ORDERED }
      : undefined;
  };

  return {
    locationActivate: moved(
      'locationActivateUserErrors',
      ({ locationId }) => {
        const { name, isActive } = nodes.fieldsOf(locationId);
        const isTaken = isActive === false && nameTakenBy(nodes, name, locationId) !== undefined;
        return isTaken ? { field: ['locationId'], ...TAKEN } : undefined;
      },
      'locations/activate',
      () => ({ isActive: true, deactivatedAt: null }),
    ),

    locationDeactivate: moved(
      'locationDeactivateUserErrors',
      undeactivatable,
      'locations/deactivate',
      ({ locationId, destinationLocationId }) => {
        if (destinationLocationId != null) relocate(locationId, destinationLocationId);
        return {
          isActive: false,
          deactivatedAt: isoTime(defaults.now()),
          shipsInventory: false,
        };
      },
    ),

    locationDelete: ({ locationId }: StateArgs) => {
      const location = locationOf(nodes, locationId);
      const checks: Array<readonly [boolean, string, string]> = [
        [location?.['isActive'] !== false, 'LOCATION_IS_ACTIVE', 'it is active'],
        [hasInventory(shop, locationId), 'LOCATION_HAS_INVENTORY', 'it has inventory'],
        [hasOpenOrders(nodes, locationId), 'LOCATION_HAS_PENDING_ORDERS', 'it has pending orders'],
      ];
      const errors = location
        ? checks.flatMap(([applies, code, why]) =>
            applies
              ? [
                  {
                    field: ['locationId'],
                    message: `The location cannot be deleted while ${why}.`,
                    code,
                  },
                ]
              : [],
          )
        : [NOT_FOUND];
      if (!location || errors.length > 0)
        return { deletedLocationId: null, locationDeleteUserErrors: errors };
      nodes.delete(locationId);
      for (const { variants } of catalog.all())
        for (const variant of variants)
          variant.levels = variant.levels.filter((level) => level.locationId !== locationId);
      changed('delete', locationId, location);
      return { deletedLocationId: locationId, locationDeleteUserErrors: [] };
    },
  };
}

/** Whether no other active location fulfills online orders. */
export function onlineOnly(nodes: NodeStore, locationId: string): boolean {
  const online = nodes
    .all(['Location'])
    .filter(
      ({ fields }) => fields['isActive'] !== false && fields['fulfillsOnlineOrders'] === true,
    );
  return online.length === 1 && online[0]?.id === locationId;
}

function locationOf(nodes: NodeStore, id: string): Readonly<NodeFields> | undefined {
  return nodes.find(id)?.type === 'Location' ? nodes.fieldsOf(id) : undefined;
}

const COULD_NOT = 'Location could not be deactivated';
const NOT_FOUND: StateError = {
  field: ['locationId'],
  message: 'Location not found.',
  code: 'LOCATION_NOT_FOUND',
};
const TAKEN = {
  message:
    'This location currently cannot be activated because there exists an active location with the same name.',
  code: 'HAS_NON_UNIQUE_NAME',
};
const SAME = {
  message: `${COULD_NOT} because the destination location cannot be set to the location to be deactivated.`,
  code: 'DESTINATION_LOCATION_IS_THE_SAME_LOCATION',
};
const NO_DESTINATION = {
  message: `${COULD_NOT} because the destination location could be not found or is inactive.`,
  code: 'DESTINATION_LOCATION_NOT_FOUND_OR_INACTIVE',
};
const BLOCKED = {
  message: `${COULD_NOT} because it either has a fulfillment service or is the only location with a shipping address.`,
  code: 'PERMANENTLY_BLOCKED_FROM_DEACTIVATION_ERROR',
};
/** What is said of the last location that fulfills online orders. */
export const LAST_ONLINE = {
  message: 'At least one location must fulfill online orders.',
  code: 'CANNOT_DISABLE_ONLINE_ORDER_FULFILLMENT',
};
const STOCKED = {
  message: `${COULD_NOT} without specifying where to relocate inventory stocked at the location.`,
  code: 'HAS_ACTIVE_INVENTORY_ERROR',
};
const ORDERED = {
  message: `${COULD_NOT} because it has pending orders.`,
  code: 'HAS_FULFILLMENT_ORDERS_ERROR',
};
