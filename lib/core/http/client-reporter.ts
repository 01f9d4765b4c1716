import { isApiVersion, supportedApiVersions } from '../api-version.js';
import { plainClock } from '../time/plain-clock.js';
import { HEADERS } from '../vendor.js';
import type { ApiCallObserver, ApiRequest, CallRetry, ObservedCall } from './api-call.js';
import { InvalidClientOptionsError } from './http.errors.js';
import type { ClientName } from './http.errors.js';

/**
 * What a standalone client logs, under the names the platform's own clients use. The access token
 * is taken out.
 */
export type ClientLog =
  | {
      readonly type: 'HTTP-Response';
      readonly content: { readonly requestParams: LoggedRequest; readonly response: Response };
    }
  | {
      readonly type: 'HTTP-Retry';
      readonly content: {
        readonly requestParams: LoggedRequest;
        /** Absent when the network failed. */
        readonly lastResponse?: Response;
        /** Counts from 1. */
        readonly retryAttempt: number;
        readonly maxRetries: number;
      };
    }
  | {
      readonly type: 'HTTP-Response-GraphQL-Deprecation-Notice';
      readonly content: {
        readonly requestParams: LoggedRequest;
        readonly deprecationNotice: string;
      };
    }
  | {
      readonly type: 'Unsupported_Api_Version';
      readonly content: {
        readonly apiVersion: string;
        readonly supportedApiVersions: readonly string[];
      };
    };

/** URL and init of a request, as `fetch` took them, the access token replaced. */
export type LoggedRequest = readonly [
  url: string,
  init: {
    readonly method: string;
    /** Absent when the request has none: only one of `generateHttpFetch` may have none. */
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  },
];

/** Gets what a standalone client sends and receives, without its secrets. */
export type ClientLogger = (log: ClientLog) => void;

/** What a logger is not shown. A client of any GraphQL interface sends the last two. */
const SECRET_HEADERS: readonly string[] = [
  HEADERS.accessToken,
  HEADERS.storefrontPrivateToken,
  HEADERS.storefrontPublicToken,
  'authorization',
  'cookie',
];

/**
 * Reports a standalone client's calls to its logger, without the access token. A logger that throws
 * changes nothing about a call.
 */
export class ClientReporter implements ApiCallObserver {
  readonly #checkedVersions = new Set<string>();

  constructor(
    private readonly client: ClientName,
    private readonly logger: ClientLogger | undefined,
  ) {}

  /**
   * The version as it goes into a path. One that the platform does not support at present is used
   * all the same, and reported once.
   * @throws {InvalidClientOptionsError} when it is not a version
   */
  checkedVersion(given: string): string {
    const version = typeof given === 'string' ? given.trim() : given;
    if (this.#checkedVersions.has(version)) return version;
    const supported = supportedApiVersions(plainClock.now());
    if (!isApiVersion(version)) {
      throw new InvalidClientOptionsError(
        this.client,
        `the provided apiVersion ("${String(given)}") is invalid. Pass one of ${supported.join(', ')}, or any other of that form.`,
      );
    }
    this.#checkedVersions.add(version);
    if (!supported.includes(version)) this.#reportUnsupported(version, supported);
    return version;
  }

  replied({ request }: ObservedCall, response: Response): void {
    this.#emit(() => ({
      type: 'HTTP-Response',
      content: { requestParams: withoutToken(request), response },
    }));
  }

  retried({ request }: ObservedCall, { number, most, last }: CallRetry): void {
    this.#emit(() => ({
      type: 'HTTP-Retry',
      content: {
        requestParams: withoutToken(request),
        retryAttempt: number,
        maxRetries: most,
        ...(last && { lastResponse: last }),
      },
    }));
  }

  deprecated({ request }: ObservedCall, deprecationNotice: string): void {
    this.#emit(() => ({
      type: 'HTTP-Response-GraphQL-Deprecation-Notice',
      content: { requestParams: withoutToken(request), deprecationNotice },
    }));
  }

  #reportUnsupported(apiVersion: string, supportedApiVersions: readonly string[]): void {
    if (this.logger)
      this.#emit(() => ({
        type: 'Unsupported_Api_Version',
        content: { apiVersion, supportedApiVersions },
      }));
    else
      console.warn(
        `${this.client}: API version ${apiVersion} is likely deprecated or not supported. Supported at present: ${supportedApiVersions.join(', ')}.`,
      );
  }

  #emit(logOf: () => ClientLog): void {
    if (!this.logger) return;
    try {
      this.logger(logOf());
    } catch {
      // The reply matters more than the line about it.
    }
  }
}

function withoutToken({ url, headers, ...init }: ApiRequest): LoggedRequest {
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    SECRET_HEADERS.includes(name) ? '[redacted]' : value,
  ]);
  return [url, shown.length > 0 ? { ...init, headers: Object.fromEntries(shown) } : init];
}
