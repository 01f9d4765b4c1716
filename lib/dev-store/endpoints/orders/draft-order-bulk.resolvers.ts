import type { GraphQLResolveInfo } from 'graphql';
import { cleanTags } from '../../base/text-values.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { search } from '../../graphql/graphql-search.js';
import type { StoredNode } from '../../state/nodes/node-store.js';
import { startedJob } from '../nodes/job.resolvers.js';
import { searchFieldsOf } from '../nodes/node-search.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { savedSearches } from '../saved-searches/saved-search.resolvers.js';

interface ChosenArgs {
  ids?: readonly string[] | null;
  search?: string | null;
  savedSearchId?: string | null;
}

interface TagsArgs extends ChosenArgs {
  tags: readonly string[];
}

/**
 * The resolvers of the mutations that change many draft orders in the background, and of the saved
 * searches that choose them.
 */
export function draftOrderBulkRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed } = writer;
  const { nodes } = reader.store;
  const chosen = (args: ChosenArgs, { schema }: GraphQLResolveInfo): StoredNode[] => {
    const all = nodes.all(['DraftOrder']);
    const { ids, savedSearchId } = args;
    if (ids) return all.filter(({ id }) => ids.includes(id));
    const saved = savedSearchId == null ? undefined : nodes.find(savedSearchId);
    const found = saved?.type === 'SavedSearch' ? saved.fields['query'] : undefined;
    const query = args.search ?? (typeof found === 'string' ? found : undefined);
    const type = schema.getType('DraftOrder');
    return query && type ? search(all, query, searchFieldsOf(type)) : [];
  };

  /** Changes the chosen drafts before the next call, as a job does. */
  const bulk =
    <T extends ChosenArgs>(change: (draft: StoredNode, args: T) => void) =>
    (args: T, _context: GraphqlContext, info: GraphQLResolveInfo): object => {
      const drafts = chosen(args, info);
      nodes.afterCall(() => drafts.forEach((draft) => change(draft, args)));
      return { job: startedJob(nodes), userErrors: [] };
    };

  const tagged = (
    after: (before: readonly string[], tags: readonly string[]) => string[],
  ): unknown =>
    bulk<TagsArgs>(({ id, fields }, { tags }) => {
      const before = (fields['tags'] ?? []) as string[];
      nodes.update(id, { tags: cleanTags(after(before, cleanTags(tags))) });
      changed('update', id, nodes.fieldsOf(id));
    });

  return {
    draftOrderBulkAddTags: tagged((before, tags) => [
      ...before,
      ...tags.filter((tag) => !before.some((one) => isSame(one, tag))),
    ]),
    draftOrderBulkRemoveTags: tagged((before, tags) =>
      before.filter((one) => !tags.some((tag) => isSame(one, tag))),
    ),
    draftOrderBulkDelete: bulk(({ id, fields }) => {
      if (nodes.delete(id)) changed('delete', id, fields);
    }),
    draftOrderSavedSearches: savedSearches(writer, 'DRAFT_ORDER'),
  };
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
