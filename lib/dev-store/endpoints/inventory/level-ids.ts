import { globalId } from '../../base/vendor.js';
import type { InventoryLevel } from '../../state/inventory/inventory-level.js';

/** The global id of a level: that of its location with the item. @param variant of the item */
export function levelId(variant: { readonly id: number }, level: InventoryLevel): string {
  return globalId('InventoryLevel', `${locationNumber(level)}?inventory_item_id=${variant.id}`);
}

/** The number of the location of a level. */
export function locationNumber({ locationId }: InventoryLevel): number {
  return Number(locationId.split('/').at(-1));
}
