/**
 * The Admin GraphQL interface: what its answers and errors look like, and the interfaces that generated operation types are added to.
 * @module shopwright/graphql-client
 */
// As a whole, because an interface can only be added to through `export *`.
export * from './admin-operations.js';
export { PlatformError } from '../core/core.errors.js';
export type { HeaderOptions } from '../core/http/api-headers.js';
export {
  HttpInternalError,
  HttpMaxRetriesError,
  HttpRequestError,
  HttpResponseError,
  HttpRetriableError,
  HttpThrottlingError,
  InvalidRequestError,
} from '../core/http/http.errors.js';
export type { ErrorResponse } from '../core/http/http.errors.js';
export type { GraphqlClient, GraphqlRequest, GraphqlRequestOptions, TypedOptions } from './graphql.client.js';
export { GraphqlQueryError } from './graphql-client.errors.js';
export type { GraphqlError, GraphqlErrorBody, GraphqlErrorList } from './graphql-client.errors.js';
export type { GraphqlExtensions, GraphqlResult } from './graphql.result.js';
