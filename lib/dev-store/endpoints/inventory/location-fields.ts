import type { ProductCatalog } from '../../state/products/product-catalog.js';
import type { OwnField } from '../nodes/node-reader.js';
import { levelId } from './inventory.views.js';

/** The fields of a location that say what is in it: the ids of its levels. */
export function locationFields(catalog: ProductCatalog): Record<string, OwnField> {
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
    'Location.hasActiveInventory': (id) => levelsAt(id, false).length > 0,
  };
}
