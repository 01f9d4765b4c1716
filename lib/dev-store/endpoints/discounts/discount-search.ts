import {
  dateField,
  keywordField,
  numberField,
  optionField,
  textField,
  type SearchField,
  type SearchFields,
} from '../../graphql/search-fields.js';
import type { StoredNode } from '../../state/nodes/node-store.js';
import { discountIn, redeemCodesOf } from './discount-kinds.js';

/** What the platform calls the kinds of discounts in searches. */
const KINDS: readonly (readonly [RegExp, string[]])[] = [
  [/Bxgy$/, ['bogo']],
  [/FreeShipping$/, ['free_shipping']],
  [/App$/, ['app']],
  [/Basic$/, ['percentage', 'fixed_amount']],
];

const date = (name: string): SearchField<StoredNode> =>
  dateField((node) => {
    const value = discountIn(node)[name];
    return value == null ? null : new Date(value as string | Date);
  });

const title = textField<StoredNode>((node) => discountIn(node)['title'] as string | null);

const kind = optionField<StoredNode>(
  KINDS.flatMap(([, names]) => names),
  (node) => {
    const type = String(discountIn(node)['__typename']);
    return KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? [];
  },
);

/**
 * The fields that discounts are searched by, which stand in the discount of a node.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/queries/discountNodes
 */
export const DISCOUNT_FIELDS: Readonly<Record<string, SearchField<StoredNode>>> = {
  title,
  code: keywordField((node) => redeemCodesOf(discountIn(node)).map(({ code }) => code)),
  status: optionField(['active', 'expired', 'scheduled'], (node) =>
    String(discountIn(node)['status']).toLowerCase(),
  ),
  discount_class: optionField(['order', 'product', 'shipping'], (node) =>
    [discountIn(node)['discountClasses'] ?? []].flat().map((one) => String(one).toLowerCase()),
  ),
  method: optionField(['code', 'automatic'], ({ type }) =>
    type.includes('Code') ? 'code' : 'automatic',
  ),
  times_used: numberField((node) => Number(discountIn(node)['asyncUsageCount'] ?? 0)),
  type: kind,
  discount_type: kind,
  starts_at: date('startsAt'),
  ends_at: date('endsAt'),
};

/** What {@link DISCOUNT_FIELDS} are, for a search of the mutations of many discounts. */
export const DISCOUNT_SEARCH_FIELDS: SearchFields<StoredNode> = {
  named: new Map([...Object.entries(DISCOUNT_FIELDS), ['id', numberField(({ number }) => number)]]),
  default: [title],
};
