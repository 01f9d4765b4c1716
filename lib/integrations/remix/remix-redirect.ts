import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { QUERY } from '../../core/vendor.js';

export interface RedirectInit extends ResponseInit {
  /**
   * `_self` keeps even a foreign address in the admin's frame. @default '_self' for pages of the
   * app, else '_top'
   */
  readonly target?: '_self' | '_parent' | '_top' | '_blank' | undefined;
}

/**
 * Goes on to another page: of the app, where the embedded page finds itself again in the admin, or
 * elsewhere, out of the frame.
 */
export type RedirectFunction = (url: string, init?: number | RedirectInit) => Response;

/** What a page needs to find itself again inside the admin; nothing that proves who the user is. */
const FRAME_PARAMETERS = [QUERY.shop, QUERY.host, QUERY.embedded, 'locale'];

/**
 * The `redirect` of one request. It returns what stays in the frame, and throws the response that
 * leaves it, which `leave` makes.
 */
export function createRedirect(
  config: PlatformConfig,
  request: InboundRequest,
  leave: (url: string) => Response,
): RedirectFunction {
  return (url, init = 302) => {
    const {
      target,
      status = 302,
      headers,
      ...rest
    } = typeof init === 'number' ? { status: init } : init;
    const location = URL.canParse(url, config.appUrl) ? new URL(url, config.appUrl) : undefined;
    const isOwn = location?.origin === config.appUrl;
    if (!location || (target ?? (isOwn ? '_self' : '_top')) !== '_self') throw leave(url);
    if (isOwn) keepFrame(request.url.searchParams, location.searchParams);
    const response = new Response(null, { ...rest, status, headers: headers ?? [] });
    response.headers.set('location', location.href);
    return response;
  };
}

function keepFrame(from: URLSearchParams, to: URLSearchParams): void {
  for (const name of FRAME_PARAMETERS) {
    const value = from.get(name);
    if (value !== null && !to.has(name)) to.set(name, value);
  }
}
