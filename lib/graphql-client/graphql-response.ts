import { headerMap } from '../core/http/http.errors.js';
import type { HeaderMap } from '../core/http/http.errors.js';
import type { Untyped } from '../core/json.js';
import type { AdminOperations } from './admin-operations.js';
import type { GraphqlErrors } from './graphql-errors.js';
import type { GraphqlExtensions } from './graphql-extensions.js';
import type { DataOf, TypedDocument, UntypedText } from './graphql-document.js';
import type { GraphqlOutcome, GraphqlResult } from './graphql-result.js';
import type { ArgumentsFor, OptionsFor, OtherPolicy, OwnPolicy } from './graphql.options.js';

/** What of a `Response` is more than that. */
interface ResponseMembers<TBody> extends Omit<Response, 'json' | 'clone'> {
  /**
   * The answer with the headers of the platform's reply, as in
   * `{ 'Content-Type': ['application/json'] }`; of the Storefront interface none are named. Can be
   * called any number of times, as can `text()`.
   */
  json(): Promise<TBody & { readonly headers: HeaderMap }>;
  clone(): this;
}

/**
 * The answer to a query without errors: its `data`, on a `Response` that has the same as its JSON.
 * `headers` are those of this response; the platform's are in {@link json}.
 */
export interface GraphqlResponse<TData = Untyped>
  extends
    Omit<GraphqlResult<TData>, 'headers'>,
    ResponseMembers<{ data: TData; extensions?: GraphqlExtensions }> {}

/**
 * The same under the policy `all`: with data, with errors, or with both. Its status is that of the
 * platform's refusal, and 502 when no usable reply came.
 */
export interface GraphqlOutcomeResponse<TData = Untyped>
  extends
    Omit<GraphqlOutcome<TData>, 'headers'>,
    ResponseMembers<{ data?: TData; errors?: GraphqlErrors; extensions?: GraphqlExtensions }> {}

/**
 * `graphql(query, { variables })` of a shop: `request()` of its client, with answers that are a
 * `Response` as well. Can be taken off its object.
 */
export interface GraphqlRequest<Operations = AdminOperations> {
  <TData = Untyped, const Text extends string = string>(
    document: UntypedText<Operations, Text>,
    options: OtherPolicy<'throw'>,
  ): Promise<GraphqlOutcomeResponse<TData>>;
  <TData = Untyped, const Text extends string = string>(
    document: UntypedText<Operations, Text>,
    options?: OwnPolicy<'throw'>,
  ): Promise<GraphqlResponse<TData>>;
  <const Document extends TypedDocument<Operations>>(
    document: Document,
    options: OptionsFor<Operations, Document, OtherPolicy<'throw'>>,
  ): Promise<GraphqlOutcomeResponse<DataOf<Operations, Document>>>;
  <const Document extends TypedDocument<Operations>>(
    document: Document,
    ...options: ArgumentsFor<Operations, Document, OwnPolicy<'throw'>>
  ): Promise<GraphqlResponse<DataOf<Operations, Document>>>;
}

/**
 * The `graphql()` of a client.
 * @param namesHeaders whether `json()` of an answer names the headers of the reply @default true
 */
export function graphqlOf<Operations>(
  client: { request(document: never, options: never): Promise<GraphqlOutcome> },
  namesHeaders = true,
): GraphqlRequest<Operations> {
  return async (document: unknown, options?: unknown): Promise<Untyped> =>
    responseOf(await client.request(document as never, options as never), namesHeaders);
}

/** Nothing is written as JSON before the response is read. */
function responseOf(answer: GraphqlOutcome, namesHeaders: boolean): Response {
  const { data, errors, extensions, requestId, cost, headers } = answer;
  const content = () => ({
    ...(data !== undefined && { data }),
    ...(errors !== undefined && { errors }),
    ...(extensions !== undefined && { extensions }),
    headers: headers && namesHeaders ? headerMap(headers) : {},
  });
  const text = () => JSON.stringify(content());
  const body = new ReadableStream<Uint8Array>(
    {
      pull(stream) {
        stream.enqueue(new TextEncoder().encode(text()));
        stream.close();
      },
    },
    { highWaterMark: 0 },
  );
  // The class that is the global one by now: some hosts put their own in its place.
  const response = new Response(body, {
    status: statusOf(errors),
    headers: { 'content-type': 'text/plain;charset=UTF-8' },
  });
  return Object.defineProperties(
    Object.assign(response, { data, errors, extensions, requestId, cost }),
    {
      json: { value: async () => content() },
      text: { value: async () => text() },
      clone: { value: () => responseOf(answer, namesHeaders) },
    },
  );
}

function statusOf(errors: GraphqlErrors | undefined): number {
  if (!errors || errors.graphQLErrors) return 200;
  const { networkStatusCode = 0 } = errors;
  return networkStatusCode >= 400 && networkStatusCode < 600 ? networkStatusCode : 502;
}
