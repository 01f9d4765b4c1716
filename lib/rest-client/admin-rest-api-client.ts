import type { ApiVersion } from '../core/api-version.js';
import { isAccessToken } from '../core/api.session.js';
import { systemClock } from '../core/clock.js';
import type { HeaderOptions } from '../core/http/api-headers.js';
import type { ClientLogger } from '../core/http/client-log.js';
import { HttpTransport } from '../core/http/http.transport.js';
import { checkedRetries } from '../core/http/retry.js';
import { userAgent } from '../core/http/user-agent.js';
import { ClientReporter } from './client.reporter.js';
import { InvalidClientOptionsError } from './rest-client.errors.js';
import { RestSender } from './rest.sender.js';
import type { RestCall, RestMethod } from './rest.sender.js';
import type { SearchParams } from './search-params.js';
import { storeOrigin } from './store-origin.js';

/** The part of `fetch` that a client uses. */
export type CustomFetchApi = (
  url: string,
  init?: { method?: string; headers?: HeadersInit; body?: string; signal?: AbortSignal },
) => Promise<Response>;

export interface AdminRestApiClientOptions {
  /** Domain of the store, such as `my-shop.myshopify.com`; a local host (`localhost:3000`) only with scheme `http`. */
  readonly storeDomain: string;
  /** `YYYY-MM` or `unstable`. */
  readonly apiVersion: ApiVersion | (string & {});
  readonly accessToken: string;
  /** Put in front of the client's own `User-Agent`. */
  readonly userAgentPrefix?: string | undefined;
  /** Attempts after the first, 0 to 3. @default 0 */
  readonly retries?: number | undefined;
  readonly logger?: ClientLogger | undefined;
  /** @default the global `fetch`, looked up at each call */
  readonly customFetchApi?: CustomFetchApi | undefined;
  /** `http` would send the token in clear text: only toward this machine, or through a `customFetchApi`. @default 'https' */
  readonly scheme?: 'https' | 'http' | undefined;
  /** Milliseconds between attempts when the platform names none. @default 1000 */
  readonly defaultRetryTime?: number | undefined;
  /** Completes `products` to `/admin/api/<version>/products.json`. @default true */
  readonly formatPaths?: boolean | undefined;
  /** Allows a `window` to exist, for tests. @default false */
  readonly isTesting?: boolean | undefined;
}

export interface GetRequestOptions {
  readonly headers?: HeaderOptions | undefined;
  readonly searchParams?: SearchParams | undefined;
  /** Attempts after the first, for this call. */
  readonly retries?: number | undefined;
  /** For this call. */
  readonly apiVersion?: ApiVersion | (string & {}) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PostRequestOptions extends GetRequestOptions {
  /** An object is sent as JSON, a text as it is. */
  readonly data: object | string;
}

export type PutRequestOptions = PostRequestOptions;
export type DeleteRequestOptions = GetRequestOptions;

/** Each method answers with the platform's reply as it came, whatever its status: look at `ok`. */
export interface AdminRestApiClient {
  get(path: string, options?: GetRequestOptions): Promise<Response>;
  post(path: string, options: PostRequestOptions): Promise<Response>;
  put(path: string, options: PutRequestOptions): Promise<Response>;
  delete(path: string, options?: DeleteRequestOptions): Promise<Response>;
}

/**
 * A client of one store's Admin REST interface. Needs nothing else of the toolkit.
 *
 * With `retries`, a 429 is sent again; a 500, 502, 503, 504 or a lost connection as well, unless the call is a POST. An attempt takes 30 seconds at most.
 * @example
 * const client = createAdminRestApiClient({ storeDomain: 'my-shop.myshopify.com', apiVersion: '2026-07', accessToken });
 * const { products } = await (await client.get('products', { searchParams: { limit: 10 } })).json();
 * @throws {InvalidClientOptionsError} when an option is missing or unusable
 */
export function createAdminRestApiClient(options: AdminRestApiClientOptions): AdminRestApiClient {
  const origin = storeOrigin(options);
  if (typeof window !== 'undefined' && !options.isTesting) {
    throw new InvalidClientOptionsError('this client should not be used in the browser: it would show the access token to everyone.');
  }
  const reporter = new ClientReporter(options.logger);
  const defaultVersion = reporter.checkedVersion(options.apiVersion);
  if (!isAccessToken(options.accessToken)) {
    throw new InvalidClientOptionsError('an access token must be provided: printable characters without spaces.');
  }
  const defaultRetries = checkedRetries(options.retries ?? 0);
  const sender = new RestSender({
    target: { origin, accessToken: options.accessToken },
    userAgent: userAgent(options),
    transport: new HttpTransport({ fetch: options.customFetchApi && asFetch(options.customFetchApi), clock: systemClock }),
    formatPaths: options.formatPaths,
    retryWait: options.defaultRetryTime,
  });

  const send = async (method: RestMethod, path: string, request: Partial<PostRequestOptions> = {}): Promise<Response> => {
    const { headers, data, searchParams, signal, apiVersion, retries } = request;
    const call: RestCall = {
      method,
      path,
      headers,
      data,
      searchParams,
      signal,
      apiVersion: apiVersion === undefined ? defaultVersion : reporter.checkedVersion(apiVersion),
      retries: retries === undefined ? defaultRetries : checkedRetries(retries),
    };
    const outgoing = sender.request(call);
    const { response } = await sender.send(call, outgoing, reporter.listeners(outgoing, call.retries));
    return response;
  };

  return {
    get: (path, request) => send('GET', path, request),
    post: (path, request) => send('POST', path, request),
    put: (path, request) => send('PUT', path, request),
    delete: (path, request) => send('DELETE', path, request),
  };
}

function asFetch(custom: CustomFetchApi): typeof globalThis.fetch {
  return async (url, { method, headers, body, signal } = {}) =>
    custom(String(url), {
      ...(method && { method }),
      ...(headers && { headers }),
      ...(typeof body === 'string' && { body }),
      ...(signal && { signal }),
    });
}
