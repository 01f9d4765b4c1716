import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { Decision, HeaderList } from '../../core/decision.js';
import { CSP } from '../../core/http/content-security-policy.js';
import { replyTo, wantsDocument } from '../../core/http/inbound-request.js';
import type { InboundRequest, Reply } from '../../core/http/inbound-request.js';
import { webResponse } from '../../core/http/web-http.js';
import { withHeaders } from './web-response.js';

/**
 * The response to a request of a page or its data that a decision comes to. What a hook has thrown
 * stays as it is, for the app may throw it again, for another shop: it is copied with the headers
 * that it lacks, and handed on as the same object where it has no body and lacks none.
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
  const lacking = reply.headers.filter((header) => lacks(thrown, header));
  // A body can be sent once.
  return thrown.body === null && lacking.length === 0
    ? thrown
    : withHeaders(thrown.clone(), lacking);
}

/** Headers about a body. */
const ABOUT_BODY: readonly string[] = ['content-type', CSP];
/**
 * Redirects that nobody stores unless told to.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-15.1
 */
const NOT_STORED: readonly number[] = [302, 303, 307];

function lacks({ headers, status, body }: Response, [name, value]: HeaderList[number]): boolean {
  if (name === 'location') return headers.get(name) !== value;
  if (headers.has(name)) return false;
  return body !== null || !(ABOUT_BODY.includes(name) || NOT_STORED.includes(status));
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
