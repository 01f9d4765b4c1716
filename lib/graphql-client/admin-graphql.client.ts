import { apiTarget } from '../core/api-session.js';
import type { ApiSession, ClientOptions, TokenRenewer } from '../core/api-session.js';
import type { PlatformConfig } from '../core/config/platform-config.js';
import type { ApiCaller } from '../core/http/api-caller.js';
import { adminEndpoint, versionFor, userAgent } from '../core/http/api-request.js';
import { DeprecationNotices } from '../core/http/deprecation-notices.js';
import type { Untyped } from '../core/json.js';
import type { PlatformLogger } from '../core/logger.js';
import type { AdminOperations } from './admin-operations.js';
import type { DataOf, TypedDocument, UntypedText } from './graphql-document.js';
import { QueryCosts } from './graphql-operation.js';
import type { GraphqlResult } from './graphql-result.js';
import { GraphqlClient } from './graphql.client.js';
import type { ArgumentsFor, OwnPolicy } from './graphql.options.js';

/** The Admin GraphQL interface for an app: hands out a client per session. */
export class AdminGraphqlClient {
  readonly #deprecations: DeprecationNotices;
  readonly #costs = new QueryCosts();

  constructor(
    private readonly config: PlatformConfig,
    private readonly caller: ApiCaller,
    private readonly logger: PlatformLogger,
    private readonly renewer?: TokenRenewer,
  ) {
    this.#deprecations = new DeprecationNotices(caller.clock, logger);
  }

  /**
   * A client for one session, of the app's API version unless another is named.
   * @throws {InvalidShopError} when the session names no shop
   * @throws {MissingRequiredArgument} when there is no access token
   */
  for(session: ApiSession, options: ClientOptions = {}): GraphqlClient {
    const { renewer, config, logger } = this;
    const target = apiTarget(config, session, renewer);
    const apiVersion = versionFor('GraphQL', options.apiVersion, config.apiVersion, logger);
    return new GraphqlClient(session, apiVersion, {
      endpoint: adminEndpoint(target, userAgent(config)),
      caller: this.caller,
      costs: this.#costs,
      errorPolicy: 'throw',
      userErrors: config.userErrors,
      priority: options.priority,
      observer: this.#deprecations,
    });
  }

  /** Shorthand for a single request of a session; see {@link GraphqlClient.request}. */
  request<TData = Untyped, const Text extends string = string>(
    session: ApiSession,
    document: UntypedText<AdminOperations, Text>,
    options?: OwnPolicy<'throw'>,
  ): Promise<GraphqlResult<TData>>;
  request<const Document extends TypedDocument<AdminOperations>>(
    session: ApiSession,
    document: Document,
    ...options: ArgumentsFor<AdminOperations, Document, OwnPolicy<'throw'>>
  ): Promise<GraphqlResult<DataOf<AdminOperations, Document>>>;
  async request(
    session: ApiSession,
    document: string,
    options?: OwnPolicy<'throw'>,
  ): Promise<GraphqlResult> {
    return this.for(session).request(document, options);
  }
}
