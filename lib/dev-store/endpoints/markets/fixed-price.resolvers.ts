import { globalId, idOf } from '../../base/vendor.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { itemErrors, userError } from '../nodes/user-errors.js';
import { entriesOf, merged, NO_VARIANT, priceView, variantOf } from './price-list-prices.js';
import type { FixedPrice, Money } from './price-list-prices.js';
import { NO_LIST } from './price-list.resolvers.js';

interface AddArgs {
  readonly priceListId: string;
  readonly prices: readonly FixedPrice[];
}

interface UpdateArgs {
  readonly priceListId: string;
  readonly pricesToAdd: readonly FixedPrice[];
  readonly variantIdsToDelete: readonly string[];
}

interface DeleteArgs {
  readonly priceListId: string;
  readonly variantIds: readonly string[];
}

interface ProductPrice {
  readonly productId: string;
  readonly price: Money;
  readonly compareAtPrice?: Money | null;
}

interface ByProductArgs {
  readonly priceListId: string;
  readonly pricesToAdd?: readonly ProductPrice[] | null;
  readonly pricesToDeleteByProductIds?: readonly string[] | null;
}

const SIDES = ['price', 'compareAtPrice'] as const;
const LIST_MISSING = { ...NO_LIST, field: ['priceListId'] };

/**
 * The resolvers of the mutations that fix prices of variants in a price list.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/priceListFixedPricesAdd
 */
export function fixedPriceRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, catalog, view } = writer;
  const { nodes } = reader.store;
  const isThere = (id: string): boolean => nodes.find(id)?.type === 'PriceList';
  const fixedOf = (id: string): readonly FixedPrice[] => entriesOf(nodes.fieldsOf(id)).fixedPrices;
  const priceErrors = (list: string, prices: readonly FixedPrice[], path: string): NodeError[] => {
    const { currency } = nodes.fieldsOf(list);
    return itemErrors(prices, [path], (one, at) => {
      if (!variantOf(catalog, one.variantId))
        return [userError([...at, 'variantId'], NO_VARIANT, 'VARIANT_NOT_FOUND')];
      const wrong = SIDES.filter((side) => one[side] && one[side].currencyCode !== currency);
      const message = "The specified currency does not match the price list's currency.";
      return wrong.map((side) =>
        userError([...at, side, 'currencyCode'], message, 'PRICE_LIST_CURRENCY_MISMATCH'),
      );
    });
  };
  const deletionErrors = (list: string, ids: readonly string[], path: string): NodeError[] => {
    const fixed = fixedOf(list).map((one) => one.variantId);
    return itemErrors(ids, [path], (id, at) => {
      if (!variantOf(catalog, id)) return [userError(at, NO_VARIANT, 'VARIANT_NOT_FOUND')];
      if (fixed.includes(id)) return [];
      return [userError(at, 'Only fixed prices can be deleted.', 'PRICE_NOT_FIXED')];
    });
  };
  const write = (
    list: string,
    added: readonly FixedPrice[],
    deleted: readonly string[] = [],
  ): object[] => {
    const kept = fixedOf(list).filter((one) => !deleted.includes(one.variantId));
    nodes.update(list, { fixedPrices: merged(kept, added) });
    return merged([], added).map((one) => reader.objectOf(priceView(nodes, list, one)));
  };
  return {
    priceListFixedPricesAdd: ({ priceListId: list, prices }: AddArgs) => {
      if (!isThere(list)) return { prices: null, userErrors: [LIST_MISSING] };
      const userErrors = priceErrors(list, prices, 'prices');
      return { prices: userErrors.length > 0 ? [] : write(list, prices), userErrors };
    },
    priceListFixedPricesUpdate: ({ priceListId: list, ...args }: UpdateArgs) => {
      const { pricesToAdd, variantIdsToDelete } = args;
      if (!isThere(list)) {
        const none = { priceList: null, pricesAdded: null, deletedFixedPriceVariantIds: null };
        return { ...none, userErrors: [LIST_MISSING] };
      }
      const userErrors = [
        ...priceErrors(list, pricesToAdd, 'pricesToAdd'),
        ...deletionErrors(list, variantIdsToDelete, 'variantIdsToDelete'),
      ];
      const isRefused = userErrors.length > 0;
      return {
        pricesAdded: isRefused ? [] : write(list, pricesToAdd, variantIdsToDelete),
        deletedFixedPriceVariantIds: isRefused ? [] : variantIdsToDelete,
        priceList: view(list),
        userErrors,
      };
    },
    priceListFixedPricesDelete: ({ priceListId: list, variantIds }: DeleteArgs) => {
      if (!isThere(list)) return { deletedFixedPriceVariantIds: null, userErrors: [LIST_MISSING] };
      const userErrors = deletionErrors(list, variantIds, 'variantIds');
      const deleted = userErrors.length > 0 ? [] : variantIds;
      write(list, [], deleted);
      return { deletedFixedPriceVariantIds: deleted, userErrors };
    },
    priceListFixedPricesByProductUpdate: ({ priceListId: list, ...args }: ByProductArgs) => {
      const added = args.pricesToAdd ?? [];
      const deleted = args.pricesToDeleteByProductIds ?? [];
      const { currency } = nodes.fieldsOf(list);
      const product = (id: string) => catalog.find(idOf('Product', id) ?? NaN);
      const userErrors = byProductErrors(isThere(list) ? String(currency) : undefined, {
        added,
        deleted,
        isKnown: (id) => product(id) !== undefined,
      });
      if (userErrors.length > 0) {
        const none = { pricesToAddProducts: null, pricesToDeleteProducts: null };
        return { priceList: null, ...none, userErrors };
      }
      const variantIds = (id: string): string[] =>
        (product(id)?.variants ?? []).map((variant) => globalId('ProductVariant', variant.id));
      const prices = added.flatMap(({ productId, ...price }) =>
        variantIds(productId).map((variantId) => ({ variantId, ...price })),
      );
      write(list, prices, deleted.flatMap(variantIds));
      return {
        priceList: view(list),
        pricesToAddProducts: added.map(({ productId }) => view(productId)),
        pricesToDeleteProducts: deleted.map(view),
        userErrors,
      };
    },
  };
}

/** Why prices of products are not set. @param currency that of the list; undefined for none */
function byProductErrors(
  currency: string | undefined,
  {
    added,
    deleted,
    isKnown,
  }: {
    readonly added: readonly ProductPrice[];
    readonly deleted: readonly string[];
    readonly isKnown: (id: string) => boolean;
  },
): NodeError[] {
  if (currency === undefined) return [{ ...LIST_MISSING, code: 'PRICE_LIST_DOES_NOT_EXIST' }];
  const [toAdd, toDelete] = ['pricesToAdd', 'pricesToDeleteByProductIds'];
  if (added.length + deleted.length === 0) {
    const message = `No update operations are specified. \`${toAdd}\` and \`${toDelete}\` are empty.`;
    return [userError(null, message, 'NO_UPDATE_OPERATIONS_SPECIFIED')];
  }
  const ids = added.map(({ productId }) => productId);
  const twice = (list: readonly string[], name: string): NodeError[] =>
    new Set(list).size === list.length
      ? []
      : [userError([name], `Duplicate ID exists in \`${name}\`.`, 'DUPLICATE_ID_IN_INPUT')];
  const doubled = [...twice(ids, String(toAdd)), ...twice(deleted, String(toDelete))];
  if (doubled.length > 0) return doubled;
  if (ids.some((id) => deleted.includes(id))) {
    const message = `IDs specified in \`${toAdd}\` and \`${toDelete}\` must be mutually exclusive.`;
    return [userError(null, message, 'ID_MUST_BE_MUTUALLY_EXCLUSIVE')];
  }
  const missing = (id: string, path: readonly string[]): NodeError[] =>
    isKnown(id) ? [] : [userError(path, 'Product does not exist.', 'PRODUCT_DOES_NOT_EXIST')];
  return [
    ...itemErrors(added, [String(toAdd)], (one, path) => {
      const { productId: id } = one;
      const message = `The currency specified in \`${toAdd}\` for product ID ${id} does not match the price list's currency of ${currency}.`;
      const wrong = SIDES.filter((side) => one[side] && one[side].currencyCode !== currency);
      return [
        ...missing(id, [...path, 'productId']),
        ...wrong.map((side) =>
          userError([...path, side, 'currencyCode'], message, 'PRICES_TO_ADD_CURRENCY_MISMATCH'),
        ),
      ];
    }),
    ...itemErrors(deleted, [String(toDelete)], missing),
  ];
}
