import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { nodeRequest } from '../../core/http/node-http.js';
import type { NodeRequest } from '../../core/http/node-http.js';
import { webRequest } from '../../core/http/web-http.js';

/** A request as its host hands it out: Node's (Express, Fastify's `raw`) or a web `Request`. */
export type RawRequest = NodeRequest | Request;

/** The view of a request of any host that the features work with. */
export function inboundOf(request: RawRequest, config: PlatformConfig): InboundRequest {
  return request.headers instanceof Headers
    ? webRequest(request as Request, config)
    : nodeRequest(request as NodeRequest, config);
}
