import type { NodeFields } from '../../state/nodes/node-store.js';
import { redeemCodesOf } from './discount-kinds.js';

/** What a discount is at a time, by its dates. */
function discountStatus({ startsAt, endsAt }: NodeFields, now: Date): string {
  if (startsAt != null && new Date(String(startsAt)) > now) return 'SCHEDULED';
  return endsAt != null && new Date(String(endsAt)) <= now ? 'EXPIRED' : 'ACTIVE';
}

/**
 * A discount as the platform keeps what its input says: with its status, its class, its codes and
 * the countries that it ships to.
 */
export function discountFields(given: NodeFields, now: Date): NodeFields {
  const { destination, ...discount } = given;
  const { code } = discount;
  const codes = redeemCodesOf(discount);
  const [first] = codes;
  const isRenamed = typeof code === 'string' && first?.code !== code;
  return {
    createdAt: now,
    ...discount,
    updatedAt: now,
    status: discountStatus(discount, now),
    discountClasses: classesOf(discount),
    ...(codes.length > 0 || isRenamed
      ? { codes: isRenamed ? [{ code }, ...codes.slice(1)] : codes }
      : {}),
    ...(destination == null ? {} : { destinationSelection: destinationOf(Object(destination)) }),
  };
}

/** What a discount takes something off. */
function classesOf({ __typename, customerGets, discountClasses }: NodeFields): unknown {
  const kind = String(__typename);
  if (kind.endsWith('App')) return discountClasses ?? ['PRODUCT'];
  if (kind.endsWith('FreeShipping')) return ['SHIPPING'];
  const items = Object(Object(customerGets)['items']) as NodeFields;
  const isOrder = kind.endsWith('Basic') && (items['allItems'] ?? items['all']) === true;
  return [isOrder ? 'ORDER' : 'PRODUCT'];
}

function destinationOf({ countries }: NodeFields): NodeFields {
  const { add, includeRestOfWorld = false } = Object(countries ?? {}) as NodeFields;
  return countries == null
    ? { __typename: 'DiscountCountryAll', allCountries: true }
    : { __typename: 'DiscountCountries', countries: add ?? [], includeRestOfWorld };
}

/** What the dates of a discount become that is started, or ended, at a time. */
export function movedDiscount(discount: NodeFields, isStarted: boolean, now: Date): NodeFields {
  const status = discountStatus(discount, now);
  const at = now.toISOString();
  if (status === (isStarted ? 'ACTIVE' : 'EXPIRED')) return discount;
  const startsAt = status === 'SCHEDULED' ? at : discount['startsAt'];
  return isStarted
    ? { ...discount, status: 'ACTIVE', startsAt, endsAt: null }
    : { ...discount, status: 'EXPIRED', startsAt, endsAt: at };
}

/** A value of a discount that follows from its input; undefined when there is none. */
export function discountValue(field: string, values: NodeFields): unknown {
  switch (field) {
    case 'codes':
      return redeemCodesOf(values);
    case 'codesCount':
      return { count: redeemCodesOf(values).length, precision: 'EXACT' };
    case 'appliesOnOneTimePurchase':
      return true;
    case 'context':
      return buyersOf(values['customerSelection']);
    default:
      return undefined;
  }
}

/** The customers of an input as the buyers that later versions call them. */
function buyersOf(selection: unknown): unknown {
  const { __typename } = Object(selection ?? {}) as NodeFields;
  return __typename === undefined || __typename === 'DiscountCustomerAll'
    ? { __typename: 'DiscountBuyerSelectionAll', all: 'ALL' }
    : selection;
}
