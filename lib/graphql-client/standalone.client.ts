import type { ApiVersion } from '../core/api-version.js';
import { spelledHeaders } from '../core/http/api-request.js';
import type { GraphqlEndpoint, HeaderOptions } from '../core/http/api-request.js';
import type { ClientLogger } from '../core/http/client-reporter.js';
import { ClientReporter } from '../core/http/client-reporter.js';
import type { CustomFetchApi } from '../core/http/standalone-caller.js';
import { InvalidClientOptionsError } from '../core/http/http.errors.js';
import type { ClientName } from '../core/http/http.errors.js';
import {
  STANDALONE_RETRY_WAIT,
  standaloneCaller,
  storeOrigin,
} from '../core/http/standalone-caller.js';
import type { Pacer } from '../core/pacing/pacer.js';
import { GraphqlClient } from './graphql.client.js';
import { problemInPolicies } from './graphql-result.js';
import type { ErrorPolicy, UserErrorPolicy } from './graphql.options.js';
import type { CostEstimates } from './graphql-operation.js';

/** What both standalone clients are made with. */
export interface StandaloneClientOptions<Policy extends ErrorPolicy> {
  /**
   * Domain of the store, such as `my-shop.myshopify.com`; a local host (`localhost:3000`) only with
   * scheme `http`.
   */
  readonly storeDomain: string;
  /** `YYYY-MM` or `unstable`. */
  readonly apiVersion: ApiVersion | (string & {});
  /** Attempts after the first, 0 to 3. @default 0 */
  readonly retries?: number | undefined;
  readonly logger?: ClientLogger | undefined;
  /** @default the global `fetch`, looked up at each call */
  readonly customFetchApi?: CustomFetchApi | undefined;
  /**
   * `http` would send the token in clear text: only toward this machine, or through a
   * `customFetchApi`. @default 'https'
   */
  readonly scheme?: 'https' | 'http' | undefined;
  /** `all` never throws what the platform answers, `throw` throws it. @default 'all' */
  readonly errorPolicy?: Policy | undefined;
  /** What becomes of that which a mutation refuses. @default 'return' */
  readonly userErrors?: UserErrorPolicy | undefined;
}

/** Options that ask for errors to be thrown. */
export interface ThrowingOption {
  readonly errorPolicy: 'throw';
}

/**
 * What a standalone client says of itself. What holds the token is left out when it is printed or
 * made JSON.
 */
export class StandaloneClientConfig {
  /** Origin of the store. */
  readonly storeDomain: string;
  readonly apiVersion: string;
  readonly apiUrl: string;
  readonly #endpoint: GraphqlEndpoint;

  constructor({ origin, apiVersion, endpoint }: Store) {
    this.storeDomain = origin;
    this.apiVersion = apiVersion;
    this.apiUrl = endpoint.url(apiVersion);
    this.#endpoint = endpoint;
  }

  /** With the token; names are spelled as in `X-Shopify-Access-Token`. */
  get headers(): Readonly<Record<string, string>> {
    return spelledHeaders(this.#endpoint.headers());
  }
}

/** The store a client was made for. */
export interface Store {
  readonly origin: string;
  readonly apiVersion: string;
  readonly endpoint: GraphqlEndpoint;
}

/**
 * A client of one store that needs nothing else of the toolkit. Its members can be taken off the
 * object.
 */
export interface StandaloneClient<Config, Operations, Policy extends ErrorPolicy> {
  readonly config: Config;
  /**
   * All headers of a call, spelled as in `config.headers`, the others as in `custom`. Names are
   * compared without regard to case; those that prove who calls cannot be replaced.
   */
  getHeaders(custom?: HeaderOptions): Record<string, string>;
  /** @throws {InvalidClientOptionsError} for what is no version */
  getApiUrl(apiVersion?: string): string;
  readonly fetch: GraphqlClient<Operations, Policy>['fetch'];
  readonly request: GraphqlClient<Operations, Policy>['request'];
  readonly requestStream: GraphqlClient<Operations, Policy>['requestStream'];
  readonly paginate: GraphqlClient<Operations, Policy>['paginate'];
  /**
   * Lets go of the connection that pacing over Redis has opened; calls that wait for their turn are
   * let through, later ones are not paced. Without such pacing there is nothing to close.
   */
  close(): Promise<void>;
}

/** What is special about a client. */
interface Making<Config> {
  readonly name: ClientName;
  /** Checks the rest of the options, and says where the client calls. */
  readonly endpoint: (store: { readonly shop: string; readonly origin: string }) => GraphqlEndpoint;
  readonly config: (store: Store) => Config;
  readonly pacer: () => Pacer;
  readonly costs: CostEstimates;
}

/**
 * Makes a client that stands alone.
 * @throws {InvalidClientOptionsError} when an option is missing or unusable
 */
export function createStandaloneClient<Config, Operations, Policy extends ErrorPolicy>(
  options: StandaloneClientOptions<Policy>,
  { name, endpoint: endpointOf, config: configOf, pacer, costs }: Making<Config>,
): StandaloneClient<Config, Operations, Policy> {
  const origin = storeOrigin(name, options);
  const shop = origin.slice(origin.indexOf('//') + 2);
  const reporter = new ClientReporter(name, options.logger);
  const apiVersion = reporter.checkedVersion(options.apiVersion);
  const endpoint = endpointOf({ shop, origin });
  const { errorPolicy = 'all' as Policy, userErrors = 'return' } = options;
  const problem = problemInPolicies(errorPolicy, userErrors);
  if (problem !== undefined) throw new InvalidClientOptionsError(name, problem);
  const { retries = 0, customFetchApi } = options;
  const caller = standaloneCaller({ customFetchApi, pacer: pacer(), retries });
  const client = new GraphqlClient<Operations, Policy>({ shop }, apiVersion, {
    endpoint,
    caller,
    costs,
    errorPolicy,
    userErrors,
    wait: STANDALONE_RETRY_WAIT,
    checkedVersion: (version) => reporter.checkedVersion(version),
    observer: reporter,
  });
  return Object.freeze({
    config: configOf({ origin, apiVersion, endpoint }),
    getHeaders: (custom?: HeaderOptions) =>
      spelledHeaders(endpoint.headers(custom), {
        ...custom,
        ...spelledHeaders(endpoint.headers()),
      }),
    getApiUrl: (version?: string) =>
      endpoint.url(version ? reporter.checkedVersion(version) : apiVersion),
    fetch: detached(client, client.fetch),
    request: detached(client, client.request),
    requestStream: detached(client, client.requestStream),
    paginate: detached(client, client.paginate),
    close: () => caller.close(),
  });
}

/**
 * A method that can be taken off its object. `bind` does the same, and takes longer than all the
 * rest of making a client.
 */
function detached<Method extends (...args: never[]) => unknown>(
  client: object,
  method: Method,
): Method {
  return ((...args: never[]) => method.apply(client, args)) as Method;
}
