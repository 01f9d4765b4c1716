import type { ApiTarget } from '../core/api-session.js';
import type { ApiCaller, ApiReply } from '../core/http/api-caller.js';
import { apiHeaders, renewedHeaders } from '../core/http/api-headers.js';
import type { HeaderOptions } from '../core/http/api-headers.js';
import type { ApiListeners, ApiRequest } from '../core/http/client-reporter.js';
import type { Priority } from '../core/pacing/pacer.js';
import { restBucket } from './rest-bucket.js';
import { pathText, restUrl } from './rest-path.js';
import type { RestAddress } from './rest-path.js';

export type RestMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** How long a call may take and how much it matters. */
export interface CallOptions {
  /** `background` lets calls go first that someone waits for. @default 'interactive' */
  readonly priority?: Priority | undefined;
  /** Of one attempt, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Of the whole call with all its attempts and waits, in milliseconds. @default none */
  readonly deadline?: number | undefined;
  /** Ends the call, also while it waits. */
  readonly signal?: AbortSignal | undefined;
  /** A POST may be sent again although it may have been done. @default false */
  readonly idempotent?: boolean | undefined;
}

/** One call, in the words of the caller. */
export interface RestCall extends RestAddress, CallOptions {
  readonly method: RestMethod;
  readonly data?: object | string | undefined;
  readonly headers?: HeaderOptions | undefined;
  readonly retries?: number | undefined;
}

export interface RestSenderOptions {
  readonly target: ApiTarget;
  readonly userAgent: string;
  readonly caller: ApiCaller;
  /** @default true */
  readonly formatPaths?: boolean | undefined;
  /** Milliseconds between attempts when the platform names none. */
  readonly retryWait?: number | undefined;
}

/** Puts calls of one shop into HTTP. */
export class RestSender {
  readonly #options: RestSenderOptions;

  constructor(options: RestSenderOptions) {
    this.#options = options;
  }

  /**
   * The request that a call stands for.
   * @throws {InvalidRequestError} when its path leads elsewhere
   */
  request(call: RestCall): ApiRequest {
    const { target, userAgent, formatPaths = true } = this.#options;
    const body = typeof call.data === 'string' ? call.data : call.data && JSON.stringify(call.data);
    return {
      url: restUrl(target.origin, call, formatPaths),
      init: {
        method: call.method,
        headers: apiHeaders(call.headers, target.accessToken, userAgent),
        ...(body && { body }),
      },
    };
  }

  /**
   * Sends it, again where that does no harm.
   * @param read what is read of the reply, within the timeout
   * @throws {HttpRequestError} when no reply came
   */
  send<T>(
    call: RestCall,
    { url, init }: ApiRequest,
    read: (response: Response) => T | Promise<T>,
    listeners?: ApiListeners,
  ): Promise<ApiReply<T>> {
    const {
      method,
      retries,
      priority,
      timeout,
      deadline,
      signal,
      idempotent = method !== 'POST',
    } = call;
    const { target, caller, retryWait } = this.#options;
    return caller.call({
      shop: target.shop,
      operation: `${method} ${pathText(call.path)}`,
      url,
      method,
      headers: init.headers,
      body: init.body,
      kind: 'rest',
      cost: one,
      priority,
      repeatable: idempotent,
      retries,
      wait: retryWait,
      timeout,
      deadline,
      signal,
      read,
      bucket: restBucket,
      renewed: target.renew && (() => renewedHeaders(target, init.headers)),
      ...listeners,
    });
  }
}

/** Every request costs the same. */
function one(): number {
  return 1;
}
