import type { Untyped } from '../core/json.js';
import type { ApiSession } from '../core/api-session.js';
import type { ApiReply } from '../core/http/api-call.js';
import type { HeaderOptions } from '../core/http/api-request.js';
import { replyError } from '../core/http/http-transport.js';
import { InvalidRequestError, headerMap } from '../core/http/http.errors.js';
import { parsedBody } from '../core/json.js';
import { retriesIn } from '../core/http/api-request.js';
import { pageInfoOf } from './page-info.js';
import type { RestResponse } from './rest.response.js';
import { parseWithTextIds } from './rest-json.js';
import { pagesFrom } from './rest-pages.js';
import { pathText } from './rest-path.js';
import type { RestPath } from './rest-path.js';
import type { CallOptions, RestMethod, RestSender } from './rest-sender.js';
import type { SearchParams } from './search-params.js';

/** A call by `get`. */
export interface GetRequestParams extends Omit<CallOptions, 'idempotent'> {
  /**
   * `products`, `['products', id]`, the whole of `/admin/api/2026-07/products.json`, or a URL of
   * the same shop.
   */
  readonly path: RestPath;
  readonly query?: SearchParams | undefined;
  readonly extraHeaders?: HeaderOptions | undefined;
  /** @deprecated Not sent: a GET and a DELETE have no body. */
  readonly data?: object | string | undefined;
  /** Content type of the request. @default 'application/json' */
  readonly type?: string | undefined;
  /** The number of attempts, 1 to 4. @default 3 */
  readonly tries?: number | undefined;
}

/** A call by `put`. */
export interface PutRequestParams extends GetRequestParams {
  /** An object is sent as JSON, a text as it is. */
  readonly data: object | string;
}

/** A call by `post`. */
export interface PostRequestParams extends PutRequestParams, Pick<CallOptions, 'idempotent'> {}

/** A call by `delete`. */
export type DeleteRequestParams = GetRequestParams;

/** A call of any method. */
export interface RequestParams extends GetRequestParams, Pick<CallOptions, 'idempotent'> {
  readonly method: RestMethod;
  /** An object is sent as JSON, a text as it is. */
  readonly data?: object | string | undefined;
}

/**
 * Calls the Admin REST API of one shop with one session. Throws a typed error for every reply that
 * is not a success.
 *
 * A 429 is sent again; a 500, 502, 503, 504 or a lost connection as well, unless the call is a POST
 * that is not marked `idempotent`. Each method throws {@link HttpResponseError} (or what is derived
 * from it), {@link HttpMaxRetriesError} when the last of the `tries` that it asked for failed
 * too, and {@link HttpRequestError} when no reply came.
 */
export class RestClient {
  static readonly DEFAULT_LIMIT = '50';

  /** @internal Made by `AdminRestClient.for()`. */
  constructor(
    readonly session: ApiSession,
    readonly apiVersion: string,
    private readonly sender: RestSender,
  ) {}

  get<TBody = Untyped>(params: GetRequestParams): Promise<RestResponse<TBody>> {
    return this.request({ ...params, data: undefined, method: 'GET' });
  }

  post<TBody = Untyped>(params: PostRequestParams): Promise<RestResponse<TBody>> {
    return this.request({ ...params, method: 'POST' });
  }

  put<TBody = Untyped>(params: PutRequestParams): Promise<RestResponse<TBody>> {
    return this.request({ ...params, method: 'PUT' });
  }

  delete<TBody = Untyped>(params: DeleteRequestParams): Promise<RestResponse<TBody>> {
    return this.request({ ...params, data: undefined, method: 'DELETE' });
  }

  /**
   * Yields the pages of a list. Each is fetched when it is requested.
   * @throws {PaginationLoopError} when the platform names a page for the second time
   * @example for await (const { body } of client.pages({ path: 'products', query: { limit: 250 } })) use(body.products);
   */
  pages<TBody = Untyped>(
    params: GetRequestParams,
  ): AsyncGenerator<RestResponse<TBody>, void, undefined> {
    return pagesFrom(
      this.session.shop,
      params,
      (page) => this.get<TBody>({ ...params, ...page }),
      (response) => response.pageInfo,
    );
  }

  /**
   * Yields the elements of a list, across all its pages.
   * @throws {PaginationLoopError} when the platform names a page for the second time
   * @throws {InvalidRequestError} when the path does not lead to a list
   * @example for await (const product of client.items<Product>({ path: 'products' })) use(product);
   */
  async *items<TItem = Untyped>(params: GetRequestParams): AsyncGenerator<TItem, void, undefined> {
    for await (const { body } of this.pages<Readonly<Record<string, unknown>> | null>(params)) {
      const list = Object.values(body ?? {}).find((value): value is TItem[] =>
        Array.isArray(value),
      );
      if (!list)
        throw new InvalidRequestError(`GET ${pathText(params.path)} does not answer with a list.`);
      yield* list;
    }
  }

  /** Every call goes through here, so that a class that extends this one sees them all. */
  protected async request<TBody = Untyped>(params: RequestParams): Promise<RestResponse<TBody>> {
    const { query, type, extraHeaders, tries, ...rest } = params;
    const headers = type ? { ...extraHeaders, 'Content-Type': type } : extraHeaders;
    const call = {
      ...rest,
      headers,
      searchParams: query,
      apiVersion: this.apiVersion,
      retries: retriesIn({ tries }),
    };
    const reply = await this.sender.send(call, textOf);
    const { response, value: text, requestId } = reply;
    if (!response.ok) throw await replyError(reply, parsedBody(text));
    const body = await bodyOf<TBody>(reply);
    return {
      body,
      // Built on first use: most callers never read them, and they cost more than all the rest.
      get headers() {
        return headerMap(response.headers);
      },
      pageInfo: pageInfoOf(response.headers, query, RestClient.DEFAULT_LIMIT),
      requestId,
      ok: true,
      status: response.status,
      json: async () => body,
      text: async () => JSON.stringify(body),
    };
  }
}

function textOf(response: Response): Promise<string> {
  return response.text();
}

async function bodyOf<TBody>(reply: ApiReply<string>): Promise<TBody> {
  try {
    // An empty body may be a single space.
    return parseWithTextIds(reply.value.trim() === '' ? '{}' : reply.value) as TBody;
  } catch {
    throw await replyError(reply, reply.value, 'with a body that is not JSON');
  }
}
