import type { IdSequence } from '../id-sequence.js';
import type { OptionInput, Product, ProductOption, ProductVariant } from './product.js';

/** The option, and its value, of a product without options. */
const NO_OPTION = 'Title';
const NO_VALUE = 'Default Title';

/** Whether a product has only the variant that stands for none. */
export function isStandalone({ options, variants }: Product): boolean {
  return options.length === 1 && variants.length === 1 && variants[0]?.title === NO_VALUE;
}

/** The values of an option that variants have, which are all that apps see in `values`. */
export function usedValues(product: Product, option: ProductOption): string[] {
  return option.values.map(({ name }) => name).filter((name) => hasVariants(product, option, name));
}

/** Whether a variant of a product has a value of one of its options. */
export function hasVariants(product: Product, option: ProductOption, name: string): boolean {
  const index = product.options.indexOf(option);
  return product.variants.some(({ optionValues }) => optionValues[index] === name);
}

/** An option with values. */
export function newOption({ name, values }: OptionInput, ids: IdSequence): ProductOption {
  const id = ids.next();
  return { id, name, values: [...new Set(values)].map((one) => ({ id: ids.next(), name: one })) };
}

/**
 * Completes the options of a product by what its variants have, and the values of its variants by
 * the first of each option; numbers and names the variants.
 */
export function arrange(product: Product, ids: IdSequence): void {
  const { options, variants } = product;
  if (options.length === 0) options.push(newOption({ name: NO_OPTION, values: [] }, ids));
  for (const [index, variant] of variants.entries()) {
    variant.optionValues = options.map(
      ({ values }, at) => variant.optionValues[at] ?? values[0]?.name ?? NO_VALUE,
    );
    variant.title = variant.optionValues.join(' / ');
    variant.position = index + 1;
    for (const [at, { values }] of options.entries()) {
      const name = variant.optionValues[at] ?? NO_VALUE;
      if (!values.some((one) => one.name === name)) values.push({ id: ids.next(), name });
    }
  }
  for (const option of options)
    if (option.name === NO_OPTION)
      option.values = option.values.filter(
        ({ name }) => name !== NO_VALUE || hasVariants(product, option, name),
      );
}

/**
 * Adds options to a product, whose variants get the first value of each.
 * @param at the places of the options, from 0; at the end by default
 */
export function addOptions(
  product: Product,
  options: ReadonlyArray<{ readonly option: ProductOption; readonly at?: number | undefined }>,
): void {
  if (isStandalone(product)) {
    product.options = [];
    for (const variant of product.variants) variant.optionValues = [];
  }
  for (const { option, at = product.options.length } of options) {
    product.options.splice(at, 0, option);
    const first = option.values[0]?.name ?? NO_VALUE;
    for (const variant of product.variants) variant.optionValues.splice(at, 0, first);
  }
}

/** Takes an option from a product. Of variants that are the same then, the first stays. */
export function removeOption(product: Product, option: ProductOption): void {
  const index = product.options.indexOf(option);
  product.options.splice(index, 1);
  for (const variant of product.variants) variant.optionValues.splice(index, 1);
  product.variants = product.variants.filter(
    (variant, at, all) => all.findIndex((one) => isSame(one, variant)) === at,
  );
}

/** Puts the options of a product in another order. @param order its options */
export function orderOptions(product: Product, order: readonly ProductOption[]): void {
  const before = order.map((option) => product.options.indexOf(option));
  product.options = [...order];
  for (const variant of product.variants)
    variant.optionValues = before.map((index) => variant.optionValues[index] ?? NO_VALUE);
}

/** Renames a value of an option. */
export function renameValue(
  product: Product,
  option: ProductOption,
  value: { name: string },
  name: string,
): void {
  const index = product.options.indexOf(option);
  for (const { optionValues } of product.variants)
    if (optionValues[index] === value.name) optionValues[index] = name;
  value.name = name;
}

/** Every combination of the values of a product's options that no variant has yet. */
export function freeCombinations({ options, variants }: Product): string[][] {
  return options
    .reduce<string[][]>(
      (found, { values }) => found.flatMap((names) => values.map(({ name }) => [...names, name])),
      [[]],
    )
    .filter((names) => !variants.some((one) => isSame(one, { optionValues: names })));
}

/** Whether two variants have the same values. */
export function isSame(
  a: Pick<ProductVariant, 'optionValues'>,
  b: Pick<ProductVariant, 'optionValues'>,
): boolean {
  return a.optionValues.join('\n') === b.optionValues.join('\n');
}
