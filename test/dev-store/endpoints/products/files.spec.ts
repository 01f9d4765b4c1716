import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('files', () => {
  let store: NodeShopFixture;
  let ids: string[];

  beforeAll(async () => {
    store = await openNodeShop(['files']);
    const { fileCreate } = await store.call(
      `mutation { fileCreate(files: [
        { contentType: IMAGE, filename: "batch-17-a.jpg", originalSource: "https://cdn.example/1.jpg", alt: "A" }
        { contentType: IMAGE, originalSource: "https://cdn.example/batch-17-b.jpg?v=1", alt: "B" }
        { contentType: IMAGE, originalSource: "https://cdn.example/other.jpg", alt: "C" }
      ]) { files { id } userErrors { message } } }`,
    );
    ids = (fileCreate!['files'] as Array<{ id: string }>).map(({ id }) => id);
  });
  afterAll(() => store.devStore.close());

  it('are changed but for those whose alternative text is too long', async () => {
    const { fileUpdate } = await store.call(
      `mutation ($files: [FileUpdateInput!]!) { fileUpdate(files: $files) {
        files { id alt } userErrors { field message code } } }`,
      {
        files: [
          { id: ids[0], alt: 'After' },
          { id: ids[1], alt: 'x'.repeat(513) },
        ],
      },
    );
    expect(fileUpdate).toEqual({
      files: [{ id: ids[0], alt: 'After' }],
      userErrors: [
        {
          field: ['files', '1', 'alt'],
          message: 'The alt value exceeds the maximum limit of 512 characters.',
          code: 'ALT_VALUE_LIMIT_EXCEEDED',
        },
      ],
    });
    const { node } = await store.call(`{ node(id: "${ids[1]}") { ... on File { alt } } }`);
    expect(node).toEqual({ alt: 'B' });
  });

  it('get a new image or a new preview, which are one and the same', async () => {
    const { fileUpdate } = await store.call(
      `mutation { fileUpdate(files: [{ id: "${ids[2]}"
        originalSource: "https://cdn.example/a.jpg", previewImageSource: "https://cdn.example/b.jpg"
      }]) { files { id } userErrors { field message code } } }`,
    );
    const message =
      'Cannot update the preview image and image at the same time because they are one and the same.';
    expect(fileUpdate).toEqual({
      files: [],
      userErrors: ['previewImageSource', 'originalSource'].map((name) => ({
        ...{ field: ['files', '0', name], message, code: 'INVALID' },
      })),
    });
  });

  it('keep the end of their names, with its capitals', async () => {
    const { fileUpdate } = await store.call(
      `mutation { fileUpdate(files: [{ id: "${ids[2]}", filename: "other.JPG" }]) {
        files { id } userErrors { field code } } }`,
    );
    expect(fileUpdate).toEqual({
      files: [],
      userErrors: [{ field: ['files'], code: 'INVALID_FILENAME_EXTENSION' }],
    });
    const { fileCreate } = await store.call(
      `mutation { fileCreate(files: [
        { contentType: IMAGE, filename: "a.png", originalSource: "https://cdn.example/a.PNG?v=1" }
      ]) { files { id } userErrors { field code } } }`,
    );
    expect(fileCreate).toEqual({
      files: [],
      userErrors: [
        { field: ['files', '0', 'filename'], code: 'MISMATCHED_FILENAME_AND_ORIGINAL_SOURCE' },
      ],
    });
  });

  it.each([
    ['filename:batch-17*', [0, 1]],
    ['filename:other.jpg', [2]],
    ['filename:batch-17* AND status:ready', [0, 1]],
    ['status:failed', []],
  ])('are searched by %s', async (query, found) => {
    const { files } = await store.call(
      'query ($query: String) { files(first: 5, query: $query) { nodes { id } } }',
      { query },
    );
    expect(files).toEqual({ nodes: found.map((index) => ({ id: ids[index] })) });
  });
});
