import type { ReadableStream } from 'node:stream/web';

import type { PlatformConfig } from '../config/platform.config.js';
import { BodyTooLargeError, RawBodyUnavailableError } from '../core.errors.js';
import { inboundUrl } from './inbound-request.js';
import type { InboundRequest } from './inbound-request.js';
import type { Reply } from './reply.js';

/** The rooms' view of a web `Request`. Its body is read when it is asked for, and only then. */
export function webRequest(request: Request, config: PlatformConfig): InboundRequest {
  const { pathname, search } = new URL(request.url);
  let body: Promise<Buffer> | undefined;
  return {
    method: request.method.toUpperCase(),
    url: inboundUrl(pathname + search, config.appUrl),
    header: (name) => request.headers.get(name) ?? undefined,
    rawBody: () => (body ??= readBody(request, config.webhookBodyLimit)),
  };
}

/** A reply as a web `Response`. */
export function webResponse(reply: Reply): Response {
  const headers = new Headers();
  for (const [name, value] of reply.headers) headers.append(name, value);
  return new Response(reply.body === '' ? null : reply.body, { status: reply.status, headers });
}

async function readBody(request: Request, limit: number): Promise<Buffer> {
  if (request.bodyUsed) {
    throw new RawBodyUnavailableError(
      'The body of the request has been read already. Authenticate the webhook first: the parsed body comes with it.',
    );
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of (request.body as ReadableStream<Uint8Array> | null) ?? []) {
      length += chunk.length;
      // Leaving the loop cancels the stream.
      if (length > limit) throw new BodyTooLargeError(`The body of the request is longer than the ${limit} bytes that are accepted.`);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof BodyTooLargeError) throw cause;
    throw new RawBodyUnavailableError('The body of the request could not be read to its end.', { cause });
  }
  return Buffer.concat(chunks);
}
