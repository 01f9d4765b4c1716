import { cents } from '../../base/amounts.js';
import { isoTime } from '../../base/iso-time.js';
import { globalId } from '../../base/vendor.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { Cart, CartAddress, CartAttribute, CartLine } from '../../state/carts/cart.js';
import type { NodeStore } from '../../state/nodes/node-store.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import type { ShopIdentity } from '../../state/shop/shop-identity.js';
import { effectOf, type CodeEffect, type PricedLine } from './cart-discounts.js';
import { addressView, deliveryGroups, deliveryPrice } from './cart-delivery.views.js';
import { appliedCards } from './cart-gift-cards.js';
import { moneyView, storefrontVariant } from './storefront.views.js';

/** The part of a shop that carts are shown with. */
export interface CartShop extends Pick<ShopIdentity, 'domain' | 'currency'> {
  readonly catalog: ProductCatalog;
  readonly nodes: NodeStore;
}

/** A cart with its prices. */
export interface PricedCart {
  readonly cart: Cart;
  readonly lines: ReadonlyArray<PricedLine & { readonly line: CartLine }>;
  readonly codes: readonly CodeEffect[];
}

/** The global id of a cart, which has its key. */
export function cartId({ token, key }: Cart): string {
  return `${globalId('Cart', token)}?key=${key}`;
}

/** The global id of a line. */
export function lineId({ token }: Cart, { id }: CartLine): string {
  return `${globalId('CartLine', id)}?cart=${token}`;
}

/** Calculates what a cart costs now. Lines of what is no longer sold are left out. */
export function pricedCart(cart: Cart, shop: CartShop, now: Date): PricedCart {
  const lines = cart.lines.flatMap((line) => {
    const found = soldVariant(shop.catalog, line.variantId);
    if (!found) return [];
    const { quantity } = line;
    const subtotal = cents(Number(found.variant.price) * quantity);
    return [{ ...found, line, quantity, subtotal }];
  });
  const codes = cart.discountCodes.map((code) => effectOf(code, lines, shop.nodes, now));
  return { cart, lines, codes };
}

/** The variant with a number, of a product that is sold. */
export function soldVariant(
  catalog: ProductCatalog,
  id: number,
): Pick<PricedLine, 'product' | 'variant'> | undefined {
  const found = catalog.variant(id);
  return found?.product.status === 'active' ? found : undefined;
}

/** What a cart costs, with its delivery and less its discounts. */
export function cartTotal({ cart, lines, codes }: PricedCart): number {
  const own = lines.map((line, index) => cents(line.subtotal - discountOn(codes, index)));
  return cents(
    own.reduce((sum, one) => sum + one, 0) + (lines.length > 0 ? deliveryPrice(cart) : 0),
  );
}

interface MetafieldArgs {
  readonly namespace?: string | null;
  readonly key: string;
}

function metafieldView(
  cart: Cart,
  namespace: string | null = 'custom',
  key: string,
): object | null {
  const found = cart.metafields.find((one) => one.namespace === namespace && one.key === key);
  return found ? { __typename: 'Metafield', ...found } : null;
}

/** The global id of an address of a cart. */
export function addressId({ token }: Cart, { id }: CartAddress): string {
  return `${globalId('CartSelectableAddress', id)}?cart=${token}`;
}

/** A cart as the schema describes it. */
export function cartView({ cart, lines, codes }: PricedCart, shop: CartShop): object {
  const money = (amount: number): object => moneyView(amount, shop.currency);
  const totals = lines.map((line, index) => cents(line.subtotal - discountOn(codes, index)));
  const subtotal = cents(totals.reduce((sum, one) => sum + one, 0));
  const whole = cartTotal({ cart, lines, codes });
  const total = money(whole);
  const { email = null, phone = null, countryCode = null } = cart.buyer;
  const amounts = {
    checkoutChargeAmount: total,
    subtotalAmount: money(subtotal),
    totalAmount: total,
  };
  const listed = (args: ConnectionArgs, context: GraphqlContext): object => {
    const all = lines.map((line, index) => ({ id: index + 1, line, total: totals[index] ?? 0 }));
    return connection(all, args, context, ({ id, line, total: sum }) =>
      lineView(cart, line, { total: sum, codes, index: id - 1, money }),
    );
  };
  return {
    __typename: 'Cart',
    id: cartId(cart),
    createdAt: isoTime(cart.createdAt),
    updatedAt: isoTime(cart.updatedAt),
    checkoutUrl: `https://${shop.domain}/cart/c/${cart.token}?key=${cart.key}`,
    note: cart.note,
    ...attributesView(cart.attributes),
    buyerIdentity: { email, phone, countryCode, customer: null, deliveryAddressPreferences: [] },
    totalQuantity: lines.reduce((sum, { quantity }) => sum + quantity, 0),
    discountCodes: codes.map(({ code, applicable }) => ({ code, applicable })),
    discountAllocations: [],
    discountApplications: [],
    appliedGiftCards: appliedCards(cart.giftCards, whole, shop.nodes).map(
      ({ id, lastCharacters, balance, used }) => ({
        ...{ __typename: 'AppliedGiftCard', id, lastCharacters },
        ...{ balance: money(balance), balanceV2: money(balance) },
        ...{ amountUsed: money(used), amountUsedV2: money(used) },
        presentmentAmountUsed: money(used),
      }),
    ),
    metafield: ({ namespace, key }: MetafieldArgs) => metafieldView(cart, namespace, key),
    metafields: ({ identifiers }: { identifiers: readonly MetafieldArgs[] }) =>
      identifiers.map(({ namespace, key }) => metafieldView(cart, namespace, key)),
    cost: {
      ...amounts,
      ...{ subtotalAmountEstimated: true, totalAmountEstimated: true },
      ...{ totalDutyAmount: null, totalDutyAmountEstimated: true },
      ...{ totalTaxAmount: null, totalTaxAmountEstimated: true },
    },
    estimatedCost: { ...amounts, totalDutyAmount: null, totalTaxAmount: null },
    delivery: {
      addresses: ({ selected }: { selected?: boolean }) =>
        cart.addresses
          .filter((one) => !selected || one.selected)
          .map((one) => ({
            id: addressId(cart, one),
            oneTimeUse: one.oneTimeUse,
            selected: one.selected,
            address: { __typename: 'CartDeliveryAddress', ...addressView(one.address) },
          })),
    },
    deliveryGroups: (args: ConnectionArgs, context: GraphqlContext) =>
      connection(deliveryGroups(cart, listed, money), args, context, ({ view }) => view),
    lines: listed,
  };
}

function lineView(
  cart: Cart,
  { line, product, variant, quantity, subtotal }: PricedCart['lines'][number],
  {
    total,
    codes,
    index,
    money,
  }: {
    readonly total: number;
    readonly codes: readonly CodeEffect[];
    readonly index: number;
    readonly money: (amount: number) => object;
  },
): object {
  const each = money(Number(variant.price));
  const before = variant.compareAtPrice === null ? null : money(Number(variant.compareAtPrice));
  return {
    __typename: 'CartLine',
    id: lineId(cart, line),
    quantity,
    ...attributesView(line.attributes),
    merchandise: () => storefrontVariant(product, variant),
    sellingPlanAllocation: null,
    cost: {
      amountPerQuantity: each,
      compareAtAmountPerQuantity: before,
      subtotalAmount: money(subtotal),
      totalAmount: money(total),
    },
    estimatedCost: {
      amount: each,
      compareAtAmount: before,
      subtotalAmount: money(subtotal),
      totalAmount: money(total),
    },
    discountAllocations: codes
      .filter(({ amounts }) => (amounts[index] ?? 0) > 0)
      .map(({ code, amounts }) => ({
        __typename: 'CartCodeDiscountAllocation',
        code,
        targetType: 'LINE_ITEM',
        discountedAmount: money(amounts[index] ?? 0),
      })),
  };
}

/** What a cart says of the codes that do nothing. */
export function warningsOf({ cart, codes }: PricedCart): object[] {
  return codes.flatMap(({ warning }) => (warning ? [{ ...warning, target: cartId(cart) }] : []));
}

function discountOn(codes: readonly CodeEffect[], index: number): number {
  return codes.reduce((sum, { amounts }) => sum + (amounts[index] ?? 0), 0);
}

function attributesView(attributes: readonly CartAttribute[]): object {
  return {
    attributes,
    attribute: ({ key }: { key: string }) => attributes.find((one) => one.key === key) ?? null,
  };
}
