import { globalId, idOf, WIRE } from '../../base/vendor.js';
import type { Cart, CartAttribute, CartBuyer, CartLine } from '../../state/carts/cart.js';
import { MOST_OF_LINE, type CartLineInput, type CartStore } from '../../state/carts/cart-store.js';
import {
  addressProblems,
  cartExtrasRoot,
  metafieldProblem,
  setMetafield,
  withAddresses,
  type AddressFields,
  type CartError,
  type MetafieldFields,
} from './cart-extras.resolvers.js';
import { giftCardOf } from './cart-gift-cards.js';
import { limitToStock, ruleProblems } from './cart-stock.js';
import { cartPayload } from './cart-payload.js';
import {
  cartView,
  lineId,
  pricedCart,
  soldVariant,
  warningsOf,
  type CartShop,
} from './cart.views.js';

/** The most lines of a cart. */
const MOST_LINES = 500;

interface LineFields {
  merchandiseId: string;
  quantity?: number | null;
  attributes?: readonly CartAttribute[] | null;
}

interface LineChange extends Partial<LineFields> {
  id?: string | null;
}

interface CartFields {
  lines?: readonly LineFields[] | null;
  note?: string | null;
  attributes?: readonly CartAttribute[] | null;
  buyerIdentity?: BuyerFields | null;
  discountCodes?: readonly string[] | null;
  giftCardCodes?: readonly string[] | null;
  delivery?: { addresses?: readonly AddressFields[] | null } | null;
  metafields?: readonly MetafieldFields[] | null;
}

interface BuyerFields extends CartBuyer {
  customerAccessToken?: string | null;
}

/** The part of a shop that carts are changed with. */
export interface CartsShop extends CartShop {
  readonly carts: CartStore;
  /** Sends an event to the subscriptions of a topic, without waiting for them. */
  notify(topic: string, payload: object): void;
}

/**
 * The resolvers of carts. @param demand throws when the token does not cover a scope
 * @see https://shopify.dev/docs/api/storefront/latest/objects/Cart
 */
export function cartsRoot(
  shop: CartsShop,
  now: () => Date,
  demand: (field: string, scope: string) => void,
): Record<string, unknown> {
  const { carts, catalog } = shop;
  const view = (cart: Cart): object => cartView(pricedCart(cart, shop, now()), shop);
  const refused = (...userErrors: CartError[]): object => ({
    cart: null,
    userErrors,
    warnings: [],
  });
  const done = (cart: Cart, topic: 'carts/create' | 'carts/update'): object => {
    const stock = limitToStock(cart, shop);
    const priced = pricedCart(cart, shop, now());
    shop.notify(topic, cartPayload(priced));
    const warnings = [...stock, ...warningsOf(priced)];
    return { cart: cartView(priced, shop), userErrors: [], warnings };
  };
  /** A mutation of a cart that is there. */
  const changing =
    <Args>(field: string, change: (cart: Cart, args: Args) => readonly CartError[]) =>
    (args: Args & { cartId: string }): object => {
      demand(field, WRITE);
      const cart = cartWith(carts, args.cartId);
      if (!cart) return refused(NO_CART);
      const errors = change(cart, args);
      return errors.length > 0 ? refused(...errors) : done(cart, 'carts/update');
    };
  const lineProblems = (lines: readonly LineChange[], ...place: string[]): CartError[] =>
    lines.flatMap(({ id, merchandiseId, quantity }, index) => {
      const at = [...place, 'lines', String(index)];
      if (quantity != null && (quantity < 0 || quantity > MOST_OF_LINE)) {
        const bound = quantity < 0 ? 'greater than or equal to 0' : `at most ${MOST_OF_LINE}`;
        const message = `The quantity must be ${bound}.`;
        return [{ field: [...at, 'quantity'], message, code: 'INVALID' }];
      }
      if (merchandiseId == null) return [];
      if (soldVariant(catalog, numberOf(merchandiseId)))
        return ruleProblems(merchandiseId, quantity ?? (id == null ? 1 : 0), shop.nodes, [
          ...at,
          'quantity',
        ]);
      const message = `The merchandise with id ${merchandiseId} does not exist.`;
      return [{ field: [...at, 'merchandiseId'], message, code: 'INVALID' }];
    });
  const tooMany = (count: number, ...field: string[]): CartError[] =>
    count > MOST_LINES
      ? [{ field, message: `A cart has at most ${MOST_LINES} lines.`, code: 'CART_TOO_LARGE' }]
      : [];

  const found = (field: string, id: string): Cart | undefined => {
    demand(field, WRITE);
    return cartWith(carts, id);
  };

  return {
    ...cartExtrasRoot(shop, changing, found, now),
    cart: ({ id }: { id: string }) => {
      demand('cart', READ);
      const cart = cartWith(carts, id);
      return cart ? view(cart) : null;
    },
    cartCreate: ({ input }: { input?: CartFields | null }) => {
      demand('cartCreate', WRITE);
      const { lines, note, attributes, buyerIdentity, discountCodes, ...extras } = input ?? {};
      const addresses = extras.delivery?.addresses ?? [];
      const errors = [
        ...lineProblems(lines ?? [], 'input'),
        ...tooMany(lines?.length ?? 0, 'input', 'lines'),
        ...buyerProblems(buyerIdentity, 'input'),
        ...addressProblems(addresses, 0, 'input', 'delivery'),
        ...(extras.metafields ?? []).flatMap((one, index): CartError[] => {
          const [field = '', message] = metafieldProblem(one) ?? [];
          const place = ['input', 'metafields', String(index), field];
          return message ? [{ field: place, message, code: 'INVALID_METAFIELDS' }] : [];
        }),
      ];
      if (errors.length > 0) return refused(...errors);
      const cart = carts.create();
      cart.addresses = withAddresses([], addresses);
      cart.giftCards = (extras.giftCardCodes ?? []).flatMap(
        (code) => giftCardOf(code, shop.nodes)?.id ?? [],
      );
      for (const one of extras.metafields ?? []) setMetafield(cart, one, now());
      carts.addLines(cart, (lines ?? []).map(lineInput));
      carts.update(cart, {
        ...{ note: note ?? '', attributes: attributes ?? [], buyer: buyerOf(buyerIdentity) },
        discountCodes: unique(discountCodes ?? []),
      });
      return done(cart, 'carts/create');
    },
    cartLinesAdd: changing('cartLinesAdd', (cart, { lines }: { lines: readonly LineFields[] }) => {
      const errors = [
        ...lineProblems(lines),
        ...tooMany(cart.lines.length + lines.length, 'lines'),
      ];
      if (errors.length === 0) carts.addLines(cart, lines.map(lineInput));
      return errors;
    }),
    cartLinesUpdate: changing(
      'cartLinesUpdate',
      (cart, { lines }: { lines: readonly LineChange[] }) => {
        const errors = [
          ...lines.flatMap(({ id }, index) =>
            lineOf(cart, id) ? [] : [noLine(id, ['lines', String(index), 'id'])],
          ),
          ...lineProblems(lines.map((one) => ({ ...soldAt(cart, one.id), ...one }))),
        ];
        if (errors.length > 0) return errors;
        for (const { id, merchandiseId, quantity, attributes } of lines)
          Object.assign(lineOf(cart, id) ?? {}, {
            ...(merchandiseId == null ? {} : { variantId: numberOf(merchandiseId) }),
            ...(quantity == null ? {} : { quantity }),
            ...(attributes == null ? {} : { attributes }),
          });
        carts.update(cart, {});
        return [];
      },
    ),
    cartLinesRemove: changing(
      'cartLinesRemove',
      (cart, { lineIds }: { lineIds?: readonly string[] | null }) => {
        const gone = (lineIds ?? []).map((id) => lineOf(cart, id));
        const errors = (lineIds ?? []).flatMap((id, index) =>
          gone[index] ? [] : [noLine(id, ['lineIds', String(index)])],
        );
        if (errors.length === 0)
          carts.update(cart, { lines: cart.lines.filter((line) => !gone.includes(line)) });
        return errors;
      },
    ),
    cartNoteUpdate: changing('cartNoteUpdate', (cart, { note }: { note: string }) => {
      if (note.length > 5000) {
        const message = 'The note is too long (maximum is 5000 characters).';
        return [{ field: ['note'], message, code: 'NOTE_TOO_LONG' }];
      }
      carts.update(cart, { note });
      return [];
    }),
    cartAttributesUpdate: changing(
      'cartAttributesUpdate',
      (cart, { attributes }: { attributes: readonly CartAttribute[] }) => {
        carts.update(cart, { attributes });
        return [];
      },
    ),
    cartDiscountCodesUpdate: changing(
      'cartDiscountCodesUpdate',
      (cart, { discountCodes }: { discountCodes: readonly string[] }) => {
        carts.update(cart, { discountCodes: unique(discountCodes) });
        return [];
      },
    ),
    cartBuyerIdentityUpdate: changing(
      'cartBuyerIdentityUpdate',
      (cart, { buyerIdentity }: { buyerIdentity: BuyerFields }) => {
        const errors = buyerProblems(buyerIdentity);
        if (errors.length === 0)
          carts.update(cart, { buyer: { ...cart.buyer, ...buyerOf(buyerIdentity) } });
        return errors;
      },
    ),
  };
}

const READ = 'unauthenticated_read_checkouts';
const WRITE = 'unauthenticated_write_checkouts';

const NO_CART: CartError = {
  field: ['cartId'],
  message: 'The specified cart does not exist.',
  code: 'INVALID',
};

/** The cart with a global id, which has its key. */
function cartWith(carts: CartStore, id: string): Cart | undefined {
  const prefix = `${WIRE.gidPrefix}Cart/`;
  const [token = '', query = ''] = id.startsWith(prefix) ? id.slice(prefix.length).split('?') : [];
  return carts.find(token, new URLSearchParams(query).get('key') ?? '');
}

function lineOf(cart: Cart, id: string | null | undefined): CartLine | undefined {
  return cart.lines.find((line) => lineId(cart, line) === id);
}

/** The merchandise of a line. */
function soldAt(cart: Cart, id: string | null | undefined): LineChange {
  const line = lineOf(cart, id);
  return line ? { merchandiseId: globalId('ProductVariant', line.variantId) } : {};
}

function noLine(id: string | null | undefined, field: readonly string[]): CartError {
  const message = `The merchandise line with id ${String(id)} does not exist.`;
  return { field, message, code: 'INVALID_MERCHANDISE_LINE' };
}

function numberOf(merchandiseId: string): number {
  return idOf('ProductVariant', merchandiseId) ?? NaN;
}

function lineInput({ merchandiseId, quantity, attributes }: LineFields): CartLineInput {
  const variantId = numberOf(merchandiseId);
  return { variantId, quantity: quantity ?? 1, attributes: attributes ?? [] };
}

function buyerOf(fields: BuyerFields | null | undefined): CartBuyer {
  const { countryCode, email, phone } = fields ?? {};
  return Object.fromEntries(
    Object.entries({ countryCode, email, phone }).filter(([, value]) => value !== undefined),
  );
}

/** Customers do not log in here: a token of theirs is one that nobody has issued. */
function buyerProblems(fields: BuyerFields | null | undefined, ...place: string[]): CartError[] {
  if (fields?.customerAccessToken == null) return [];
  const field = [...place, 'buyerIdentity', 'customerAccessToken'];
  return [{ field, message: 'The customer access token is invalid.', code: 'INVALID' }];
}

/** Each code once, whatever its case. */
function unique(codes: readonly string[]): string[] {
  const seen = new Set<string>();
  return codes.filter((code) => {
    const isNew = code.trim() !== '' && !seen.has(code.toLowerCase());
    seen.add(code.toLowerCase());
    return isNew;
  });
}
