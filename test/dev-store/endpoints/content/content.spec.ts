import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('the online store of a simulated shop', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(['content', 'online_store_navigation']);
  });
  afterAll(() => fixture.devStore.close());

  const create = async (kind: 'Page' | 'Blog' | 'Article', input: object, blog?: object) => {
    const noun = kind.toLowerCase();
    const { payload } = await fixture.call(
      `mutation ($input: ${kind}CreateInput!${blog ? ', $blog: ArticleBlogInput' : ''}) {
        payload: ${noun}Create(${noun}: $input${blog ? ', blog: $blog' : ''}) {
          node: ${noun} { id handle } userErrors { field message code } } }`,
      { input, blog },
    );
    return payload as { node: { id: string; handle: string } | null; userErrors: unknown };
  };
  const refused = (path: string, message: string, code: string | null): object => ({
    node: null,
    userErrors: [{ field: path.split('.'), message, code }],
  });

  it('refuses titles, handles and dates as the platform does', async () => {
    const title = 'About';
    expect(await create('Page', { title, handle: 'us' })).toMatchObject({ userErrors: [] });
    expect(await create('Page', { title: ' ' })).toEqual(
      refused('page.title', "Title can't be blank", 'BLANK'),
    );
    expect(await create('Blog', { title: '' })).toEqual(
      refused('blog.title', "Title can't be blank", null),
    );
    expect(await create('Page', { title: 'x'.repeat(256) })).toEqual(
      refused('page.title', 'Title is too long (maximum is 255 characters)', 'TOO_LONG'),
    );
    expect(await create('Page', { title, handle: 'us' })).toEqual(
      refused('page.handle', 'Handle has already been taken', 'TAKEN'),
    );
    const publishDate = new Date(Date.now() + 86_400_000).toISOString();
    expect(await create('Page', { title, isPublished: true, publishDate })).toEqual(
      refused(
        'page',
        'Can’t set isPublished to true and also set a future publish date.',
        'INVALID_PUBLISH_DATE',
      ),
    );
  });

  it('publishes a page that says nothing else, and sums it up', async () => {
    const { node } = await create('Page', { title: 'New', body: '<p>One</p> <b>two</b>' });
    const read = `query ($id: ID!) { page(id: $id) { isPublished publishedAt bodySummary } }`;
    expect(await fixture.call(read, { id: node?.id })).toEqual({
      page: { isPublished: true, publishedAt: expect.any(String), bodySummary: 'One two' },
    });
    await fixture.call(
      `mutation ($id: ID!) { pageUpdate(id: $id, page: { isPublished: false }) { page { id } } }`,
      { id: node?.id },
    );
    expect(await fixture.call(read, { id: node?.id })).toMatchObject({
      page: { isPublished: false, publishedAt: null },
    });
  });

  it('has articles with a blog and an author, which go with their blog', async () => {
    const title = 'First';
    const author = { name: 'Ada' };
    expect(await create('Article', { title, author })).toEqual(
      refused(
        'article',
        'Must reference or create a blog when creating an article.',
        'BLOG_REFERENCE_REQUIRED',
      ),
    );
    const blogId = 'gid://shopify/Blog/99';
    expect(await create('Article', { title, author, blogId })).toEqual(
      refused('article', 'Must reference an existing blog.', 'NOT_FOUND'),
    );
    expect(await create('Article', { title, author, blogId }, { title: 'News' })).toEqual(
      refused(
        'article',
        "Can't create a blog from input if a blog ID is supplied.",
        'AMBIGUOUS_BLOG',
      ),
    );
    expect(await create('Article', { title, author: {} }, { title: 'News' })).toEqual(
      refused(
        'article',
        "Can't create an article if both author name and user ID are blank.",
        'AUTHOR_FIELD_REQUIRED',
      ),
    );
    const { node } = await create('Article', { title, author }, { title: 'News' });
    for (const [change, path, message, code] of [
      [
        { author: { userId: 'gid://shopify/StaffMember/9' } },
        ['article'],
        'User must exist if a user ID is supplied.',
        'AUTHOR_MUST_EXIST',
      ],
      [
        { image: { altText: 'A house' } },
        ['article', 'image'],
        'Cannot update image alt text without an existing image or providing a new image URL',
        'INVALID',
      ],
    ] as const)
      expect(
        await fixture.call(
          `mutation ($id: ID!, $article: ArticleUpdateInput!) {
            articleUpdate(id: $id, article: $article) {
              article { id } userErrors { field message code } } }`,
          { id: node?.id, article: change },
        ),
      ).toEqual({
        articleUpdate: { article: null, userErrors: [{ field: path, message, code }] },
      });
    fixture.shop.nodes.create('Comment', { article: node?.id, body: 'Good' });
    const read = `query ($id: ID!) { article(id: $id) { title author { name } blog { id title }
      comments(first: 2) { nodes { body } } } comments(first: 2) { nodes { body } } }`;
    const { article } = await fixture.call(read, { id: node?.id });
    expect(article).toMatchObject({
      title,
      author,
      blog: { title: 'News' },
      comments: { nodes: [{ body: 'Good' }] },
    });
    const { id } = article!['blog'] as { id: string };
    await fixture.call(`mutation ($id: ID!) { blogDelete(id: $id) { deletedBlogId } }`, { id });
    expect(await fixture.call(read, { id: node?.id })).toEqual({
      article: null,
      comments: { nodes: [] },
    });
  });

  it('changes nothing beside what it refuses or denies', async () => {
    const { nodes } = fixture.shop;
    const input = { title: 'Kept', author: { name: 'Ada' } };
    const before = nodes.all(['Blog']).length;
    expect(await create('Article', input, { title: ' ' })).toMatchObject({
      node: null,
      userErrors: [{ field: ['blog', 'title'] }],
    });
    const { payload } = await fixture.call(
      `mutation { payload: articleUpdate(id: "gid://shopify/Article/9", article: { title: "x" }
        blog: { title: "Left" }) { userErrors { message } } }`,
    );
    expect(payload!['userErrors']).toHaveLength(1);
    expect(nodes.all(['Blog'])).toHaveLength(before);

    const { node } = await create('Article', input, { title: 'Travels' });
    const id = nodes.find(node!.id)!.fields['blog'];
    const remove = 'mutation ($id: ID!) { blogDelete(id: $id) { deletedBlogId } }';
    const reader = fixture.shop.install('other', { scopes: 'read_content' });
    const { errors } = await fixture.answer(remove, { id }, reader);
    expect(errors).toMatchObject([{ extensions: { code: 'ACCESS_DENIED' } }]);
    expect(nodes.find(node!.id)).toBeDefined();
    const pages = fixture.shop.install('other', { scopes: 'write_online_store_pages' });
    const { blogDelete } = await fixture.call(remove, { id }, pages);
    expect(blogDelete).toEqual({ deletedBlogId: id });
    expect(nodes.find(node!.id)).toBeUndefined();
  });

  it('moderates comments', async () => {
    const { id } = fixture.shop.nodes.create('Comment', { body: 'Buy', status: 'UNAPPROVED' });
    const moved = async (action: string, of = id): Promise<unknown> => {
      const { payload } = await fixture.call(
        `mutation ($id: ID!) { payload: comment${action}(id: $id) {
          comment { status isPublished } userErrors { field message code } } }`,
        { id: of },
      );
      return payload;
    };
    const to = (status: string): object => ({
      comment: { status, isPublished: status === 'PUBLISHED' },
      userErrors: [],
    });
    const error = (message: string, code: string | null = null): object => ({
      comment: null,
      userErrors: [{ field: ['id'], message, code }],
    });
    expect(await moved('NotSpam')).toEqual(error('Status cannot transition via "not spam"'));
    expect(await moved('Approve')).toEqual(to('PUBLISHED'));
    expect(await moved('NotSpam')).toEqual(to('PUBLISHED'));
    expect(await moved('Spam')).toEqual(to('SPAM'));
    expect(await moved('Approve')).toEqual(error('Status cannot transition via "approve"'));
    expect(await moved('NotSpam')).toEqual(to('UNAPPROVED'));
    expect(await moved('Spam', 'gid://shopify/Comment/1')).toEqual(
      error('Comment does not exist', 'NOT_FOUND'),
    );
  });

  it('deletes redirects in bulk', async () => {
    for (const path of ['/a', '/b', '/c'])
      await fixture.call(
        `mutation ($path: String!) { urlRedirectCreate(urlRedirect: { path: $path, target: "/" }) {
          urlRedirect { id } } }`,
        { path },
      );
    const bulk = async (call: string): Promise<unknown> => {
      const { payload } = await fixture.call(
        `mutation { payload: urlRedirectBulkDelete${call} { job { done } userErrors { message } } }`,
      );
      const { urlRedirects } = await fixture.call('{ urlRedirects(first: 5) { nodes { path } } }');
      return { ...payload, left: (urlRedirects!['nodes'] as object[]).length };
    };
    const done = { job: { done: false }, userErrors: [] };
    expect(await bulk('BySearch(search: "path:/b")')).toEqual({ ...done, left: 2 });
    expect(await bulk('ByIds(ids: [])')).toMatchObject({ job: null, left: 2 });
    expect(await bulk('All')).toEqual({ ...done, left: 0 });
  });
});
