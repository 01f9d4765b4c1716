import type { GraphQLResolveInfo } from 'graphql';
import { globalId } from '../../base/vendor.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { NodeStore } from '../../state/nodes/node-store.js';
import type { Product, ProductVariant } from '../../state/products/product.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import { isSame, newOption } from '../../state/products/product-options.js';
import { demandScope, type ApiCall } from '../admin-api/admin-api-access.js';
import { namedOptionErrors, type OptionError } from './option-input.js';
import { demandCategory, productSetErrors } from './product-errors.js';
import { keepOtherFields } from './product-extras.js';
import { productInput, type ProductFields } from './product-input.js';
import { productBy, type Identifier } from './product-lookups.resolvers.js';
import { filesOf, mediaOf, setMedia, type FileFields } from './product-media.js';
import { productView } from './product.views.js';
import {
  amountErrors,
  chosenValues,
  locationErrors,
  setQuantities,
  settingsOf,
  UnknownOption,
  variantOf,
  type VariantFields,
} from './variant-input.js';

interface SetFields extends ProductFields {
  readonly productOptions?: readonly OptionFields[] | null;
  readonly variants?: ReadonlyArray<VariantFields & { file?: FileFields | null }> | null;
  readonly files?: readonly FileFields[] | null;
}

interface OptionFields {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly values?: ReadonlyArray<{ readonly name?: string | null }> | null;
}

interface SetArgs {
  input: SetFields;
  identifier?: Identifier | null;
  synchronous?: boolean | null;
}

/** The part of a shop that `productSet` changes. */
interface SetShop {
  readonly catalog: ProductCatalog;
  readonly nodes: NodeStore;
  /** Sends an event to the subscriptions of a topic, without waiting for them. */
  notify(topic: string, payload: object): void;
}

/**
 * The resolver of `productSet` for one caller: it creates or changes a product, and makes its lists
 * those of the input; what the input leaves out stays.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/productSet
 */
export function productSetRoot(shop: SetShop, call: ApiCall): Record<string, unknown> {
  return {
    productSet: (args: SetArgs, _context: GraphqlContext, info: GraphQLResolveInfo): object => {
      demandScope(call, 'productSet', 'write_products');
      const { input, identifier } = args;
      const named = identifier ?? (input.id == null ? undefined : { id: input.id });
      const known = named && productBy(shop.catalog, named, 'mutations', 'productSet');
      if (!known && named && named.handle == null)
        return refused({
          field: identifier ? ['identifier', 'id'] : ['input', 'id'],
          message: 'Product does not exist',
          code: 'PRODUCT_DOES_NOT_EXIST',
        });
      const fields = {
        ...input,
        ...(known ? {} : { handle: input.handle ?? named?.handle ?? null }),
      };
      demandCategory(fields.category);
      const errors = inputErrors(fields, known, shop);
      if (errors.length > 0) return refused(...errors);
      const values = productInput(fields);
      const change = known
        ? shop.catalog.update(known.id, values, (product) => rebuild(product, input, shop))
        : shop.catalog.create(values, (product) => rebuild(product, input, shop));
      if (!change?.product) {
        const userErrors = productSetErrors(change?.problems ?? [], fields.handle);
        return { ...refused(...userErrors), product: known ? productView(known) : null };
      }
      const { productOptions: _options, variants: _variants, files, ...others } = fields;
      keepOtherFields(shop.nodes, info.schema, change.product, others);
      setFiles(shop.nodes, change.product, files, input.variants);
      const product = productView(change.product);
      // No field of the payload: the metafields of the variants are written to these.
      const productVariants = change.product.variants.map((one) => ({
        id: globalId('ProductVariant', one.id),
      }));
      if (args.synchronous !== false)
        return { product, productSetOperation: null, productVariants, userErrors: [] };
      // The platform works on it after its answer.
      const { id } = shop.nodes.create('ProductSetOperation', { status: 'CREATED' });
      const done = { status: 'COMPLETE', product: globalId('Product', change.product.id) };
      shop.nodes.afterCall(() => shop.nodes.update(id, done));
      const productSetOperation = { __typename: 'ProductSetOperation', id };
      return { product: null, productSetOperation, productVariants, userErrors: [] };
    },
  };
}

function refused(...userErrors: OptionError[]): object {
  return { product: null, productSetOperation: null, userErrors };
}

function inputErrors(input: SetFields, known: Product | undefined, shop: SetShop): OptionError[] {
  const { productOptions: options, variants } = input;
  if (variants ? variants.length === 0 : options)
    return [
      {
        field: ['input', 'variants'],
        message: 'Variants input is required when updating product options',
        code: 'VARIANTS_INPUT_MISSING',
      },
    ];
  if (variants && !options && !known)
    return [
      {
        field: ['input', 'productOptions'],
        message: 'Product options input is required when updating variants',
        code: 'PRODUCT_OPTIONS_INPUT_MISSING',
      },
    ];
  const errors = namedOptionErrors(options ?? [], [], ['input', 'productOptions']).map((error) =>
    error.code === 'INVALID_NAME' ? { ...error, code: 'INVALID_INPUT' } : error,
  );
  const shape = { options: options ? options.map(asOption) : (known?.options ?? []) };
  const seen: Array<{ optionValues: string[] }> = [];
  for (const [index, fields] of (variants ?? []).entries()) {
    const field = ['input', 'variants', String(index)];
    errors.push(...amountErrors(fields, field, 'INVALID_VARIANT').map(asVariantError));
    errors.push(...locationErrors(fields, field, shop).map(asVariantError));
    try {
      const values = chosenValues(shape, fields);
      const missing = shape.options.find((_, at) => values[at] === undefined);
      const twin = { optionValues: values.filter((value) => value !== undefined) };
      if (missing)
        errors.push({
          field,
          message: `You need to add option values for ${missing.name}`,
          code: 'INVALID_VARIANT',
        });
      else if (seen.some((one) => isSame(one, twin)))
        errors.push({
          field,
          message: `The variant '${twin.optionValues.join(' / ')}' already exists. Please change at least one option value.`,
          code: 'INVALID_VARIANT',
        });
      seen.push(twin);
    } catch (error) {
      if (!(error instanceof UnknownOption)) throw error;
      errors.push({ field, message: 'Option does not exist', code: 'OPTION_DOES_NOT_EXIST' });
    }
    if (fields.id != null && !(known && variantOf(known, fields.id)))
      errors.push({
        field: [...field, 'id'],
        message: 'Product variant does not exist',
        code: 'PRODUCT_VARIANT_DOES_NOT_EXIST',
      });
  }
  return errors;
}

function asVariantError({ field, message }: OptionError): OptionError {
  return { field, message, code: 'INVALID_VARIANT' };
}

/** An option of an input, as far as the values of variants are looked up in it. */
function asOption({ name, values }: OptionFields, id: number): Product['options'][number] {
  return {
    id: -1 - id,
    name: name ?? '',
    values: (values ?? []).map((value) => ({ id: -1, name: value.name ?? '' })),
  };
}

/** Makes the files of a product, and the first one of each variant, those of an input. */
function setFiles(
  nodes: NodeStore,
  { id, variants: made }: Product,
  files: SetFields['files'],
  variants: SetFields['variants'],
): void {
  const owner = globalId('Product', id);
  if (files) setMedia(nodes, owner, filesOf(nodes, files));
  for (const [index, { file }] of (variants ?? []).entries()) {
    const [medium] = file ? filesOf(nodes, [file]) : [];
    if (!medium) continue;
    setMedia(nodes, owner, [...mediaOf(nodes, owner), medium]);
    setMedia(nodes, globalId('ProductVariant', made[index]?.id ?? NaN), [medium]);
  }
}

/** Makes the options and variants of a product those of an input; those it names keep their ids. */
function rebuild(product: Product, input: SetFields, shop: SetShop): void {
  const { catalog } = shop;
  const { productOptions, variants } = input;
  if (productOptions)
    product.options = productOptions.map(({ id, name, values }) => {
      const names = (values ?? []).flatMap((value) => value.name ?? []);
      const known = product.options.find((one) =>
        id == null ? one.name === name : globalId('ProductOption', one.id) === id,
      );
      const made = newOption({ name: name ?? known?.name ?? '', values: names }, catalog.ids);
      if (!known) return made;
      const valuesOf = made.values.map(
        (value) => known.values.find((one) => one.name === value.name) ?? value,
      );
      return { id: known.id, name: made.name, values: valuesOf };
    });
  if (!variants) return;
  product.variants = variants.map((fields) => {
    const optionValues = chosenValues(product, fields).filter((value) => value !== undefined);
    const settings = { ...settingsOf(fields), optionValues };
    const known = variantOf(product, fields.id) ?? sameIn(product.variants, optionValues);
    const variant = known ?? catalog.made(settings);
    if (known) catalog.set(known, settings);
    setQuantities(variant, fields, product.updatedAt, shop);
    return variant;
  });
}

function sameIn(
  variants: readonly ProductVariant[],
  optionValues: string[],
): ProductVariant | undefined {
  return variants.find((one) => isSame(one, { optionValues }));
}
