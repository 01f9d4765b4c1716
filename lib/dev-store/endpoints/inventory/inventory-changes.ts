import { isoTime } from '../../base/iso-time.js';
import { idOf } from '../../base/vendor.js';
import {
  changeQuantity,
  isOnHand,
  quantityOf,
  type InventoryLevel,
  type KeptQuantity,
} from '../../state/inventory/inventory-level.js';
import type { Product, ProductVariant } from '../../state/products/product.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import { levelId } from './level-ids.js';

/** A variant, its product and a level of it. */
interface StockedVariant {
  readonly product: Product;
  readonly variant: ProductVariant;
  readonly level: InventoryLevel;
}

/** What is added to a quantity, or taken from it. */
export interface QuantityChange {
  readonly itemId: string;
  readonly locationId: string;
  readonly name: KeptQuantity;
  readonly delta: number;
  readonly ledgerDocumentUri?: string | null | undefined;
}

/** The variant of an inventory item, by its global id. */
export function itemById(
  catalog: ProductCatalog,
  id: string,
): Omit<StockedVariant, 'level'> | undefined {
  return catalog.variant(idOf('InventoryItem', id));
}

/** The level with a global id. */
export function levelById(catalog: ProductCatalog, id: string): StockedVariant | undefined {
  const item = /^gid:\/\/shopify\/InventoryLevel\/\d+\?inventory_item_id=(\d+)$/.exec(id)?.[1];
  const found = item && itemById(catalog, `gid://shopify/InventoryItem/${item}`);
  const level = found && found.variant.levels.find((one) => levelId(found.variant, one) === id);
  return found && level ? { ...found, level } : undefined;
}

/**
 * Changes quantities and tells the apps of each level. Returns the changes with those of `on_hand`
 * that follow, as an adjustment group lists them; what changes nothing is left out.
 */
export function applyChanges(
  catalog: ProductCatalog,
  changes: readonly QuantityChange[],
  at: Date,
  notify: (topic: string, payload: object) => void,
): object[] {
  const effective = changes.filter(({ delta }) => delta !== 0);
  const onHand = new Map<InventoryLevel, { delta: number; change: QuantityChange }>();
  const touched = new Map<InventoryLevel, ProductVariant>();
  for (const change of effective) {
    const variant = itemById(catalog, change.itemId)?.variant;
    const level = variant?.levels.find((one) => one.locationId === change.locationId);
    if (!variant || !level) continue;
    changeQuantity(level, change.name, change.delta, at);
    touched.set(level, variant);
    const before = onHand.get(level)?.delta ?? 0;
    if (isOnHand(change.name)) onHand.set(level, { delta: before + change.delta, change });
  }
  for (const [level, variant] of touched)
    notify('inventory_levels/update', payload(variant, level));
  const sums = [...onHand.values()].filter(({ delta }) => delta !== 0);
  return [
    ...effective.map((change) => entry(change, change.name, change.delta)),
    ...sums.map(({ change, delta }) =>
      entry({ ...change, ledgerDocumentUri: null }, 'on_hand', delta),
    ),
  ];
}

function entry(change: QuantityChange, name: string, delta: number): object {
  const { itemId, locationId, ledgerDocumentUri = null } = change;
  return { name, delta, item: itemId, location: locationId, ledgerDocumentUri };
}

/** A level in the payloads of webhooks. */
export function payload(variant: ProductVariant, level: InventoryLevel): object {
  return {
    inventory_item_id: variant.id,
    location_id: Number(level.locationId.split('/').at(-1)),
    available: quantityOf(level, 'available'),
    updated_at: isoTime(level.updatedAt),
    admin_graphql_api_id: levelId(variant, level),
  };
}
