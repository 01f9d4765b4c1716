import type { GraphQLResolveInfo } from 'graphql';
import { cleanTags } from '../../base/text-values.js';
import { globalId } from '../../base/vendor.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { search } from '../../graphql/graphql-search.js';
import type { StoredNode } from '../../state/nodes/node-store.js';
import { startedJob } from '../nodes/job.resolvers.js';
import { searchFieldsOf } from '../nodes/node-search.js';
import type { NodeWriter } from '../nodes/node-writer.js';

interface ChosenArgs {
  ids?: readonly string[] | null;
  search?: string | null;
  savedSearchId?: string | null;
}

interface TagsArgs extends ChosenArgs {
  tags: readonly string[];
}

/** The saved searches that every shop has. */
const SAVED: ReadonlyArray<readonly [name: string, query: string]> = [
  ['Open', 'status:open'],
  ['Invoice sent', 'status:invoice_sent'],
  ['Completed', 'status:completed'],
  ['Submitted for review', 'status:open source:online_store'],
  ['Open and invoice sent', 'status:open_and_invoice_sent'],
];

/**
 * The resolvers of the mutations that change many draft orders in the background, and of the saved
 * searches that choose them.
 */
export function draftOrderBulkRoot({ reader, changed }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const saved = SAVED.map(([name, query], index) => ({ id: index + 1, name, query }));

  const chosen = (args: ChosenArgs, { schema }: GraphQLResolveInfo): StoredNode[] => {
    const all = nodes.all(['DraftOrder']);
    const { ids, savedSearchId } = args;
    if (ids) return all.filter(({ id }) => ids.includes(id));
    const found = saved.find(({ id }) => globalId('SavedSearch', id) === savedSearchId);
    const query = args.search ?? found?.query;
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
    draftOrderSavedSearches: (args: ConnectionArgs, context: GraphqlContext) =>
      connection(saved, args, context, ({ id, name, query }) =>
        reader.objectOf({
          ...{ name, query, resourceType: 'DRAFT_ORDER', filters: [], searchTerms: '' },
          ...{ id: globalId('SavedSearch', id), legacyResourceId: String(id) },
        }),
      ),
  };
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
