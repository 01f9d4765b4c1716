import { globalId } from '../../base/vendor.js';
import { availableOf } from '../../state/inventory/inventory-level.js';
import type { Cart } from '../../state/carts/cart.js';
import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import type { ProductVariant } from '../../state/products/product.js';
import type { CartError } from './cart-extras.resolvers.js';
import { lineId, soldVariant, type CartShop } from './cart.views.js';

/** How many of a variant may be bought at once. */
interface QuantityRule {
  readonly minimum: number;
  readonly maximum: number | null;
  readonly increment: number;
}

/** The rule that a test has given a variant, else that of every variant. */
function quantityRule(variantId: string, nodes: NodeStore): QuantityRule {
  const { minimum, maximum, increment } = Object(
    nodes.fieldsOf(variantId)['quantityRule'],
  ) as NodeFields;
  return {
    minimum: Number(minimum ?? 1),
    maximum: maximum == null ? null : Number(maximum),
    increment: Number(increment ?? 1) || 1,
  };
}

/** Why a quantity of a variant is refused by its rule; none at all is never. */
export function ruleProblems(
  variantId: string,
  quantity: number,
  nodes: NodeStore,
  field: readonly string[],
): CartError[] {
  const { minimum, maximum, increment } = quantityRule(variantId, nodes);
  if (quantity === 0) return [];
  if (quantity < minimum)
    return [
      { field, message: `The quantity must be at least ${minimum}.`, code: 'MINIMUM_NOT_MET' },
    ];
  if (maximum !== null && quantity > maximum)
    return [
      { field, message: `The quantity must be at most ${maximum}.`, code: 'MAXIMUM_EXCEEDED' },
    ];
  const message = `The quantity must be a multiple of ${increment}.`;
  return quantity % increment === 0 ? [] : [{ field, message, code: 'INVALID_INCREMENT' }];
}

/**
 * Takes what is not in stock out of a cart, and returns the warnings about it: the cart keeps what
 * there is of a line.
 */
export function limitToStock(cart: Cart, { catalog }: CartShop): object[] {
  const warnings: object[] = [];
  for (const line of cart.lines) {
    const found = soldVariant(catalog, line.variantId);
    const most = found ? mostOf(found.variant) : Infinity;
    if (!found || line.quantity <= most) continue;
    const { title } = found.product;
    line.quantity = Math.max(0, most);
    warnings.push({
      target: lineId(cart, line),
      ...(most <= 0
        ? {
            code: 'MERCHANDISE_OUT_OF_STOCK',
            message: `The product '${title}' is already sold out.`,
          }
        : {
            code: 'MERCHANDISE_NOT_ENOUGH_STOCK',
            message: `Only ${most} items of '${title}' were added to your cart due to availability.`,
          }),
    });
  }
  cart.lines = cart.lines.filter(({ quantity }) => quantity > 0);
  return warnings;
}

function mostOf(variant: ProductVariant): number {
  const isLimited = variant.tracked && variant.inventoryPolicy === 'DENY';
  return isLimited ? availableOf(variant) : Infinity;
}

/** The fields of variants that follow from their rules, for the generic reader. */
export function quantityFields(nodes: NodeStore): Record<string, (id: string) => object> {
  return {
    'ProductVariant.quantityRule': (id) =>
      quantityRule(globalId('ProductVariant', id.split('/').at(-1) ?? ''), nodes),
  };
}
