import { PlatformError } from '../core.errors.js';
import type { ErrorCode } from '../core.errors.js';

/** What is known of a call to the platform; each fact is there only when it is known. */
export interface ApiFacts {
  /** Domain of the shop. */
  readonly shop?: string | undefined;
  /** What was called, such as `GET products` or `query Products`. */
  readonly operation?: string | undefined;
  /** HTTP status of the last reply. */
  readonly status?: number | undefined;
  /** The platform's id of the last request, to be named to its support. */
  readonly requestId?: string | undefined;
  /** What the call cost or would have cost, in the unit of its bucket. */
  readonly cost?: number | undefined;
  /** How often it was sent. */
  readonly attempts?: number | undefined;
}

/** What an {@link ApiError} is made with. */
export interface ApiErrorOptions extends ApiFacts {
  readonly cause?: unknown;
}

/** A call to the platform failed. Never holds a token. */
export abstract class ApiError extends PlatformError implements ApiFacts {
  // Declared, not initialised: what is not known should not be printed as `undefined`.
  declare readonly shop?: string;
  declare readonly operation?: string;
  declare readonly status?: number;
  declare readonly requestId?: string;
  declare readonly cost?: number;
  declare readonly attempts?: number;

  constructor(message: string, { cause, ...facts }: ApiErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    for (const [name, value] of Object.entries(facts))
      if (value !== undefined) Object.assign(this, { [name]: value });
  }
}

/**
 * No whole reply came: the network failed, the call timed out or was aborted.
 * @remedy Look at `cause`: name resolution, TLS or a firewall between the app and the shop. A call
 * that may run twice can be repeated.
 */
export class HttpRequestError extends ApiError {
  readonly code: ErrorCode = 'ERR_HTTP_REQUEST';
}

/**
 * No whole reply came within the time the call was given.
 * @remedy Ask for less, or allow the call more time. Whether it ran is unknown: check before it is
 * made again.
 */
export class HttpTimeoutError extends HttpRequestError {
  override readonly code = 'ERR_HTTP_TIMEOUT';
}

/**
 * The caller's signal ended the call.
 * @remedy Nothing: whoever aborted the call knows.
 */
export class HttpAbortedError extends HttpRequestError {
  override readonly code = 'ERR_HTTP_ABORTED';
}

/**
 * The reply is a redirect that cannot be followed: a browser does not say where it leads, so nobody
 * knows whether the access token may go there.
 * @remedy Make the call on a server.
 */
export class HttpRedirectError extends HttpRequestError {
  override readonly code = 'ERR_HTTP_REDIRECT';
}

/** Headers by name, spelled as in `Content-Type`; each with its values. */
export type HeaderMap = Readonly<Record<string, string[]>>;

/** A header name as it is usually written, such as `X-Request-Id`. */
export function titleOf(name: string): string {
  return name.toLowerCase().replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}

/** The headers of a reply in the form the platform's own library gives them. */
export function headerMap(headers: Headers): HeaderMap {
  // Not at once an object, which has a `__proto__` already.
  const map = new Map<string, string[]>();
  for (const [given, value] of headers) {
    // Not every `fetch` gives names in lower case.
    const name = titleOf(given);
    const values = map.get(name);
    if (values) values.push(value);
    else map.set(name, [value]);
  }
  return Object.fromEntries(map);
}

/** What is kept of a reply that was an error. */
export interface ErrorResponse {
  readonly code: number;
  readonly statusText: string;
  /** Parsed JSON, else the text. */
  readonly body?: unknown;
  /** As in `{ 'Retry-After': ['2.0'] }`. */
  readonly headers: HeaderMap;
  /** Seconds the platform asks to wait. */
  readonly retryAfter?: number | undefined;
}

/**
 * The platform answered, but not with what was asked for.
 * @remedy Correct what `response.body` names.
 */
export class HttpResponseError extends ApiError {
  readonly code: ErrorCode = 'ERR_HTTP_RESPONSE';

  constructor(
    message: string,
    readonly response: ErrorResponse,
    options: ApiErrorOptions = {},
  ) {
    super(message, {
      status: response.code,
      requestId: response.headers['X-Request-Id']?.[0],
      ...options,
    });
  }
}

/**
 * The access token is missing, expired or revoked (401).
 * @remedy Inside a request, let the error through: the merchant is sent to get another token. In a
 * job, skip the shop until somebody of it opens the app.
 */
export class AuthenticationError extends HttpResponseError {
  override readonly code = 'ERR_HTTP_AUTHENTICATION';
}

/**
 * The token does not reach that far (403): a scope is missing.
 * @remedy Ask for the scope; some data needs the platform's approval besides.
 */
export class AccessDeniedError extends HttpResponseError {
  override readonly code = 'ERR_HTTP_ACCESS_DENIED';
}

/**
 * A success by its status, but the body is not what such a call answers with.
 * @remedy Look for a proxy or a `fetch` of the app's own that answers in the platform's place;
 * else name `requestId` to its support.
 */
export class MalformedReplyError extends HttpResponseError {
  override readonly code = 'ERR_HTTP_MALFORMED_REPLY';
}

/**
 * A status after which the same call may succeed later.
 * @remedy Call again later, with a key or a check when it may have run.
 */
export class HttpRetriableError extends HttpResponseError {
  override readonly code: ErrorCode = 'ERR_HTTP_RETRIABLE';
}

/**
 * The platform failed (5xx).
 * @remedy Call again later. Name `requestId` to the platform's support if it stays.
 */
export class HttpInternalError extends HttpRetriableError {
  override readonly code = 'ERR_HTTP_INTERNAL';
}

/**
 * The platform asks to slow down (429).
 * @remedy Wait for `response.retryAfter` seconds, or let the client retry.
 */
export class HttpThrottlingError extends HttpRetriableError {
  override readonly code = 'ERR_HTTP_THROTTLED';
}

/**
 * A 429 or 5xx remained after the last of the retries that the call asked for; `response` is the
 * last reply, `cause` the error a single attempt would have thrown.
 * @remedy Call again later. After a 429 make fewer calls at a time: processes do not know of each
 * other without `pacing: { redis }`.
 */
export class HttpMaxRetriesError extends HttpResponseError {
  override readonly code = 'ERR_HTTP_MAX_RETRIES';
}

/**
 * The platform named the same page of a list a second time: walking on would never end.
 * @remedy Begin the list again. Name `requestId` to the platform's support if it stays.
 */
export class PaginationLoopError extends ApiError {
  readonly code = 'ERR_PAGINATION_LOOP';
}

/**
 * A call cannot be made as asked: an argument is out of range.
 * @remedy Correct the argument that the message names.
 */
export class InvalidRequestError extends PlatformError {
  readonly code = 'ERR_REQUEST_INVALID';
}

/**
 * A standalone client cannot be made with these options; the message names the client, the option
 * and its value, never the access token.
 * @remedy Change the option that the message names.
 */
export class InvalidClientOptionsError extends PlatformError {
  readonly code = 'ERR_CLIENT_OPTIONS_INVALID';

  constructor(client: ClientName, problem: string) {
    super(`${client}: ${problem}`);
  }
}

/** What a standalone client calls itself in its messages. */
export type ClientName =
  'Admin API Client' | 'Storefront API Client' | 'GraphQL Client' | (string & {});
