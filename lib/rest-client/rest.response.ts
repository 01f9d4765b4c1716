import type { HeaderMap } from '../core/http/http.errors.js';
import type { Untyped } from '../core/json.js';
import type { PageInfo } from './page-info.js';

/** A reply of the Admin REST interface. */
export interface RestResponse<TBody = Untyped> {
  /** The parsed body. Ids are texts, because they have more digits than a number holds. */
  readonly body: TBody;
  readonly headers: HeaderMap;
  readonly pageInfo: PageInfo;
  /** The platform's id of the request, for its support. */
  readonly requestId: string | undefined;
  // No `statusText`: with it, React Router and Remix would take a reply that a route returns for a
  // `Response`.
  /** Always true: what is no success is thrown. For code that treats a reply like a `Response`. */
  readonly ok: true;
  readonly status: number;
  /** {@link body}. May be called more than once. */
  json(): Promise<TBody>;
  /** {@link json} as text. */
  text(): Promise<string>;
}
