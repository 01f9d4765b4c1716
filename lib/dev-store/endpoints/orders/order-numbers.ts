import type { StoredNode } from '../../state/nodes/node-store.js';

/** The types that are numbered on their own: what is before the number, and the first one. */
const NUMBERINGS = { Order: ['#', 1001], DraftOrder: ['#D', 1] } as const;

/** A type with numbers of its own. */
export type NumberedType = keyof typeof NUMBERINGS;

/** The number and the name of an order or a draft, by which one of its type it is. */
export function orderNumber(
  type: NumberedType,
  { ordinal }: Pick<StoredNode, 'ordinal'>,
): { readonly number: number; readonly name: string } {
  const [prefix, first] = NUMBERINGS[type];
  const number = first + ordinal - 1;
  return { number, name: `${prefix}${number}` };
}
