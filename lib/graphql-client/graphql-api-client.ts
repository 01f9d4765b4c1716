import type { Untyped } from '../core/json.js';
import { ownHeaders } from '../core/http/api-request.js';
import type { GraphqlEndpoint } from '../core/http/api-request.js';
import { ClientReporter } from '../core/http/client-reporter.js';
import { hostOf } from '../core/http/http-transport.js';
import { STANDALONE_RETRY_WAIT, standaloneCaller } from '../core/http/standalone-caller.js';
import type { CustomFetchApi } from '../core/http/standalone-caller.js';
import { unpaced } from '../core/pacing/pacer.js';
import { STOREFRONT_HEADERS } from '../core/vendor.js';
import { VERSION } from '../core/version.js';
import type { ClientResponse, ClientStreamIterator, Headers, Logger } from './client-types.js';
import { FREE } from './graphql-operation.js';
import { GraphqlClient } from './graphql.client.js';
import type { GraphqlCallOptions } from './graphql.options.js';

/** What a client of any GraphQL interface is made with. */
export interface ClientOptions {
  /** Where the calls go, with all that `headers` hold. */
  readonly url: string;
  readonly headers: Headers;
  readonly customFetchApi?: CustomFetchApi | undefined;
  /** Attempts after the first, 0 to 3. @default 0 */
  readonly retries?: number | undefined;
  readonly logger?: Logger | undefined;
}

/** What such a client says of itself. */
export type ClientConfig = Readonly<
  Required<Pick<ClientOptions, 'headers' | 'url'>> & { retries: number }
>;

/** Options of one call. */
export interface RequestOptions extends Omit<GraphqlCallOptions, 'apiVersion'> {
  readonly variables?: Readonly<Record<string, Untyped>> | undefined;
  /** In place of the client's. */
  readonly url?: string | undefined;
}

/** The arguments of one call. */
export type RequestParams = [operation: string, options?: RequestOptions];

/** A client of any GraphQL interface; see {@link createGraphQLClient}. */
export interface GraphQLClient {
  readonly config: ClientConfig;
  fetch(...params: RequestParams): Promise<Response>;
  request<TData = Untyped>(...params: RequestParams): Promise<ClientResponse<TData>>;
  requestStream<TData = Untyped>(...params: RequestParams): Promise<ClientStreamIterator<TData>>;
}

/**
 * A client of any GraphQL interface, such as the Customer Account API. A request never throws what
 * the server answers: look at `errors`. A logger is shown the `headers`, but not access tokens,
 * `Authorization` and `Cookie`.
 * @throws {InvalidRequestError} when the retries are out of range
 */
export function createGraphQLClient({
  url,
  headers,
  customFetchApi,
  retries = 0,
  logger,
}: ClientOptions): GraphQLClient {
  const caller = standaloneCaller({ customFetchApi, pacer: unpaced, retries });
  const observer = new ClientReporter(
    'GraphQL Client',
    logger && ((log) => log.type !== 'Unsupported_Api_Version' && logger(log)),
  );
  const clientOf = (address: string) =>
    new GraphqlClient<Record<never, never>, 'all'>({ shop: hostOf(address) }, 'unstable', {
      endpoint: endpointOf(address, headers),
      caller,
      costs: FREE,
      errorPolicy: 'all',
      userErrors: 'return',
      wait: STANDALONE_RETRY_WAIT,
      observer,
    });
  const own = clientOf(url);
  const clientFor = (address = url) => (address === url ? own : clientOf(address));
  return Object.freeze<GraphQLClient>({
    config: Object.freeze({ headers, url, retries }),
    fetch: async (operation, { url, ...options } = {}) =>
      (await clientFor(url).fetch(operation, options)) as Response,
    request: async (operation, { url, ...options } = {}) =>
      clientFor(url).request(operation, options),
    requestStream: async (operation, { url, ...options } = {}) =>
      clientFor(url).requestStream(operation, options),
  });
}

function endpointOf(url: string, configured: Headers): GraphqlEndpoint {
  return {
    shop: hostOf(url),
    url: () => url,
    headers: (own) => {
      const headers = { ...ownHeaders(configured), ...ownHeaders(own) };
      headers['content-type'] ??= 'application/json';
      headers['accept'] ??= 'application/json';
      if (
        !(STOREFRONT_HEADERS.sdkVariant in headers) &&
        !(STOREFRONT_HEADERS.sdkVersion in headers)
      ) {
        headers[STOREFRONT_HEADERS.sdkVariant] = 'shopwright';
        headers[STOREFRONT_HEADERS.sdkVersion] = VERSION;
      }
      return headers;
    },
  };
}
