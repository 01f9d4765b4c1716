import type { IncomingMessage, ServerResponse } from 'node:http';

import type { PlatformConfig } from '../config/platform-config.js';
import { RawBodyUnavailableError } from '../core.errors.js';
import type { HeaderList } from '../decision.js';
import { setTimer, systemClock } from '../time/clock.js';
import type { Clock } from '../time/clock.js';
import { bodyCopies, copyOf, copyUnread, flowsIntoNothing } from './body-copies.js';
import type { BodyCopy } from './body-copy.js';
import { BODY_TIMEOUT, bodyTimeout, bodyTooLarge, clientWentAway } from './body.errors.js';
import { inboundPath, inboundUrl, mergeHeaders } from './inbound-request.js';
import type { InboundRequest, Reply } from './inbound-request.js';

const OK = 200;
const REQUEST_TIMEOUT = 408;

/** A request of Node's HTTP server, as Express, Connect or Fastify hand it on. */
export type NodeRequest = IncomingMessage & {
  originalUrl?: string;
  body?: unknown;
  rawBody?: unknown;
};

/**
 * A request of Node's HTTP server as the modules see it. Routers rewrite `url` below a mount path:
 * `originalUrl` counts.
 */
export function nodeRequest(req: NodeRequest, config: PlatformConfig): InboundRequest {
  return new NodeInboundRequest(req, config);
}

/**
 * A class, because V8 makes a hidden class of its own for each object literal that has a getter:
 * being old from the start, that keeps the request and its response from dying young.
 */
class NodeInboundRequest implements InboundRequest {
  readonly method: string;
  readonly #req: NodeRequest;
  readonly #config: PlatformConfig;
  #url: URL | undefined;

  constructor(req: NodeRequest, config: PlatformConfig) {
    this.method = req.method?.toUpperCase() ?? 'GET';
    this.#req = req;
    this.#config = config;
  }

  get url(): URL {
    const { originalUrl, url } = this.#req;
    return (this.#url ??= inboundUrl(originalUrl ?? url, this.#config.appUrl));
  }

  get path(): string {
    const { originalUrl, url } = this.#req;
    return inboundPath(originalUrl ?? url, this.#config.appUrl);
  }

  header(name: string): string | undefined {
    const { headers } = this.#req;
    const value = headers[name] ?? headers[name.toLowerCase()] ?? this.#headerOfOtherCase(name);
    return Array.isArray(value) ? value[0] : value;
  }

  rawBody(isHandedOn = false): Promise<Buffer> {
    const body = readRawBody(this.#req, this.#config.webhookBodyLimit, this.#config.clock);
    return isHandedOn ? ended(this.#req, body) : body;
  }

  /** Node writes names in lower case: only a request that was made by hand has others. */
  #headerOfOtherCase(name: string): string | string[] | undefined {
    if (this.#req.rawHeaders) return undefined;
    const lower = name.toLowerCase();
    return Object.entries(this.#req.headers).find(([own]) => own.toLowerCase() === lower)?.[1];
  }
}

/** Sends a reply with the cookies that are set already. Does nothing once a response was begun. */
export function sendReply(res: ServerResponse, reply: Reply): void {
  if (res.headersSent || res.writableEnded || res.destroyed) return;
  res.statusCode = reply.status;
  // Node then closes the connection after the reply, and with it the request whose body is late.
  if (reply.status === REQUEST_TIMEOUT) res.setHeader('connection', 'close');
  if (reply.headers.length > 0) addHeaders(res, reply.headers);
  // Node says so as well. But V8 is slow with the only header that a process ever sets, such as
  // that of Express: a tenth of a small delivery. Responses made by hand may lack the method.
  if (reply.status === OK && reply.body === '' && res.hasHeader?.('x-powered-by'))
    res.setHeader('content-length', 0);
  res.end(reply.body);
}

/**
 * Puts headers on a response that somebody else will finish: cookies and policies it has already
 * stay.
 */
export function addHeaders(res: ServerResponse, headers: HeaderList = []): void {
  mergeHeaders(
    {
      get: (name) => res.getHeader(name)?.toString(),
      set: (name, value) => void res.setHeader(name, value),
      append: (name, value) => void res.appendHeader(name, value),
    },
    headers,
  );
}

/**
 * The body as it was sent, up to `limit` bytes: from the copy made on arrival, else from `rawBody`,
 * the unread stream, or a body that was kept as bytes or text. What nobody has read yet is read
 * here. May be called more than once.
 * @throws {BodyTooLargeError} as soon as the length is known to exceed the limit
 * @throws {BodyTimeoutError} when it is not complete 10 s after it was asked for, or after its
 * request began
 * @throws {BodyDroppedError} when its bytes were dropped, so that all bodies stay within their
 * memory
 * @throws {RawBodyUnavailableError} when only a parsed form is left, the request was answered
 * already, or the client went away
 */
export function readRawBody(
  request: NodeRequest,
  limit: number,
  clock: Clock = systemClock,
): Promise<Buffer> {
  const copy = copyOf(request);
  return copy ? whole(request, copy, limit, clock) : readUncopied(request, limit, clock);
}

/**
 * Node tells of the end of a request after its last bytes. Until then, whatever parses its body
 * next would take it for one that is too short.
 */
async function ended(request: NodeRequest, body: Promise<Buffer>): Promise<Buffer> {
  const bytes = await body;
  if (!request.readableEnded) await new Promise((resolve) => setImmediate(resolve));
  return bytes;
}

async function readUncopied(request: NodeRequest, limit: number, clock: Clock): Promise<Buffer> {
  if (declaredLength(request) > limit) throw bodyTooLarge(limit);
  if (Buffer.isBuffer(request.rawBody)) return within(request.rawBody, limit);
  if (!request.readableDidRead) return readUnread(request, limit, clock);
  if (Buffer.isBuffer(request.body)) return within(request.body, limit);
  // The last rung: text that was decoded from anything but valid UTF-8 no longer matches its
  // signature.
  if (typeof request.body === 'string') return within(Buffer.from(request.body), limit);
  throw new RawBodyUnavailableError(
    'The raw body of the request is gone: something parsed it before the signature could be checked. ' +
      'Answer webhooks before any body parser, or keep the bytes in `rawBody`.',
  );
}

async function readUnread(request: NodeRequest, limit: number, clock: Clock): Promise<Buffer> {
  const copy = copyUnread(request, limit);
  try {
    return await whole(request, copy, limit, clock);
  } finally {
    bodyCopies.close(copy);
  }
}

/**
 * Reads the copy once all of the body is here, or too much of it. Node hands on what came with the
 * head of a request before anything that waits goes on: most bodies are here by then, if not their
 * end, and need neither a timer nor listeners.
 */
async function whole(
  request: NodeRequest,
  copy: BodyCopy,
  limit: number,
  clock: Clock,
): Promise<Buffer> {
  const declared = declaredLength(request);
  if (declared > limit) throw bodyTooLarge(limit);
  await undefined;
  if (copy.isComplete || copy.isFreed || copy.length > limit) return taken(request, copy, limit);
  if (copy.length !== declared) return arrival(request, copy, limit, clock);
  request.resume();
  return taken(request, copy, limit);
}

/**
 * Reads the copy, whose memory is nobody else's then: what the stream still has of it goes nowhere,
 * or to others, and then it is copied.
 */
function taken(request: NodeRequest, copy: BodyCopy, limit: number): Buffer {
  const isUnseen = flowsIntoNothing(request);
  if (!isUnseen && request.readableLength > 0) copy.copyKept();
  const bytes = copy.read(limit);
  while (isUnseen && request.readableLength > 0 && request.read() !== null);
  return bytes;
}

/**
 * Waits for the rest, and reads it at once. Reading on is up to us, as the handler of the request:
 * nobody else may ever do it.
 */
function arrival(
  request: NodeRequest,
  copy: BodyCopy,
  limit: number,
  clock: Clock,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      cancelTimeout();
      noLongerAwaited();
      request.off('close', wentAway);
      try {
        if (error) throw error;
        resolve(taken(request, copy, limit));
      } catch (reason) {
        reject(reason as Error);
      }
    };
    const wentAway = (): void => settle(clientWentAway(request.errored ?? undefined));
    const cancelTimeout = setTimer(clock, BODY_TIMEOUT, () => settle(bodyTimeout()));
    // When it was freed, to read it says why. When it is too long, the rest keeps flowing into
    // nothing, so that the client gets to read the answer.
    const noLongerAwaited = copy.wait(limit, settle);
    if (request.destroyed) return wentAway();
    request.on('close', wentAway);
    request.resume();
  });
}

/** In bytes; `NaN` when the request does not say, or where its end shows otherwise. */
function declaredLength({ headers }: NodeRequest): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length']) : NaN;
}

function within(body: Buffer, limit: number): Buffer {
  if (body.length > limit) throw bodyTooLarge(limit);
  return body;
}
