import type { ApiSession } from '../core/api-session.js';
import { PlatformError } from '../core/core.errors.js';
import type { ApiCall, ApiCallObserver, ApiReply, ReplyUsage } from '../core/http/api-call.js';
import type { ApiCaller } from '../core/http/api-caller.js';
import { checkedApiVersion, graphqlBody, retriesIn } from '../core/http/api-request.js';
import type { GraphqlEndpoint } from '../core/http/api-request.js';
import { parsedBody, type Untyped } from '../core/json.js';
import { loaded } from '../core/http/http-transport.js';
import { InvalidRequestError } from '../core/http/http.errors.js';
import type { AdminOperations } from './admin-operations.js';
import type {
  DataOf,
  GraphqlDocument,
  TypedDocument,
  UnknownVariables,
  UntypedText,
  VariablesOf,
} from './graphql-document.js';
import { operationOf } from './graphql-operation.js';
import type { CostEstimates, GraphqlOperation } from './graphql-operation.js';
import type {
  ArgumentsFor,
  GraphqlCallOptions,
  GraphqlRequestOptions,
  GraphqlStreamOptions,
  OptionsFor,
  Other,
  OtherPolicy,
  OwnPolicy,
  PageVariables,
  ErrorPolicy,
  UserErrorPolicy,
} from './graphql.options.js';
import type { GraphqlConnection, PagePosition } from './graphql-pagination.js';
import { failureOf, checkPolicies, resultOf, costIn, throttledFor } from './graphql-result.js';
import type { GraphqlAnswer, GraphqlOutcome, GraphqlResult } from './graphql-result.js';
import type { TypedResponse } from './graphql-extensions.js';
import type { GraphqlStream } from './graphql-stream.js';

/** What a client is made of. */
interface GraphqlClientDependencies<Policy extends ErrorPolicy> {
  readonly endpoint: GraphqlEndpoint;
  readonly caller: ApiCaller;
  readonly costs: CostEstimates;
  readonly errorPolicy: Policy;
  readonly userErrors: UserErrorPolicy;
  /** Milliseconds between attempts. @default as the platform says, else exponential backoff */
  readonly wait?: number | undefined;
  /** The version of a call as it goes into the URL. @default checks that it is one */
  readonly checkedVersion?: ((version: string) => string) | undefined;
  /** Of the calls that name none. @default 'interactive' */
  readonly priority?: GraphqlRequestOptions['priority'];
  readonly observer?: ApiCallObserver | undefined;
}

/**
 * Calls a GraphQL interface of one shop on behalf of one session. Types follow the document: a text
 * that generated code has registered, or a typed document; for any other text the caller names the
 * data.
 */
export class GraphqlClient<Operations = AdminOperations, Policy extends ErrorPolicy = 'throw'> {
  readonly #dependencies: GraphqlClientDependencies<Policy>;

  /** @internal Made by `for()` of `AdminGraphqlClient` and `StorefrontGraphqlClient`. */
  constructor(
    readonly session: ApiSession,
    readonly apiVersion: string,
    dependencies: GraphqlClientDependencies<Policy>,
  ) {
    this.#dependencies = dependencies;
  }

  /**
   * Runs one query or mutation. The `userErrors` of a mutation are data, unless
   * `userErrors: 'throw'` was asked for. With `errorPolicy: 'all'` only {@link UserErrorsError} is
   * thrown: every other failure comes as `errors` beside the data.
   * @throws {InvalidRequestError} when the variables hold what JSON has no form for
   * @throws {GraphqlQueryError} when the reply has errors ({@link GraphqlThrottledError} and
   * {@link GraphqlAccessDeniedError} for two of them); `body.data` holds the rest
   * @throws {HttpResponseError} or an error derived from it, when the reply is no success
   * @throws {HttpMaxRetriesError} when a 429 or 5xx remained after the retries it asked for
   * @throws {HttpRequestError} when no reply came
   */
  request<TData = Untyped, const Text extends string = string>(
    document: UntypedText<Operations, Text>,
    options: OtherPolicy<Policy>,
  ): Promise<GraphqlAnswer<Other<Policy>, TData>>;
  request<TData = Untyped, const Text extends string = string>(
    document: UntypedText<Operations, Text>,
    options?: OwnPolicy<Policy>,
  ): Promise<GraphqlAnswer<Policy, TData>>;
  request<const Document extends TypedDocument<Operations>>(
    document: Document,
    options: OptionsFor<Operations, Document, OtherPolicy<Policy>>,
  ): Promise<GraphqlAnswer<Other<Policy>, DataOf<Operations, Document>>>;
  request<const Document extends TypedDocument<Operations>>(
    document: Document,
    ...options: ArgumentsFor<Operations, Document, OwnPolicy<Policy>>
  ): Promise<GraphqlAnswer<Policy, DataOf<Operations, Document>>>;
  async request(
    document: GraphqlDocument,
    given?: GraphqlRequestOptions | null,
  ): Promise<GraphqlOutcome | GraphqlResult> {
    const options = given ?? {};
    const { errorPolicy = this.#dependencies.errorPolicy } = options;
    const { userErrors = this.#dependencies.userErrors } = options;
    checkPolicies(errorPolicy, userErrors);
    const known = operationOf(document);
    // Most are texts, known at once: they need not wait.
    const operation = known instanceof Promise ? await known : known;
    if (operation.defers) {
      throw new InvalidRequestError(
        `${operation.name} uses @defer or @stream, so its answer comes in pieces: use requestStream().`,
      );
    }
    // Loaded before a mutation is sent: when the file is missing, nothing has been changed.
    const refusals =
      userErrors === 'throw' && operation.mutates
        ? await loaded(import('./user-errors.js'))
        : undefined;
    let reply: ApiReply<unknown> | undefined;
    let result: GraphqlResult;
    try {
      reply = await this.#dependencies.caller.call(this.#call(operation, options, readBody));
      result = await resultOf(reply);
    } catch (error) {
      if (errorPolicy === 'throw' || !(error instanceof PlatformError)) throw error;
      return failureOf(error, reply);
    }
    refusals?.refuseUserErrors(result, reply);
    return result;
  }

  /**
   * The same without reading the reply: it is handed over as it came, whatever its status.
   * @throws {HttpRequestError} when no reply came
   */
  fetch<TData = Untyped, const Text extends string = string>(
    document: UntypedText<Operations, Text>,
    options?: GraphqlCallOptions,
  ): Promise<TypedResponse<TData>>;
  fetch<const Document extends TypedDocument<Operations>>(
    document: Document,
    ...options: ArgumentsFor<Operations, Document, GraphqlCallOptions>
  ): Promise<TypedResponse<DataOf<Operations, Document>>>;
  async fetch(document: GraphqlDocument, given?: GraphqlRequestOptions | null): Promise<Response> {
    const call = this.#call(await operationOf(document), given ?? {}, () => undefined);
    return (await this.#dependencies.caller.call(call)).response;
  }

  /**
   * Runs a query whose answer comes in pieces (`@defer`), as
   * `for await (const item of await client.requestStream(query))`. Nothing is sent before the first
   * item is asked for; leaving the loop ends the stream. Errors of a deferred fragment come with
   * its item. The timeout holds for each part anew, the deadline until the last has come.
   * @throws {InvalidRequestError} when the query defers nothing
   * @throws {ApiError} under the policy `throw`, as {@link request} does; under `all`, what ends
   * the stream is its last item
   */
  requestStream<TData = Untyped, const Text extends string = string>(
    document: UntypedText<Operations, Text>,
    options?: GraphqlStreamOptions,
  ): Promise<GraphqlStream<TData>>;
  requestStream<const Document extends TypedDocument<Operations>>(
    document: Document,
    ...options: ArgumentsFor<Operations, Document, GraphqlStreamOptions>
  ): Promise<GraphqlStream<DataOf<Operations, Document>>>;
  async requestStream(
    document: GraphqlDocument,
    given?: GraphqlRequestOptions | null,
  ): Promise<GraphqlStream> {
    const options = given ?? {};
    const operation = await operationOf(document);
    if (!operation.defers) {
      throw new InvalidRequestError(
        `${operation.name} uses neither @defer nor @stream, so its answer comes at once: use request().`,
      );
    }
    const { errorPolicy = this.#dependencies.errorPolicy } = options;
    checkPolicies(errorPolicy);
    // Loaded here, as other things that most clients do not need: a browser is sent less.
    const stream = await loaded(import('./graphql-stream.js'));
    const send = (): Promise<ApiReply<unknown>> =>
      this.#dependencies.caller.call(this.#call(operation, options, stream.readStart));
    const { clock, timeout } = this.#dependencies.caller;
    const limits = {
      clock,
      timeout: options.timeout ?? timeout,
      deadline: options.deadline,
      signal: options.signal,
    };
    return stream.streamOf(send, errorPolicy, limits);
  }

  /**
   * The nodes of a connection, across all its pages. The document takes `$first: Int!` and
   * `$after: String`, passes them to the connection and asks for
   * `pageInfo { hasNextPage endCursor }`; `pick` finds the connection in the data.
   * @example
   * for await (const product of client.paginate(PRODUCTS, { query: 'status:active' }, (data) => data.products)) use(product);
   * @throws {GraphqlPaginationError} when the platform names a page for the second time
   * @throws {ApiError} as {@link request} does under the policy `throw`
   */
  paginate<TData = Untyped, TNode = Untyped, const Text extends string = string>(
    document: UntypedText<Operations, Text>,
    variables: PageVariables<UnknownVariables>,
    pick: (data: TData) => GraphqlConnection<TNode> | null | undefined,
    options?: GraphqlCallOptions,
  ): AsyncGenerator<TNode, void, undefined>;
  paginate<const Document extends TypedDocument<Operations>, TNode>(
    document: Document,
    variables: PageVariables<VariablesOf<Operations, Document>>,
    pick: (data: DataOf<Operations, Document>) => GraphqlConnection<TNode> | null | undefined,
    options?: GraphqlCallOptions,
  ): AsyncGenerator<TNode, void, undefined>;
  async *paginate(
    document: GraphqlDocument,
    variables: PagePosition,
    pick: (data: never) => GraphqlConnection<unknown> | null | undefined,
    options: GraphqlCallOptions = {},
  ): AsyncGenerator<unknown, void, undefined> {
    const operation = await operationOf(document);
    const fetchPage = async (position: PagePosition) => {
      const call = this.#call(
        operation,
        { ...options, variables: { ...variables, ...position } },
        readBody,
      );
      return pick((await resultOf<never>(await this.#dependencies.caller.call(call))).data);
    };
    const pagination = await loaded(import('./graphql-pagination.js'));
    yield* pagination.walk(operation, variables, fetchPage, this.#dependencies.endpoint.shop);
  }

  #call<T>(
    operation: GraphqlOperation,
    options: GraphqlRequestOptions,
    read: ApiCall<T>['read'],
  ): ApiCall<T> {
    const {
      endpoint,
      costs,
      wait,
      observer,
      checkedVersion = checkedApiVersion,
    } = this.#dependencies;
    const { variables, headers, apiVersion, idempotent = false } = options;
    // One literal without spreads: every call of an app goes through here.
    return {
      shop: endpoint.shop,
      operation: operation.name,
      request: {
        url: endpoint.url(apiVersion ? checkedVersion(apiVersion) : this.apiVersion),
        method: 'POST',
        headers: endpoint.headers(headers),
        body: graphqlBody(operation.text, variables),
      },
      token: endpoint.token,
      kind: 'graphql',
      cost: () => costs.estimate(operation),
      repeatable: idempotent || !operation.mutates,
      retries: retriesIn(options),
      wait,
      timeout: options.timeout,
      deadline: options.deadline,
      priority: options.priority ?? this.#dependencies.priority,
      signal: options.signal,
      finishOnceSent: options.finishOnceSent,
      keepalive: options.keepalive,
      read,
      usage: (_, body) => this.#usageIn(body, operation),
      observer,
    };
  }

  #usageIn(body: unknown, operation: GraphqlOperation): ReplyUsage {
    const cost = costIn(body);
    // More than the bucket holds is never granted: such a call is changed, not repeated.
    if (cost && cost.requested <= (cost.bucket?.capacity ?? Infinity))
      this.#dependencies.costs.learn(operation, cost.requested);
    return {
      bucket: cost?.bucket,
      actualCost: cost?.actual,
      throttledFor: throttledFor(body, cost),
    };
  }
}

function readBody(response: Response): Promise<unknown> {
  return response.text().then(parsedBody);
}

/** Walks a connection of the Admin GraphQL interface; see {@link GraphqlClient.paginate}. */
export type GraphqlPaginate = GraphqlClient['paginate'];
