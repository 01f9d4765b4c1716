import type { PlatformError } from '../core/core.errors.js';
import type { ApiReply } from '../core/http/api-call.js';
import { InvalidRequestError, errorFor } from '../core/http/http.errors.js';
import { isRecord } from '../core/json.js';
import type { Untyped } from '../core/json.js';
import type { BucketState } from '../core/pacing/pacer.js';
import {
  GraphqlQueryError,
  GraphqlErrors,
  GraphqlAccessDeniedError,
  GraphqlThrottledError,
  errorList,
} from './graphql-client.errors.js';
import type { GraphqlError } from './graphql-client.errors.js';
import type { ErrorPolicy, UserErrorPolicy } from './graphql.options.js';

/** The problem with policies that a compiler has not checked; `undefined` when there is none. */
export function problemInPolicies(
  errorPolicy: ErrorPolicy,
  userErrors: UserErrorPolicy = 'return',
): string | undefined {
  if (errorPolicy !== 'all' && errorPolicy !== 'throw')
    return `the errorPolicy ("${String(errorPolicy)}") is invalid: it must be "all" or "throw".`;
  if (userErrors !== 'return' && userErrors !== 'throw')
    return `the userErrors ("${String(userErrors)}") is invalid: it must be "return" or "throw".`;
  return undefined;
}

/**
 * Checks the policies of one call.
 * @throws {InvalidRequestError} when one of them is unknown
 */
export function checkPolicies(errorPolicy: ErrorPolicy, userErrors?: UserErrorPolicy): void {
  const problem = problemInPolicies(errorPolicy, userErrors);
  if (problem !== undefined) throw new InvalidRequestError(`The call cannot be made: ${problem}`);
}

interface Answer<TData> {
  readonly extensions?: GraphqlExtensions | undefined;
  /** The platform's id of the request, to be named to its support. */
  readonly requestId?: string | undefined;
  /** What the call was charged; the Storefront interface charges nothing. */
  readonly cost?: GraphqlCost | undefined;
  /** The same once more, for code that treats the answer like a `Response`. */
  json(): Promise<TData>;
}

/** The answer to a query without errors. */
export interface GraphqlResult<TData = Untyped> extends Answer<{
  data: TData;
  extensions?: GraphqlExtensions;
}> {
  readonly data: TData;
  /** Never there; so that code for both policies can look. */
  readonly errors?: undefined;
  readonly headers: Headers;
}

/** The answer under the policy `all`: with data, with errors, or with both. */
export interface GraphqlOutcome<TData = Untyped> extends Answer<{
  data?: TData;
  errors?: GraphqlErrors;
  extensions?: GraphqlExtensions;
}> {
  readonly data?: TData | undefined;
  readonly errors?: GraphqlErrors | undefined;
  /** Not there when no reply came. */
  readonly headers?: Headers | undefined;
}

/** The answer under a policy. */
export type GraphqlAnswer<Policy extends ErrorPolicy, TData> = Policy extends 'all'
  ? GraphqlOutcome<TData>
  : GraphqlResult<TData>;

/**
 * Reads a reply.
 * @throws {GraphqlQueryError} when it has errors
 * @throws {HttpResponseError} (or what is derived from it) when it is no answer to a query at all
 */
export function resultOf<TData>(reply: ApiReply<unknown>): GraphqlResult<TData> {
  const body = bodyOf<TData>(reply);
  // One flat literal: every answer is made here.
  return {
    data: body.data,
    extensions: body.extensions,
    headers: reply.response.headers,
    requestId: reply.requestId,
    cost: costIn(reply.value),
    json: async () => body,
  };
}

/** The same for a call that failed. */
export function failureOf(error: PlatformError, reply?: ApiReply<unknown>): GraphqlOutcome<never> {
  const { data, extensions } = error instanceof GraphqlQueryError ? error.body : {};
  const body = {
    ...(data !== undefined && data !== null && { data: data as never }),
    errors: new GraphqlErrors(error, reply && readable(reply)),
    ...(isRecord(extensions) && { extensions }),
  };
  return {
    ...body,
    headers: reply?.response.headers,
    requestId: reply?.requestId,
    cost: costIn(reply?.value),
    json: async () => body,
  };
}

/** A reply whose body, which has been read, can be read once more. */
function readable({ response, value }: ApiReply<unknown>): Response {
  if (!response.bodyUsed) return response;
  const { status, statusText, headers } = response;
  return new Response(typeof value === 'string' ? value : JSON.stringify(value), {
    status,
    statusText,
    headers,
  });
}

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
    errors: errorList(errors, response),
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

function hasCode(errors: readonly GraphqlError[], code: string): boolean {
  return errors.some(({ extensions }) => extensions?.['code'] === code);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
