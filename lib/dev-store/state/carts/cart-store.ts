import { randomBytes, randomUUID } from 'node:crypto';
import type { Cart, CartAttribute, CartLine } from './cart.js';

/** What a line is made of. */
export type CartLineInput = Pick<CartLine, 'variantId' | 'quantity' | 'attributes'>;

/** The most of one line. */
export const MOST_OF_LINE = 1_000_000;

/** How many carts are kept. */
const MOST_CARTS = 1000;

/** The last thousand carts of the storefront of one shop. */
export class CartStore {
  private readonly carts = new Map<string, Cart>();

  constructor(private readonly now: () => Date) {}

  /** Adds a cart without lines; the oldest goes when there are too many. */
  create(): Cart {
    const at = this.now();
    const cart: Cart = {
      token: randomBytes(12).toString('hex'),
      key: randomBytes(16).toString('hex'),
      createdAt: at,
      updatedAt: at,
      ...{ lines: [], note: '', attributes: [], buyer: {}, discountCodes: [] },
      ...{ giftCards: [], addresses: [], deliveryOption: undefined, metafields: [] },
    };
    this.carts.set(cart.token, cart);
    const [oldest] = this.carts.keys();
    if (this.carts.size > MOST_CARTS && oldest !== undefined) this.carts.delete(oldest);
    return cart;
  }

  /** The cart with a token and its key; undefined without either. */
  find(token: string, key: string): Cart | undefined {
    const cart = this.carts.get(token);
    return cart?.key === key ? cart : undefined;
  }

  /**
   * Adds lines; what the cart has already, with the same attributes, gets more of it, up to
   * {@link MOST_OF_LINE}. Lines without a quantity are left out.
   */
  addLines(cart: Cart, inputs: readonly CartLineInput[]): void {
    for (const { variantId, quantity, attributes } of inputs) {
      const same = cart.lines.find(
        (line) => line.variantId === variantId && isSame(line.attributes, attributes),
      );
      if (same) same.quantity = Math.min(MOST_OF_LINE, same.quantity + quantity);
      else if (quantity > 0) cart.lines.push({ id: randomUUID(), variantId, quantity, attributes });
    }
    this.touch(cart);
  }

  /** Changes values of a cart; lines without a quantity go. */
  update(cart: Cart, values: Partial<Omit<Cart, 'token' | 'key' | 'createdAt'>>): void {
    Object.assign(cart, values);
    cart.lines = cart.lines.filter(({ quantity }) => quantity > 0);
    this.touch(cart);
  }

  private touch(cart: Cart): void {
    cart.updatedAt = this.now();
  }
}

function isSame(some: readonly CartAttribute[], others: readonly CartAttribute[]): boolean {
  const text = (list: readonly CartAttribute[]): string =>
    JSON.stringify(list.map(({ key, value }) => [key, value]).sort());
  return text(some) === text(others);
}
