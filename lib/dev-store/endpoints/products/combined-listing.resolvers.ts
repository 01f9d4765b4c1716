import { globalId, idOf } from '../../base/vendor.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { Product } from '../../state/products/product.js';
import { newOption } from '../../state/products/product-options.js';
import { productErrors } from './product-errors.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { isBlank } from '../nodes/user-errors.js';

interface ChildFields {
  readonly childProductId: string;
  readonly selectedParentOptionValues: ReadonlyArray<{
    readonly name: string;
    readonly value: string;
  }>;
}

interface ListingArgs {
  readonly parentProductId: string;
  readonly title?: string | null;
  readonly productsAdded?: readonly ChildFields[] | null;
  readonly productsEdited?: readonly ChildFields[] | null;
  readonly productsRemovedIds?: readonly string[] | null;
  readonly optionsAndValues?: ReadonlyArray<{
    readonly name: string;
    readonly values: readonly string[];
  }> | null;
}

interface ListingError {
  readonly field: readonly string[];
  readonly message: string;
  readonly code: string;
}

/**
 * The resolver of listings that show several products as one: the listing has the options that it
 * is told, and a variant for each of its products.
 * @see https://shopify.dev/docs/apps/build/product-merchandising/combined-listings
 */
export function combinedListingsRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, catalog, view } = writer;
  const { nodes } = reader.store;
  const productOf = (id: string): Product | undefined => catalog.find(idOf('Product', id) ?? NaN);
  const childrenOf = (parent: string): ChildFields[] =>
    (nodes.fieldsOf(parent)['listedProducts'] ?? []) as ChildFields[];

  const problem = (args: ListingArgs): ListingError | undefined => {
    const { parentProductId: parent, productsRemovedIds: removed } = args;
    if (!productOf(parent)) return refusal('PARENT_PRODUCT_NOT_FOUND');
    if (nodes.fieldsOf(parent)['combinedListingRole'] !== 'PARENT')
      return refusal('PARENT_PRODUCT_MUST_BE_A_COMBINED_LISTING');
    const added = (args.productsAdded ?? []).map(({ childProductId }) => childProductId);
    const edited = (args.productsEdited ?? []).map(({ childProductId }) => childProductId);
    if (added.includes(parent)) return refusal('CANNOT_HAVE_PARENT_AS_CHILD');
    if (new Set(added).size < added.length) return refusal('CANNOT_HAVE_DUPLICATED_PRODUCTS');
    if (edited.some((id) => removed?.includes(id)))
      return refusal('EDIT_AND_REMOVE_ON_SAME_PRODUCTS');
    if (added.length + edited.length > 0 && !args.optionsAndValues?.length)
      return refusal('MISSING_OPTION_VALUES');
    if (added.some((id) => !productOf(id))) return refusal('PRODUCT_NOT_FOUND');
    if (added.some((id) => nodes.fieldsOf(id)['combinedListingRole'] === 'CHILD'))
      return refusal('PRODUCT_IS_ALREADY_A_CHILD');
    const known = childrenOf(parent).map(({ childProductId }) => childProductId);
    return [...edited, ...(removed ?? [])].every((id) => known.includes(id))
      ? undefined
      : refusal('PRODUCT_MEMBERSHIP_NOT_FOUND');
  };
  /** Gives a listing its options, and a variant for each of its products. */
  const arrange = (
    listing: Product,
    children: readonly ChildFields[],
    { optionsAndValues }: ListingArgs,
  ): void => {
    if (optionsAndValues)
      listing.options = optionsAndValues.map((option) => newOption(option, catalog.ids));
    const before = listing.variants;
    if (children.length > 0)
      listing.variants = children.map(({ childProductId, selectedParentOptionValues }) => {
        const optionValues = listing.options.map(
          ({ name, values }) =>
            selectedParentOptionValues.find((one) => one.name === name)?.value ??
            values[0]?.name ??
            '',
        );
        const same = before.find((one) => one.optionValues.join('/') === optionValues.join('/'));
        const { price } = same ?? productOf(childProductId)?.variants[0] ?? { price: '0.00' };
        return same ?? catalog.made({ optionValues, price });
      });
    const listed = children.map((child, index): NodeFields => ({
      product: child.childProductId,
      parentVariant: globalId('ProductVariant', listing.variants[index]?.id ?? 0),
    }));
    const id = globalId('Product', listing.id);
    nodes.update(id, {
      listedProducts: children,
      combinedListing: { parentProduct: id, combinedListingChildren: listed },
    });
  };
  return {
    combinedListingUpdate: (args: ListingArgs) => {
      const error = problem(args);
      const listing = productOf(args.parentProductId);
      if (error || !listing) return { product: null, userErrors: [error] };
      const { productsAdded, productsEdited, productsRemovedIds: removed, title } = args;
      const kept = childrenOf(args.parentProductId)
        .filter(({ childProductId }) => !removed?.includes(childProductId))
        .map(
          (one) =>
            productsEdited?.find(({ childProductId }) => childProductId === one.childProductId) ??
            one,
        );
      const children = [...kept, ...(productsAdded ?? [])];
      const change = catalog.update(listing.id, title == null ? {} : { title }, (one) =>
        arrange(one, children, args),
      );
      if (change?.problems) {
        const code = isBlank(title) ? 'UNEXPECTED_ERROR' : 'TITLE_TOO_LONG';
        const errors = productErrors(change.problems, null);
        return { product: null, userErrors: errors.map((one) => ({ ...one, code })) };
      }
      for (const id of removed ?? []) nodes.update(id, { combinedListingRole: null });
      for (const { childProductId } of productsAdded ?? [])
        nodes.update(childProductId, { combinedListingRole: 'CHILD' });
      return { product: view(args.parentProductId), userErrors: [] };
    },
  };
}

const MESSAGES = {
  PARENT_PRODUCT_NOT_FOUND: ['parentProductId', 'Product does not exist'],
  PARENT_PRODUCT_MUST_BE_A_COMBINED_LISTING: [
    'parentProductId',
    'The product must be a combined listing.',
  ],
  CANNOT_HAVE_PARENT_AS_CHILD: ['productsAdded', 'A parent product cannot have itself as child.'],
  CANNOT_HAVE_DUPLICATED_PRODUCTS: [
    'productsAdded',
    'A combined listing cannot have duplicated products.',
  ],
  EDIT_AND_REMOVE_ON_SAME_PRODUCTS: [
    'productsEdited',
    'A product cannot be edited and removed at the same time.',
  ],
  MISSING_OPTION_VALUES: [
    'optionsAndValues',
    'Options and values must be present when adding or editing products.',
  ],
  PRODUCT_NOT_FOUND: ['productsAdded', 'The product could not be found.'],
  PRODUCT_IS_ALREADY_A_CHILD: ['productsAdded', 'The product is already a child.'],
  PRODUCT_MEMBERSHIP_NOT_FOUND: ['productsEdited', 'The product is not part of the listing.'],
} as const;

/** The error of a code. */
function refusal(code: keyof typeof MESSAGES): ListingError {
  const [field, message] = MESSAGES[code];
  return { field: [field], message, code };
}
