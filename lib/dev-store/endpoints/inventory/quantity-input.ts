import { quantityOf, type QuantityName } from '../../state/inventory/inventory-level.js';
import type { NodeStore } from '../../state/nodes/node-store.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import { itemById } from './inventory-changes.js';

/** Why a change of quantities is refused. */
export interface QuantityError {
  readonly field: readonly string[] | null;
  readonly message: string;
  readonly code?: string;
}

/** A change of one quantity in an input. */
export interface QuantityFields {
  readonly inventoryItemId: string;
  readonly locationId: string;
  readonly changeFromQuantity?: number | null;
  readonly compareQuantity?: number | null;
}

/** The quantities that an app may adjust and move. */
const ADJUSTABLE = [
  'available',
  'damaged',
  'incoming',
  'quality_control',
  'reserved',
  'safety_stock',
];
const REASONS = [
  'correction',
  'cycle_count_available',
  'damaged',
  'movement_canceled',
  'movement_created',
  'movement_received',
  'movement_updated',
  'other',
  'promotion',
  'quality_control',
  'received',
  'reservation_created',
  'reservation_deleted',
  'reservation_updated',
  'restock',
  'safety_stock',
  'shrinkage',
];
/** How large a quantity may be, and how far below zero. */
const HIGHEST = 1_000_000_000;

/** An input lacks the quantity that it is compared with, which its version demands. */
class MissingCompareQuantity extends Error {
  readonly extensions = { code: 'INVALID_FIELD_ARGUMENTS' };

  /** @param type of the input, e.g. `InventoryChangeInput` */
  constructor(type: string) {
    super(`${type} must include the following argument: changeFromQuantity.`);
  }
}

/**
 * Refuses inputs without `changeFromQuantity`, which may be null, in the versions that demand it.
 * @throws MissingCompareQuantity
 */
export function demandCompared(version: string, type: string, inputs: readonly object[]): void {
  if (version >= '2026-04' && inputs.some((input) => !('changeFromQuantity' in input)))
    throw new MissingCompareQuantity(type);
}

/** Why a reason is refused. */
export function reasonErrors(reason: string): QuantityError[] {
  if (REASONS.includes(reason)) return [];
  const message = `The specified reason is invalid. Valid values are: ${REASONS.join(', ')}.`;
  return [{ field: ['input', 'reason'], message, code: 'INVALID_REASON' }];
}

/** Why the name of a quantity that is adjusted or moved is refused. */
export function nameErrors(name: string, field: readonly string[]): QuantityError[] {
  if (ADJUSTABLE.includes(name)) return [];
  const message = `The specified quantity name is invalid. Valid values are: ${ADJUSTABLE.join(', ')}.`;
  return [{ field, message, code: 'INVALID_QUANTITY_NAME' }];
}

/** Why a quantity, or what it is changed by, is refused. */
export function boundErrors(
  quantity: number,
  field: readonly string[],
  isNegativeAllowed: boolean,
): QuantityError[] {
  const refused = (code: string, words: string): QuantityError[] => [
    { field, message: `The quantity can't be ${words}.`, code: `INVALID_QUANTITY_${code}` },
  ];
  if (quantity < 0 && !isNegativeAllowed) return refused('NEGATIVE', 'negative');
  if (quantity < -HIGHEST) return refused('TOO_LOW', 'lower than -1,000,000,000');
  return quantity > HIGHEST ? refused('TOO_HIGH', 'higher than 1,000,000,000') : [];
}

/** Why a ledger document is refused: all quantities but `available` need one. */
export function documentErrors(
  name: string,
  uri: string | null | undefined,
  field: readonly string[],
): QuantityError[] {
  if ((name === 'available') === (uri == null)) return [];
  return name === 'available'
    ? [
        {
          field,
          message: 'A ledger document URI is not allowed when adjusting available.',
          code: 'INVALID_AVAILABLE_DOCUMENT',
        },
      ]
    : [
        {
          field,
          message: 'A ledger document URI is required except when adjusting available.',
          code: 'INVALID_QUANTITY_DOCUMENT',
        },
      ];
}

/** Why an item and a location, or the quantity that a change expects, are refused. */
export function placeErrors(
  { catalog, nodes }: { readonly catalog: ProductCatalog; readonly nodes: NodeStore },
  input: QuantityFields,
  name: string,
  path: readonly string[],
): QuantityError[] {
  const variant = itemById(catalog, input.inventoryItemId)?.variant;
  const isLocation = nodes.find(input.locationId)?.type === 'Location';
  const missing = (field: string, words: string, code: string): QuantityError => ({
    field: [...path, field],
    message: `The specified ${words} could not be found.`,
    code,
  });
  const errors = [
    ...(variant ? [] : [missing('inventoryItemId', 'inventory item', 'INVALID_INVENTORY_ITEM')]),
    ...(isLocation ? [] : [missing('locationId', 'location', 'INVALID_LOCATION')]),
  ];
  if (errors.length > 0) return errors;
  const level = variant?.levels.find((one) => one.isActive && one.locationId === input.locationId);
  if (!level)
    return [
      {
        field: [...path, 'locationId'],
        message: 'The specified inventory item is not stocked at the location.',
        code: 'ITEM_NOT_STOCKED_AT_LOCATION',
      },
    ];
  const now = quantityOf(level, name as QuantityName);
  return (['changeFromQuantity', 'compareQuantity'] as const).flatMap((field) =>
    input[field] == null || input[field] === now
      ? []
      : [
          {
            field: [...path, field],
            message: `The ${field} value does not match persisted value.`,
            code:
              field === 'compareQuantity' ? 'COMPARE_QUANTITY_STALE' : 'CHANGE_FROM_QUANTITY_STALE',
          },
        ],
  );
}
