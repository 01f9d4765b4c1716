import type { GraphqlConnection } from './graphql-pagination.js';

/**
 * The nodes of a page, whichever way it lists them; none of a missing connection. The tests of apps
 * answer with pages as other libraries ask for them.
 */
export function nodesOf<TNode>(
  connection: Pick<GraphqlConnection<TNode>, 'nodes' | 'edges'> | null | undefined,
): readonly TNode[] {
  const { nodes, edges = [] } = connection ?? {};
  return nodes ?? edges.map(({ node }) => node);
}
