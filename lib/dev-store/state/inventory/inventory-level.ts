/** What a level counts, in the order of the platform; `on_hand` is the sum of some of them. */
export const QUANTITY_NAMES = [
  'available',
  'committed',
  'damaged',
  'incoming',
  'on_hand',
  'quality_control',
  'reserved',
  'safety_stock',
] as const;
export type QuantityName = (typeof QUANTITY_NAMES)[number];

/** The quantities that are kept, and that an app may change; `committed` follows from orders. */
export type KeptQuantity = Exclude<QuantityName, 'on_hand'>;

/** What there is of a variant at one location. */
export interface InventoryLevel {
  /** Global id of the location. */
  readonly locationId: string;
  isActive: boolean;
  readonly quantities: Partial<Record<KeptQuantity, number>>;
  /** When each quantity has changed last. */
  readonly changedAt: Partial<Record<KeptQuantity, Date>>;
  readonly createdAt: Date;
  updatedAt: Date;
}

/** What of a variant is at a location, whether it can be sold or not. */
const ON_HAND: readonly KeptQuantity[] = [
  'available',
  'committed',
  'damaged',
  'quality_control',
  'reserved',
  'safety_stock',
];

/** Whether a quantity is a part of `on_hand`. */
export function isOnHand(name: KeptQuantity): boolean {
  return ON_HAND.includes(name);
}

/** A level with nothing in it. */
export function newLevel(locationId: string, at: Date): InventoryLevel {
  return {
    locationId,
    isActive: true,
    quantities: {},
    changedAt: { available: at },
    createdAt: at,
    updatedAt: at,
  };
}

/** A quantity of a level. */
export function quantityOf({ quantities }: InventoryLevel, name: QuantityName): number {
  if (name !== 'on_hand') return quantities[name] ?? 0;
  return ON_HAND.reduce((sum, one) => sum + (quantities[one] ?? 0), 0);
}

/** Adds to a quantity of a level, or takes from it. */
export function changeQuantity(
  level: InventoryLevel,
  name: KeptQuantity,
  delta: number,
  at: Date,
): void {
  level.quantities[name] = quantityOf(level, name) + delta;
  level.changedAt[name] = at;
  level.updatedAt = at;
}

/** What can be sold of a variant, at all locations. */
export function availableOf({ levels }: { readonly levels: readonly InventoryLevel[] }): number {
  return levels
    .filter(({ isActive }) => isActive)
    .reduce((sum, level) => sum + quantityOf(level, 'available'), 0);
}
