import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { InputError } from '../nodes/refusals.js';
import { APP_PARTS } from './app-discount-checks.js';
import { at, within, type DiscountPlace, type Part } from './discount-place.js';
import { code, dates, title } from './discount-terms.js';
import { buys, bxgy, items, minimum, numbers, values } from './discount-values.js';

/**
 * Why the platform refuses the input of a discount, in its words and order.
 * @throws InputError for what contradicts itself
 */
export function discountProblems(input: NodeFields, place: DiscountPlace): NodeError[] {
  contradictions(input);
  const combined = combination(input, place);
  if (combined.length > 0 && place.method === 'Automatic') return combined;
  const buyers = [input['context'], input['customerSelection']].filter((one) => one != null);
  if (buyers.length > 1) return at(place, 'context', ONE_BUYER, 'INVALID');
  const parts = place.kind === 'App' ? APP_PARTS : NATIVE;
  return [...combined, ...parts.flatMap((part) => part(input, place))];
}

const ONE_BUYER = 'Only one of context or customerSelection can be provided.';

function contradictions(input: NodeFields): void {
  const value = Object(within(input, 'customerGets.value') ?? {}) as NodeFields;
  const given = Object.values(value).filter((one) => one != null);
  if (given.length > 1)
    throw new InputError(
      'A discount can only have one of percentage, discountOnQuantity or discountAmount.',
    );
  const buyers = Object(input['customerSelection'] ?? {}) as NodeFields;
  const [customers, segments] = [buyers['customers'], buyers['customerSegments']];
  if (buyers['all'] === true && (customers ?? segments) != null)
    throw new InputError(
      `A discount cannot have customerSelection set to all, when ${customers != null ? 'customers or customerSavedSearches' : 'customerSegments'} is specified.`,
    );
  const tags = Object(within(input, `combinesWith.${TAGS}`) ?? {}) as Record<string, unknown[]>;
  if ((tags['add'] ?? []).some((tag) => tags['remove']?.includes(tag)))
    throw new InputError(
      `The same tag is present in both \`add\` and \`remove\` fields of \`${TAGS}\`.`,
    );
}

const TAGS = 'productDiscountsWithTagsOnSameCartLine';

function combination(input: NodeFields, place: DiscountPlace): NodeError[] {
  const combines = Object(input['combinesWith'] ?? {}) as NodeFields;
  if (place.kind === 'FreeShipping' && combines['shippingDiscounts'] === true)
    return at(
      place,
      'combinesWith',
      'The combinesWith settings are not valid for the discount class.',
      'INVALID_COMBINES_WITH_FOR_DISCOUNT_CLASS',
    );
  if (combines[TAGS] == null) return [];
  const path = `combinesWith.${TAGS}`;
  const plan = `The shop's plan does not allow setting \`${TAGS}\`.`;
  const code = 'PRODUCT_DISCOUNTS_WITH_TAGS_ON_SAME_CART_LINE';
  const isOfProducts = within(input, 'customerGets.items.all') !== true;
  return [
    ...at(place, path, plan, `${code}_NOT_ENTITLED`),
    ...(isOfProducts
      ? []
      : at(
          place,
          path,
          'Combines with product discounts with tags on same cart line is only valid for discounts with the PRODUCT discount class',
          `INVALID_${code}_FOR_DISCOUNT_CLASS`,
        )),
  ];
}

const NATIVE: readonly Part[] = [bxgy, title, code, dates, values, numbers, minimum, buys, items];
