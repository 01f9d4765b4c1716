import type { Cart } from '../../state/carts/cart.js';
import type { ShopIdentity } from '../../state/shop/shop-identity.js';
import { html } from '../../http/page-html.js';
import { messagePage, pageReply, topBar } from '../../http/page-layout.js';
import type { Route, StoreReply } from '../../http/store-request.js';
import type { CartStore } from '../../state/carts/cart-store.js';
import { cartTotal, pricedCart, type CartShop } from './cart.views.js';

/** The part of a shop that the page shows. */
interface CheckoutShop extends ShopIdentity, CartShop {
  readonly carts: CartStore;
}

/** The page at the `checkoutUrl` of a cart: what it holds and costs, and that nothing is sold. */
export function checkoutRoute(shop: CheckoutShop, now: () => Date): Route {
  return {
    method: 'GET',
    pattern: /^\/cart\/c\/([0-9a-f]+)$/,
    answer: ({ url }, [token = '']) => {
      const cart = shop.carts.find(token, url.searchParams.get('key') ?? '');
      return cart
        ? checkoutPage(shop, cart, now())
        : messagePage(shop, 404, 'There is no such cart', 'The address may be mistyped or old.');
    },
  };
}

function checkoutPage(shop: CheckoutShop, cart: Cart, now: Date): StoreReply {
  const priced = pricedCart(cart, shop, now);
  const money = (amount: number): string => `${amount.toFixed(2)} ${shop.currency}`;
  const body = html`${topBar(shop)}
    <main class="narrow">
      <div class="card">
        <h1>Checkout</h1>
        <ul class="rows">
          ${priced.lines.map(
            ({ product, variant, quantity, subtotal }) =>
              html`<li>
                <div class="grow">
                  <div>${product.title}</div>
                  <div class="soft small">${quantity} × ${money(Number(variant.price))}</div>
                </div>
                <div>${money(subtotal)}</div>
              </li>`,
          )}
        </ul>
        <p><strong>Total ${money(cartTotal(priced))}</strong></p>
        <p class="soft">The simulated store takes no payment: create the order over the API.</p>
      </div>
    </main>`;
  return pageReply({ title: `Checkout · ${shop.name}`, body });
}
