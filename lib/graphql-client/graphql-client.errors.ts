import type { ErrorCode } from '../core/core.errors.js';
import type { Untyped } from '../core/json.js';
import { ApiError } from '../core/http/http.errors.js';
import type { ApiErrorOptions } from '../core/http/http.errors.js';

/** One entry of the `errors` of a GraphQL reply. */
export interface GraphqlError {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string; readonly [name: string]: Untyped };
}

/** The errors as a list, with the members that the platform's own library gives them. */
export type GraphqlErrorList = readonly GraphqlError[] & {
  readonly graphQLErrors: readonly GraphqlError[];
  /** That of the first error. */
  readonly message: string;
  readonly networkStatusCode: number;
  readonly response: Response;
};

/** The body of a GraphQL reply that has errors. */
export interface GraphqlErrorBody {
  /** What could be answered all the same. */
  readonly data?: unknown;
  readonly errors: GraphqlErrorList;
  readonly extensions?: unknown;
}

/**
 * The platform refused a query, or answered it in part; `body.errors` says why. The message is that
 * of the first error.
 * @remedy Correct what `body.errors` names: the query, its variables, or the version of the API
 * that it was written for.
 */
export class GraphqlQueryError extends ApiError {
  readonly code: ErrorCode = 'ERR_GRAPHQL_QUERY';
  readonly headers: Headers;

  constructor(
    readonly body: GraphqlErrorBody,
    readonly response: Response,
    options: ApiErrorOptions = {},
  ) {
    super(body.errors.message, {
      status: response.status,
      ...options,
    });
    this.headers = response.headers;
  }

  /** True when one of the errors carries this code, such as `MAX_COST_EXCEEDED`. */
  has(code: string): boolean {
    return this.body.errors.some((error) => error.extensions?.['code'] === code);
  }
}

/**
 * The shop's bucket had too few points for the query, also after the last retry. The query was not
 * run.
 * @remedy Ask for less at a time, mark jobs `priority: 'background'`, and pace several processes
 * together with `pacing: { redis }`.
 */
export class GraphqlThrottledError extends GraphqlQueryError {
  override readonly code = 'ERR_GRAPHQL_THROTTLED';
}

/**
 * The token does not reach as far as the query asks: a scope is missing.
 * @remedy Ask for the scope; data of customers needs the platform's approval besides.
 */
export class GraphqlAccessDeniedError extends GraphqlQueryError {
  override readonly code = 'ERR_GRAPHQL_ACCESS_DENIED';
}

/** What a mutation refuses, in its own words. */
export interface UserError {
  readonly field?: readonly string[] | null | undefined;
  readonly message: string;
  readonly code?: string | null | undefined;
}

/**
 * A mutation refused what it was given; thrown only where `userErrors: 'throw'` was asked for.
 * @remedy Correct the input that `userErrors` names by `field`.
 */
export class UserErrorsError extends ApiError {
  readonly code = 'ERR_USER_ERRORS';

  constructor(
    readonly userErrors: readonly UserError[],
    /** What the mutation answered with, the refusals included. */
    readonly data: unknown,
    options: ApiErrorOptions = {},
  ) {
    super(
      userErrors.map(({ message }) => message).join('; ') || 'The mutation refused its input',
      options,
    );
  }
}

/**
 * A connection cannot be walked: it names a page for the second time, or no page at all.
 * @remedy Select `pageInfo { hasNextPage endCursor }` of the connection, and pass the cursor on as
 * a variable.
 */
export class GraphqlPaginationError extends ApiError {
  readonly code = 'ERR_GRAPHQL_PAGINATION';
}
