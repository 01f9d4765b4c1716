// The functions that the platform's own client package exports for those who build a client.
import { apiQuarter, isApiVersion, supportedApiVersions } from '../core/api-version.js';
import type { ApiQuarter } from '../core/api-version.js';
import { ownHeaders, checkedRetries, spelledHeaders } from '../core/http/api-request.js';
import { ClientReporter } from '../core/http/client-reporter.js';
import { InvalidClientOptionsError } from '../core/http/http.errors.js';
import { hostOf, withoutQuery } from '../core/http/http-transport.js';
import {
  STANDALONE_RETRY_WAIT,
  standaloneCaller,
  storeOrigin,
} from '../core/http/standalone-caller.js';
import type { CustomFetchApi } from '../core/http/standalone-caller.js';
import { unpaced } from '../core/pacing/pacer.js';
import { plainClock } from '../core/time/plain-clock.js';
import type {
  ApiClientConfig,
  ApiClientLogger,
  ApiClientRequestOptions,
  Headers,
  Logger,
} from './client-types.js';
import type { RequestParams } from './graphql-api-client.js';

/** What {@link generateHttpFetch} is made with. */
export interface GenerateHttpFetchOptions {
  readonly clientLogger: Logger;
  readonly customFetchApi?: CustomFetchApi | undefined;
  /** Named in messages. @default 'GraphQL Client' */
  readonly client?: string | undefined;
  /** Milliseconds between attempts when the platform names none. @default 1000 */
  readonly defaultRetryWaitTime?: number | undefined;
  /** Statuses after which a request is sent again. @default 429, 500, 502, 503, 504 */
  readonly retriableCodes?: readonly number[] | undefined;
}

/**
 * A `fetch` that sends a request again after a failure: what `fetch` is called with, the number of
 * the attempt, which is 1, and how often it may be sent again.
 */
export function generateHttpFetch({
  clientLogger,
  customFetchApi,
  client = 'GraphQL Client',
  defaultRetryWaitTime = STANDALONE_RETRY_WAIT,
  retriableCodes,
}: GenerateHttpFetchOptions) {
  const caller = standaloneCaller({ customFetchApi, pacer: unpaced, retries: 0 });
  const observer = new ClientReporter(client, clientLogger as ApiClientLogger);
  return async (
    [url, init = {}]: Parameters<CustomFetchApi>,
    count: number,
    maxRetries: number,
  ): Promise<Response> => {
    const { method = 'GET', headers, body, signal, keepalive } = init;
    const reply = await caller.call({
      shop: hostOf(url),
      operation: `${method} ${withoutQuery(url)}`,
      request: {
        url,
        method,
        headers: Object.fromEntries(new globalThis.Headers(headers)),
        ...(body !== undefined && { body }),
      },
      kind: 'graphql',
      cost: () => 0,
      repeatable: true,
      retriable: retriableCodes,
      retries: Math.max(0, maxRetries - count + 1),
      wait: defaultRetryWaitTime,
      signal,
      keepalive,
      read: () => undefined,
      observer,
    });
    return reply.response;
  };
}

/** @throws {InvalidRequestError} for retries that are no whole number from 0 to 3 */
export function validateRetries({
  retries,
}: {
  readonly client: string;
  readonly retries?: number | undefined;
}): void {
  if (retries !== undefined) checkedRetries(retries);
}

/** The message of an error, or anything else as JSON. */
export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : (JSON.stringify(error) ?? String(error));
}

/**
 * The origin of a store.
 * @throws {InvalidClientOptionsError} for what is no domain of a store
 */
export function validateDomainAndGetStoreUrl({
  client,
  storeDomain,
}: {
  readonly client: string;
  readonly storeDomain: string | undefined;
}): string {
  return storeOrigin(client, { storeDomain: storeDomain ?? '' });
}

/**
 * Reports a version that is not among those given: to the logger, else to the console.
 * @throws {InvalidClientOptionsError} for what is no version
 */
export function validateApiVersion({
  client,
  currentSupportedApiVersions,
  apiVersion,
  logger,
}: {
  readonly client: string;
  readonly currentSupportedApiVersions: readonly string[];
  readonly apiVersion: string;
  readonly logger?: ApiClientLogger | undefined;
}): void {
  const known = currentSupportedApiVersions.join(', ');
  const version = typeof apiVersion === 'string' ? apiVersion.trim() : apiVersion;
  if (!isApiVersion(version))
    throw new InvalidClientOptionsError(
      client,
      `the provided apiVersion ("${String(apiVersion)}") is invalid. Pass one of ${known}.`,
    );
  if (currentSupportedApiVersions.includes(version)) return;
  if (logger)
    logger({
      type: 'Unsupported_Api_Version',
      content: { apiVersion, supportedApiVersions: currentSupportedApiVersions },
    });
  else
    console.warn(
      `${client}: API version ${version} is likely deprecated or not supported. Known: ${known}.`,
    );
}

export type { ApiQuarter };

/** The version of the current quarter, in UTC. */
export function getCurrentApiVersion(): ApiQuarter {
  return apiQuarter(plainClock.now());
}

/** The versions of three quarters past, of the current and of the next, and `unstable`. */
export function getCurrentSupportedApiVersions(): string[] {
  return supportedApiVersions(plainClock.now());
}

/** `getHeaders` of a client: those of a call, and above them the client's own. */
export function generateGetHeaders(
  config: Pick<ApiClientConfig, 'headers'> & Partial<ApiClientConfig>,
): (custom?: Headers) => Record<string, string> {
  return (custom) =>
    spelledHeaders(
      { ...ownHeaders(custom), ...ownHeaders(config.headers) },
      { ...custom, ...config.headers },
    );
}

/** Makes the arguments of a {@link GraphQLClient} from those of a client of a store. */
export function generateGetGQLClientParams({
  getHeaders,
  getApiUrl,
}: {
  readonly getHeaders: (headers?: Headers) => Headers;
  readonly getApiUrl: (apiVersion?: string) => string;
}): (operation: string, options?: ApiClientRequestOptions) => RequestParams {
  return (operation, { apiVersion, headers, ...options } = {}) => [
    operation,
    {
      ...options,
      ...(apiVersion && { url: getApiUrl(apiVersion) }),
      ...(headers && { headers: getHeaders(headers) }),
    },
  ];
}
