import type { ApiTarget } from '../core/api-session.js';
import type { ApiCallObserver, ApiReply, ApiRequest, ReplyUsage } from '../core/http/api-call.js';
import type { ApiCaller } from '../core/http/api-caller.js';
import { apiHeaders, jsonText } from '../core/http/api-request.js';
import type { HeaderOptions } from '../core/http/api-request.js';
import type { Priority } from '../core/pacing/pacer.js';
import { HEADERS } from '../core/vendor.js';
import { pathText, restUrl } from './rest-path.js';
import type { RestAddress } from './rest-path.js';

/** The methods of the REST interface. */
export type RestMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The time limits, the priority and the safety of a call. */
export interface CallOptions {
  /** `background` calls are sent after interactive ones. @default 'interactive' */
  readonly priority?: Priority | undefined;
  /** Time limit of one attempt, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Time limit of the whole call with its attempts and waits, in milliseconds. @default none */
  readonly deadline?: number | undefined;
  /** Aborts the call, also while it waits. */
  readonly signal?: AbortSignal | undefined;
  /** In a browser, the call outlives the page that makes it. @default false */
  readonly keepalive?: boolean | undefined;
  /** Whether a POST may be sent again although it may have been executed. @default false */
  readonly idempotent?: boolean | undefined;
}

/** One REST call. */
export interface RestCall extends RestAddress, CallOptions {
  readonly method: RestMethod;
  readonly data?: object | string | undefined;
  readonly headers?: HeaderOptions | undefined;
  readonly retries?: number | undefined;
}

interface RestSenderOptions {
  readonly target: ApiTarget;
  readonly userAgent: string;
  readonly caller: ApiCaller;
  /** @default true */
  readonly formatPaths?: boolean | undefined;
  /** Milliseconds between attempts when the platform gives none. */
  readonly retryWait?: number | undefined;
  /** Of the calls that name none. @default 'interactive' */
  readonly priority?: Priority | undefined;
  readonly observer?: ApiCallObserver | undefined;
}

/** Sends the REST calls of one shop. */
export class RestSender {
  readonly #options: RestSenderOptions;

  constructor(options: RestSenderOptions) {
    this.#options = options;
  }

  /**
   * Sends a call, and retries it where that is safe.
   * @param read reads the reply, within the timeout
   * @throws {InvalidRequestError} when its path leads to another origin, or JSON has no form for
   * its data
   * @throws {HttpRequestError} when no reply came
   */
  send<T>(call: RestCall, read: (response: Response) => T | Promise<T>): Promise<ApiReply<T>> {
    const { method, idempotent = method !== 'POST' } = call;
    const { target, caller, retryWait, priority, observer } = this.#options;
    return caller.call({
      shop: target.shop,
      operation: `${method} ${pathText(call.path)}`,
      request: this.#request(call),
      token: target.token,
      kind: 'rest',
      cost: one,
      priority: call.priority ?? priority,
      repeatable: idempotent,
      retries: call.retries,
      wait: retryWait,
      timeout: call.timeout,
      deadline: call.deadline,
      signal: call.signal,
      keepalive: call.keepalive,
      read,
      usage: restUsage,
      observer,
    });
  }

  #request(call: RestCall): ApiRequest {
    const { target, userAgent, formatPaths = true } = this.#options;
    const body =
      typeof call.data === 'string' ? call.data : call.data && jsonText(call.data, 'data');
    return {
      url: restUrl(target.origin, call, formatPaths),
      method: call.method,
      headers: apiHeaders(call.headers, target.token.current, userAgent),
      ...(body && { body }),
    };
  }
}

/**
 * The bucket of requests that a reply reports (`32/40`: used and size). The pacer learns how fast
 * it is restored.
 */
function restUsage({ headers }: Response): ReplyUsage | undefined {
  const [used, capacity] = (headers.get(HEADERS.callLimit) ?? '').split('/').map(Number);
  if (used === undefined || !capacity || !(used >= 0)) return undefined;
  return { bucket: { available: Math.max(0, capacity - used), capacity } };
}

/** Every request costs the same. */
function one(): number {
  return 1;
}
