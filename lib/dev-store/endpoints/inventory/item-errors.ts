import type { ItemFields } from '../products/variant-input.js';
import type { QuantityError } from './quantity-input.js';

const UNITS: Readonly<Record<string, string>> = {
  GRAMS: 'g',
  KILOGRAMS: 'kg',
  OUNCES: 'oz',
  POUNDS: 'lb',
};

/** Stands for a region that is not known, and is no country that goods are from. */
const UNKNOWN_REGION = 'ZZ';

/** Why the input of an inventory item is refused. */
export function itemErrors(item: ItemFields): QuantityError[] {
  const errors: QuantityError[] = [];
  const refuse = (field: readonly string[], message: string): void => {
    errors.push({ field: ['input', ...field], message });
  };
  const weight = item.measurement?.weight;
  const { cost, countryCodeOfOrigin: country, harmonizedSystemCode: code } = item;
  if (cost != null && Number(cost) < 0) refuse(['cost'], 'Cost must be greater than or equal to 0');
  if (weight && weight.value < 0) {
    const unit = UNITS[weight.unit] ?? weight.unit;
    const message = `Measurement weight value ${weight.value} ${unit} must be >= 0 ${unit}`;
    refuse(['measurement', 'weight'], message);
  }
  if (country === UNKNOWN_REGION)
    refuse(['countryCodeOfOrigin'], 'Country code of origin is invalid');
  if (code && !/^\d{6,13}$/.test(code.replace(/[.\s]/g, '')))
    refuse(
      ['harmonizedSystemCode'],
      'Harmonized system code must be a number between six and thirteen digits',
    );
  return errors;
}
