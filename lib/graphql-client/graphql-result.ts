import type { Untyped } from '../core/json.js';
import { ApiError, InvalidRequestError } from '../core/http/http.errors.js';
import type { PlatformError } from '../core/core.errors.js';
import type { ApiReply } from '../core/http/api-call.js';
import { GraphqlQueryError, UserErrorsError } from './graphql-client.errors.js';
import type { GraphqlError, UserError } from './graphql-client.errors.js';
import type { ErrorPolicy, UserErrorPolicy } from './graphql.options.js';
import { bodyOf, costIn } from './graphql-reply.js';
import type { GraphqlCost, GraphqlExtensions } from './graphql-reply.js';
import { isRecord } from '../core/json.js';

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
 * What went wrong with a call that does not throw, with the members that users of the platform's
 * own clients know. It is also the list of the errors: `for (const { message } of errors)`.
 */
export class GraphqlErrors implements Iterable<GraphqlError> {
  readonly message: string;
  /** Status of the reply; not there when none came. */
  declare readonly networkStatusCode?: number;
  /** The `errors` of the reply; not there when it failed as a whole. */
  declare readonly graphQLErrors?: readonly GraphqlError[];
  declare readonly response?: Response;
  /** The error that the policy `throw` throws. */
  declare readonly cause: PlatformError;

  constructor(cause: PlatformError, response?: Response) {
    this.message = cause.message;
    if (response) Object.assign(this, { networkStatusCode: response.status, response });
    else if (cause instanceof ApiError && cause.status !== undefined)
      this.networkStatusCode = cause.status;
    if (cause instanceof GraphqlQueryError) this.graphQLErrors = [...cause.body.errors];
    // Not enumerable: the enumerable members are those that users know.
    Object.defineProperty(this, 'cause', { value: cause });
  }

  [Symbol.iterator](): Iterator<GraphqlError> {
    return (this.graphQLErrors ?? [{ message: this.message }])[Symbol.iterator]();
  }
}

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

/**
 * Looks for what a mutation refused: lists called `userErrors`, `customerUserErrors` and the like
 * in what it answers with.
 * @throws {UserErrorsError} when there is any
 */
export function refuseUserErrors(
  { data, requestId, cost }: GraphqlResult,
  { response, attempts, call }: ApiReply<unknown>,
): void {
  const userErrors = Object.values(isRecord(data) ? data : {})
    .filter(isRecord)
    .flatMap((payload) => Object.entries(payload))
    .flatMap(([name, value]) =>
      /userErrors$/i.test(name) && Array.isArray(value) ? value.map(userErrorIn) : [],
    );
  if (userErrors.length === 0) return;
  throw new UserErrorsError(userErrors, data, {
    ...call,
    status: response.status,
    requestId,
    attempts,
    cost: cost?.requested,
  });
}

/** Also of an entry that is none, so that a refusal is never taken for a success. */
function userErrorIn(entry: unknown): UserError {
  return isRecord(entry) ? (entry as unknown as UserError) : { message: JSON.stringify(entry) };
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
