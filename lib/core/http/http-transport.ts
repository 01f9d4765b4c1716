import type { Clock } from '../time/clock.js';
import { PlatformError } from '../core.errors.js';
import type { PlatformLogger } from '../logger.js';
import type { FailedReply } from './failed-reply.js';
import {
  HttpAbortedError,
  HttpRedirectError,
  HttpRequestError,
  HttpResponseError,
  HttpTimeoutError,
  headerMap,
} from './http.errors.js';
import type { TimeLimit } from './time-limit.js';

const MOVED: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

interface TransportOptions {
  /** @default the global `fetch`, looked up at each call */
  readonly fetch?: typeof fetch | undefined;
  readonly clock: Clock;
  readonly logger?: PlatformLogger | undefined;
}

export interface TransportInit extends Pick<RequestInit, 'method' | 'headers'> {
  readonly body?: NonNullable<RequestInit['body']> | undefined;
  /** What a redirect is: an error, instead of a reply. @default followed to where a token may go */
  readonly redirect?: 'error' | undefined;
  /** Gives up after this many milliseconds. @default none */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The request outlives the page that made it. @default the default of `fetch` */
  readonly keepalive?: boolean | undefined;
}

/**
 * The one way out: every request the toolkit makes goes through here. Adds a timeout; never logs a
 * header or a body.
 */
export class HttpTransport {
  readonly clock: Clock;
  readonly #fetch: typeof fetch | undefined;
  readonly #logger: PlatformLogger | undefined;

  constructor({ fetch, clock, logger }: TransportOptions) {
    this.clock = clock;
    this.#fetch = fetch;
    this.#logger = logger;
  }

  /**
   * Sends one request and returns the reply whatever its status; the timeout ends with the arrival
   * of its headers. A redirect is followed to where a token may go, and returned otherwise.
   * @throws {HttpRequestError} when there is no reply; the cause is kept
   */
  send(url: string, init: TransportInit = {}): Promise<Response> {
    return this.receive(url, init, (response) => response);
  }

  /**
   * Sends one request and reads of the reply what the caller wants, within the timeout. An error of
   * our own thrown by `read` passes.
   * @throws {HttpTimeoutError} when the time is over
   * @throws {HttpRedirectError} in a browser, when the reply is a redirect
   * @throws {HttpAbortedError} when the signal is aborted
   * @throws {HttpRequestError} when the network fails; the cause is kept
   */
  async receive<T>(
    url: string,
    init: TransportInit,
    read: (response: Response) => T | Promise<T>,
  ): Promise<T> {
    const { timeout, signal, method = 'GET' } = init;
    let limit: TimeLimit | undefined;
    let unread: object | null = null;
    try {
      if (timeout !== undefined) {
        const file = onDemand();
        const { TimeLimit } = file instanceof Promise ? await file : file;
        limit = new TimeLimit(this.clock, timeout, signal);
      }
      const request = requestInit(init, method, limit?.signal ?? signal);
      let response = await this.#send(url, request);
      if (response.type === 'opaqueredirect')
        throw new HttpRedirectError(
          `${method} ${withoutQuery(url)} failed: the reply is a redirect, and a browser does not say where to.`,
        );
      if (isRedirect(response)) {
        // Rare: a shop that was renamed. Loaded when it happens.
        const { followed, refused } = await onDemand();
        if (init.redirect) await refused(response, method, url);
        response = await followed(response, url, request, (next) => this.#send(next, request));
      }
      if (this.#logger?.logsHttpRequests)
        this.#logger.debug('Received a reply', {
          method,
          url: withoutQuery(url),
          status: response.status,
        });
      const value = await read(response);
      if (!response.bodyUsed) unread = response.body;
      return value;
    } catch (cause) {
      if (cause instanceof PlatformError) throw cause;
      const call = `${method} ${withoutQuery(url)}`;
      if (limit?.isOver)
        throw new HttpTimeoutError(`${call} failed: no reply within ${timeout} ms.`, { cause });
      if (signal?.aborted)
        throw new HttpAbortedError(`${call} failed: the call was aborted.`, { cause });
      throw new HttpRequestError(`${call} failed: ${reasonOf(cause)}.`, { cause });
    } finally {
      limit?.cancel(unread);
    }
  }

  #send(url: string, init: RequestInit): Promise<Response> {
    const fetch = this.#fetch ?? globalThis.fetch;
    return fetch(url, init);
  }
}

const load = () => loaded(import('./on-demand.js'));
type OnDemand = Awaited<ReturnType<typeof load>>;
let known: OnDemand | undefined;

/**
 * What a call needs that is limited in time, paced, refused or sent on. Only the first such call
 * has to wait for it.
 * @throws {HttpRequestError} when it cannot be had
 */
export function onDemand(): OnDemand | Promise<OnDemand> {
  return known ?? load().then((file) => (known = file));
}

/**
 * A file that most calls do not need, and that a browser is sent when one does.
 * @throws {HttpRequestError} when it cannot be had
 */
export function loaded<T>(file: Promise<T>): Promise<T> {
  return file.catch((cause: unknown) => {
    throw new HttpRequestError('A part of the client could not be loaded.', { cause });
  });
}

/** The typed error for a reply that is not what was asked for, of {@link FailedReply}'s file. */
export async function replyError(
  reply: FailedReply,
  body: unknown,
  why?: string,
): Promise<HttpResponseError> {
  try {
    return (await onDemand()).errorFor(reply, body, why);
  } catch {
    // The status is known, whatever else is not: this is no call without a reply.
    const { status: code, statusText, headers } = reply.response;
    const kept = { code, statusText, body, headers: headerMap(headers) };
    return new HttpResponseError(`Received an error: the platform answered ${code}`, kept);
  }
}

/** What `fetch` is given; every call of an app goes through here. */
export interface OutgoingInit extends RequestInit {
  readonly method: string;
}

function requestInit(
  { headers, body, keepalive }: TransportInit,
  method: string,
  signal: AbortSignal | undefined,
): OutgoingInit {
  // Workers know no other way to refuse redirects.
  const init: OutgoingInit = { method, redirect: 'manual' };
  if (headers !== undefined) init.headers = headers;
  if (body !== undefined) init.body = body;
  if (signal !== undefined) init.signal = signal;
  if (keepalive !== undefined) init.keepalive = keepalive;
  return init;
}

/** A URL as messages name it: a query may hold secrets, and so may a fragment. */
export function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0]!;
}

/** The host of a URL. A relative one, which browsers know, stands for itself. */
export function hostOf(url: string): string {
  return (URL.canParse(url) && new URL(url).host) || withoutQuery(url);
}

/** `fetch failed` says nothing; its cause does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error
    ? error.cause.message || ('code' in error.cause ? String(error.cause.code) : error.message)
    : error.message;
}

/** True for a reply that sends the caller elsewhere. */
export function isRedirect({ status }: Response): boolean {
  return MOVED.has(status);
}

/** The part of a Node stream that is used; node-fetch gives one for a body. */
interface NodeStream extends AsyncIterable<Uint8Array> {
  on(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'unpipe', listener: (source: NodeStream) => void): unknown;
  destroy(): unknown;
}

/** Ends the transfer of a body that nobody will read: it would keep the connection busy. */
export async function discard(response: Response | undefined): Promise<void> {
  const body = response?.body;
  if (isNodeStream(body)) destroy(body);
  else await body?.cancel?.().catch(() => {});
}

/** True for a body that is a stream of Node's. */
export function isNodeStream(body: unknown): body is NodeStream {
  return typeof (body as Partial<NodeStream> | null | undefined)?.destroy === 'function';
}

/** Ends a stream and what is piped into it: node-fetch 2 would leave the connection open. */
export function destroy(stream: NodeStream): void {
  stream.on('error', () => {});
  stream.once('unpipe', destroy);
  stream.destroy();
}
