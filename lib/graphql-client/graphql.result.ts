import { parsedBody, errorFor, readText } from '../core/http/error-response.js';
import type { Replied } from '../core/http/retry.js';
import { HEADERS } from '../core/vendor.js';
import { GraphqlQueryError, errorList } from './graphql-client.errors.js';
import type { GraphqlError } from './graphql-client.errors.js';

/** What comes beside the data, such as the cost of the query. */
export interface GraphqlExtensions {
  readonly cost?: {
    readonly requestedQueryCost?: number;
    readonly actualQueryCost?: number;
    readonly throttleStatus?: { readonly maximumAvailable?: number; readonly currentlyAvailable?: number; readonly restoreRate?: number };
  };
  readonly [name: string]: unknown;
}

/** The answer to a query without errors. */
export interface GraphqlResult<TData = unknown> {
  readonly data: TData;
  readonly extensions?: GraphqlExtensions | undefined;
  readonly headers: Headers;
  /** The platform's id of the request, to be named to its support. */
  readonly requestId?: string | undefined;
  /** The same data, for code that treats the answer like a `Response`. */
  json(): Promise<{ data: TData; extensions?: GraphqlExtensions }>;
}

/**
 * Reads a reply.
 * @throws {GraphqlQueryError} when it has errors
 * @throws {HttpResponseError} (or what is derived from it) when it is no answer to a query at all
 */
export async function resultOf<TData>(replied: Replied): Promise<GraphqlResult<TData>> {
  const { response } = replied;
  const body = parsedBody(await readText(response));
  if (!response.ok) throw errorFor(replied, body);
  if (!isRecord(body)) throw errorFor(replied, body, 'with a body that is no GraphQL result');
  const errors = errorsIn(body['errors']);
  const extensions = isRecord(body['extensions']) ? { extensions: body['extensions'] } : {};
  if (errors.length > 0) {
    throw new GraphqlQueryError({ ...('data' in body && { data: body['data'] }), errors: errorList(errors), ...extensions }, response);
  }
  if (!isRecord(body['data'])) throw errorFor(replied, body, 'with neither data nor errors');
  const data = body['data'] as TData;
  return {
    data,
    ...extensions,
    headers: response.headers,
    requestId: response.headers.get(HEADERS.requestId) ?? undefined,
    json: async () => ({ data, ...extensions }),
  };
}

/** Some refusals are a bare text instead of a list. */
function errorsIn(errors: unknown): readonly GraphqlError[] {
  if (errors === undefined || errors === null) return [];
  return Array.isArray(errors)
    ? errors
    : [isRecord(errors) && 'message' in errors ? (errors as unknown as GraphqlError) : { message: textOf(errors) }];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
