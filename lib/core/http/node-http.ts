import type { IncomingMessage, ServerResponse } from 'node:http';

import type { PlatformConfig } from '../config/platform-config.js';
import { CSP, policyOfPage } from './content-security-policy.js';
import { inboundUrl } from './inbound-request.js';
import type { InboundRequest } from './inbound-request.js';
import { readRawBody } from './raw-body.js';
import type { Reply } from './reply.js';

const REQUEST_TIMEOUT = 408;

/** A request of Node's HTTP server, as Express, Connect or Fastify hand it on. */
export type NodeRequest = IncomingMessage & {
  originalUrl?: string;
  body?: unknown;
  rawBody?: unknown;
};

/**
 * The rooms' view of a request of Node's HTTP server. Routers rewrite `url` below a mount path:
 * `originalUrl` counts.
 */
export function nodeRequest(req: NodeRequest, config: PlatformConfig): InboundRequest {
  return {
    method: req.method?.toUpperCase() ?? 'GET',
    url: inboundUrl(req.originalUrl ?? req.url, config.appUrl),
    header(name) {
      const value = req.headers[name.toLowerCase()];
      return Array.isArray(value) ? value[0] : value;
    },
    rawBody: () => readRawBody(req, config.webhookBodyLimit, config.clock),
  };
}

/**
 * Sends a reply, beside the cookies that are set already. Does nothing when an answer is on its
 * way.
 */
export function sendReply(res: ServerResponse, reply: Reply): void {
  if (res.headersSent || res.writableEnded || res.destroyed) return;
  res.statusCode = reply.status;
  // Node then closes the connection behind the reply, and with it the request whose body nobody
  // waits for any more.
  if (reply.status === REQUEST_TIMEOUT) res.setHeader('connection', 'close');
  for (const [spelling, value] of reply.headers) {
    const name = spelling.toLowerCase();
    if (name === 'set-cookie') res.appendHeader(name, value);
    else if (name === CSP)
      res.setHeader(name, policyOfPage(res.getHeader(name)?.toString(), value));
    else res.setHeader(name, value);
  }
  res.end(reply.body);
}
