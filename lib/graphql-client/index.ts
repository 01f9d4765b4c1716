/**
 * The GraphQL interfaces of a store: standalone clients, what answers and errors look like, and the
 * interfaces that generated operation types are added to. Needs nothing else of the toolkit.
 * @module shopwright/graphql-client
 */
// As a whole, because an interface can only be added to through `export *`.
export * from './admin-operations.js';
export * from './storefront-operations.js';
export { ApiVersion } from '../core/api-version.js';
export { MissingRequiredArgument, PlatformError } from '../core/core.errors.js';
export type { ErrorCode } from '../core/core.errors.js';
export type { CustomFetchApi, FetchedReply } from '../core/http/standalone-caller.js';
export type { HeaderOptions } from '../core/http/api-request.js';
export type { ClientLog, ClientLogger, LoggedRequest } from '../core/http/client-reporter.js';
export * from '../core/http/http.errors.js';
export { createAdminApiClient } from './admin-api-client.js';
export type {
  AdminApiClient,
  AdminApiClientConfig,
  AdminApiClientOptions,
} from './admin-api-client.js';
export * from './graphql-client.errors.js';
export { GraphqlErrors } from './graphql-errors.js';
export type { GraphqlClient, GraphqlPaginate } from './graphql.client.js';
export type {
  GraphqlOutcomeResponse,
  GraphqlRequest,
  GraphqlResponse,
} from './graphql-response.js';
export type {
  GraphqlCost,
  GraphqlExtensions,
  GraphqlReplyBody,
  TypedResponse,
} from './graphql-extensions.js';
export type { DataOf, DocumentOf, GraphqlDocument, VariablesOf } from './graphql-document.js';
export type {
  GraphqlCallOptions,
  GraphqlRequestOptions,
  GraphqlStreamOptions,
  PageVariables,
  ErrorPolicy,
  UserErrorPolicy,
} from './graphql.options.js';
export type { GraphqlConnection } from './graphql-pagination.js';
export type { GraphqlAnswer, GraphqlOutcome, GraphqlResult } from './graphql-result.js';
export type { GraphqlStream, GraphqlStreamItem } from './graphql-stream.js';
export { createStorefrontApiClient } from './storefront-api-client.js';
export type {
  StorefrontApiClient,
  StorefrontApiClientConfig,
  StorefrontApiClientOptions,
} from './storefront-api-client.js';
export type { StorefrontClient } from './storefront-graphql.client.js';
export type * from './client-types.js';
export * from './client-utilities.js';
export * from './graphql-api-client.js';
