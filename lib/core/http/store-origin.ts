import { sanitizeShop } from '../shop-domain.js';
import { withoutTrailingSlashes } from '../slashes.js';
import { SHOP_DOMAINS } from '../vendor.js';
import { InvalidClientOptionsError } from './http.errors.js';
import type { ClientName } from './http.errors.js';

interface StoreOptions {
  readonly storeDomain: string;
  readonly scheme?: 'https' | 'http' | undefined;
  readonly customFetchApi?: unknown;
}

const LOCAL = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/;

/**
 * Where a standalone client sends the access token: to a store, or over plain HTTP to this machine.
 * @throws {InvalidClientOptionsError} for everything else
 */
export function storeOrigin(
  client: ClientName,
  { storeDomain, scheme = 'https', customFetchApi }: StoreOptions,
): string {
  if (scheme !== 'https' && scheme !== 'http') {
    throw new InvalidClientOptionsError(
      client,
      `the scheme ("${String(scheme)}") is invalid: it must be "https" or "http".`,
    );
  }
  const host = hostIn(storeDomain);
  const shop = sanitizeShop(host);
  if (shop === null) {
    if (LOCAL.test(host) && scheme === 'http') return `http://${host}`;
    const hint = LOCAL.test(host)
      ? 'a store on this machine needs scheme "http"'
      : `expected a domain such as "my-shop.${SHOP_DOMAINS[0]}"`;
    throw new InvalidClientOptionsError(
      client,
      `a valid store domain must be provided ("${String(storeDomain)}" is none): ${hint}.`,
    );
  }
  if (scheme === 'http' && !customFetchApi) {
    throw new InvalidClientOptionsError(
      client,
      `scheme "http" would send the access token to ${shop} in clear text. Use "https", or pass a customFetchApi.`,
    );
  }
  return `${scheme}://${shop}`;
}

function hostIn(storeDomain: unknown): string {
  if (typeof storeDomain !== 'string') return '';
  const address = storeDomain.trim().toLowerCase();
  return address.includes('/')
    ? withoutTrailingSlashes(address.replace(/^https?:\/\//, ''))
    : address;
}
