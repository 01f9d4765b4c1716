import { newLevel } from '../inventory/inventory-level.js';
import type { ProductVariant, VariantInput, VariantSettings } from './product.js';

const PRICE = /^\d{1,12}(\.\d{1,2})?$/;

/** What a variant is like of which nothing is said. */
const DEFAULTS: Readonly<VariantSettings> = {
  price: '0.00',
  compareAtPrice: null,
  sku: null,
  barcode: null,
  taxable: true,
  inventoryPolicy: 'DENY',
  tracked: false,
  requiresShipping: true,
  cost: null,
  weight: { value: 0, unit: 'KILOGRAMS' },
  harmonizedSystemCode: null,
  countryCodeOfOrigin: null,
  provinceCodeOfOrigin: null,
};

const AMOUNTS: ReadonlySet<string> = new Set(['price', 'compareAtPrice', 'cost']);

/** A variant that is stocked at a location, if there is one. */
export function newVariant(
  input: VariantInput,
  id: number,
  location: string | undefined,
  at: Date,
): ProductVariant {
  const variant: ProductVariant = {
    ...DEFAULTS,
    id,
    title: '',
    optionValues: [],
    position: 1,
    levels: location === undefined ? [] : [newLevel(location, at)],
    createdAt: at,
    updatedAt: at,
  };
  setVariant(variant, input, at);
  return variant;
}

/** Sets what an input has of a variant. The amounts are such that `isPrice` holds. */
export function setVariant(variant: ProductVariant, input: VariantInput, at: Date): void {
  for (const name of Object.keys(DEFAULTS) as Array<keyof VariantSettings>) {
    const value = input[name];
    if (value === undefined) continue;
    const isAmount = AMOUNTS.has(name) && value !== null;
    Object.assign(variant, { [name]: isAmount ? Number(value).toFixed(2) : value });
  }
  const { title, optionValues = title === undefined ? undefined : [title] } = input;
  if (optionValues !== undefined) variant.optionValues = [...optionValues];
  variant.updatedAt = at;
}

/** True for an amount of money: digits, with at most two decimals. */
export function isPrice(text: string): boolean {
  return PRICE.test(text);
}
