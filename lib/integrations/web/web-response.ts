import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { Decision, HeaderList } from '../../core/decision.js';
import { replyTo } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { isUsed } from '../../core/http/is-response.js';
import { ResponseUsedError } from '../../core/http/response.errors.js';
import { webResponse } from '../../core/http/web-http.js';

/** A decision as the response to a request that is neither a page nor its data. */
export function responseTo(
  request: InboundRequest,
  decision: Decision,
  config: PlatformConfig,
): Response {
  return webResponse(replyTo(request, decision, config));
}

/**
 * A copy with more headers: the app may hold the response for other requests, too, and those of
 * some, such as `Response.redirect()`, are fixed. The copy has the body.
 */
export function withHeaders(response: Response, headers: HeaderList): Response {
  if (headers.length === 0) return response;
  const copy = new Response(response.body, response);
  for (const [name, value] of headers) copy.headers.set(name, value);
  return copy;
}

/**
 * What `cors()` makes of a response of the app.
 * @param headers that let another origin read it; none for a request of the app's own
 * @throws {ResponseUsedError} when there are headers, and the body is gone
 */
export function withCors(response: Response, headers: HeaderList): Response {
  if (headers.length > 0 && isUsed(response)) throw new ResponseUsedError('cors()');
  return withHeaders(response, headers);
}
