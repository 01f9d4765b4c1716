import type { PlatformError } from '../core/core.errors.js';
import type { ApiReply } from '../core/http/api-call.js';
import { loaded, replyError } from '../core/http/http-transport.js';
import { InvalidRequestError } from '../core/http/http.errors.js';
import { isRecord } from '../core/json.js';
import type { Untyped } from '../core/json.js';
import type { BucketState } from '../core/pacing/pacer.js';
import type { GraphqlError } from './graphql-client.errors.js';
import { GraphqlErrors, bodyOf } from './graphql-errors.js';
import type { GraphqlCost, GraphqlExtensions, ThrottleStatus } from './graphql-extensions.js';
import type { ErrorPolicy, UserErrorPolicy } from './graphql.options.js';
import { readable } from './readable-reply.js';

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

/** What an answer has besides its data. */
interface Answer {
  readonly extensions?: GraphqlExtensions | undefined;
  /** The platform's id of the request, to be named to its support. */
  readonly requestId?: string | undefined;
  /** What the call was charged; the Storefront interface charges nothing. */
  readonly cost?: GraphqlCost | undefined;
}

/** The answer to a query without errors. */
export interface GraphqlResult<TData = Untyped> extends Answer {
  readonly data: TData;
  /** Never there; so that code for both policies can look. */
  readonly errors?: undefined;
  /** Those of the platform's reply. */
  readonly headers: Headers;
}

/** The answer under the policy `all`: with data, with errors, or with both. */
export interface GraphqlOutcome<TData = Untyped> extends Answer {
  readonly data?: TData | undefined;
  readonly errors?: GraphqlErrors | undefined;
  /** Those of the platform's reply; not there when none came. */
  readonly headers?: Headers | undefined;
}

/** The answer under a policy. */
export type GraphqlAnswer<Policy extends ErrorPolicy, TData> = Policy extends 'all'
  ? GraphqlOutcome<TData>
  : GraphqlResult<TData>;

/** The answer in a reply; `undefined` when it has errors, or is no answer to a query at all. */
function answerIn<TData>(reply: ApiReply<unknown>): GraphqlResult<TData> | undefined {
  const { response, value: body } = reply;
  if (!response.ok || !isRecord(body) || errorsIn(body).length > 0 || !isRecord(body['data']))
    return undefined;
  return {
    data: body['data'] as TData,
    extensions: extensionsIn(body).extensions,
    headers: response.headers,
    requestId: reply.requestId,
    cost: costIn(body),
  };
}

/**
 * Reads a reply.
 * @throws {GraphqlQueryError} when it has errors
 * @throws {HttpResponseError} (or what is derived from it) when it is no answer to a query at all
 */
export async function resultOf<TData>(reply: ApiReply<unknown>): Promise<GraphqlResult<TData>> {
  const answer = answerIn<TData>(reply);
  if (answer) return answer;
  // Browsers are sent these when a query was refused.
  if (reply.response.ok) throw (await loaded(import('./graphql-refusal.js'))).errorOf(reply);
  throw await replyError(reply, reply.value);
}

/** The answer under the policy `all` for a call that failed. */
export function failureOf(error: PlatformError, reply?: ApiReply<unknown>): GraphqlOutcome<never> {
  const { data, extensions } = bodyOf(error) ?? {};
  return {
    ...(data !== undefined && data !== null && { data: data as never }),
    errors: new GraphqlErrors(error, reply && readable(reply)),
    ...(isRecord(extensions) && { extensions }),
    headers: reply?.response.headers,
    requestId: reply?.requestId,
    cost: costIn(reply?.value),
  };
}

/** Waited after a refusal that does not say how full the bucket is, in milliseconds. */
const UNTOLD_WAIT = 1000;

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

/** The extensions of a reply, to be spread into a result; nothing when it has none. */
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

/** Whether one of the errors has this code. */
export function hasCode(errors: readonly GraphqlError[], code: string): boolean {
  return errors.some(({ extensions }) => extensions?.['code'] === code);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
