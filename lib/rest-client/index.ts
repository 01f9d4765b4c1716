/**
 * The client of one store's Admin REST API, without the rest of the toolkit.
 * @module shopwright/rest-client
 */
export { ApiVersion } from '../core/api-version.js';
export { PlatformError } from '../core/core.errors.js';
export type { ErrorCode } from '../core/core.errors.js';
export type { HeaderOptions } from '../core/http/api-request.js';
export type { ClientLog, ClientLogger, LoggedRequest } from '../core/http/client-reporter.js';
export type { CustomFetchApi, FetchedReply } from '../core/http/standalone-caller.js';
export {
  ApiError,
  HttpAbortedError,
  HttpRedirectError,
  HttpRequestError,
  HttpTimeoutError,
  InvalidClientOptionsError,
  InvalidRequestError,
  PaginationLoopError,
} from '../core/http/http.errors.js';
export type { ApiFacts } from '../core/http/http.errors.js';
export type { Priority } from '../core/pacing/pacer.js';
export type { PacingOption } from '../core/pacing/pacing-option.js';
export { createAdminRestApiClient } from './admin-rest-api-client.js';
export type {
  AdminRestApiClient,
  AdminRestApiClientOptions,
  DeleteRequestOptions,
  GetRequestOptions,
  PostRequestOptions,
  PutRequestOptions,
} from './admin-rest-api-client.js';
export type { PageInfo, PageInfoParams } from './page-info.js';
export type {
  GetRequestParams,
  PostRequestParams,
  PutRequestParams,
  DeleteRequestParams,
  RestClient,
} from './rest.client.js';
export type { RestResponse } from './rest.response.js';
export type { RestPath } from './rest-path.js';
export type { SearchParams } from './search-params.js';
