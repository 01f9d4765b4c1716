import { search } from '../../graphql/graphql-search.js';
import type { GraphQLResolveInfo } from 'graphql';
import type { StoredNode } from '../../state/nodes/node-store.js';
import { startedJob } from '../nodes/job.resolvers.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { searchFieldsOf } from '../nodes/node-search.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { inputError, isBlank } from '../nodes/user-errors.js';

type Info = Pick<GraphQLResolveInfo, 'schema'>;

/**
 * The resolvers of the mutations that delete redirects in bulk, and bring in those of a file. A
 * store reads no file: it imports none.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/urlRedirectBulkDeleteBySearch
 */
export function redirectRoot({ reader, changed }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const all = (): StoredNode[] => nodes.all(['UrlRedirect']);
  const refused = (error: NodeError): object => ({ job: null, userErrors: [error] });
  const removed = (found: readonly StoredNode[]): object => {
    for (const { id, fields } of found) {
      nodes.delete(id);
      changed('delete', id, fields);
    }
    return { job: startedJob(nodes), userErrors: [] };
  };
  const matching = (query: string, { schema }: Info): StoredNode[] => {
    const type = schema.getType('UrlRedirect');
    return type ? search(all(), query, searchFieldsOf(type)) : [];
  };
  return {
    urlRedirectBulkDeleteAll: () => removed(all()),
    urlRedirectBulkDeleteByIds: ({ ids }: { readonly ids: readonly string[] }) =>
      ids.length === 0
        ? refused(
            inputError('ids', 'You must pass one or more URLRedirect object IDs.', 'IDS_EMPTY'),
          )
        : removed(all().filter(({ id }) => ids.includes(id))),
    urlRedirectBulkDeleteBySearch: (
      { search: query }: { readonly search: string },
      _: unknown,
      info: Info,
    ) =>
      isBlank(query)
        ? refused(inputError('search', 'Invalid search string.', 'INVALID_SEARCH_ARGUMENT'))
        : removed(matching(query, info)),
    urlRedirectBulkDeleteBySavedSearch: (
      { savedSearchId }: { readonly savedSearchId: string },
      _: unknown,
      info: Info,
    ) => {
      const saved = nodes.find(savedSearchId);
      const refusal = (message: string, code: string): object =>
        refused(inputError('savedSearchId', message, code));
      if (saved?.type !== 'SavedSearch')
        return refusal('Saved search not found.', 'SAVED_SEARCH_NOT_FOUND');
      const query = String(saved.fields['query'] ?? '');
      return isBlank(query)
        ? refusal(
            "The saved search's query cannot match all entries or be empty.",
            'INVALID_SAVED_SEARCH_QUERY',
          )
        : removed(matching(query, info));
    },
    urlRedirectImportSubmit: ({ id }: { readonly id: string }) => {
      const one = nodes.find(id);
      if (one?.type !== 'UrlRedirectImport')
        return refused(inputError('id', 'Redirect import does not exist', 'NOT_FOUND'));
      if (one.fields['finished'])
        return refused(
          inputError('id', 'The import has already been completed.', 'ALREADY_IMPORTED'),
        );
      nodes.update(id, { finished: true, createdCount: 0, updatedCount: 0, failedCount: 0 });
      return { job: startedJob(nodes), userErrors: [] };
    },
  };
}
