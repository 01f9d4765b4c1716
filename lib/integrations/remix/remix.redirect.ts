import type { AuthService } from '../../auth/auth.service.js';
import type { PlatformConfig } from '../../core/config/platform.config.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { replyTo } from '../../core/http/reply.js';
import { webResponse } from '../../core/http/web-http.js';
import { QUERY } from '../../core/vendor.js';
import type { Session } from '../../sessions/session.js';

export interface RedirectInit extends ResponseInit {
  /** `_self` keeps even a foreign address in the admin's frame. @default '_self' for pages of the app, else '_top' */
  readonly target?: '_self' | '_parent' | '_top' | '_blank' | undefined;
}

/** Goes on to another page: of the app, where the embedded page finds itself again in the admin, or elsewhere, out of the frame. */
export type RedirectFunction = (url: string, init?: number | RedirectInit) => Response;

/** What a page needs to find itself again inside the admin; nothing that proves who the user is. */
const FRAME_PARAMETERS = [QUERY.shop, QUERY.host, QUERY.embedded, 'locale'];

/** The `redirect` of one request. It returns what stays in the frame, and throws the response that leaves it. */
export function createRedirect(config: PlatformConfig, auth: AuthService, request: InboundRequest, { shop }: Session): RedirectFunction {
  return (url, init = 302) => {
    const { target, status = 302, headers, ...rest } = typeof init === 'number' ? { status: init } : init;
    const location = URL.canParse(url, config.appUrl) ? new URL(url, config.appUrl) : undefined;
    const isOwn = location?.origin === config.appUrl;
    if (!location || (target ?? (isOwn ? '_self' : '_top')) !== '_self') {
      throw webResponse(replyTo(request, auth.leaveApp(request, url, shop)));
    }
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
