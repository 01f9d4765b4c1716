import type { ServerResponse } from 'node:http';

import type { PlatformConfig } from '../../core/config/platform-config.js';
import { MissingRequiredArgument } from '../../core/core.errors.js';
import type { HeaderList } from '../../core/decision.js';
import type { InboundRequest, Reply } from '../../core/http/inbound-request.js';
import { addHeaders, nodeRequest, sendReply } from '../../core/http/node-http.js';
import type { NodeRequest } from '../../core/http/node-http.js';
import { webRequest, webResponse } from '../../core/http/web-http.js';

/** A request as its host hands it out: Node's (Express, Fastify's `raw`) or a web `Request`. */
export type RawRequest = NodeRequest | Request;

/** A request with what it is answered by: Node's response, or nothing beside a web `Request`. */
export interface RawExchange {
  readonly rawRequest: RawRequest;
  readonly rawResponse?: ServerResponse | undefined;
}

/** A delivery whose body the app has read by itself, unparsed. */
export interface RawDelivery extends RawExchange {
  readonly rawBody: string | Buffer;
}

/**
 * The bytes of a body as the app hands it over: text, or bytes of any kind. What a body parser has
 * made of one has none, because no signature belongs to it; and what looks like a list of bytes
 * would take as much memory as its sender says.
 */
export function bytesOf(rawBody: unknown): Buffer {
  if (Buffer.isBuffer(rawBody)) return rawBody;
  if (typeof rawBody === 'string' || rawBody instanceof ArrayBuffer)
    return Buffer.from(rawBody as string);
  return ArrayBuffer.isView(rawBody)
    ? Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength)
    : Buffer.alloc(0);
}

/**
 * The view of a request of any host that the features work with.
 * @throws {MissingRequiredArgument} when there is no request
 */
export function inboundOf(request: RawRequest | undefined, config: PlatformConfig): InboundRequest {
  if (!request?.headers)
    throw new MissingRequiredArgument(
      'rawRequest is missing: pass the request of Node, or a web Request.',
    );
  return isWebRequest(request) ? webRequest(request, config) : nodeRequest(request, config);
}

/**
 * Sends a reply: over the response of Node, or as the web `Response` that it returns.
 * @throws {MissingRequiredArgument} when there is neither
 */
export function sendRaw(
  { rawRequest, rawResponse }: RawExchange,
  reply: Reply,
): Response | undefined {
  if (isWebRequest(rawRequest)) return webResponse(reply);
  sendReply(responseOf(rawResponse), reply);
  return undefined;
}

/**
 * Puts headers on the response of Node, or returns them for the web `Response` of the app.
 * @throws {MissingRequiredArgument} when there is neither
 */
export function addRawHeaders(
  { rawRequest, rawResponse }: RawExchange,
  headers: HeaderList,
): Headers | undefined {
  if (isWebRequest(rawRequest)) {
    const made = new Headers();
    for (const [name, value] of headers) made.append(name, value);
    return made;
  }
  addHeaders(responseOf(rawResponse), headers);
  return undefined;
}

/**
 * Makes sure that a request can be answered, before anything happens that cannot be repeated.
 * @throws {MissingRequiredArgument} when a request of Node comes without its response
 */
export function assertAnswerable({ rawRequest, rawResponse }: RawExchange): void {
  if (!isWebRequest(rawRequest)) responseOf(rawResponse);
}

/** Not by its class: a polyfill and another realm have a `Headers` of their own. */
function isWebRequest(request: RawRequest): request is Request {
  return typeof (request.headers as Partial<Headers>).get === 'function';
}

function responseOf(rawResponse: ServerResponse | undefined): ServerResponse {
  if (rawResponse) return rawResponse;
  throw new MissingRequiredArgument(
    'A request of Node needs rawResponse, the response that goes with it.',
  );
}
