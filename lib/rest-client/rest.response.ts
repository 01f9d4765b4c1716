import type { Untyped } from '../core/json.js';
import type { PageInfo } from './page-info.js';

/** A reply of the Admin REST interface. */
export interface RestResponse<TBody = Untyped> {
  /** The parsed body. Ids are texts, because they have more digits than a number holds. */
  readonly body: TBody;
  /** Header names are spelled as in `Content-Type`. */
  readonly headers: Readonly<Record<string, string[]>>;
  readonly pageInfo: PageInfo;
  /** The platform's id of the request, for its support. */
  readonly requestId: string | undefined;
}
