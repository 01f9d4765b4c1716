import { apiTarget } from '../core/api.session.js';
import type { ApiSession } from '../core/api.session.js';
import type { PlatformConfig } from '../core/config/platform.config.js';
import { checkedApiVersion } from '../core/http/checked-api-version.js';
import { DeprecationNotices } from '../core/http/deprecation-notices.js';
import type { HttpTransport } from '../core/http/http.transport.js';
import { userAgent } from '../core/http/user-agent.js';
import type { PlatformLogger } from '../core/logger.js';
import type { AdminOperation, DataOf, UntypedOperation } from './admin-operations.js';
import { GraphqlClient } from './graphql.client.js';
import type { GraphqlRequestOptions, TypedOptions } from './graphql.client.js';
import type { GraphqlResult } from './graphql.result.js';

/** The Admin GraphQL interface for an app: hands out a client per session. */
export class AdminGraphqlClient {
  readonly #deprecations: DeprecationNotices;

  constructor(
    private readonly config: PlatformConfig,
    private readonly transport: HttpTransport,
    private readonly logger: PlatformLogger,
  ) {
    this.#deprecations = new DeprecationNotices(transport.clock, logger);
  }

  /**
   * A client for one session, of the app's API version unless another is named.
   * @throws {InvalidShopError} when the session names no shop
   * @throws {MissingRequiredArgument} when there is no access token
   */
  for(session: ApiSession, options: { readonly apiVersion?: string | undefined } = {}): GraphqlClient {
    const target = apiTarget(this.config, session);
    const apiVersion = checkedApiVersion(options.apiVersion ?? this.config.apiVersion);
    if (options.apiVersion !== undefined) {
      this.logger.debug(`GraphQL client overriding default API version ${this.config.apiVersion} with ${apiVersion}`);
    }
    return new GraphqlClient(session, apiVersion, target, userAgent(this.config), this.transport, this.#deprecations);
  }

  /** Shorthand for a single request of a session; see {@link GraphqlClient.request}. */
  request<Operation extends AdminOperation>(
    session: ApiSession,
    query: Operation,
    ...options: TypedOptions<Operation>
  ): Promise<GraphqlResult<DataOf<Operation>>>;
  request<TData = unknown, Text extends string = string>(
    session: ApiSession,
    query: UntypedOperation<Text>,
    options?: GraphqlRequestOptions,
  ): Promise<GraphqlResult<TData>>;
  async request<TData>(session: ApiSession, query: string, options?: GraphqlRequestOptions): Promise<GraphqlResult<TData>> {
    return this.for(session).request<TData>(query, options);
  }
}
