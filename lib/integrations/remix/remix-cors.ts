import type { PlatformConfig } from '../../core/config/platform-config.js';
import { HEADERS } from '../../core/vendor.js';

const EXPOSED = [HEADERS.reauthorize, HEADERS.reauthorizeUrl, HEADERS.retryInvalidSession].join(
  ', ',
);
const PREFLIGHT_LIFETIME_SECONDS = 7200;

/**
 * True when a page of another origin than the app's sent the request, such as an extension of the
 * admin.
 */
function isForeign(request: Request, config: PlatformConfig): boolean {
  const origin = request.headers.get('origin');
  return origin !== null && origin !== config.appUrl;
}

/**
 * The response, readable for the foreign page that asked for it; unchanged when the app itself
 * asked.
 */
export function withCors(request: Request, response: Response, config: PlatformConfig): Response {
  if (!isForeign(request, config)) return response;
  // A copy: the headers of some responses, such as `Response.redirect()`, cannot be changed.
  const open = new Response(response.body, response);
  open.headers.set('access-control-allow-origin', '*');
  open.headers.set('access-control-allow-headers', 'Authorization, Content-Type');
  open.headers.set('access-control-expose-headers', EXPOSED);
  return open;
}

/**
 * The answer to a browser that asks whether it may send the actual request; `undefined` when this
 * is the actual request.
 */
export function preflight(request: Request, config: PlatformConfig): Response | undefined {
  if (request.method !== 'OPTIONS') return undefined;
  const headers = { 'access-control-max-age': String(PREFLIGHT_LIFETIME_SECONDS) };
  return withCors(request, new Response(null, { status: 204, headers }), config);
}
