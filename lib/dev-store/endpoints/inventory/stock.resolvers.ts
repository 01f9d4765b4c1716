import type { GraphQLResolveInfo } from 'graphql';
import { globalId } from '../../base/vendor.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import {
  changeQuantity,
  newLevel,
  quantityOf,
  type InventoryLevel,
} from '../../state/inventory/inventory-level.js';
import type { Product, ProductVariant } from '../../state/products/product.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { inventoryItemView } from '../products/product.views.js';
import { itemSettings, type ItemFields } from '../products/variant-input.js';
import { runOnce } from './idempotent.js';
import { itemById, levelById, payload } from './inventory-changes.js';
import { itemErrors } from './item-errors.js';
import { hasUnsettled, levelView } from './inventory.views.js';
import { boundErrors, type QuantityError } from './quantity-input.js';

interface ActivateArgs {
  inventoryItemId: string;
  locationId: string;
  available?: number | null;
  onHand?: number | null;
}

interface ToggleArgs {
  inventoryItemId: string;
  inventoryItemUpdates: ReadonlyArray<{ locationId: string; activate: boolean }>;
}

/** The resolvers of the mutations that say where items are stocked, and what they are. */
export function stockRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, catalog, notify } = writer;
  const { nodes, defaults } = reader.store;

  const levelAt = (variant: ProductVariant, locationId: string): InventoryLevel | undefined =>
    variant.levels.find((one) => one.locationId === locationId);

  /** The level of a variant at a location, which is active then. @param quantity to be available */
  const activated = (
    variant: ProductVariant,
    locationId: string,
    quantity?: (level: InventoryLevel) => number,
  ): InventoryLevel => {
    const level = levelAt(variant, locationId) ?? newLevel(locationId, defaults.now());
    const isNew = !variant.levels.includes(level);
    if (level.isActive && !isNew) return level;
    if (isNew) variant.levels.push(level);
    level.isActive = true;
    const delta = quantity?.(level) ?? 0;
    if (delta !== 0) changeQuantity(level, 'available', delta, defaults.now());
    notify('inventory_levels/connect', payload(variant, level));
    if (delta !== 0) notify('inventory_levels/update', payload(variant, level));
    return level;
  };

  const deactivate = (variant: ProductVariant, level: InventoryLevel): void => {
    level.isActive = false;
    notify('inventory_levels/disconnect', payload(variant, level));
  };

  /** Why an item is not taken off a location. @param active the locations that it is stocked at */
  const problemAt = (
    variant: ProductVariant,
    locationId: string,
    active: ReadonlySet<string>,
  ): Omit<QuantityError, 'field'> | undefined => {
    const name = String(nodes.fieldsOf(locationId)['name']);
    const unstocked = `The product couldn't be unstocked from ${name} because`;
    if (active.size === 1)
      return {
        message: `${unstocked} products need to be stocked at a minimum of 1 location.`,
        code: 'CANNOT_DEACTIVATE_FROM_ONLY_LOCATION',
      };
    const level = levelAt(variant, locationId);
    if (level && hasUnsettled(level))
      return {
        message: `${unstocked} it has committed, incoming or reserved inventory there.`,
        code: 'FAILED_TO_UNSTOCK_FROM_LOCATION',
      };
    return undefined;
  };

  const viewOf = (product: Product, variant: ProductVariant, level: InventoryLevel): object =>
    levelView(variant, level, () => inventoryItemView(product, variant));

  const placed = (itemId: string, locationId: string): QuantityError | undefined => {
    const missing = (field: string, words: string): QuantityError => ({
      field: [field],
      message: `The specified ${words} could not be found.`,
    });
    if (!itemById(catalog, itemId)) return missing('inventoryItemId', 'inventory item');
    const isLocation = nodes.find(locationId)?.type === 'Location';
    return isLocation ? undefined : missing('locationId', 'location');
  };

  return {
    inventoryActivate: (args: ActivateArgs, _: GraphqlContext, info: GraphQLResolveInfo) =>
      runOnce(writer, args, info, () => {
        const { inventoryItemId, locationId, available, onHand } = args;
        const refused = (error: QuantityError): object => ({
          inventoryLevel: null,
          userErrors: [error],
        });
        const error = placed(inventoryItemId, locationId);
        const found = itemById(catalog, inventoryItemId);
        if (error || !found) return refused(error ?? NOTHING);
        const { product, variant } = found;
        const before = levelAt(variant, locationId);
        const given = available == null ? (onHand == null ? undefined : 'onHand') : 'available';
        if (before?.isActive && given)
          return refused({
            field: [given],
            message: `Not allowed to set ${given === 'available' ? 'available' : 'on hand'} quantity when the item is already active at the location.`,
          });
        const quantity = available ?? onHand ?? 0;
        const [wrong] = given ? boundErrors(quantity, [given], given === 'available') : [];
        if (wrong) return refused(wrong);
        const name = given === 'onHand' ? 'on_hand' : 'available';
        const level = activated(variant, locationId, (one) =>
          given ? quantity - quantityOf(one, name) : 0,
        );
        return { inventoryLevel: viewOf(product, variant, level), userErrors: [] };
      }),

    inventoryDeactivate: (
      args: { inventoryLevelId: string },
      _: GraphqlContext,
      info: GraphQLResolveInfo,
    ) =>
      runOnce(writer, args, info, () => {
        const found = levelById(catalog, args.inventoryLevelId);
        if (!found) return { userErrors: [{ field: null, ...NO_LEVEL }] };
        const { variant, level } = found;
        if (!level.isActive) return { userErrors: [] };
        const problem = problemAt(variant, level.locationId, activeAt(variant));
        if (problem) return { userErrors: [{ field: null, ...problem }] };
        deactivate(variant, level);
        return { userErrors: [] };
      }),

    inventoryBulkToggleActivation: (
      args: ToggleArgs,
      _: GraphqlContext,
      info: GraphQLResolveInfo,
    ) =>
      runOnce(writer, args, info, () => {
        const { inventoryItemId, inventoryItemUpdates } = args;
        const found = itemById(catalog, inventoryItemId);
        const refused = (error: QuantityError): object => ({
          inventoryItem: null,
          inventoryLevels: null,
          userErrors: [error],
        });
        if (!found) return refused({ ...NOTHING, code: 'INVENTORY_ITEM_NOT_FOUND' });
        const { product, variant } = found;
        const active = activeAt(variant);
        for (const [index, { locationId, activate }] of inventoryItemUpdates.entries()) {
          const field = ['inventoryItemUpdates', String(index), 'locationId'];
          const error = placed(inventoryItemId, locationId);
          if (error) return refused({ ...error, field, code: 'LOCATION_NOT_FOUND' });
          const isOff = !activate && active.has(locationId);
          const problem = isOff && problemAt(variant, locationId, active);
          if (problem) return refused({ field, ...problem });
          if (activate) active.add(locationId);
          else active.delete(locationId);
        }
        const levels = inventoryItemUpdates.flatMap(({ locationId, activate }) => {
          const level = activate ? activated(variant, locationId) : levelAt(variant, locationId);
          if (level?.isActive && !activate) deactivate(variant, level);
          return activate && level ? [level] : [];
        });
        return {
          inventoryItem: inventoryItemView(product, variant),
          inventoryLevels: levels.map((level) => viewOf(product, variant, level)),
          userErrors: [],
        };
      }),

    inventoryItemUpdate: ({ id, input }: { id: string; input: ItemFields }) => {
      const found = itemById(catalog, id);
      if (!found) return { inventoryItem: null, userErrors: [NO_ITEM] };
      const { product, variant } = found;
      const userErrors = itemErrors(input);
      if (userErrors.length > 0) return { inventoryItem: null, userErrors };
      const changed = { ...itemSettings(input), id: variant.id };
      catalog.updateVariants(product, [changed]);
      notify('inventory_items/update', {
        id: variant.id,
        admin_graphql_api_id: globalId('InventoryItem', variant.id),
        sku: variant.sku,
        tracked: variant.tracked,
        requires_shipping: variant.requiresShipping,
        cost: variant.cost,
        country_code_of_origin: variant.countryCodeOfOrigin,
        province_code_of_origin: variant.provinceCodeOfOrigin,
        harmonized_system_code: variant.harmonizedSystemCode,
        created_at: variant.createdAt.toISOString(),
        updated_at: variant.updatedAt.toISOString(),
      });
      return { inventoryItem: inventoryItemView(product, variant), userErrors: [] };
    },
  };
}

/** The locations that a variant is stocked at. */
function activeAt({ levels }: ProductVariant): Set<string> {
  return new Set(levels.filter(({ isActive }) => isActive).map(({ locationId }) => locationId));
}

const NOTHING: QuantityError = {
  field: ['inventoryItemId'],
  message: 'The specified inventory item could not be found.',
};
const NO_ITEM: QuantityError = {
  field: ['id'],
  message: "The product couldn't be updated because it does not exist.",
};
const NO_LEVEL = {
  message: "The product couldn't be unstocked because the inventory level was not found.",
};
