import type { NodeStore } from '../../state/nodes/node-store.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import type { OwnField } from '../nodes/node-reader.js';
import { levelId } from './level-ids.js';

/** The part of a shop that the state of locations follows from. */
interface LocationShop {
  readonly nodes: NodeStore;
  readonly catalog: ProductCatalog;
}

/** The fields of a location that follow from what is in it, and from the other locations. */
export function locationFields(shop: LocationShop): Record<string, OwnField> {
  const { catalog, nodes } = shop;
  const levelsAt = (locationId: string, isInactiveToo: boolean): string[] =>
    catalog
      .all()
      .flatMap(({ variants }) =>
        variants.flatMap((variant) =>
          variant.levels
            .filter((level) => level.locationId === locationId && (level.isActive || isInactiveToo))
            .map((level) => levelId(variant, level)),
        ),
      );
  return {
    'Location.inventoryLevels': (id, { includeInactive }) => levelsAt(id, includeInactive === true),
    'Location.inventoryLevel': (id, { inventoryItemId, includeInactive }) => {
      const item = `?inventory_item_id=${String(inventoryItemId).split('/').at(-1)}`;
      return levelsAt(id, includeInactive === true).find((level) => level.endsWith(item)) ?? null;
    },
    'Location.hasActiveInventory': (id) => hasInventory(shop, id),
    'Location.hasUnfulfilledOrders': (id) => hasOpenOrders(nodes, id),
    'Location.isPrimary': (id) => isPrimary(nodes, id),
    'Location.activatable': (id) =>
      nameTakenBy(nodes, nodes.fieldsOf(id)['name'], id) === undefined,
    'Location.deactivatable': (id) => !isPrimary(nodes, id),
    'Location.deletable': (id) =>
      nodes.fieldsOf(id)['isActive'] === false &&
      !hasInventory(shop, id) &&
      !hasOpenOrders(nodes, id),
  };
}

/** Whether a location is the one that a shop has from the beginning. */
export function isPrimary(nodes: NodeStore, id: string): boolean {
  return nodes.first('Location')?.id === id;
}

/** Whether anything is stocked at a location. */
export function hasInventory({ catalog }: LocationShop, locationId: string): boolean {
  return catalog
    .all()
    .some(({ variants }) =>
      variants.some(({ levels }) =>
        levels.some((level) => level.locationId === locationId && level.isActive),
      ),
    );
}

/** Whether orders are to be fulfilled from a location. */
export function hasOpenOrders(nodes: NodeStore, locationId: string): boolean {
  return nodes
    .all(['FulfillmentOrder'])
    .some(
      ({ fields: { status, assignedLocation } }) =>
        Object(assignedLocation).location === locationId &&
        status !== 'CLOSED' &&
        status !== 'CANCELLED',
    );
}

/** The active location that has a name; inactive ones leave theirs to others. */
export function nameTakenBy(
  nodes: NodeStore,
  name: unknown,
  exceptId?: string,
): string | undefined {
  return nodes
    .all(['Location'])
    .find(
      ({ id, fields }) =>
        id !== exceptId && fields['name'] === name && fields['isActive'] !== false,
    )?.id;
}
