// The made-up app of every row, and the requests a platform sends to it. It loads nothing but
// node:crypto: start rows measure processes that import this file.
import { createHmac, randomUUID } from 'node:crypto';

export const API_KEY = 'bench-api-key';
export const API_SECRET = 'bench-secret-0123456789abcdef012345';
export const API_VERSION = '2026-07';
export const APP_HOST = 'bench.example.com';
export const SCOPES = ['write_products', 'write_orders'];
export const SHOP = 'bench-shop.myshopify.com';

export const SESSION = {
  id: `offline_${SHOP}`,
  shop: SHOP,
  state: '',
  isOnline: false,
  scope: SCOPES.join(','),
  accessToken: 'shpat_0123456789abcdef0123456789abcdef',
};

const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

const mac = (text) => createHmac('sha256', API_SECRET).update(text);
const base64url = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = () => Math.floor(Date.now() / 1000);

/** More than a line item takes, in bytes. */
const LINE_ITEM = 1_100;

/** An order as JSON, of exactly so many bytes; not all of them are ASCII. */
export function orderOf(bytes) {
  const order = {
    id: 820982911946,
    currency: 'USD',
    customer: { id: 115310627314, first_name: 'Jöhn' },
    line_items: [],
    note: '',
  };
  const missing = () => bytes - Buffer.byteLength(JSON.stringify(order));
  for (let index = 0; missing() > LINE_ITEM; index++) order.line_items.push(lineItem(index));
  order.note = 'x'.repeat(missing());
  return JSON.stringify(order);
}

/** With every field that the platform sends: how long JSON takes to parse depends on them. */
function lineItem(index) {
  const id = 866550311766 + index;
  return {
    id,
    admin_graphql_api_id: `gid://shopify/LineItem/${id}`,
    attributed_staffs: [],
    current_quantity: 1,
    fulfillable_quantity: 1,
    fulfillment_service: 'manual',
    fulfillment_status: null,
    gift_card: false,
    grams: 567,
    name: `Player ${index} - Black`,
    price: '199.00',
    price_set: moneyOf('199.00'),
    product_exists: true,
    product_id: 788032119 + index,
    properties: [{ name: 'Engraving', value: 'For Jane' }],
    quantity: 1,
    requires_shipping: true,
    sales_line_item_group_id: null,
    sku: `PLAYER-${index}`,
    taxable: true,
    title: `Player ${index}`,
    total_discount: '0.00',
    total_discount_set: moneyOf('0.00'),
    variant_id: 808950810 + index,
    variant_inventory_management: null,
    variant_title: 'Black',
    vendor: 'Acme',
    tax_lines: [],
    duties: [],
    discount_allocations: [],
  };
}

function moneyOf(amount) {
  const money = { amount, currency_code: 'USD' };
  return { shop_money: money, presentment_money: money };
}

/** Headers of a delivery of the topic ORDERS_CREATE. */
export function webhookHeaders(body) {
  return {
    'content-type': 'application/json',
    'user-agent': 'Shopify-Captain-Hook',
    accept: '*/*',
    'x-shopify-topic': 'orders/create',
    'x-shopify-hmac-sha256': mac(body).digest('base64'),
    'x-shopify-shop-domain': SHOP,
    'x-shopify-api-version': API_VERSION,
    'x-shopify-webhook-id': randomUUID(),
    'x-shopify-event-id': randomUUID(),
    'x-shopify-triggered-at': '2026-01-01T15:00:00.000000000Z',
  };
}

/** Headers of a call that the embedded page makes; the session token outlasts every run. */
export function pageHeaders() {
  const claims = {
    iss: `https://${SHOP}/admin`,
    dest: `https://${SHOP}`,
    aud: API_KEY,
    sub: '42',
    exp: now() + 86_400,
    nbf: now() - 60,
    iat: now() - 60,
    jti: randomUUID(),
    sid: randomUUID(),
  };
  const signed = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}`;
  return {
    accept: 'application/json',
    'user-agent': USER_AGENT,
    'x-requested-with': 'XMLHttpRequest',
    authorization: `Bearer ${signed}.${mac(signed).digest('base64url')}`,
  };
}

/** The query of a launch URL, signed. */
export function launchQuery() {
  const query = {
    embedded: '1',
    host: btoa('admin.shopify.com/store/bench'),
    locale: 'en',
    shop: SHOP,
    timestamp: `${now()}`,
  };
  return { ...query, hmac: mac(`${new URLSearchParams(query)}`).digest('hex') };
}

/** The query of a request through the app proxy, signed. */
export function proxyQuery() {
  const query = {
    colour: 'light blue',
    logged_in_customer_id: '1',
    path_prefix: '/apps/bench',
    shop: SHOP,
    timestamp: `${now()}`,
  };
  const text = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return { ...query, signature: mac(text.join('')).digest('hex') };
}
