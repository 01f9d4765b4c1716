import { globalId, idOf } from '../../base/vendor.js';
import { isOnHand, newLevel, quantityOf } from '../../state/inventory/inventory-level.js';
import type { KeptQuantity } from '../../state/inventory/inventory-level.js';
import type { NodeStore } from '../../state/nodes/node-store.js';
import type { Product, ProductVariant, VariantInput } from '../../state/products/product.js';
import { isPrice } from '../../state/products/product-variants.js';
import { payload } from '../inventory/inventory-changes.js';

/** A variant in the input of a mutation. */
export interface VariantFields extends ItemFields {
  readonly id?: string | null;
  readonly price?: string | number | null;
  readonly compareAtPrice?: string | number | null;
  readonly barcode?: string | null;
  readonly taxable?: boolean | null;
  readonly inventoryPolicy?: VariantInput['inventoryPolicy'] | null;
  readonly inventoryItem?: ItemFields | null;
  readonly optionValues?: readonly OptionValueFields[] | null;
  readonly inventoryQuantities?: readonly QuantityFields[] | null;
  readonly mediaId?: string | null;
  readonly mediaSrc?: readonly string[] | null;
}

/** An inventory item in the input of a mutation. */
export interface ItemFields {
  readonly sku?: string | null;
  readonly tracked?: boolean | null;
  readonly requiresShipping?: boolean | null;
  readonly cost?: string | number | null;
  readonly measurement?: { readonly weight?: ProductVariant['weight'] | null } | null;
  readonly harmonizedSystemCode?: string | null;
  readonly countryCodeOfOrigin?: string | null;
  readonly provinceCodeOfOrigin?: string | null;
}

interface OptionValueFields {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly optionId?: string | null;
  readonly optionName?: string | null;
}

interface QuantityFields {
  readonly locationId: string;
  readonly availableQuantity?: number;
  readonly quantity?: number;
  readonly name?: string;
}

/** Why a variant is refused. */
export interface VariantError {
  readonly code: string;
  readonly field: string[];
  readonly message: string;
}

/** What an input sets of a variant; null clears what may be null, and changes nothing else. */
export function settingsOf(fields: VariantFields): VariantInput {
  return {
    ...itemSettings({ ...fields, ...fields.inventoryItem }),
    ...(fields.price == null ? {} : { price: String(fields.price) }),
    ...cleared({ compareAtPrice: textOf(fields.compareAtPrice), barcode: fields.barcode }),
    ...stated({ taxable: fields.taxable, inventoryPolicy: fields.inventoryPolicy }),
  };
}

/** What an input sets of an inventory item. */
export function itemSettings(item: ItemFields): VariantInput {
  const { sku, harmonizedSystemCode, countryCodeOfOrigin, provinceCodeOfOrigin } = item;
  const codes = { harmonizedSystemCode, countryCodeOfOrigin, provinceCodeOfOrigin };
  const weight = item.measurement?.weight;
  return {
    ...cleared({ sku, cost: textOf(item.cost), ...codes }),
    ...stated({ tracked: item.tracked, requiresShipping: item.requiresShipping, weight }),
  };
}

/** Why the amounts of a variant are refused. */
export function amountErrors(
  { price, compareAtPrice }: VariantFields,
  place: readonly string[],
  invalid: string,
): VariantError[] {
  const wrong = (name: string, words: string, amount: unknown): VariantError[] => {
    const text = amount == null ? undefined : String(amount);
    if (text === undefined || isPrice(text)) return [];
    const isNegative = text.startsWith('-');
    return [
      {
        code: isNegative ? 'GREATER_THAN_OR_EQUAL_TO' : invalid,
        field: [...place, name],
        message: isNegative
          ? `${words} must be greater than or equal to 0`
          : `${words} is not a number`,
      },
    ];
  };
  return [
    ...wrong('price', 'Price', price),
    ...wrong('compareAtPrice', 'Compare at price', compareAtPrice),
  ];
}

/** An option that an input names and the product does not have. */
export class UnknownOption extends Error {}

/**
 * The values of a variant, one for each option of its product: what the input says, else what it
 * has; undefined for what neither says.
 * @throws UnknownOption
 */
export function chosenValues(
  { options }: Pick<Product, 'options'>,
  { optionValues }: VariantFields,
  before: readonly string[] = [],
): Array<string | undefined> {
  const chosen: Array<string | undefined> = options.map((_, index) => before[index]);
  for (const { id, name, optionId, optionName } of optionValues ?? []) {
    const index = options.findIndex((option) =>
      optionId
        ? globalId('ProductOption', option.id) === optionId
        : optionName
          ? option.name === optionName
          : option.values.some((one) => one.name === name || valueId(one.id) === id),
    );
    const option = options[index];
    if (!option) throw new UnknownOption(optionName ?? '');
    chosen[index] = name ?? option.values.find((one) => valueId(one.id) === id)?.name;
  }
  return chosen;
}

/** The global id of an option's value. */
export function valueId(id: number): string {
  return globalId('ProductOptionValue', id);
}

/** Why the locations of the quantities of a variant are refused. */
export function locationErrors(
  { inventoryQuantities }: VariantFields,
  place: readonly string[],
  { nodes }: { readonly nodes: NodeStore },
): VariantError[] {
  return (inventoryQuantities ?? []).flatMap(({ locationId }, index) =>
    nodes.find(locationId)?.type === 'Location'
      ? []
      : [
          {
            code: 'TRACKED_VARIANT_LOCATION_NOT_FOUND',
            field: [...place, 'inventoryQuantities', String(index), 'locationId'],
            message: 'Quantity could not be set. The location was not found.',
          },
        ],
  );
}

/**
 * Sets the quantities that the input of a variant has, at locations that it then is stocked at, and
 * tells the apps.
 */
export function setQuantities(
  variant: ProductVariant,
  { inventoryQuantities }: VariantFields,
  at: Date,
  shop: { notify(topic: string, payload: object): void },
): void {
  if (!inventoryQuantities?.length) return;
  const named = new Set(inventoryQuantities.map(({ locationId }) => locationId));
  // A new variant is stocked where its input says, and nowhere else.
  variant.levels = variant.levels.filter(
    (level) => named.has(level.locationId) || Object.keys(level.quantities).length > 0,
  );
  for (const { locationId, availableQuantity, quantity, name } of inventoryQuantities) {
    let level = variant.levels.find((one) => one.locationId === locationId);
    const wasActive = level?.isActive;
    const before = level ? quantityOf(level, 'available') : 0;
    if (!level) variant.levels.push((level = newLevel(locationId, at)));
    const others = Object.entries(level.quantities).filter(
      ([one]) => one !== 'available' && isOnHand(one as KeptQuantity),
    );
    const sum = name === 'on_hand' ? others.reduce((total, [, count]) => total + count, 0) : 0;
    level.isActive = true;
    level.quantities.available = (availableQuantity ?? quantity ?? 0) - sum;
    level.changedAt.available = at;
    level.updatedAt = at;
    const told = payload(variant, level);
    if (!wasActive) shop.notify('inventory_levels/connect', told);
    if (level.quantities.available !== before) shop.notify('inventory_levels/update', told);
  }
}

/** The variant of a product with a global id. */
export function variantOf(
  product: Product,
  gid: string | null | undefined,
): ProductVariant | undefined {
  const id = idOf('ProductVariant', gid ?? '');
  return product.variants.find((variant) => variant.id === id);
}

function textOf(amount: string | number | null | undefined): string | null | undefined {
  return amount == null ? amount : String(amount);
}

type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** The values that are given, null among them. */
function cleared<T extends object>(values: T): Given<T> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Given<T>;
}

/** The values that are given and not null. */
function stated<T extends object>(values: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  const given = Object.entries(values).filter(([, value]) => value != null);
  return Object.fromEntries(given) as { [Name in keyof T]?: NonNullable<T[Name]> };
}
