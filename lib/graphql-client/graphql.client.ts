import type { ApiSession, ApiTarget } from '../core/api.session.js';
import { MissingRequiredArgument } from '../core/core.errors.js';
import { apiHeaders } from '../core/http/api-headers.js';
import type { HeaderOptions } from '../core/http/api-headers.js';
import type { DeprecationNotices } from '../core/http/deprecation-notices.js';
import type { HttpTransport } from '../core/http/http.transport.js';
import { ONCE_ONLY, REPEATABLE, checkedRetries, sendWithRetries } from '../core/http/retry.js';
import { checkedApiVersion } from '../core/http/checked-api-version.js';
import { ADMIN_API_PATH } from '../core/vendor.js';
import type { AdminOperation, DataOf, UntypedOperation, VariablesOf } from './admin-operations.js';
import { resultOf } from './graphql.result.js';
import type { GraphqlResult } from './graphql.result.js';

export type { GraphqlResult } from './graphql.result.js';

const TIMEOUT = 30_000;

export interface GraphqlRequestOptions {
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: HeaderOptions | undefined;
  /** Attempts after the first, 0 to 3. A mutation is repeated only when the platform was too busy to begin it. @default 0 */
  readonly retries?: number | undefined;
  /** For this call. */
  readonly apiVersion?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The same with the variables of an operation whose types are known; optional when none of them is required. */
export type TypedOptions<Operation extends AdminOperation> =
  Record<never, never> extends VariablesOf<Operation>
    ? [options?: Omit<GraphqlRequestOptions, 'variables'> & { readonly variables?: VariablesOf<Operation> | undefined }]
    : [options: Omit<GraphqlRequestOptions, 'variables'> & { readonly variables: VariablesOf<Operation> }];

/** Calls the Admin GraphQL interface of one shop on behalf of one session. */
export class GraphqlClient {
  /** Holds the token: out of reach of `console.log`. */
  readonly #target: ApiTarget;

  /** @internal Made by `AdminGraphqlClient.for()`. */
  constructor(
    readonly session: ApiSession,
    readonly apiVersion: string,
    target: ApiTarget,
    private readonly userAgent: string,
    private readonly transport: HttpTransport,
    private readonly deprecations: DeprecationNotices,
  ) {
    this.#target = target;
  }

  /**
   * Runs one query or mutation. What a mutation refuses itself (`userErrors`) is data.
   * @throws {GraphqlQueryError} when the reply has errors; `body.data` holds what was answered all the same
   * @throws {HttpResponseError} when the status is no success; {@link HttpThrottlingError} (429) and {@link HttpInternalError} (5xx) are derived from it
   * @throws {HttpMaxRetriesError} when a 429 or 5xx remained after every retry
   * @throws {HttpRequestError} when no reply came
   */
  request<Operation extends AdminOperation>(
    query: Operation,
    ...options: TypedOptions<Operation>
  ): Promise<GraphqlResult<DataOf<Operation>>>;
  request<TData = unknown, Text extends string = string>(
    query: UntypedOperation<Text>,
    options?: GraphqlRequestOptions,
  ): Promise<GraphqlResult<TData>>;
  async request<TData>(query: string, options: GraphqlRequestOptions = {}): Promise<GraphqlResult<TData>> {
    if (!query) throw new MissingRequiredArgument('Query missing.');
    const { variables, headers, retries = 0, apiVersion = this.apiVersion, signal } = options;
    const url = `${this.#target.origin}${ADMIN_API_PATH}/${checkedApiVersion(apiVersion)}/graphql.json`;
    const init = {
      method: 'POST',
      headers: apiHeaders(headers, this.#target.accessToken, this.userAgent),
      body: JSON.stringify({ query, variables }),
    };
    const replied = await sendWithRetries(() => this.transport.send(url, { ...init, timeout: TIMEOUT, signal }), {
      clock: this.transport.clock,
      rule: mutates(query) ? ONCE_ONLY : REPEATABLE,
      retries: checkedRetries(retries),
      signal,
    });
    this.deprecations.report(replied.response, nameOf(query));
    return resultOf<TData>(replied);
  }
}

/** Asks the Admin GraphQL interface. The types follow the text where it is one of {@link AdminOperations}; elsewhere the caller names the data. */
export type GraphqlRequest = GraphqlClient['request'];

/** The word may also stand in a comment or a text; then a query is repeated less often than it could be, which does no harm. */
function mutates(query: string): boolean {
  return /\bmutation\b/.test(query);
}

function nameOf(query: string): string {
  return /\b(?:query|mutation)\s+\w+/.exec(query)?.[0] ?? 'an unnamed query';
}
