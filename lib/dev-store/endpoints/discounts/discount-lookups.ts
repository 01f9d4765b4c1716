import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { inputError } from '../nodes/user-errors.js';
import { discountWithCode } from './discount-kinds.js';
import type { DiscountPlace } from './discount-place.js';

/** The error about an id that no discount of a kind has. */
export function noDiscount(method: string, field = 'id'): NodeError {
  return inputError(field, `${method} discount does not exist.`, 'INVALID');
}

/** What the input of a discount is checked against. @param id that of the one to update */
export function discountPlace(
  { reader, view }: NodeWriter,
  place: Pick<DiscountPlace, 'argument' | 'kind' | 'method'>,
  id: string | undefined,
): DiscountPlace {
  return {
    ...place,
    isNew: id === undefined,
    knows: (one) => view(one) !== null,
    isTaken: (code) => {
      const other = discountWithCode(reader.store.nodes, code);
      return other !== undefined && other.id !== id;
    },
  };
}
