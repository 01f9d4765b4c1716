import { setTimer } from '../time/clock.js';
import type { Clock } from '../time/clock.js';
import type { PlatformConfig } from '../config/platform-config.js';
import { MissingRequiredArgument, PlatformError, RawBodyUnavailableError } from '../core.errors.js';
import { BODY_TIMEOUT, bodyTimeout } from './body.errors.js';
import { bodyCopies } from './body-copies.js';
import { inboundPath, inboundUrl } from './inbound-request.js';
import type { InboundRequest, Reply } from './inbound-request.js';
import { markedStatusText } from './page-mark.js';

/** As much of a web `Request` as is read of every request. */
type AnyWebRequest = Pick<Request, 'url' | 'method'> & Partial<Request>;

/**
 * What features see of a web `Request`. Its body is read when it is asked for, and only then.
 * @throws {MissingRequiredArgument} for what is none, such as all that a loader is given, or the
 * request of Node
 */
export function webRequest(request: AnyWebRequest, config: PlatformConfig): InboundRequest {
  if (typeof request?.method !== 'string' || (request.headers && !request.headers.get))
    throw noWebRequest();
  return new WebInboundRequest(request, config);
}

function noWebRequest(): MissingRequiredArgument {
  return new MissingRequiredArgument(
    'This is no web Request: pass the `request` that a loader or an action is given.',
  );
}

/** A class, as its counterpart for Node is. Its address is parsed when it is first read. */
class WebInboundRequest implements InboundRequest {
  readonly method: string;
  readonly #request: AnyWebRequest;
  readonly #config: PlatformConfig;
  #target: string | undefined;
  #url: URL | undefined;
  #body: Promise<Buffer> | undefined;

  constructor(request: AnyWebRequest, config: PlatformConfig) {
    this.method = request.method.toUpperCase();
    this.#request = request;
    this.#config = config;
  }

  get url(): URL {
    return (this.#url ??= inboundUrl(this.#ownTarget, this.#config.appUrl));
  }

  get path(): string {
    return this.#url?.pathname ?? inboundPath(this.#ownTarget, this.#config.appUrl);
  }

  header(name: string): string | undefined {
    return this.#request.headers?.get(name) ?? undefined;
  }

  rawBody(): Promise<Buffer> {
    const { webhookBodyLimit, clock } = this.#config;
    return (this.#body ??= readBody(this.#request, webhookBodyLimit, clock));
  }

  get #ownTarget(): string {
    return (this.#target ??= targetOf(this.#request.url));
  }
}

/** An absolute address: what follows its origin, without the fragment. */
const AFTER_ORIGIN = /^https?:\/\/[^/?#\\]+(\/[^#]*)/i;

/**
 * Path and query of an absolute address. Those of a genuine request need not be parsed for it.
 * @throws {MissingRequiredArgument} for any other address, which no web `Request` has
 */
function targetOf(address: string): string {
  const found = AFTER_ORIGIN.exec(address)?.[1];
  if (found !== undefined) return found;
  if (!URL.canParse(address)) throw noWebRequest();
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** Of the statuses of the toolkit. That of 405 is as the platform's own packages write it. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'No Content',
  302: 'Found',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method not allowed',
  408: 'Request Timeout',
  410: 'Gone',
  413: 'Content Too Large',
  422: 'Unprocessable Content',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

/** A reply as a web `Response`. That of a page of the toolkit can be told from others. */
export function webResponse(reply: Reply): Response {
  const headers = new Headers();
  for (const [name, value] of reply.headers) headers.append(name, value);
  const { status, body, isOwnPage } = reply;
  const text = STATUS_TEXTS[status] ?? '';
  const statusText = isOwnPage ? markedStatusText(text, body) : text;
  return new Response(body === '' ? null : body, { status, statusText, headers });
}

/**
 * The body of a web `Request`, up to `limit` bytes, which nothing else may have read. No more of it
 * is read than shows that it is too long.
 * @throws {BodyTooLargeError}
 * @throws {BodyTimeoutError} when it is not complete 10 s after it was asked for
 * @throws {BodyDroppedError} when its bytes were dropped, so that all bodies stay within their
 * memory
 * @throws {RawBodyUnavailableError} when it was read before, or cannot be read to its end
 */
export async function readBody(
  { body = null, bodyUsed = false }: Partial<Pick<Request, 'body' | 'bodyUsed'>>,
  limit: number,
  clock: Clock,
): Promise<Buffer> {
  if (bodyUsed || body?.locked) {
    throw new RawBodyUnavailableError(
      'The body of the request has been read already. Authenticate the webhook first: the parsed body comes with it.',
    );
  }
  if (body === null) return Buffer.alloc(0);
  const reader = webStreamOf(body).getReader();
  const bytes = bodyCopies.open(limit);
  // Ends a read that is waiting, and tells the sender that nobody wants the rest.
  const stop = (): void => void reader.cancel().catch(() => {});
  let isLate = false;
  const cancelTimeout = setTimer(clock, BODY_TIMEOUT, () => {
    isLate = true;
    stop();
  });
  const noLongerAwaited = bytes.wait(limit, stop);
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      bytes.add(piece.value);
      if (bytes.length > limit) break;
    }
    if (isLate) throw bodyTimeout();
    bytes.end();
    return bytes.read();
  } catch (cause) {
    if (cause instanceof PlatformError) throw cause;
    throw new RawBodyUnavailableError(
      'The body of the request could not be read to its end.',
      'went_away',
      { cause },
    );
  } finally {
    cancelTimeout();
    noLongerAwaited();
    bodyCopies.close(bytes);
    stop();
  }
}

/** What the body of a request may be where its class is not that of the host. */
type ForeignBody = Partial<
  ReadableStream<Uint8Array> &
    AsyncIterable<Uint8Array> & { stream: () => ForeignBody; destroy: () => void }
>;

/**
 * The body of a request of any class. That of `node-fetch`, which `jest-fetch-mock` puts in the
 * place of Node's own, is a `Buffer`, a `Blob` of its own or a stream of Node.
 * @throws {RawBodyUnavailableError} for what has no bytes
 */
function webStreamOf(body: ForeignBody): ReadableStream<Uint8Array> {
  if (typeof body.getReader === 'function') return body as ReadableStream<Uint8Array>;
  if (typeof body.stream === 'function') return webStreamOf(body.stream());
  const whole = bytesOf(body);
  const pieces = whole ? [whole].values() : body[Symbol.asyncIterator]?.();
  if (!pieces)
    throw new RawBodyUnavailableError(
      'The body of the request is of a kind that cannot be read. Make the request with a text, bytes or a stream.',
    );
  return new ReadableStream({
    async pull(stream) {
      const { done, value } = await pieces.next();
      if (done) stream.close();
      else stream.enqueue(bytesOf(value));
    },
    async cancel() {
      // A stream of Node that has stalled would end only after the piece it waits for.
      body.destroy?.();
      await pieces.return?.();
    },
  });
}

/** The bytes of a body, or of a piece of one, that is there as a whole. */
function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value === 'string') return Buffer.from(value);
  if (ArrayBuffer.isView(value))
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined;
}
