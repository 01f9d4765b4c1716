import { headerMap } from '../../core/http/http.errors.js';
import type { HeaderOptions } from '../../core/http/api-request.js';
import type { Untyped } from '../../core/json.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { GraphqlClient } from '../../graphql-client/graphql.client.js';
import type { GraphqlResult } from '../../graphql-client/graphql-result.js';

/** The release that is to drop `query()`. */
const QUERY_ENDS = '2.0.0';

/** What `query()` takes. */
interface QueryParams {
  /** The query, or an object with `query` and `variables`. */
  readonly data:
    | string
    | {
        readonly query: string;
        readonly variables?: Readonly<Record<string, Untyped>> | undefined;
      };
  readonly extraHeaders?: HeaderOptions | undefined;
  /** The number of attempts, 1 to 4. */
  readonly tries?: number | undefined;
}

/** A client of `api.clients` with the members that those of the platform's own library have. */
export interface LibraryGraphqlClient<Operations> extends GraphqlClient<Operations> {
  /** The same client, except that errors come beside the data instead of being thrown. */
  readonly client: Pick<GraphqlClient<Operations, 'all'>, 'fetch' | 'request' | 'requestStream'>;
  /**
   * Runs one query or mutation.
   * @throws {GraphqlQueryError} and what else `request()` throws
   * @deprecated use `request()`
   */
  query<TBody = Untyped>(
    params: QueryParams,
  ): Promise<{
    readonly body: TBody;
    readonly headers: Readonly<Record<string, readonly string[]>>;
  }>;
}

/** The members of {@link LibraryGraphqlClient} that `GraphqlClient` does not have. */
export function libraryMembers(logger: PlatformLogger): PropertyDescriptorMap {
  let announced = false;
  return {
    client: {
      get(this: UntypedClient) {
        return {
          fetch: (document: string, options?: object) => this.fetch(document, options),
          request: (document: string, options?: object) =>
            this.request(document, { errorPolicy: 'all', ...options }),
          requestStream: (document: string, options?: object) =>
            this.requestStream(document, { errorPolicy: 'all', ...options }),
        };
      },
    },
    query: {
      async value(this: UntypedClient, { data, extraHeaders, tries }: QueryParams) {
        // Once is enough: an app may ask many times in a second.
        if (!announced) logger.deprecated(QUERY_ENDS, 'query() of a client: use request().');
        announced = true;
        const { query, variables } = typeof data === 'string' ? { query: data } : data;
        const options = { variables, headers: extraHeaders, tries };
        const { headers, ...body } = await this.request(query, options);
        return { body, headers: headerMap(headers) };
      },
    },
  };
}

/** A client of any interface, as these members see it. */
interface UntypedClient {
  fetch(document: string, options?: object): Promise<Response>;
  request(document: string, options?: object): Promise<GraphqlResult>;
  requestStream(document: string, options?: object): Promise<unknown>;
}
