import type { GraphQLResolveInfo } from 'graphql';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { addNode } from '../nodes/new-node.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { refusedPayload } from '../nodes/refusals.js';
import {
  articleErrors,
  contentErrors,
  type ArticleArgs,
  type ContentInput,
} from './content-checks.js';

interface PageArgs {
  readonly id?: string;
  readonly page: ContentInput;
}

interface BlogArgs {
  readonly id?: string;
  readonly blog: ContentInput;
}

/** Tells nobody. */
const silent = Object.assign(() => undefined, { topic: () => undefined });

type At = readonly [context: GraphqlContext, info: GraphQLResolveInfo];

/**
 * The resolvers of pages, blogs and their articles. New ones are published, but for those that
 * say when they will be.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/articleCreate
 */
export function contentRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed } = writer;
  const { nodes, defaults } = reader.store;
  /** Does by the conventions what nothing speaks against. */
  const done = (errors: readonly NodeError[], args: object, [context, info]: At): unknown =>
    errors.length > 0
      ? refusedPayload(info, errors)
      : context.missing({}, args as Record<string, unknown>, context, info);
  const published = (input: ContentInput, id: string | undefined): NodeFields => {
    const { publishDate, ...fields } = input;
    const now = defaults.now();
    const before: Readonly<NodeFields> = id === undefined ? {} : nodes.fieldsOf(id);
    const isAsked = id === undefined || 'isPublished' in input || publishDate !== undefined;
    if (!isAsked) return { ...fields };
    const isPublished = input.isPublished ?? (publishDate == null || new Date(publishDate) <= now);
    const since = before['publishedAt'] ?? now.toISOString().replace(/\.\d+/, '');
    return { ...fields, isPublished, publishedAt: publishDate ?? (isPublished ? since : null) };
  };
  const page = ({ id, page: input }: PageArgs, ...at: At): unknown => {
    const others = nodes.all(['Page']);
    const errors = contentErrors(input, { noun: 'page', id, others, now: defaults.now() });
    return done(errors, { id, page: published(input, id) }, at);
  };
  const blog = ({ id, blog: input }: BlogArgs, ...at: At): unknown => {
    const others = nodes.all(['Blog']);
    const errors = contentErrors(input, { noun: 'blog', id, others, now: defaults.now() });
    return done(errors, { id, blog: input }, at);
  };
  const article = (args: ArticleArgs, ...at: At): unknown => {
    const { id, article: input, blog: newBlog } = args;
    const own = input.blogId ?? (id === undefined ? undefined : nodes.fieldsOf(id)['blog']);
    const others = nodes.all(['Article']).filter(({ fields }) => fields['blog'] === own);
    const isKnown = id === undefined || nodes.find(id);
    const now = defaults.now();
    const blogs = { noun: 'blog', id: undefined, others: nodes.all(['Blog']), now } as const;
    const errors = isKnown
      ? [
          ...contentErrors(input, { noun: 'article', id, others, now }),
          ...articleErrors(args, nodes),
          ...(newBlog ? contentErrors(newBlog, blogs) : []),
        ]
      : [];
    const fields = published(input, id);
    if (!newBlog || !isKnown || errors.length > 0) return done(errors, { id, article: fields }, at);
    const blogId = addNode({ ...writer, changed: silent }, ['Blog', { ...newBlog }], true);
    const isUsed = (): boolean => nodes.naming(blogId, ['Article']).length > 0;
    try {
      return done([], { id, article: { ...fields, blogId } }, at);
    } finally {
      if (isUsed()) changed('create', blogId, nodes.fieldsOf(blogId));
      else nodes.delete(blogId);
    }
  };
  /** What belongs to a node, after what belongs to that. */
  const belongingTo = (id: string, [type, ...inner]: readonly string[]): StoredNode[] =>
    type === undefined
      ? []
      : nodes.naming(id, [type]).flatMap((one) => [...belongingTo(one.id, inner), one]);
  const removed =
    (...belonging: string[]) =>
    (args: { readonly id: string }, ...at: At): unknown => {
      const parts = nodes.find(args.id) ? belongingTo(args.id, belonging) : [];
      const payload = done([], args, at);
      if (nodes.find(args.id)) return payload;
      for (const { id, fields } of parts) {
        nodes.delete(id);
        changed('delete', id, fields);
      }
      return payload;
    };
  return {
    pageCreate: page,
    pageUpdate: page,
    blogCreate: blog,
    blogUpdate: blog,
    articleCreate: article,
    articleUpdate: article,
    blogDelete: removed('Article', 'Comment'),
    articleDelete: removed('Comment'),
  };
}
