import { idOf } from '../../base/vendor.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { typeOfId } from '../nodes/node-reader.js';
import { at, within, type Part } from './discount-place.js';

/** Refuses what customers get. */
export const values: Part = (input, place) => {
  const value = Object(within(input, 'customerGets.value') ?? {}) as NodeFields;
  const path = 'customerGets.value';
  const { percentage, discountAmount, discountOnQuantity } = value;
  if (place.kind === 'Bxgy') {
    const other = percentage != null ? 'percentage' : discountAmount != null && 'discountAmount';
    if (!other) return [];
    const only = 'Only discountOnQuantity permitted with bxgy discounts.';
    const quantity = `${path}.discountOnQuantity.quantity`;
    return [
      ...at(place, `${path}.${other}`, only, 'INVALID'),
      ...(place.method === 'Code' ? at(place, quantity, 'Quantity cannot be blank.', 'BLANK') : []),
    ];
  }
  if (discountOnQuantity != null)
    return at(
      place,
      `${path}.discountOnQuantity`,
      'discountOnQuantity field is only permitted with bxgy discounts.',
      'INVALID',
    );
  if (percentage != null && (Number(percentage) < 0 || Number(percentage) > 1))
    return at(
      place,
      `${path}.percentage`,
      'Value must be between 0.0 and 1.0',
      'VALUE_OUTSIDE_RANGE',
    );
  const amount = Number(within(discountAmount, 'amount') ?? 0);
  const of = `${path}.discountAmount.amount`;
  if (amount < 0)
    return at(place, of, 'Value must be less than or equal to 0', 'LESS_THAN_OR_EQUAL_TO');
  return amount >= MOST_MONEY
    ? at(place, of, `Value must be greater than -${MOST_MONEY_TEXT}`, 'LESS_THAN')
    : [];
};

const MOST_MONEY = 1e18;
const MOST_MONEY_TEXT = '1000000000000000000';
const MOST_INT = 2147483647;

/** Refuses what only other discounts have. */
export const bxgy: Part = (input, place) => {
  if (place.kind !== 'Bxgy') return [];
  const gets = Object(input['customerGets'] ?? {}) as NodeFields;
  const unsupported = ['appliesOnSubscription', 'appliesOnOneTimePurchase'].find(
    (name) => gets[name] != null,
  );
  if (unsupported)
    return at(
      place,
      `customerGets.${unsupported}`,
      'This field is not supported by bxgy discounts.',
      'INVALID',
    );
  return within(gets, 'items.all') === true
    ? at(place, 'customerGets', "Items in 'customer get' cannot be set to all", 'INVALID')
    : [];
};

/** Refuses what customers buy. */
export const buys: Part = (input, place) =>
  place.kind === 'Bxgy' && within(input, 'customerBuys.items.all') === true
    ? at(place, 'customerBuys.items', "Items in 'customer buys' must be defined", 'BLANK')
    : [];

/** The numbers of a discount, with what the platform calls them. */
const RATIOS = [
  ['customerBuys.value.quantity', 'antecedent'],
  ['customerGets.value.discountOnQuantity.quantity', 'consequent'],
] as const;

/** Refuses the limits and quantities of a discount. */
export const numbers: Part = (input, place) => {
  const least = (name: string, label: string): NodeError[] => {
    const value = input[name];
    if (value == null) return [];
    const number = Number(value);
    const must = (words: string, reason: string): NodeError[] =>
      at(place, name, `${label} ${words}`, reason);
    if (number > MOST_INT)
      return must(`must be less than or equal to ${MOST_INT}`, 'LESS_THAN_OR_EQUAL_TO');
    if (name === 'recurringCycleLimit' || number > 0) return [];
    if (name === 'usesPerOrderLimit' && number === 0)
      return must('cannot be zero', 'VALUE_OUTSIDE_RANGE');
    const low = `must be greater than or equal to -${MOST_INT + 1}`;
    return [
      ...must('must be greater than 0', 'GREATER_THAN'),
      ...(number < -MOST_INT - 1 ? must(low, 'GREATER_THAN_OR_EQUAL_TO') : []),
    ];
  };
  const ratios = RATIOS.flatMap(([path, side]) => {
    const quantity = within(input, path);
    const label = `Prerequisite to entitlement quantity ratio ${side}`;
    if (quantity == null) return [];
    if (Number(quantity) === 0)
      return at(place, path, `${label} must be greater than 0`, 'GREATER_THAN');
    return Number(quantity) >= 100_000
      ? at(place, path, `${label} must be less than 100000`, 'LESS_THAN')
      : [];
  });
  return [
    ...least('usageLimit', 'Usage limit'),
    ...least('recurringCycleLimit', 'Recurring cycle limit'),
    ...least('usesPerOrderLimit', 'Allocation limit'),
    ...ratios,
  ];
};

/** Refuses what a purchase must reach. */
export const minimum: Part = (input, place) => {
  const subtotal = 'minimumRequirement.subtotal.greaterThanOrEqualToSubtotal';
  const quantity = 'minimumRequirement.quantity.greaterThanOrEqualToQuantity';
  const [money, count] = [within(input, subtotal), within(input, quantity)];
  const of = (path: string, words: string, reason: string): NodeError[] =>
    at(place, path, `Minimum ${words}`, reason);
  if (money != null && count != null)
    return [
      ...of(subtotal, 'subtotal cannot be defined when minimum quantity is.', 'CONFLICT'),
      ...of(quantity, 'quantity cannot be defined when minimum subtotal is.', 'CONFLICT'),
    ];
  if (Number(count ?? 0) >= MOST_INT)
    return of(quantity, `quantity must be less than ${MOST_INT}`, 'LESS_THAN');
  return Number(money ?? 0) >= MOST_MONEY
    ? of(subtotal, `subtotal must be less than ${MOST_MONEY_TEXT}`, 'LESS_THAN')
    : [];
};

/** Refuses the items that a discount names. */
export const items: Part = (input, place) =>
  ['customerBuys.items', 'customerGets.items'].flatMap((path) => {
    const chosen = Object(within(input, path) ?? {}) as NodeFields;
    const lists = ITEM_LISTS.map(([list, label]): readonly [string, string, string[]] => {
      const ids = within(chosen, list);
      return [list, label, Array.isArray(ids) ? (ids as string[]) : []];
    });
    const isMixed = chosen['collections'] != null && chosen['products'] != null;
    const mixed = 'Cannot entitle collections in combination with product variants or products';
    const unknown = lists
      .filter(([list]) => !(isMixed && list === 'collections.add'))
      .flatMap(([list, label, ids]) =>
        ids
          .filter((id) => !place.knows(id))
          .flatMap((id) =>
            at(
              place,
              `${path}.${list}`,
              `${label} with id: ${idOf(typeOfId(id), id) ?? 0} is invalid`,
              'INVALID',
            ),
          ),
      );
    return [
      ...(isMixed ? at(place, `${path}.collections.add`, mixed, 'CONFLICT') : []),
      ...unknown,
    ];
  });

const ITEM_LISTS = [
  ['collections.add', 'Collection'],
  ['products.productsToAdd', 'Product'],
  ['products.productVariantsToAdd', 'Product variant'],
] as const;
