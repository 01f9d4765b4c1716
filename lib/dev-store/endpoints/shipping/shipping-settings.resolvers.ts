import { UnknownTargetError } from '../../graphql/graphql.errors.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { nodeOf } from '../orders/fulfillment-orders.js';

interface PickupInput {
  readonly locationId: string;
  readonly pickupTime: string;
  readonly instructions?: string | null;
}

interface PackageArgs {
  id: string;
  shippingPackage: Readonly<NodeFields>;
}

/**
 * The resolvers of the settings of shipping: pickup at a location, packages, and where orders are
 * shipped from.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/locationLocalPickupEnable
 */
export function shippingSettingsRoot({ reader, changed }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const isActive = (id: string): boolean => {
    const location = nodeOf(nodes, 'Location', id);
    return location !== undefined && location['isActive'] !== false;
  };
  const inactive = (field: string, id: string): object => ({
    ...{ field: [field], code: 'ACTIVE_LOCATION_NOT_FOUND' },
    message: `Unable to find an active location for location ID ${id.split('/').at(-1)}`,
  });
  const settled = (id: string, localPickupSettingsV2: object | null): void => {
    nodes.update(id, { localPickupSettingsV2 });
    changed('update', id, nodes.fieldsOf(id));
  };
  /** A package of the shop. @throws UnknownTargetError for an id that none has */
  const packageOf = (id: string): Readonly<NodeFields> => {
    const fields = nodeOf(nodes, 'ShippingPackage', id);
    if (!fields) throw new UnknownTargetError();
    return fields;
  };
  const chosen = (id: string): void => {
    for (const one of nodes.all(['ShippingPackage']))
      nodes.update(one.id, { default: one.id === id });
  };

  return {
    locationLocalPickupEnable: ({
      localPickupSettings: given,
    }: {
      localPickupSettings: PickupInput;
    }) => {
      const { locationId, pickupTime, instructions } = given;
      const refused = (error: object): object => ({
        localPickupSettings: null,
        userErrors: [error],
      });
      const field = ['localPickupSettings'];
      if (!isActive(locationId)) return refused(inactive(field[0]!, locationId));
      if (pickupTime === 'CUSTOM')
        return refused({ field, message: NO_CUSTOM, code: 'CUSTOM_PICKUP_TIME_NOT_ALLOWED' });
      const settings = { pickupTime, instructions: instructions ?? '' };
      settled(locationId, settings);
      return { localPickupSettings: reader.objectOf(settings), userErrors: [] };
    },

    locationLocalPickupDisable: ({ locationId }: { locationId: string }) => {
      if (!isActive(locationId))
        return { locationId: null, userErrors: [inactive('locationId', locationId)] };
      settled(locationId, null);
      return { locationId, userErrors: [] };
    },

    shippingPackageUpdate: ({ id, shippingPackage }: PackageArgs) => {
      const { boxType } = packageOf(id);
      if (boxType === 'FLAT_RATE') {
        const error = { field: ['id'], message: 'Custom shipping box is not updatable' };
        return { userErrors: [{ ...error, code: 'CUSTOM_SHIPPING_BOX_NOT_UPDATABLE' }] };
      }
      nodes.update(id, shippingPackage);
      if (shippingPackage['default'] === true) chosen(id);
      return { userErrors: [] };
    },
    shippingPackageMakeDefault: ({ id }: { id: string }) => {
      packageOf(id);
      chosen(id);
      return { userErrors: [] };
    },
    shippingPackageDelete: ({ id }: { id: string }) => {
      packageOf(id);
      nodes.delete(id);
      return { deletedId: id, userErrors: [] };
    },

    deliverySettingUpdate: () => ({
      setting: reader.objectOf({
        legacyModeProfiles: false,
        legacyModeBlocked: { blocked: false },
      }),
      userErrors: [],
    }),
    deliveryShippingOriginAssign: ({ locationId }: { locationId: string }) => {
      const message = 'Location does not exist';
      const userErrors = isActive(locationId) ? [] : [{ field: ['locationId'], message }];
      for (const one of userErrors.length > 0 ? [] : nodes.all(['Location']))
        nodes.update(one.id, { isPrimary: one.id === locationId });
      return { userErrors };
    },
  };
}

const NO_CUSTOM = 'Custom pickup time is not allowed for local pickup settings.';
