import { PlatformError } from '../core/core.errors.js';

/** One entry of the `errors` of a GraphQL reply. */
export interface GraphqlError {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The errors as a list, which also goes by the name the platform's own library gives it. */
export type GraphqlErrorList = readonly GraphqlError[] & { readonly graphQLErrors: readonly GraphqlError[] };

/** The body of a GraphQL reply that has errors. */
export interface GraphqlErrorBody {
  /** What could be answered all the same. */
  readonly data?: unknown;
  readonly errors: GraphqlErrorList;
  readonly extensions?: unknown;
}

/** The platform refused a query, or answered it in part; `body.errors` says why. The message is that of the first error. */
export class GraphqlQueryError extends PlatformError {
  readonly code = 'ERR_GRAPHQL_QUERY';
  readonly headers: Headers;

  constructor(
    readonly body: GraphqlErrorBody,
    readonly response: Response,
  ) {
    super(body.errors[0]?.message ?? 'GraphQL operation failed');
    this.headers = response.headers;
  }
}

/** A list that answers to both names. */
export function errorList(errors: readonly GraphqlError[]): GraphqlErrorList {
  const list = [...errors];
  // Not enumerable: as JSON it is a plain list.
  return Object.defineProperty(list, 'graphQLErrors', { value: list, enumerable: false }) as readonly GraphqlError[] as GraphqlErrorList;
}
