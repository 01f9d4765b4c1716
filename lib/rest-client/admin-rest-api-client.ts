import { AccessToken } from '../core/api-session.js';
import type { ApiVersion } from '../core/api-version.js';
import type { HeaderOptions } from '../core/http/api-request.js';
import type { ClientLogger } from '../core/http/client-reporter.js';
import { ClientReporter } from '../core/http/client-reporter.js';
import type { CustomFetchApi } from '../core/http/standalone-caller.js';
import { retriesIn, userAgent } from '../core/http/api-request.js';
import {
  STANDALONE_RETRY_WAIT,
  refuseBrowser,
  refuseNoToken,
  standaloneCaller,
  storeOrigin,
} from '../core/http/standalone-caller.js';
import { standalonePacer } from '../core/http/standalone-pacer.js';
import type { PacingOption } from '../core/pacing/pacing-option.js';
import { pageInfoOf } from './page-info.js';
import { pagesFrom } from './rest-pages.js';
import type { RestPath } from './rest-path.js';
import { RestSender } from './rest-sender.js';
import type { CallOptions, RestCall, RestMethod } from './rest-sender.js';
import type { SearchParams } from './search-params.js';

const CLIENT = 'Admin API Client';

/** Options of {@link createAdminRestApiClient}. */
export interface AdminRestApiClientOptions {
  /**
   * Domain of the store, such as `my-shop.myshopify.com`; a local host (`localhost:3000`) only with
   * scheme `http`.
   */
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
  /**
   * `http` sends the token in clear text. It is allowed only to this machine, or with a
   * `customFetchApi`.
   * @default 'https'
   */
  readonly scheme?: 'https' | 'http' | undefined;
  /** Milliseconds between attempts when the platform names none. @default 1000 */
  readonly defaultRetryTime?: number | undefined;
  /** Completes `products` to `/admin/api/<version>/products.json`. @default true */
  readonly formatPaths?: boolean | undefined;
  /**
   * Delays calls, so that the platform does not reject them: the calls of this client (`'memory'`),
   * or of every client that uses the same Redis; see `close()`.
   * @default false
   */
  readonly pacing?: PacingOption | undefined;
  /** Allows a `window` to exist, for tests. @default false */
  readonly isTesting?: boolean | undefined;
}

/** Options of a call by `get`. */
export interface GetRequestOptions extends Omit<CallOptions, 'idempotent'> {
  readonly headers?: HeaderOptions | undefined;
  readonly searchParams?: SearchParams | undefined;
  /** Attempts after the first, for this call. */
  readonly retries?: number | undefined;
  /** For this call. */
  readonly apiVersion?: ApiVersion | (string & {}) | undefined;
}

/** Options of a call by `put`. */
export interface PutRequestOptions extends GetRequestOptions {
  /** An object is sent as JSON, a text as it is. */
  readonly data: object | string;
}

/** Options of a call by `post`. */
export interface PostRequestOptions extends PutRequestOptions, Pick<CallOptions, 'idempotent'> {}

/** Options of a call by `delete`. */
export type DeleteRequestOptions = GetRequestOptions;

/**
 * Each method returns the platform's response as it came, whatever its status, also after the last
 * retry: check `ok`. A path is `products`, `['products', id]`, the whole of
 * `/admin/api/2026-07/products.json`, or a URL of the same store.
 */
export interface AdminRestApiClient {
  get(path: RestPath, options?: GetRequestOptions): Promise<Response>;
  post(path: RestPath, options: PostRequestOptions): Promise<Response>;
  put(path: RestPath, options: PutRequestOptions): Promise<Response>;
  delete(path: RestPath, options?: DeleteRequestOptions): Promise<Response>;
  /**
   * Yields the pages of a list. Each is fetched when it is requested. A response that is not a
   * success is the last one.
   * @throws {PaginationLoopError} when the platform names a page for the second time
   */
  pages(path: RestPath, options?: GetRequestOptions): AsyncGenerator<Response, void, undefined>;
  /**
   * Closes the connection that pacing over Redis has opened. Calls that wait are sent, and later
   * calls are not paced. Not needed without such pacing.
   */
  close(): Promise<void>;
}

/**
 * A client of one store's Admin REST API. It works without the rest of the toolkit.
 *
 * With `retries`, a 429 is sent again; a 500, 502, 503, 504 or a lost connection as well, unless
 * the call is a POST that is not marked `idempotent`. There is no timeout unless a call names one.
 * @example
 * const client = createAdminRestApiClient({ storeDomain: 'my-shop.myshopify.com', apiVersion: '2026-07', accessToken });
 * const { products } = await (await client.get('products', { searchParams: { limit: 10 } })).json();
 * @throws {InvalidClientOptionsError} when an option is missing or unusable
 */
export function createAdminRestApiClient(options: AdminRestApiClientOptions): AdminRestApiClient {
  const origin = storeOrigin(CLIENT, options);
  const shop = new URL(origin).host;
  refuseBrowser(CLIENT, options.isTesting);
  const reporter = new ClientReporter(CLIENT, options.logger);
  const defaultVersion = reporter.checkedVersion(options.apiVersion);
  refuseNoToken(CLIENT, options.accessToken);
  const { retries: defaultRetries = 0, defaultRetryTime = STANDALONE_RETRY_WAIT } = options;
  const { customFetchApi, pacing, accessToken } = options;
  const pacer = standalonePacer(CLIENT, pacing, accessToken);
  const caller = standaloneCaller({ customFetchApi, pacer, retries: defaultRetries });
  const sender = new RestSender({
    target: { shop, origin, token: new AccessToken(options.accessToken) },
    userAgent: userAgent(options),
    caller,
    formatPaths: options.formatPaths,
    retryWait: defaultRetryTime,
    observer: reporter,
  });

  const send = async (
    method: RestMethod,
    path: RestPath,
    given: Partial<PostRequestOptions> | null | undefined,
  ): Promise<Response> => {
    const { apiVersion, retries, ...options } = given ?? {};
    const call = {
      ...options,
      method,
      path,
      apiVersion: apiVersion ? reporter.checkedVersion(apiVersion) : defaultVersion,
      retries: retriesIn({ retries }) ?? defaultRetries,
    } satisfies RestCall;
    return (await sender.send(call, unread)).response;
  };

  return {
    get: (path, request) => send('GET', path, request),
    post: (path, request) => send('POST', path, request),
    put: (path, request) => send('PUT', path, request),
    delete: (path, request) => send('DELETE', path, request),
    pages: (path, request) =>
      pagesFrom(
        shop,
        { path, query: request?.searchParams },
        (page) => send('GET', page.path, { ...request, searchParams: page.query }),
        ({ headers }) => pageInfoOf(headers, undefined, ''),
      ),
    close: () => caller.close(),
  };
}

/** Reads nothing: the caller of the client reads the response. */
function unread(): void {}
