import { globalId, idOf } from '../../base/vendor.js';
import type { Product, ProductOption, ProductVariant } from '../../state/products/product.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import {
  addOptions,
  freeCombinations,
  hasVariants,
  isStandalone,
  newOption,
  orderOptions,
  removeOption,
  renameValue,
  usedValues,
} from '../../state/products/product-options.js';
import { demandScope, type ApiCall } from '../admin-api/admin-api-access.js';
import { namedOptionErrors, optionNameErrors, type OptionError } from './option-input.js';
import { NO_PRODUCT } from './product-errors.js';
import { productView } from './product.views.js';
import { valueId } from './variant-input.js';

interface Named {
  readonly id?: string | null;
  readonly name?: string | null;
}

interface CreateArgs {
  options: ReadonlyArray<Named & { position?: number | null; values?: readonly Named[] | null }>;
  variantStrategy?: 'CREATE' | 'LEAVE_AS_IS' | null;
}

interface UpdateArgs {
  option: { readonly id: string; readonly name?: string | null; readonly position?: number | null };
  optionValuesToAdd?: readonly Named[] | null;
  optionValuesToUpdate?: readonly Named[] | null;
  optionValuesToDelete?: readonly string[] | null;
  variantStrategy?: 'MANAGE' | 'LEAVE_AS_IS' | null;
}

interface DeleteArgs {
  options: readonly string[];
  strategy?: 'DEFAULT' | 'NON_DESTRUCTIVE' | 'POSITION' | null;
}

interface ReorderArgs {
  options: ReadonlyArray<Named & { values?: readonly Named[] | null }>;
}

type Change<Args> = (product: Product, args: Args, catalog: ProductCatalog) => object;

/**
 * The resolvers of the mutations that create, change, delete and order the options of a product,
 * for one caller.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/productOptionsCreate
 */
export function optionsRoot(catalog: ProductCatalog, call: ApiCall): Record<string, unknown> {
  const mutation =
    <Args>(field: string, change: Change<Args>) =>
    (args: Args & { productId: string }): object => {
      demandScope(call, field, 'write_products');
      const product = catalog.find(idOf('Product', args.productId) ?? NaN);
      const { userErrors = [], ...more } = (
        product ? change(product, args, catalog) : { userErrors: [NO_PRODUCT] }
      ) as { userErrors?: readonly OptionError[] };
      if (product && userErrors.length === 0) catalog.changed(product);
      return { ...more, product: product ? productView(product) : null, userErrors };
    };
  return {
    productOptionsCreate: mutation<CreateArgs>('productOptionsCreate', created),
    productOptionUpdate: mutation<UpdateArgs>('productOptionUpdate', updated),
    productOptionsDelete: mutation<DeleteArgs>('productOptionsDelete', deleted),
    productOptionsReorder: mutation<ReorderArgs>('productOptionsReorder', reordered),
  };
}

const noOption = (...field: string[]): OptionError => ({
  field,
  message: 'Option does not exist',
  code: 'OPTION_DOES_NOT_EXIST',
});

function created(
  product: Product,
  { options, variantStrategy }: CreateArgs,
  catalog: ProductCatalog,
): object {
  const before = isStandalone(product) ? [] : product.options;
  const userErrors = namedOptionErrors(options, before);
  if (userErrors.length > 0) return { userErrors };
  const added = options.map(({ name, values, position }) => ({
    option: newOption({ name: name ?? '', values: namesOf(values) }, catalog.ids),
    at: position == null ? undefined : position - 1,
  }));
  addOptions(product, added);
  if (variantStrategy === 'CREATE') addCombinations(product, catalog);
  return {};
}

function updated(product: Product, args: UpdateArgs, catalog: ProductCatalog): object {
  const { optionValuesToAdd, optionValuesToUpdate, optionValuesToDelete } = args;
  const option = product.options.find(({ id }) => optionId(id) === args.option.id);
  if (!option) return { userErrors: [noOption('option')] };
  const userErrors = updateErrors(product, option, args);
  if (userErrors.length > 0) return { userErrors };
  if (args.option.name != null) option.name = args.option.name;
  for (const { id, name } of optionValuesToUpdate ?? []) {
    const value = option.values.find((one) => valueId(one.id) === id);
    if (value && name != null) renameValue(product, option, value, name);
  }
  const index = product.options.indexOf(option);
  const [like] = product.variants;
  for (const gid of optionValuesToDelete ?? []) {
    const name = option.values.find(({ id }) => valueId(id) === gid)?.name;
    product.variants = product.variants.filter((one) => one.optionValues[index] !== name);
    option.values = option.values.filter(({ id }) => valueId(id) !== gid);
  }
  for (const name of namesOf(optionValuesToAdd))
    option.values.push({ id: catalog.ids.next(), name });
  if (args.variantStrategy === 'MANAGE' && optionValuesToAdd?.length)
    addCombinations(product, catalog, like);
  if (args.option.position != null) {
    const order = product.options.filter((one) => one !== option);
    order.splice(args.option.position - 1, 0, option);
    orderOptions(product, order);
  }
  return {};
}

function updateErrors(product: Product, option: ProductOption, args: UpdateArgs): OptionError[] {
  const { optionValuesToAdd, optionValuesToUpdate, optionValuesToDelete, variantStrategy } = args;
  const isThere = (gid: unknown): boolean => option.values.some(({ id }) => valueId(id) === gid);
  const unknown = (list: string, index: number): OptionError => ({
    field: [list, String(index)],
    message: 'Option value does not exist',
    code: 'OPTION_VALUE_DOES_NOT_EXIST',
  });
  const { name } = args.option;
  const errors = optionNameErrors(name, ['option', 'name']);
  if (product.options.some((one) => one !== option && one.name === name))
    errors.push({
      field: ['option'],
      message: `Option '${name}' already exists.`,
      code: 'OPTION_ALREADY_EXISTS',
    });
  for (const [index, { id }] of (optionValuesToUpdate ?? []).entries())
    if (!isThere(id)) errors.push(unknown('optionValuesToUpdate', index));
  const added = namesOf(optionValuesToAdd);
  for (const [index, one] of added.entries())
    if (added.indexOf(one) < index)
      errors.push({
        field: ['optionValuesToAdd', String(index)],
        message: `Option value '${one}' is there twice.`,
        code: 'DUPLICATED_OPTION_VALUE',
      });
    else if (option.values.some((value) => value.name === one))
      errors.push({
        field: ['optionValuesToAdd', String(index)],
        message: `Option value '${one}' already exists.`,
        code: 'OPTION_VALUE_ALREADY_EXISTS',
      });
  for (const [index, gid] of (optionValuesToDelete ?? []).entries()) {
    const value = option.values.find(({ id }) => valueId(id) === gid);
    if (!value) errors.push(unknown('optionValuesToDelete', index));
    else if (variantStrategy !== 'MANAGE' && hasVariants(product, option, value.name))
      errors.push({
        field: ['optionValuesToDelete', String(index)],
        message: `Option value '${value.name}' cannot be deleted because it has variants.`,
        code: 'OPTION_VALUE_HAS_VARIANTS',
      });
  }
  const isGone = (one: string): boolean =>
    option.values.some(
      (value) => value.name === one && optionValuesToDelete?.includes(valueId(value.id)),
    );
  const left = option.values.length - (optionValuesToDelete?.length ?? 0);
  if (left <= 0 && !optionValuesToAdd?.length)
    errors.push({
      field: ['optionValuesToDelete'],
      message: 'Cannot delete all option values in option.',
      code: 'CANNOT_DELETE_ALL_OPTION_VALUES_IN_OPTION',
    });
  else if (errors.length === 0 && added.length === 0 && usedValues(product, option).every(isGone))
    errors.push({
      field: ['optionValuesToDelete'],
      message: 'Cannot delete all option values that have variants.',
      code: 'CANNOT_LEAVE_OPTIONS_WITHOUT_VARIANTS',
    });
  return errors;
}

function deleted(product: Product, { options, strategy }: DeleteArgs): object {
  const found = options.map((gid) => product.options.find(({ id }) => optionId(id) === gid));
  const userErrors = found.flatMap((option, index) =>
    option ? [] : [noOption('options', String(index))],
  );
  const known = found.filter((option) => option !== undefined);
  const isAmbiguous = known.some((option) => usedValues(product, option).length > 1);
  if (userErrors.length === 0 && strategy !== 'POSITION' && isAmbiguous)
    userErrors.push(
      strategy === 'NON_DESTRUCTIVE'
        ? {
            field: ['options'],
            message: 'Cannot delete options without deleting variants.',
            code: 'CANNOT_USE_NON_DESTRUCTIVE_STRATEGY',
          }
        : {
            field: ['options'],
            message: 'Cannot delete an option with multiple values.',
            code: 'CANNOT_DELETE_OPTION_WITH_MULTIPLE_VALUES',
          },
    );
  if (userErrors.length > 0) return { deletedOptionsIds: [], userErrors };
  for (const option of known) removeOption(product, option);
  return { deletedOptionsIds: options };
}

/** Options, and values, are named by their ids or by their names, each exactly once. */
function reordered(product: Product, { options }: ReorderArgs): object {
  const isNamed = (one: { readonly id: number; readonly name: string }, by: Named, type: string) =>
    by.id == null ? one.name === by.name : globalId(type, one.id) === by.id;
  const order = options.map((by) =>
    product.options.find((one) => isNamed(one, by, 'ProductOption')),
  );
  const userErrors: OptionError[] = options.flatMap(({ id }, index) =>
    order[index]
      ? []
      : [
          {
            ...noOption('options', String(index)),
            code: id == null ? 'OPTION_NAME_DOES_NOT_EXIST' : 'OPTION_ID_DOES_NOT_EXIST',
          },
        ],
  );
  const known = [...new Set(order.filter((option) => option !== undefined))];
  if (userErrors.length === 0 && known.length < product.options.length)
    userErrors.push({
      field: ['options'],
      message: 'All options must be included',
      code: 'MISSING_OPTION_NAME',
    });
  if (userErrors.length > 0) return { userErrors };
  orderOptions(product, known);
  for (const [index, option] of known.entries()) {
    const wanted = options[index]?.values ?? [];
    const place = (value: ProductOption['values'][number]): number => {
      const at = wanted.findIndex((by) => isNamed(value, by, 'ProductOptionValue'));
      return at < 0 ? wanted.length : at;
    };
    option.values.sort((a, b) => place(a) - place(b));
  }
  const rank = ({ optionValues }: ProductVariant): number[] =>
    known.map(({ values }, at) => values.findIndex(({ name }) => name === optionValues[at]));
  product.variants.sort((a, b) => {
    const other = rank(b);
    return rank(a).reduce((found, at, index) => found || at - (other[index] ?? 0), 0);
  });
  return {};
}

/** Adds a variant for each combination of values that has none. @param first what they are like */
function addCombinations(
  product: Product,
  catalog: ProductCatalog,
  first = product.variants[0],
): void {
  if (!first) return;
  const { price, compareAtPrice, taxable, inventoryPolicy, tracked, requiresShipping } = first;
  const like = { price, compareAtPrice, taxable, inventoryPolicy, tracked, requiresShipping };
  const added = freeCombinations(product).map((optionValues) =>
    catalog.made({ ...like, optionValues }),
  );
  product.variants.push(...added);
}

function namesOf(values: readonly Named[] | null | undefined): string[] {
  return (values ?? []).flatMap(({ name }) => name ?? []);
}

function optionId(id: number): string {
  return globalId('ProductOption', id);
}
