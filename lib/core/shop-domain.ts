import { InvalidHostError, InvalidShopError } from './core.errors.js';
import { ADMIN_ORIGIN, HOST_DOMAINS, SHOP_DOMAINS } from './vendor.js';

const SHOP = new RegExp(
  `^[a-z0-9][a-z0-9_-]*\\.(?:${SHOP_DOMAINS.join('|').replaceAll('.', '\\.')})$`,
);
const STORE_NAME = /^[a-z0-9][a-z0-9_-]*$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const LONGEST = 255;

/**
 * Returns the canonical domain of a shop (`dev-shop.myshopify.com`): lower-case, no trailing slash.
 * Also accepts the shop's address in the admin (`https://admin.…/store/dev-shop`, with or without
 * scheme). The result is the host of a URL; `null` for any other value.
 */
export function sanitizeShop(shop: unknown): string | null;
/** As above, but throws {@link InvalidShopError} instead of returning `null`. */
export function sanitizeShop(shop: unknown, throwOnInvalid: true): string;
export function sanitizeShop(shop: unknown, throwOnInvalid?: boolean): string | null;
export function sanitizeShop(shop: unknown, throwOnInvalid = false): string | null {
  const domain = shopIn(shop);
  if (domain === null && throwOnInvalid) {
    throw new InvalidShopError(
      `Received an invalid shop: expected a domain such as "my-shop.${SHOP_DOMAINS[0]}".`,
    );
  }
  return domain;
}

/** {@link sanitizeShop} for callers that have an error of their own: all that a browser needs. */
export function shopIn(value: unknown): string | null {
  return typeof value === 'string' && value.length <= LONGEST
    ? canonical(value.toLowerCase())
    : null;
}

/**
 * A shop as the platform writes it in what it sends; `undefined` for anything else, other spellings
 * of a shop included.
 */
export function exactShop(domain: unknown): string | undefined {
  return typeof domain === 'string' && sanitizeShop(domain) === domain ? domain : undefined;
}

function canonical(text: string): string | null {
  const bare = withoutTrailingSlashes(text);
  // The admin is never a shop, but an address below `/store/` names one.
  if (SHOP.test(bare)) return bare.startsWith('admin.') || !formsUrl(bare) ? null : bare;
  const [host = '', section, name = '', ...rest] = withoutScheme(bare).split('/');
  const domain = domainOfAdmin(host);
  if (!domain || section !== 'store' || !STORE_NAME.test(name) || rest.length > 0) return null;
  const shop = `${name}.${domain}`;
  return formsUrl(shop) ? shop : null;
}

/** The domain of the shops that a host of the admin is for. */
function domainOfAdmin(host: string): string | undefined {
  if (`https://${host}` === ADMIN_ORIGIN) return SHOP_DOMAINS[0];
  return SHOP_DOMAINS.find((domain) => host === `admin.${domain}`);
}

/**
 * False for a name that a URL parser takes for an encoded one and cannot decode. No other shop name
 * is rejected.
 */
function formsUrl(shop: string): boolean {
  if (!shop.startsWith('xn--')) return true;
  const url = `https://${shop}`;
  return URL.canParse(url) && new URL(url).host === shop;
}

/**
 * The shop that an address belongs to: a page of the shop (`https://dev-shop.myshopify.com/admin`)
 * or the shop's address in the admin, with `https://` or without scheme; `null` for any other
 * address.
 */
export function shopNamedBy(address: string): string | null {
  const bare = /^https:\/\//i.test(address) ? address.slice('https://'.length) : address;
  const slash = bare.indexOf('/');
  return (slash < 0 ? null : sanitizeShop(bare.slice(0, slash))) ?? sanitizeShop(bare);
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//i, '');
}

/**
 * The shop that a merchant has typed into a form: its domain, its address, or only its name; `null`
 * for any other text.
 */
export function shopTyped(text: string): string | null {
  const name = withoutTrailingSlashes(withoutScheme(text.trim()));
  return sanitizeShop(name.includes('.') ? name : `${name}.${SHOP_DOMAINS[0]}`);
}

/**
 * Returns the `host` parameter unchanged when it is base64 of an address in the admin or of a shop;
 * `null` for any other value.
 * @see https://shopify.dev/docs/apps/build/authentication-authorization
 */
export function sanitizeHost(host: unknown): string | null;
/** As above, but throws {@link InvalidHostError} instead of returning `null`. */
export function sanitizeHost(host: unknown, throwOnInvalid: true): string;
export function sanitizeHost(host: unknown, throwOnInvalid?: boolean): string | null;
export function sanitizeHost(host: unknown, throwOnInvalid = false): string | null {
  if (typeof host === 'string' && decodeHost(host) !== null) return host;
  if (throwOnInvalid)
    throw new InvalidHostError(
      'Received an invalid host: expected the base64 value the admin adds to the URL of the app.',
    );
  return null;
}

/**
 * The address that a `host` parameter encodes, such as `admin.…/store/dev-shop`; `null` when it is
 * not an address of the platform.
 */
export function decodeHost(host: string): string | null {
  if (host.length > 1024 || !BASE64.test(host) || host.replaceAll('=', '').length % 4 === 1)
    return null;
  const address = Buffer.from(host, 'base64').toString('latin1');
  // Only the characters of a host name and a path: a URL parser silently drops user info, tabs and
  // line breaks.
  if (!/^[A-Za-z0-9.-]+(?:\/[A-Za-z0-9_./-]*)?$/.test(address) || address.includes('//'))
    return null;
  const name = address.split('/', 1)[0]!.toLowerCase();
  return HOST_DOMAINS.some((domain) => name.endsWith(`.${domain}`)) ? address : null;
}

/**
 * `https://dev-shop.myshopify.com` or `dev-shop.myshopify.com` → `admin.…/store/dev-shop`; `null`
 * when it is not a shop.
 */
export function legacyUrlToShopAdminUrl(url: unknown): string | null {
  if (typeof url !== 'string') return null;
  const shop = sanitizeShop(withoutScheme(url));
  if (shop === null || isAdminUrl(url)) return null;
  const dot = shop.indexOf('.');
  const domain = shop.slice(dot + 1);
  const admin = domain === SHOP_DOMAINS[0] ? new URL(ADMIN_ORIGIN).host : `admin.${domain}`;
  return `${admin}/store/${shop.slice(0, dot)}`;
}

/**
 * `https://admin.…/store/dev-shop`, or a page below it → `dev-shop.myshopify.com`; `null` when it
 * is not such an address.
 */
export function shopAdminUrlToLegacyUrl(url: unknown): string | null {
  if (typeof url !== 'string' || !isAdminUrl(url) || DOT_SEGMENT.test(url)) return null;
  return sanitizeShop(/^[^/]*\/store\/[^/?#]*/i.exec(withoutScheme(url))?.[0]);
}

/** Takes browsers up again, to another shop's pages: `/store/dev-shop/../other`. */
const DOT_SEGMENT = /[/\\](?:\.|%2e){1,2}(?:[/\\?#]|$)/i;

function isAdminUrl(url: string): boolean {
  return /^admin\./i.test(withoutScheme(url));
}

const SLASH = 0x2f;

/**
 * The text without trailing slashes. A loop, because `/\/+$/` takes quadratic time: it tries every
 * slash of a run in the middle of the text.
 */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === SLASH) end--;
  return text.slice(0, end);
}
