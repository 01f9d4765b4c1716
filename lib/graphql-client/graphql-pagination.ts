import { GraphqlPaginationError, GraphqlQueryError } from './graphql-client.errors.js';
import type { GraphqlOperation } from './graphql-operation.js';
import { InvalidRequestError } from '../core/http/http.errors.js';
import { nodesOf } from '../core/json.js';

const DEFAULT_PAGE_SIZE = 50;

/** A page of a connection, requested with its `pageInfo` and either `nodes` or `edges`. */
export interface GraphqlConnection<TNode> {
  readonly nodes?: readonly TNode[] | undefined;
  readonly edges?: readonly { readonly node: TNode }[] | undefined;
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly endCursor?: string | null | undefined;
  };
}

/** The position of a page. */
export interface PagePosition {
  readonly first?: number | undefined;
  readonly after?: string | null | undefined;
}

/**
 * Yields the nodes of a connection, across all its pages. A page is fetched when its first node is
 * requested. A page that costs too much is requested again with half as many nodes, and so are the
 * pages after it.
 * @throws {InvalidRequestError} when the document takes no `$after`: it would read its first page
 * for ever
 * @throws {GraphqlPaginationError} when the platform names a page for the second time, or none
 * although there is another
 */
export async function* walk<TNode>(
  operation: GraphqlOperation,
  start: PagePosition,
  fetchPage: (position: PagePosition) => Promise<GraphqlConnection<TNode> | null | undefined>,
  shop: string,
): AsyncGenerator<TNode, void, undefined> {
  if (!/\$after\b/.test(operation.text)) {
    throw new InvalidRequestError(
      `${operation.name} cannot be paged through: it must take "$after: String" and pass it to the connection.`,
    );
  }
  const seen = new Set<string>();
  const fetch = shrinking(fetchPage);
  let after = start.after;
  let first = start.first ?? declaredSize(operation);
  for (;;) {
    const page = await fetch({ first, after });
    if (!page.connection) return;
    const { pageInfo } = page.connection;
    yield* nodesOf(page.connection);
    if (!pageInfo.hasNextPage) return;
    after = pageInfo.endCursor;
    first = page.first;
    if (!after || seen.has(after)) {
      const why = after
        ? `the platform named the page after "${after}" for the second time`
        : 'the document does not ask for "endCursor"';
      throw new GraphqlPaginationError(
        `${operation.name} cannot be paged through any further: ${why}.`,
        {
          shop,
          operation: operation.name,
        },
      );
    }
    seen.add(after);
  }
}

/**
 * Fetches a page with fewer and fewer nodes while it costs too much; `first` is the number of nodes
 * of the last attempt.
 */
function shrinking<TConnection>(fetchPage: (position: PagePosition) => Promise<TConnection>) {
  return async ({
    first,
    after,
  }: PagePosition & { readonly first: number }): Promise<{
    connection: TConnection;
    first: number;
  }> => {
    for (let size = first; ; size = Math.floor(size / 2)) {
      try {
        return { connection: await fetchPage({ first: size, after }), first: size };
      } catch (error) {
        if (size <= 1 || !(error instanceof GraphqlQueryError) || !error.has('MAX_COST_EXCEEDED'))
          throw error;
      }
    }
  };
}

/** The default value of `$first` in a document. */
function declaredSize({ text }: GraphqlOperation): number {
  const [, declared] = /\$first\s*:\s*Int!?\s*=\s*(\d+)/.exec(text) ?? [];
  return Number(declared ?? DEFAULT_PAGE_SIZE);
}
