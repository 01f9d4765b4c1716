import type { NodeFields, NodeStore, StoredNode } from '../../state/nodes/node-store.js';

/** How discounts apply, and the node and its field that each is kept in. */
export const METHODS = {
  Code: { type: 'DiscountCodeNode', part: 'codeDiscount' },
  Automatic: { type: 'DiscountAutomaticNode', part: 'automaticDiscount' },
} as const;

/** What discounts do, by the end of the names of their types. */
export type DiscountKind = 'Basic' | 'Bxgy' | 'FreeShipping' | 'App';

/** A code with which customers get a discount. */
export interface RedeemCode {
  readonly code: string;
  /** How often it was used. */
  readonly asyncUsageCount?: number;
}

/** The discount in a node; empty for a node of another kind. */
export function discountIn({ type, fields }: Pick<StoredNode, 'type' | 'fields'>): NodeFields {
  const { part } = type === METHODS.Code.type ? METHODS.Code : METHODS.Automatic;
  return Object(fields[part]) as NodeFields;
}

/** The codes of a discount, the first of which it was created with. */
export function redeemCodesOf({ codes, code }: NodeFields): readonly RedeemCode[] {
  if (Array.isArray(codes)) return codes as RedeemCode[];
  return typeof code === 'string' ? [{ code }] : [];
}

/** The node of the discount with a code, whatever its case. */
export function discountWithCode(nodes: NodeStore, code: string): StoredNode | undefined {
  const wanted = code.toLowerCase();
  return nodes
    .all([METHODS.Code.type])
    .find((node) => redeemCodesOf(discountIn(node)).some((one) => fits(one, wanted)));
}

function fits({ code }: RedeemCode, wanted: string): boolean {
  return code.toLowerCase() === wanted;
}
