import type { ApiSession } from '../core/api.session.js';
import type { HeaderOptions } from '../core/http/api-headers.js';
import type { DeprecationNotices } from '../core/http/deprecation-notices.js';
import { errorFor, parsedBody, readText } from '../core/http/error-response.js';
import { InvalidRequestError } from '../core/http/http.errors.js';
import type { Replied } from '../core/http/retry.js';
import { pageInfoOf } from './page-info.js';
import type { PageInfo } from './page-info.js';
import { parseWithTextIds } from './rest-json.js';
import type { RestMethod, RestSender } from './rest.sender.js';
import type { SearchParams } from './search-params.js';

export interface GetRequestParams {
  /** `products` or the whole of `/admin/api/2026-07/products.json`. */
  readonly path: string;
  readonly query?: SearchParams | undefined;
  readonly extraHeaders?: HeaderOptions | undefined;
  /** Content type of the request. @default 'application/json' */
  readonly type?: string | undefined;
  /** Attempts in all, 1 to 4. @default 1 */
  readonly tries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PostRequestParams extends GetRequestParams {
  /** An object is sent as JSON, a text as it is. */
  readonly data: object | string;
}

export type PutRequestParams = PostRequestParams;
export type DeleteRequestParams = GetRequestParams;

/** A reply of the Admin REST interface. */
export interface RestResponse<TBody = unknown> {
  /** Parsed; ids are texts, for they have more digits than a number holds. */
  readonly body: TBody;
  /** By name as in `Content-Type`. */
  readonly headers: Readonly<Record<string, string[]>>;
  readonly pageInfo: PageInfo;
}

/** Calls the Admin REST interface of one shop on behalf of one session, and throws a typed error for every reply that is no success. */
export class RestClient {
  static readonly DEFAULT_LIMIT = '50';

  /** @internal Made by `AdminRestClient.for()`. */
  constructor(
    readonly session: ApiSession,
    readonly apiVersion: string,
    private readonly sender: RestSender,
    private readonly deprecations: DeprecationNotices,
  ) {}

  get<TBody = unknown>(params: GetRequestParams): Promise<RestResponse<TBody>> {
    return this.#request('GET', params);
  }

  post<TBody = unknown>(params: PostRequestParams): Promise<RestResponse<TBody>> {
    return this.#request('POST', params, params.data);
  }

  put<TBody = unknown>(params: PutRequestParams): Promise<RestResponse<TBody>> {
    return this.#request('PUT', params, params.data);
  }

  delete<TBody = unknown>(params: DeleteRequestParams): Promise<RestResponse<TBody>> {
    return this.#request('DELETE', params);
  }

  async #request<TBody>(method: RestMethod, params: GetRequestParams, data?: object | string): Promise<RestResponse<TBody>> {
    const { path, query, type, extraHeaders, tries, signal } = params;
    const headers = { ...extraHeaders, ...(type && { 'Content-Type': type }) };
    const call = { method, path, data, headers, searchParams: query, apiVersion: this.apiVersion, retries: retriesIn(tries), signal };
    const replied = await this.sender.send(call, this.sender.request(call));
    const text = await readText(replied.response);
    if (!replied.response.ok) throw errorFor(replied, parsedBody(text));
    this.deprecations.report(replied.response, `${method} ${path}`);
    return {
      body: bodyOf<TBody>(replied, text),
      headers: headerMap(replied.response.headers),
      pageInfo: pageInfoOf(replied.response.headers, query, RestClient.DEFAULT_LIMIT),
    };
  }
}

function bodyOf<TBody>(replied: Replied, text: string): TBody {
  try {
    return parseWithTextIds(text === '' ? '{}' : text) as TBody;
  } catch {
    throw errorFor(replied, text, 'with a body that is not JSON');
  }
}

function retriesIn(tries: number = 1): number {
  if (Number.isInteger(tries) && tries >= 1 && tries <= 4) return tries - 1;
  throw new InvalidRequestError(`The "tries" value (${String(tries)}) is invalid: it must be a whole number from 1 to 4.`);
}

function headerMap(headers: Headers): Record<string, string[]> {
  const map: Record<string, string[]> = {};
  for (const [name, value] of headers) (map[name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())] ??= []).push(value);
  return map;
}
