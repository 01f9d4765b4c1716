import { PlatformError } from '../core.errors.js';

/** What is kept of a reply that was an error. */
export interface ErrorResponse {
  readonly code: number;
  readonly statusText: string;
  /** Parsed JSON, else the text. */
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds the platform asks to wait. */
  readonly retryAfter?: number | undefined;
}

/** No reply came: the network failed, the call timed out or was aborted. */
export class HttpRequestError extends PlatformError {
  readonly code: string = 'ERR_HTTP_REQUEST';
}

/** The platform answered with a status that is not a success. */
export class HttpResponseError extends PlatformError {
  readonly code: string = 'ERR_HTTP_RESPONSE';

  constructor(
    message: string,
    readonly response: ErrorResponse,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }

  /** The platform's id of the request, to be named to its support. */
  get requestId(): string | undefined {
    return this.response.headers['x-request-id'];
  }
}

/** A status after which the same call may succeed later. */
export class HttpRetriableError extends HttpResponseError {
  override readonly code: string = 'ERR_HTTP_RETRIABLE';
}

/** The platform failed (5xx). */
export class HttpInternalError extends HttpRetriableError {
  override readonly code = 'ERR_HTTP_INTERNAL';
}

/** The platform asks to slow down (429). */
export class HttpThrottlingError extends HttpRetriableError {
  override readonly code = 'ERR_HTTP_THROTTLED';
}

/** A 429 or 5xx remained after every retry that was asked for. */
export class HttpMaxRetriesError extends PlatformError {
  readonly code = 'ERR_HTTP_MAX_RETRIES';
}

/** A call cannot be made as asked: an argument is out of range. */
export class InvalidRequestError extends PlatformError {
  readonly code = 'ERR_REQUEST_INVALID';
}
