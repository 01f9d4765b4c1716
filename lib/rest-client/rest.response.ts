import type { Untyped } from '../core/json.js';
import type { PageInfo } from './page-info.js';

/** A reply of the Admin REST interface. */
export interface RestResponse<TBody = Untyped> {
  /** Parsed; ids are texts, for they have more digits than a number holds. */
  readonly body: TBody;
  /** By name as in `Content-Type`. */
  readonly headers: Readonly<Record<string, string[]>>;
  readonly pageInfo: PageInfo;
  /** The platform's id of the request, to be named to its support. */
  readonly requestId: string | undefined;
}
