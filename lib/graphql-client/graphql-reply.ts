import type { ApiReply } from '../core/http/api-call.js';
import { errorFor } from '../core/http/http.errors.js';
import type { BucketState } from '../core/pacing/pacer.js';
import {
  GraphqlAccessDeniedError,
  GraphqlQueryError,
  GraphqlThrottledError,
  errorList,
} from './graphql-client.errors.js';
import type { GraphqlError } from './graphql-client.errors.js';
import { isRecord } from '../core/json.js';

/** Waited after a refusal that does not say how full the bucket is, in milliseconds. */
const UNTOLD_WAIT = 1000;

interface ThrottleStatus {
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
  readonly [name: string]: unknown;
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

/** A reply to a query, as it is read: nothing is missing that should be there. */
export interface GraphqlBody<TData> {
  readonly data: TData;
  readonly extensions?: GraphqlExtensions;
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

/**
 * Reads the body of a reply.
 * @throws {GraphqlQueryError} when it has errors
 * @throws {HttpResponseError} (or what is derived from it) when it is no answer to a query at all
 */
export function bodyOf<TData>(reply: ApiReply<unknown>): GraphqlBody<TData> {
  const { response, value: body } = reply;
  if (!response.ok) throw errorFor(reply, body);
  if (!isRecord(body)) throw errorFor(reply, body, 'with a body that is no GraphQL result');
  const errors = errorsIn(body);
  if (errors.length > 0) throw queryError(reply, errors, body);
  if (!isRecord(body['data'])) throw errorFor(reply, body, 'with neither data nor errors');
  const data = body['data'] as TData;
  const { extensions } = body;
  return isRecord(extensions) ? { data, extensions } : { data };
}

/** The typed error for the errors of a reply. */
export function queryError(
  { response, requestId, attempts, call }: ApiReply<unknown>,
  errors: readonly GraphqlError[],
  body: Readonly<Record<string, unknown>>,
): GraphqlQueryError {
  const kept = {
    ...('data' in body && { data: body['data'] }),
    errors: errorList(errors),
    ...extensionsIn(body),
  };
  const Kind = hasCode(errors, 'THROTTLED')
    ? GraphqlThrottledError
    : hasCode(errors, 'ACCESS_DENIED')
      ? GraphqlAccessDeniedError
      : GraphqlQueryError;
  return new Kind(kept, response, { ...call, requestId, attempts, cost: costIn(body)?.requested });
}

/**
 * The errors of a reply; some refusals are a bare text instead of a list, or hold what is no error.
 */
export function errorsIn({ errors }: Readonly<Record<string, unknown>>): readonly GraphqlError[] {
  if (errors === undefined || errors === null) return [];
  return Array.isArray(errors)
    ? errors.map((error: unknown) =>
        isRecord(error) ? (error as unknown as GraphqlError) : { message: textOf(error) },
      )
    : [
        isRecord(errors) && 'message' in errors
          ? (errors as unknown as GraphqlError)
          : { message: textOf(errors) },
      ];
}

export function extensionsIn({ extensions }: Readonly<Record<string, unknown>>): {
  extensions?: GraphqlExtensions;
} {
  return isRecord(extensions) ? { extensions } : {};
}

/** What a reply says of its cost, if anything. */
export function costIn(body: unknown): GraphqlCost | undefined {
  const extensions = isRecord(body) ? body['extensions'] : undefined;
  const { cost } = isRecord(extensions) ? (extensions as GraphqlExtensions) : {};
  if (typeof cost?.requestedQueryCost !== 'number') return undefined;
  return {
    requested: cost.requestedQueryCost,
    actual: typeof cost.actualQueryCost === 'number' ? cost.actualQueryCost : undefined,
    bucket: cost.throttleStatus && bucketIn(cost.throttleStatus),
  };
}

function bucketIn({
  maximumAvailable,
  currentlyAvailable,
  restoreRate,
}: ThrottleStatus): BucketState | undefined {
  if (maximumAvailable === undefined || currentlyAvailable === undefined) return undefined;
  return { available: currentlyAvailable, capacity: maximumAvailable, restoreRate };
}

/**
 * How long to wait when a reply says that the bucket was too empty, in milliseconds; `undefined`
 * when it says no such thing, or the call costs more than the bucket holds.
 */
export function throttledFor(body: unknown, cost: GraphqlCost | undefined): number | undefined {
  if (!isRecord(body) || isRecord(body['data']) || !hasCode(errorsIn(body), 'THROTTLED'))
    return undefined;
  const { requested = 0, bucket } = cost ?? {};
  if (!bucket?.restoreRate) return UNTOLD_WAIT;
  if (requested > bucket.capacity) return undefined;
  return Math.ceil((Math.max(0, requested - bucket.available) / bucket.restoreRate) * 1000);
}

export function hasCode(errors: readonly GraphqlError[], code: string): boolean {
  return errors.some(({ extensions }) => extensions?.['code'] === code);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
