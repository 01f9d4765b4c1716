import { ApiVersion, isApiVersion, isKnownApiVersion } from '../api-version.js';
import { systemClock } from '../time/clock.js';
import type { ClientLog, ClientLogger, RequestParams } from './client-log.js';
import { PlatformLogger } from '../logger.js';
import { HEADERS } from '../vendor.js';
import type { ApiCall } from './api-caller.js';
import { InvalidClientOptionsError } from './http.errors.js';
import type { ClientName } from './http.errors.js';

/** A request as `fetch` takes it. */
export interface ApiRequest {
  readonly url: string;
  readonly init: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
}

/** What is heard of a call on its way. */
export type ApiListeners = Pick<ApiCall<unknown>, 'onReply' | 'onRetry' | 'onFinal'>;

const TOKEN_HEADERS = [
  HEADERS.accessToken,
  HEADERS.storefrontPrivateToken,
  HEADERS.storefrontPublicToken,
];
const KNOWN_VERSIONS: readonly string[] = Object.values(ApiVersion);

/**
 * Tells a standalone client's logger what happens, without the access token. A logger that throws
 * disturbs nobody.
 */
export class ClientReporter {
  readonly #reportedVersions: string[] = [];

  constructor(
    private readonly client: ClientName,
    private readonly logger: ClientLogger | undefined,
  ) {}

  /**
   * The version as it goes into a path. One that we do not know is used all the same, and reported
   * once.
   * @throws {InvalidClientOptionsError} when it is no version at all
   */
  checkedVersion(given: string): string {
    const version = typeof given === 'string' ? given.trim() : given;
    if (!isApiVersion(version)) {
      throw new InvalidClientOptionsError(
        this.client,
        `the provided apiVersion ("${String(given)}") is invalid. Pass one of ${KNOWN_VERSIONS.join(', ')}, or any other of that form.`,
      );
    }
    if (!isKnownApiVersion(version) && !this.#reportedVersions.includes(version)) {
      this.#reportedVersions.push(version);
      this.#reportUnknown(version);
    }
    return version;
  }

  /** Reports each reply and each further attempt of one request. */
  listeners(request: ApiRequest, maxRetries: number): ApiListeners {
    if (!this.logger) return {};
    const requestParams = withoutToken(request);
    return {
      onReply: (response) =>
        this.#emit({ type: 'HTTP-Response', content: { requestParams, response } }),
      onRetry: (retryAttempt, last) =>
        this.#emit({
          type: 'HTTP-Retry',
          content: { requestParams, retryAttempt, maxRetries, ...(last && { lastResponse: last }) },
        }),
      onFinal: (response) => {
        const deprecationNotice = response.headers.get(HEADERS.deprecatedReason);
        if (deprecationNotice)
          this.#emit({
            type: 'HTTP-Response-GraphQL-Deprecation-Notice',
            content: { requestParams, deprecationNotice },
          });
      },
    };
  }

  #reportUnknown(apiVersion: string): void {
    if (this.logger)
      this.#emit({
        type: 'Unsupported_Api_Version',
        content: { apiVersion, supportedApiVersions: KNOWN_VERSIONS },
      });
    else
      new PlatformLogger(undefined, systemClock).warn(
        `API version ${apiVersion} is likely deprecated or not supported. Known: ${KNOWN_VERSIONS.join(', ')}.`,
      );
  }

  #emit(log: ClientLog): void {
    try {
      this.logger?.(log);
    } catch {
      // The reply matters more than the line about it.
    }
  }
}

function withoutToken({ url, init }: ApiRequest): RequestParams {
  const headers = Object.entries(init.headers).map(([name, value]) => [
    name,
    TOKEN_HEADERS.some((one) => one === name) ? '[redacted]' : value,
  ]);
  return [url, { ...init, headers: Object.fromEntries(headers) as Record<string, string> }];
}
