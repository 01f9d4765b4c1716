import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { inputError } from '../nodes/user-errors.js';

/** What may become of a comment: its states before, and the one after; none keeps what it has. */
const MOVES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  approve: { PENDING: 'PUBLISHED', UNAPPROVED: 'PUBLISHED', PUBLISHED: 'PUBLISHED' },
  spam: { PENDING: 'SPAM', UNAPPROVED: 'SPAM', PUBLISHED: 'SPAM', SPAM: 'SPAM' },
  'not spam': { SPAM: 'UNAPPROVED', PUBLISHED: 'PUBLISHED' },
};

/**
 * The resolvers of the mutations that moderate the comments on articles.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/commentApprove
 */
export function commentRoot({ reader, view, changed }: NodeWriter): Record<string, unknown> {
  const { nodes, defaults } = reader.store;
  const moved =
    (event: string) =>
    ({ id }: { readonly id: string }): object => {
      const comment = nodes.find(id);
      const refused = (message: string, code?: string): object => ({
        comment: null,
        userErrors: [inputError('id', message, code)],
      });
      if (comment?.type !== 'Comment') return refused('Comment does not exist', 'NOT_FOUND');
      const status = MOVES[event]?.[String(comment.fields['status'] ?? 'UNAPPROVED')];
      if (status === undefined) return refused(`Status cannot transition via "${event}"`);
      const isPublished = status === 'PUBLISHED';
      const since = comment.fields['publishedAt'] ?? defaults.now().toISOString();
      const fields: NodeFields = { status, isPublished, publishedAt: isPublished ? since : null };
      nodes.update(id, fields);
      changed('update', id, nodes.fieldsOf(id));
      return { comment: view(id), userErrors: [] };
    };
  return {
    commentApprove: moved('approve'),
    commentSpam: moved('spam'),
    commentNotSpam: moved('not spam'),
  };
}
