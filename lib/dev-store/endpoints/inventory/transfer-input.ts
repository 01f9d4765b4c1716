import type { NodeStore } from '../../state/nodes/node-store.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import { itemById } from './inventory-changes.js';

/** An item and how many of it in the input of a transfer or a shipment. */
export interface MovedItem {
  readonly inventoryItemId: string;
  readonly quantity: number;
}

/** Why a transfer or a shipment is refused. */
export interface TransferError {
  readonly field: readonly string[];
  readonly message: string;
  readonly code: string;
}

/** The part of a shop that transfers are checked against. */
interface TransferShop {
  readonly nodes: NodeStore;
  readonly catalog: ProductCatalog;
}

/** Why the items of an input are refused. @param path of their list */
export function itemErrors(
  { catalog }: TransferShop,
  items: readonly MovedItem[],
  path: readonly string[],
): TransferError[] {
  return items.flatMap(({ inventoryItemId, quantity }, index) => {
    const refused = (name: string, code: keyof typeof ITEMS): TransferError[] => [
      { field: [...path, String(index), name], message: ITEMS[code], code },
    ];
    const found = itemById(catalog, inventoryItemId);
    const isTwice = items.some(
      (other, at) => at !== index && other.inventoryItemId === inventoryItemId,
    );
    if (!found) return refused('inventoryItemId', 'ITEM_NOT_FOUND');
    if (isTwice) return refused('inventoryItemId', 'DUPLICATE_ITEM');
    if (!found.variant.tracked) return refused('inventoryItemId', 'UNTRACKED_ITEM');
    return quantity < 0 ? refused('quantity', 'INVALID_QUANTITY') : [];
  });
}

/** Why the ends of a transfer are refused. @param names of their fields in the input */
export function locationErrors(
  { nodes }: TransferShop,
  ends: readonly [origin: string | null | undefined, destination: string | null | undefined],
  names: readonly [origin: string, destination: string],
): TransferError[] {
  const errors = ends.flatMap((id, index): TransferError[] => {
    const field = ['input', String(names[index])];
    if (id == null) return [];
    const location = nodes.find(id);
    if (location?.type !== 'Location')
      return [
        { field, message: "The location selected can't be found.", code: 'LOCATION_NOT_FOUND' },
      ];
    return location.fields['isActive'] === false
      ? [{ field, message: 'The location selected is not active.', code: 'LOCATION_NOT_ACTIVE' }]
      : [];
  });
  const [origin, destination] = ends;
  if (errors.length > 0 || origin == null || origin !== destination) return errors;
  return [
    {
      field: ['input', names[1]],
      message: 'The origin location cannot be the same as the destination location.',
      code: 'TRANSFER_ORIGIN_CANNOT_BE_THE_SAME_AS_DESTINATION',
    },
  ];
}

/** Why items cannot leave a location: they are not stocked there. */
export function stockErrors(
  { catalog }: TransferShop,
  items: readonly MovedItem[],
  locationId: unknown,
  path: readonly string[],
): TransferError[] {
  return items.flatMap(({ inventoryItemId }, index) => {
    const levels = itemById(catalog, inventoryItemId)?.variant.levels ?? [];
    return levels.some((level) => level.locationId === locationId && level.isActive)
      ? []
      : [
          {
            field: [...path, String(index), 'inventoryItemId'],
            message: 'The inventory item is not stocked at the origin location.',
            code: 'INVENTORY_STATE_NOT_ACTIVE',
          },
        ];
  });
}

const ITEMS = {
  ITEM_NOT_FOUND: 'The inventory item could not be found.',
  DUPLICATE_ITEM: 'The inventory item is already present in the list. Each item must be unique.',
  UNTRACKED_ITEM: 'The inventory item does not track inventory.',
  INVALID_QUANTITY: "The quantity can't be negative.",
} as const;

/** What is said of an item that is not there. */
export const NO_ITEM = { message: ITEMS.ITEM_NOT_FOUND, code: 'ITEM_NOT_FOUND' };
/** What is said of a transfer that is not there. */
export const NO_TRANSFER = {
  message: "The inventory transfer can't be found.",
  code: 'TRANSFER_NOT_FOUND',
};
