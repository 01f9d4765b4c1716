import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { Decision } from '../../core/decision.js';
import { replyTo, wantsDocument } from '../../core/http/inbound-request.js';
import type { InboundRequest, Reply } from '../../core/http/inbound-request.js';

/**
 * A decision about a request of a page or its data as a reply. The router hands the body of a
 * refusal to the error boundary of the app, where only text can be read: JSON is for requests that
 * accept it.
 * @param shop of the session, once there is one
 */
export function replyToRoute(
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
