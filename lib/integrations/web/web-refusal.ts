import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { Decision } from '../../core/decision.js';
import { replyTo, wantsDocument } from '../../core/http/inbound-request.js';
import type { InboundRequest, Reply } from '../../core/http/inbound-request.js';
import { webResponse } from '../../core/http/web-http.js';

/**
 * The response to a request of a page or its data that a decision comes to. What a hook has thrown
 * is that very object, with the headers it lacks, or a copy of it where its headers are fixed.
 * @param shop of the session, once there is one
 */
export function respondToRoute(
  request: InboundRequest,
  decision: Decision,
  config: PlatformConfig,
  shop?: string,
): Response {
  const reply = replyToRoute(request, decision, config, shop);
  const thrown = 'thrown' in decision ? decision.thrown : undefined;
  if (thrown === undefined) return webResponse(reply);
  const { headers } = thrown;
  try {
    for (const [name, value] of reply.headers)
      if (name === 'location' || !headers.has(name)) headers.set(name, value);
    return thrown;
  } catch {
    return webResponse(reply);
  }
}

/**
 * A decision about a request of a page or its data as a reply. The router hands the body of a
 * refusal to the error boundary of the app, where only text can be read: JSON is for requests that
 * accept it.
 * @param shop of the session, once there is one
 */
function replyToRoute(
  request: InboundRequest,
  decision: Decision,
  config: PlatformConfig,
  shop?: string,
): Reply {
  const reply = replyTo(request, decision, config, shop);
  const isText =
    decision.kind === 'denied' &&
    !wantsDocument(request) &&
    !/\bjson\b/i.test(request.header('accept') ?? '');
  if (!isText) return reply;
  const headers = reply.headers.filter(([name]) => name !== 'content-type');
  return {
    ...reply,
    headers: [['content-type', 'text/plain; charset=utf-8'], ...headers],
    body: decision.message,
  };
}
