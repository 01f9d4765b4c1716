import { Html, html } from '../../http/page-html.js';
import { initial } from '../../http/page-layout.js';
import { STYLES } from '../../http/page-styles.js';
import type { ShopIdentity } from '../../state/shop/shop-identity.js';

const NO_LAYOUT = /^\s*\{%-?\s*layout\s+none\s*-?%\}/;

/**
 * The HTML of a Liquid answer: inside a page of the storefront, or as it is when it begins with
 * `{% layout none %}`. Only the outputs of the `shop` object are rendered; other Liquid is shown.
 */
export function storefrontPage(shop: ShopIdentity, origin: string, liquid: string): string {
  const outputs = shopOutputs(shop, origin);
  const body = liquid
    .replace(NO_LAYOUT, '')
    .replace(/\{\{-?\s*shop\.(\w+)\s*-?\}\}/g, (text, name: string) => outputs[name] ?? text);
  if (NO_LAYOUT.test(liquid)) return body;
  return html`<!doctype html>
    <html lang="${shop.user.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${shop.name}</title>
        <link rel="icon" href="data:," />
        <style>
          ${new Html(STYLES)}
        </style>
      </head>
      <body>
        <header class="bar">
          <span class="mark" aria-hidden="true">${initial(shop.name)}</span
          ><strong>${shop.name}</strong><span class="note">Simulated storefront</span>
        </header>
        <main class="main" id="MainContent">${new Html(body)}</main>
      </body>
    </html> `.text;
}

function shopOutputs(shop: ShopIdentity, origin: string): Readonly<Record<string, string>> {
  return {
    currency: 'EUR',
    domain: shop.domain,
    email: shop.email,
    id: String(shop.id),
    name: shop.name,
    permanent_domain: shop.domain,
    url: origin,
  };
}
