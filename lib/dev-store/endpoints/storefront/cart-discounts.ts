import { cents } from '../../base/amounts.js';
import { globalId } from '../../base/vendor.js';
import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import type { Product, ProductVariant } from '../../state/products/product.js';
import { discountIn, discountWithCode } from '../discounts/discount-kinds.js';
import { amountOf } from '../orders/order-totals.js';

/** What a line costs, before and after discounts. */
export interface PricedLine {
  readonly product: Product;
  readonly variant: ProductVariant;
  readonly quantity: number;
  /** Of the whole line. */
  readonly subtotal: number;
}

/** A code of a cart, and what it does. */
export interface CodeEffect {
  readonly code: string;
  readonly applicable: boolean;
  /** The amount that it takes off each line, by the order of the lines. */
  readonly amounts: readonly number[];
  readonly warning?: { readonly code: string; readonly message: string };
}

/**
 * What a code does for the lines of a cart: percentages and amounts of discounts on all products,
 * some products or some collections, from a minimum on.
 * @see https://shopify.dev/docs/api/storefront/latest/mutations/cartDiscountCodesUpdate
 */
export function effectOf(
  code: string,
  lines: readonly PricedLine[],
  nodes: NodeStore,
  now: Date,
): CodeEffect {
  const refused = (warning: string, message: string): CodeEffect => ({
    ...{ code, applicable: false, amounts: lines.map(() => 0) },
    warning: { code: warning, message },
  });
  const discount = discountOf(code, nodes);
  if (!discount) return refused('DISCOUNT_NOT_FOUND', 'Enter a valid discount code');
  if (!isActive(discount, now))
    return refused(
      'DISCOUNT_CURRENTLY_INACTIVE',
      `The ${code} discount code is not active at the moment`,
    );
  const { customerGets, minimumRequirement } = discount as Record<string, NodeFields | undefined>;
  const entitled = lines.map((line) => isEntitled(line, Object(customerGets?.['items']), nodes));
  const sum = (of: (line: PricedLine) => number): number =>
    lines.reduce((total, line, index) => total + (entitled[index] ? of(line) : 0), 0);
  const words = `The ${code} discount code is not valid for the items in your cart`;
  if (!entitled.includes(true)) return refused('DISCOUNT_NO_ENTITLED_LINE_ITEMS', words);
  const subtotal = sum((line) => line.subtotal);
  const least = amountOf(minimumRequirement?.['greaterThanOrEqualToSubtotal']);
  if (least > subtotal) return refused('DISCOUNT_PURCHASE_NOT_IN_RANGE', words);
  const fewest = Number(minimumRequirement?.['greaterThanOrEqualToQuantity'] ?? 0);
  if (fewest > sum((line) => line.quantity))
    return refused('DISCOUNT_QUANTITY_NOT_IN_RANGE', words);
  const { percentage, amount, appliesOnEachItem } = Object(customerGets?.['value']) as NodeFields;
  const amounts = lines.map((line, index) => {
    if (!entitled[index]) return 0;
    if (percentage != null) return cents(line.subtotal * Number(percentage));
    const given = amountOf(amount);
    const share = appliesOnEachItem
      ? given * line.quantity
      : (Math.min(given, subtotal) * line.subtotal) / (subtotal || 1);
    return cents(Math.min(line.subtotal, share));
  });
  return { code, applicable: true, amounts };
}

/** The discount with a code, whatever its case. */
function discountOf(code: string, nodes: NodeStore): NodeFields | undefined {
  const node = discountWithCode(nodes, code);
  return node && discountIn(node);
}

function isActive({ startsAt, endsAt, status }: NodeFields, now: Date): boolean {
  const [from, to] = [startsAt, endsAt].map((at) =>
    at == null ? undefined : new Date(String(at)),
  );
  if (status !== undefined && status !== 'ACTIVE') return false;
  return (!from || from <= now) && (!to || to > now);
}

function isEntitled(
  { product, variant }: PricedLine,
  items: NodeFields,
  nodes: NodeStore,
): boolean {
  const ids = (name: string): unknown[] => [items[name] ?? []].flat();
  const own = globalId('Product', product.id);
  if (ids('products').includes(own)) return true;
  if (ids('productVariants').includes(globalId('ProductVariant', variant.id))) return true;
  const collections = ids('collections');
  if (collections.some((id) => [nodes.fieldsOf(String(id))['products'] ?? []].flat().includes(own)))
    return true;
  return ['products', 'productVariants', 'collections'].every((name) => !(name in items));
}
