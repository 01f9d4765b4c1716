import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { QUERY } from '../../core/vendor.js';

/** The window a redirect of the app is for. */
export type RedirectTarget = '_self' | '_parent' | '_top' | '_blank';

/** The page loads in the frame it is in, or the window leaves the admin for another address. */
export type AdminRedirect =
  | { readonly kind: 'stay'; readonly location: string }
  | { readonly kind: 'leave'; readonly url: string };

/** What a page needs to load again inside the admin; nothing that proves who the user is. */
const FRAME_PARAMETERS = [QUERY.shop, QUERY.host, QUERY.embedded, 'locale'];

/**
 * Decides where a redirect of an authenticated request goes. Pages of the app stay in the frame,
 * with the parameters they need there.
 * @param target `_self` keeps even a foreign address in the frame @default `_self` for pages of the
 * app, else `_top`
 */
export function adminRedirect(
  request: InboundRequest,
  config: PlatformConfig,
  url: string,
  target?: RedirectTarget,
): AdminRedirect {
  if (!URL.canParse(url, config.appUrl)) return { kind: 'leave', url };
  const location = new URL(url, config.appUrl);
  const isOwn = location.origin === config.appUrl;
  if ((target ?? (isOwn ? '_self' : '_top')) !== '_self') return { kind: 'leave', url };
  if (isOwn) keepFrame(request.url.searchParams, location.searchParams);
  return { kind: 'stay', location: location.href };
}

function keepFrame(from: URLSearchParams, to: URLSearchParams): void {
  for (const name of FRAME_PARAMETERS) {
    const value = from.get(name);
    if (value !== null && !to.has(name)) to.set(name, value);
  }
}
