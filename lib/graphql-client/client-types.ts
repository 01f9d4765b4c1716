// What the platform's own client packages call the types of their clients: code that names them
// compiles with other imports.
import type { Untyped } from '../core/json.js';
import type { HeaderOptions } from '../core/http/api-request.js';
import type { ClientLog } from '../core/http/client-reporter.js';
import type { GraphqlErrors } from './graphql-errors.js';
import type { GraphqlError } from './graphql-client.errors.js';
import type { GraphqlExtensions, GraphqlReplyBody } from './graphql-extensions.js';
import type { GraphqlOutcome } from './graphql-result.js';
import type { GraphqlStream, GraphqlStreamItem } from './graphql-stream.js';
import type { GraphqlCallOptions } from './graphql.options.js';
import type { StandaloneClient } from './standalone.client.js';

/** One entry of the `errors` of a reply. */
export type GraphQLError = GraphqlError;
/** What went wrong with a call. */
export type ResponseErrors = GraphqlErrors;
/** What comes beside the data. */
export type GQLExtensions = GraphqlExtensions;
/** The body of a reply, as `fetch` of a client answers it. */
export type FetchResponseBody<TData = Untyped> = GraphqlReplyBody<TData>;
/** What `request` of a client answers. */
export type ClientResponse<TData = Untyped> = GraphqlOutcome<TData>;
/** An item of `requestStream`. */
export type ClientStreamResponse<TData = Untyped> = GraphqlStreamItem<TData>;
/** What `requestStream` of a client answers. */
export type ClientStreamIterator<TData = Untyped> = GraphqlStream<TData>;
/** A piece of a body. */
export type DataChunk = Uint8Array;
/** Headers by name. */
export type Headers = HeaderOptions;

/** Anything a client may log. */
export interface LogContent {
  readonly type: string;
  readonly content: Untyped;
}
/** A reply has arrived. */
export type HTTPResponseLog = Extract<ClientLog, { type: 'HTTP-Response' }>;
/** A call is sent again. */
export type HTTPRetryLog = Extract<ClientLog, { type: 'HTTP-Retry' }>;
/** What was called is deprecated. */
export type HTTPResponseGraphQLDeprecationNotice = Extract<
  ClientLog,
  { type: 'HTTP-Response-GraphQL-Deprecation-Notice' }
>;
/** An API version is not known. */
export type UnsupportedApiVersionLog = Extract<ClientLog, { type: 'Unsupported_Api_Version' }>;
/** What a client logs of its calls. */
export type LogContentTypes = Exclude<ClientLog, UnsupportedApiVersionLog>;
/** What a client of a store logs. */
export type ApiClientLogContentTypes = ClientLog;
/** Is given what a client logs. */
export type Logger<TLog = LogContentTypes> = (logContent: TLog) => void;
/** Is given what a client of a store logs. */
export type ApiClientLogger<TLog = ApiClientLogContentTypes> = Logger<TLog>;

/** Operations by their text. */
export interface AllOperations {
  [operation: string]: { variables: Untyped; return: Untyped };
}
/** What an operation answers with. */
export type ReturnData<
  Operation extends keyof Operations,
  Operations,
> = Operations[Operation] extends { return: infer TData } ? TData : Untyped;
/** The variables of an operation, as an option. */
export type OperationVariables<
  Operation extends keyof Operations,
  Operations,
> = Operations[Operation] extends { variables: infer TVariables }
  ? { readonly variables?: TVariables | undefined }
  : { readonly variables?: Readonly<Record<string, Untyped>> | undefined };
/** A `Response` whose `json()` is typed. */
export type ResponseWithType<TBody = Untyped> = Omit<Response, 'json'> & {
  json: () => Promise<TBody>;
};

/** What a client of a store says of itself. */
export interface ApiClientConfig {
  readonly storeDomain: string;
  readonly apiVersion: string;
  readonly headers: Headers;
  readonly apiUrl: string;
  readonly retries?: number | undefined;
}
/** Options of one call. */
export type ApiClientRequestOptions<
  Operation extends PropertyKey = string,
  Operations = AllOperations,
> = GraphqlCallOptions &
  (Operation extends keyof Operations
    ? OperationVariables<Operation, Operations>
    : { readonly variables?: Readonly<Record<string, Untyped>> | undefined });
/** The arguments of one call. */
export type ApiClientRequestParams<
  Operation extends PropertyKey = string,
  Operations = AllOperations,
> = [operation: Operation, options?: ApiClientRequestOptions<Operation, Operations>];
/** A client of one store. */
export type ApiClient<
  TConfig extends ApiClientConfig = ApiClientConfig,
  Operations = AllOperations,
> = Omit<StandaloneClient<TConfig, Operations, 'all'>, 'requestStream' | 'paginate' | 'close'>;
/** `fetch` of such a client. */
export type ApiClientFetch<Operations = AllOperations> = ApiClient<
  ApiClientConfig,
  Operations
>['fetch'];
/** `request` of such a client. */
export type ApiClientRequest<Operations = AllOperations> = ApiClient<
  ApiClientConfig,
  Operations
>['request'];
/** `requestStream` of such a client. */
export type ApiClientRequestStream<Operations = AllOperations> = StandaloneClient<
  ApiClientConfig,
  Operations,
  'all'
>['requestStream'];
