import type { ApiTarget } from '../core/api.session.js';
import { apiHeaders } from '../core/http/api-headers.js';
import type { HeaderOptions } from '../core/http/api-headers.js';
import type { HttpTransport } from '../core/http/http.transport.js';
import { ONCE_ONLY, REPEATABLE, sendWithRetries } from '../core/http/retry.js';
import type { Replied, RetryOptions } from '../core/http/retry.js';
import { ADMIN_API_PATH } from '../core/vendor.js';
import { searchString } from './search-params.js';
import type { SearchParams } from './search-params.js';

const TIMEOUT = 30_000;

export type RestMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One call, in the words of the caller. */
export interface RestCall {
  readonly method: RestMethod;
  readonly path: string;
  readonly apiVersion: string;
  readonly searchParams?: SearchParams | undefined;
  readonly data?: object | string | undefined;
  readonly headers?: HeaderOptions | undefined;
  readonly retries: number;
  readonly signal?: AbortSignal | undefined;
}

/** The same call as `fetch` takes it. */
export interface RestRequest {
  readonly url: string;
  readonly init: { readonly method: RestMethod; readonly headers: Readonly<Record<string, string>>; readonly body?: string };
}

export interface RestSenderOptions {
  readonly target: ApiTarget;
  readonly userAgent: string;
  readonly transport: HttpTransport;
  /** @default true */
  readonly formatPaths?: boolean | undefined;
  /** Milliseconds between attempts when the platform names none. */
  readonly retryWait?: number | undefined;
}

/** What is heard of a request on its way. */
export type RestListeners = Pick<RetryOptions, 'onReply' | 'onRetry' | 'onFinal'>;

/** Puts calls of one shop into HTTP. */
export class RestSender {
  readonly #options: RestSenderOptions;

  constructor(options: RestSenderOptions) {
    this.#options = options;
  }

  /** The request that a call stands for. */
  request(call: RestCall): RestRequest {
    const { target, userAgent, formatPaths = true } = this.#options;
    const body = typeof call.data === 'string' ? call.data : call.data && JSON.stringify(call.data);
    return {
      url: `${target.origin}/${pathOf(call, formatPaths)}`,
      init: { method: call.method, headers: apiHeaders(call.headers, target.accessToken, userAgent), ...(body && { body }) },
    };
  }

  /**
   * Sends it, again where that does no harm.
   * @throws {HttpRequestError} when no reply came
   */
  send(call: RestCall, { url, init }: RestRequest, listeners: RestListeners = {}): Promise<Replied> {
    const { transport, retryWait } = this.#options;
    return sendWithRetries(() => transport.send(url, { ...init, timeout: TIMEOUT, signal: call.signal }), {
      clock: transport.clock,
      rule: call.method === 'POST' ? ONCE_ONLY : REPEATABLE,
      retries: call.retries,
      wait: retryWait,
      signal: call.signal,
      ...listeners,
    });
  }
}

function pathOf({ path, apiVersion, searchParams }: RestCall, formatPaths: boolean): string {
  const mark = path.indexOf('?');
  const pathname = mark < 0 ? path : path.slice(0, mark);
  const query = [mark < 0 ? '' : path.slice(mark + 1), searchString(searchParams)].filter(Boolean).join('&');
  return (formatPaths ? formatted(pathname, apiVersion) : pathname.replace(/^\//, '')) + (query && `?${query}`);
}

function formatted(pathname: string, apiVersion: string): string {
  const bare = pathname.replace(/^\/+/, '');
  const full = /^admin(?:\/|$)/.test(bare) ? bare : `${ADMIN_API_PATH.slice(1)}/${apiVersion}/${bare}`;
  return full.endsWith('.json') ? full : `${full}.json`;
}
