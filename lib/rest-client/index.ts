/**
 * The Admin REST interface of one store, without anything else of the toolkit.
 * @module shopwright/rest-client
 */
export { ApiVersion } from '../core/api-version.js';
export { PlatformError } from '../core/core.errors.js';
export type { HeaderOptions } from '../core/http/api-headers.js';
export type { ClientLog, ClientLogger, RequestParams } from '../core/http/client-log.js';
export { HttpRequestError, InvalidRequestError } from '../core/http/http.errors.js';
export { createAdminRestApiClient } from './admin-rest-api-client.js';
export type {
  AdminRestApiClient,
  AdminRestApiClientOptions,
  CustomFetchApi,
  DeleteRequestOptions,
  GetRequestOptions,
  PostRequestOptions,
  PutRequestOptions,
} from './admin-rest-api-client.js';
export { InvalidClientOptionsError } from './rest-client.errors.js';
export type { PageInfo, PageInfoParams } from './page-info.js';
export type {
  GetRequestParams,
  PostRequestParams,
  PutRequestParams,
  DeleteRequestParams,
  RestClient,
  RestResponse,
} from './rest.client.js';
export type { SearchParams } from './search-params.js';
