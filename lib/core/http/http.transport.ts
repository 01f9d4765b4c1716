import type { PlatformLogger } from '../logger.js';
import type { Clock } from '../clock.js';
import { HttpRequestError } from './http.errors.js';

export interface TransportOptions {
  /** @default the global `fetch`, looked up at each call */
  readonly fetch?: typeof fetch | undefined;
  readonly clock: Clock;
  readonly logger?: PlatformLogger | undefined;
}

export interface TransportInit extends Omit<RequestInit, 'signal'> {
  /** Gives up after this many milliseconds. @default none */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The one way out: every request the toolkit makes goes through here. Adds a timeout; never logs a header or a body. */
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
   * Sends one request and returns the reply whatever its status; the timeout ends with the arrival of its headers.
   * @throws {HttpRequestError} when there is no reply; the cause is kept
   */
  send(url: string, init: TransportInit = {}): Promise<Response> {
    return this.#inTime(url, init, (response) => response);
  }

  /**
   * Sends one request and also reads the reply as text within the timeout.
   * @throws {HttpRequestError} when there is no whole reply; the cause is kept
   */
  sendAndRead(url: string, init: TransportInit = {}): Promise<{ response: Response; text: string }> {
    return this.#inTime(url, init, async (response) => ({ response, text: await response.text() }));
  }

  async #inTime<T>(url: string, { timeout, signal, ...init }: TransportInit, read: (response: Response) => T | Promise<T>): Promise<T> {
    const method = init.method ?? 'GET';
    const deadline = timeout === undefined ? undefined : this.#deadline(timeout);
    const signals = [signal, deadline?.signal].filter((one) => one !== undefined);
    try {
      const fetch = this.#fetch ?? globalThis.fetch;
      const response = await fetch(url, { ...init, ...(signals.length > 0 && { signal: AbortSignal.any(signals) }) });
      if (this.#logger?.logsHttpRequests)
        this.#logger.debug('Received a reply', { method, url: withoutQuery(url), status: response.status });
      return await read(response);
    } catch (cause) {
      const why = deadline?.signal.aborted ? `no reply within ${timeout} ms` : signal?.aborted ? 'the call was aborted' : reasonOf(cause);
      throw new HttpRequestError(`${method} ${withoutQuery(url)} failed: ${why}.`, { cause });
    } finally {
      deadline?.cancel();
    }
  }

  #deadline(ms: number): { signal: AbortSignal; cancel(): void } {
    const expired = new AbortController();
    const cancelled = new AbortController();
    this.clock.sleep(ms, cancelled.signal).then(
      () => expired.abort(),
      () => {},
    );
    return { signal: expired.signal, cancel: () => cancelled.abort() };
  }
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
