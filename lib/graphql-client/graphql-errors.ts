import type { PlatformError } from '../core/core.errors.js';
import { ApiError } from '../core/http/http.errors.js';
import type { GraphqlError, GraphqlErrorBody, GraphqlQueryError } from './graphql-client.errors.js';

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
    const body = bodyOf(cause);
    if (body) this.graphQLErrors = [...body.errors];
    // Not enumerable: the enumerable members are those that users know.
    Object.defineProperty(this, 'cause', { value: cause });
  }

  [Symbol.iterator](): Iterator<GraphqlError> {
    return (this.graphQLErrors ?? [{ message: this.message }])[Symbol.iterator]();
  }
}

/**
 * The body that a {@link GraphqlQueryError} holds; `undefined` for every other error. Told by what
 * no other error has: a browser that has made no such error was not sent its class.
 */
export function bodyOf(error: PlatformError): GraphqlErrorBody | undefined {
  return error instanceof ApiError ? (error as Partial<GraphqlQueryError>).body : undefined;
}
