import type { Untyped } from '../core/json.js';
import type { BucketState } from '../core/pacing/pacer.js';

/** The bucket of a shop, as the platform describes it. */
export interface ThrottleStatus {
  readonly maximumAvailable?: number;
  readonly currentlyAvailable?: number;
  readonly restoreRate?: number;
}

/** What comes beside the data, such as the cost of the query. */
export interface GraphqlExtensions {
  readonly cost?: {
    readonly requestedQueryCost?: number;
    readonly actualQueryCost?: number | null;
    readonly throttleStatus?: ThrottleStatus;
  };
  /** The country and the language that the answer is for. */
  readonly context?: { readonly country?: string; readonly language?: string };
  readonly [name: string]: Untyped;
}

/** What a call was charged, in points. */
export interface GraphqlCost {
  /** What had to be in the bucket before it was run. */
  readonly requested: number;
  /** What was taken in the end; not there when it was not run. */
  readonly actual?: number | undefined;
  /** The shop's bucket after the call. */
  readonly bucket?: BucketState | undefined;
}

/** The reply as it came, with what its body holds. */
export type TypedResponse<TData> = Omit<Response, 'json'> & {
  json(): Promise<GraphqlReplyBody<TData>>;
};

/** The body of a reply, unread. */
export interface GraphqlReplyBody<TData> {
  readonly data?: TData | null;
  readonly errors?: unknown;
  readonly extensions?: unknown;
}
