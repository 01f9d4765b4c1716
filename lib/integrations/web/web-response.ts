import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { Decision, HeaderList } from '../../core/decision.js';
import { replyTo } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { webResponse } from '../../core/http/web-http.js';

/** A decision as the response to a request that is neither a page nor its data. */
export function responseTo(
  request: InboundRequest,
  decision: Decision,
  config: PlatformConfig,
): Response {
  return webResponse(replyTo(request, decision, config));
}

/** A copy with more headers: those of some responses, such as `Response.redirect()`, are fixed. */
export function withHeaders(response: Response, headers: HeaderList): Response {
  if (headers.length === 0) return response;
  const copy = new Response(response.body, response);
  for (const [name, value] of headers) copy.headers.set(name, value);
  return copy;
}
