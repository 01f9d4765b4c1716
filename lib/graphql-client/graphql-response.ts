import { headerMap } from '../core/http/http.errors.js';
import type { HeaderMap } from '../core/http/http.errors.js';
import type { Untyped } from '../core/json.js';
import type { AdminOperations } from './admin-operations.js';
import type { GraphqlErrors } from './graphql-errors.js';
import type { GraphqlCost, GraphqlExtensions } from './graphql-extensions.js';
import type { DataOf, TypedDocument, UntypedText } from './graphql-document.js';
import type { GraphqlOutcome, GraphqlResult } from './graphql-result.js';
import type { ArgumentsFor, OptionsFor, OtherPolicy, OwnPolicy } from './graphql.options.js';

/** What is read of an answer in the way of a `Response`. */
interface ResponseMembers<TBody> extends Omit<Response, 'json' | 'clone'> {
  /** Of the platform's reply; 0 when none came. */
  readonly status: number;
  /** Those of a `Response` with this text. What the platform has sent is named in {@link json}. */
  readonly headers: Headers;
  /**
   * The answer with the headers of the reply, as in `{ 'Content-Type': ['application/json'] }`. Of
   * the Storefront interface none are named. Can be called any number of times, as can `text()`.
   */
  json(): Promise<TBody & { readonly headers: HeaderMap }>;
  clone(): this;
}

/**
 * The answer to a query without errors: its `data`, and all that a `Response` with them has, so
 * that code can read it like one and a route send it on. It is not `instanceof Response`.
 */
export interface GraphqlResponse<TData = Untyped>
  extends
    Omit<GraphqlResult<TData>, 'headers'>,
    ResponseMembers<{ data: TData; extensions?: GraphqlExtensions }> {}

/** The same under the policy `all`: with data, with errors, or with both. */
export interface GraphqlOutcomeResponse<TData = Untyped>
  extends
    Omit<GraphqlOutcome<TData>, 'headers'>,
    ResponseMembers<{ data?: TData; errors?: GraphqlErrors; extensions?: GraphqlExtensions }> {}

/**
 * `graphql(query, { variables })` of a shop: `request()` of its client, with answers that can be
 * read like a `Response`. Can be taken off its object.
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
    new ResponseLikeAnswer(await client.request(document as never, options as never), namesHeaders);
}

/** What only a `Response` has is made when it is read. */
class ResponseLikeAnswer implements GraphqlOutcomeResponse {
  readonly data: Untyped;
  readonly errors: GraphqlErrors | undefined;
  readonly extensions: GraphqlExtensions | undefined;
  readonly requestId: string | undefined;
  readonly cost: GraphqlCost | undefined;
  readonly #answer: GraphqlOutcome;
  readonly #namesHeaders: boolean;
  #response: Response | undefined;

  constructor(answer: GraphqlOutcome, namesHeaders: boolean) {
    this.data = answer.data;
    this.errors = answer.errors;
    this.extensions = answer.extensions;
    this.requestId = answer.requestId;
    this.cost = answer.cost;
    this.#answer = answer;
    this.#namesHeaders = namesHeaders;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get status(): number {
    return this.errors ? (this.errors.networkStatusCode ?? 0) : 200;
  }

  get statusText(): string {
    return this.errors?.response?.statusText ?? '';
  }

  get headers(): Headers {
    return this.#asResponse.headers;
  }

  get body(): Response['body'] {
    return this.#asResponse.body;
  }

  get bodyUsed(): boolean {
    return this.#response?.bodyUsed ?? false;
  }

  get redirected(): boolean {
    return false;
  }

  get type(): ResponseType {
    return 'default';
  }

  get url(): string {
    return '';
  }

  async json(): Promise<Untyped> {
    return this.#content;
  }

  async text(): Promise<string> {
    return JSON.stringify(this.#content);
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#toResponse().arrayBuffer();
  }

  async blob(): Promise<Blob> {
    return this.#toResponse().blob();
  }

  /** @throws {TypeError} as of any `Response` that is no form */
  async formData(): Promise<FormData> {
    return this.#toResponse().formData();
  }

  clone(): this {
    return new ResponseLikeAnswer(this.#answer, this.#namesHeaders) as this;
  }

  get #content(): Untyped {
    const { data, errors, extensions } = this;
    const { headers } = this.#answer;
    return {
      ...(data !== undefined && { data }),
      ...(errors !== undefined && { errors }),
      ...(extensions !== undefined && { extensions }),
      headers: headers && this.#namesHeaders ? headerMap(headers) : {},
    };
  }

  get #asResponse(): Response {
    return (this.#response ??= this.#toResponse());
  }

  #toResponse(): Response {
    return new Response(JSON.stringify(this.#content));
  }
}
