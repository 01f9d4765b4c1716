import type { NodeStore, StoredNode } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { inputError, isBlank, tooLong } from '../nodes/user-errors.js';

/** What the input of a page, of an article and of a blog have in common. */
export interface ContentInput {
  readonly title?: string | null;
  readonly handle?: string | null;
  readonly isPublished?: boolean | null;
  readonly publishDate?: string | null;
}

/** The input of an article. */
interface ArticleInput extends ContentInput {
  readonly blogId?: string | null;
  readonly author?: { readonly name?: string | null; readonly userId?: string | null } | null;
  readonly image?: { readonly altText?: string | null; readonly url?: string | null } | null;
}

/** The arguments of a mutation of an article; those of one that creates it lack the id. */
export interface ArticleArgs {
  readonly id?: string;
  readonly article: ArticleInput;
  readonly blog?: ContentInput | null;
}

/** Which content an input is of. @property id none for a new one */
interface Subject {
  readonly noun: 'page' | 'article' | 'blog';
  readonly id: string | undefined;
  readonly now: Date;
  /** What has the handles that it may not have. */
  readonly others: readonly StoredNode[];
}

/** Why content is refused. */
export function contentErrors(
  input: ContentInput,
  { noun, id, now, others }: Subject,
): readonly NodeError[] {
  const { title, handle, isPublished, publishDate } = input;
  const isUntitled = isBlank(title) && (id === undefined || 'title' in input);
  const isTaken = others.some((one) => one.id !== id && one.fields['handle'] === handle);
  const isPlanned = isPublished && publishDate != null && new Date(publishDate) > now;
  return [
    ...(isUntitled
      ? [inputError(`${noun}.title`, "Title can't be blank", noun === 'blog' ? undefined : 'BLANK')]
      : []),
    ...tooLong(`${noun}.title`, title, ['Title'], 'TOO_LONG'),
    ...tooLong(`${noun}.handle`, handle, ['Handle'], 'TOO_LONG'),
    ...(handle && isTaken
      ? [inputError(`${noun}.handle`, 'Handle has already been taken', 'TAKEN')]
      : []),
    ...(isPlanned ? [inputError(noun, PLANNED, 'INVALID_PUBLISH_DATE')] : []),
  ];
}

const PLANNED = 'Can’t set isPublished to true and also set a future publish date.';

/** Why the blog, the author or the image of an article is refused; the first reason alone. */
export function articleErrors(
  { id, article, blog }: ArticleArgs,
  nodes: NodeStore,
): readonly NodeError[] {
  const { blogId, author, image } = article;
  const refused = (message: string, code: string): NodeError[] => [
    inputError('article', message, code),
  ];
  if (blogId != null && blog != null)
    return refused("Can't create a blog from input if a blog ID is supplied.", 'AMBIGUOUS_BLOG');
  if (id === undefined && blogId == null && blog == null)
    return refused(
      'Must reference or create a blog when creating an article.',
      'BLOG_REFERENCE_REQUIRED',
    );
  if (author?.name != null && author.userId != null)
    return refused(
      "Can't update an article author if both author name and user ID are supplied.",
      'AMBIGUOUS_AUTHOR',
    );
  if (id === undefined && isBlank(author?.name) && isBlank(author?.userId))
    return refused(
      "Can't create an article if both author name and user ID are blank.",
      'AUTHOR_FIELD_REQUIRED',
    );
  if (author?.userId != null && nodes.find(author.userId)?.type !== 'StaffMember')
    return refused('User must exist if a user ID is supplied.', 'AUTHOR_MUST_EXIST');
  if (id !== undefined && image?.altText != null && image.url == null && !hasImage(nodes, id))
    return [inputError('article.image', NO_IMAGE, 'INVALID')];
  return blogId != null && nodes.find(blogId)?.type !== 'Blog'
    ? refused('Must reference an existing blog.', 'NOT_FOUND')
    : [];
}

const NO_IMAGE =
  'Cannot update image alt text without an existing image or providing a new image URL';

function hasImage(nodes: NodeStore, id: string): boolean {
  return nodes.fieldsOf(id)['image'] != null;
}
