import { sanitizeShop } from '../shop-domain.js';

const MOVED: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** After these the same request may be sent again, whatever its method. */
const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);

/** True for a reply that sends the caller elsewhere. */
export function isRedirect({ status }: Response): boolean {
  return MOVED.has(status);
}

/**
 * Where a reply sends the caller, if the same request may go there, token and all: to the same
 * origin, or from one shop to another, as when a shop has been renamed. `fetch` by itself would
 * take an access token to any host, since it knows only `Authorization` as a secret, and make a GET
 * of a POST.
 */
export function safeRedirect(response: Response, from: string, method: string): string | undefined {
  const location = isRedirect(response) ? response.headers.get('location') : null;
  if (location === null || !URL.canParse(location, from)) return undefined;
  if (method !== 'GET' && method !== 'HEAD' && !KEEPS_METHOD.has(response.status)) return undefined;
  const target = new URL(location, from);
  const source = new URL(from);
  const betweenShops =
    target.protocol === 'https:' &&
    sanitizeShop(target.host) !== null &&
    sanitizeShop(source.host) !== null;
  return target.origin === source.origin || betweenShops ? target.href : undefined;
}
