import type { Clock } from '../time/clock.js';
import { PlatformError } from '../core.errors.js';
import type { PlatformLogger } from '../logger.js';
import { HttpAbortedError, HttpRequestError, HttpTimeoutError } from './http.errors.js';
import { sanitizeShop } from '../shop-domain.js';
import { TimeLimit } from './call-limits.js';

const MOST_REDIRECTS = 3;
const MOVED: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** After these the same request may be sent again, whatever its method. */
const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);

export interface TransportOptions {
  /** @default the global `fetch`, looked up at each call */
  readonly fetch?: typeof fetch | undefined;
  readonly clock: Clock;
  readonly logger?: PlatformLogger | undefined;
}

export interface TransportInit extends Pick<
  RequestInit,
  'method' | 'headers' | 'body' | 'redirect'
> {
  /** Gives up after this many milliseconds. @default none */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
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
   * Sends one request and also reads the reply as text within the timeout.
   * @throws {HttpRequestError} when there is no whole reply; the cause is kept
   */
  sendAndRead(
    url: string,
    init: TransportInit = {},
  ): Promise<{ response: Response; text: string }> {
    return this.receive(url, init, async (response) => ({ response, text: await response.text() }));
  }

  /**
   * Sends one request and reads of the reply what the caller wants, within the timeout. An error of
   * our own thrown by `read` passes.
   * @throws {HttpTimeoutError} when the time is over
   * @throws {HttpAbortedError} when the signal is aborted
   * @throws {HttpRequestError} when the network fails; the cause is kept
   */
  async receive<T>(
    url: string,
    init: TransportInit,
    read: (response: Response) => T | Promise<T>,
  ): Promise<T> {
    const { timeout, signal } = init;
    const limit = timeout === undefined ? undefined : new TimeLimit(this.clock, timeout, signal);
    const request = requestInit(init, limit?.signal ?? signal);
    let unread: ReadableStream | null = null;
    try {
      let response = await this.#send(url, request);
      if (isRedirect(response) && request.redirect === 'manual')
        response = await this.#follow(response, url, request);
      if (this.#logger?.logsHttpRequests)
        this.#logger.debug('Received a reply', {
          method: request.method,
          url: withoutQuery(url),
          status: response.status,
        });
      const value = await read(response);
      if (!response.bodyUsed) unread = response.body;
      return value;
    } catch (cause) {
      if (cause instanceof PlatformError) throw cause;
      const call = `${request.method} ${withoutQuery(url)}`;
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

  async #follow(redirect: Response, from: string, init: OutgoingInit): Promise<Response> {
    let [response, url] = [redirect, from];
    for (let hops = 0; hops < MOST_REDIRECTS; hops++) {
      const next = safeRedirect(response, url, init.method);
      if (next === undefined) break;
      await response.body?.cancel();
      [response, url] = [await this.#send(next, init), next];
    }
    return response;
  }
}

/** What `fetch` is given; every call of an app goes through here. */
interface OutgoingInit extends RequestInit {
  readonly method: string;
}

function requestInit(
  { method = 'GET', headers, body, redirect = 'manual' }: TransportInit,
  signal: AbortSignal | undefined,
): OutgoingInit {
  const init: OutgoingInit = { method, redirect };
  if (headers !== undefined) init.headers = headers;
  if (body !== undefined) init.body = body;
  if (signal !== undefined) init.signal = signal;
  return init;
}

function withoutQuery(url: string): string {
  return url.split('?', 1)[0]!;
}

/** `fetch failed` says nothing; its cause does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error
    ? error.cause.message || ('code' in error.cause ? String(error.cause.code) : error.message)
    : error.message;
}

/** True for a reply that sends the caller elsewhere. */
function isRedirect({ status }: Response): boolean {
  return MOVED.has(status);
}

/**
 * Where a reply sends the caller, if the same request may go there, token and all: to the same
 * origin, or from one shop to another, as when a shop has been renamed. `fetch` by itself would
 * take an access token to any host, since it knows only `Authorization` as a secret, and make a GET
 * of a POST.
 */
export function safeRedirect(response: Response, from: string, method: string): string | undefined {
  const location = isRedirect(response) ? response.headers.get('location') : null;
  if (location === null || !URL.canParse(location, from)) return undefined;
  if (method !== 'GET' && method !== 'HEAD' && !KEEPS_METHOD.has(response.status)) return undefined;
  const target = new URL(location, from);
  const source = new URL(from);
  const betweenShops =
    target.protocol === 'https:' &&
    sanitizeShop(target.host) !== null &&
    sanitizeShop(source.host) !== null;
  return target.origin === source.origin || betweenShops ? target.href : undefined;
}
