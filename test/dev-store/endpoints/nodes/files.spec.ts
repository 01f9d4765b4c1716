import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from './node-shop.fixture.js';

describe('what a simulated shop does after a call', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(['files', 'products']);
  });
  afterAll(() => fixture.devStore.close());

  const CREATE = `mutation ($files: [FileCreateInput!]!) { fileCreate(files: $files) {
    files { id fileStatus alt ... on MediaImage { image { url } } ... on GenericFile { url } }
    userErrors { message }
  } }`;

  it('is to keep a file whose update failed, once that is acknowledged', async () => {
    const { fileCreate } = await fixture.call(CREATE, {
      files: [{ originalSource: 'https://example.com/c.png', contentType: 'IMAGE' }],
    });
    const [{ id }] = fileCreate!['files'] as [{ id: string }];
    const acknowledge = async (fileId: string): Promise<unknown> => {
      const data = await fixture.call(
        `mutation ($ids: [ID!]!) { fileAcknowledgeUpdateFailed(fileIds: $ids) {
          files { id fileStatus } userErrors { field message code } } }`,
        { ids: [fileId] },
      );
      return data['fileAcknowledgeUpdateFailed'];
    };
    const refused = (message: string, code: string): object => ({
      files: null,
      userErrors: [{ field: ['fileIds'], message, code }],
    });
    expect(await acknowledge(id)).toEqual({ files: [{ id, fileStatus: 'READY' }], userErrors: [] });
    const unknown = 'gid://shopify/MediaImage/999999';
    expect(await acknowledge(unknown)).toEqual(
      refused(`File id ${unknown} does not exist.`, 'FILE_DOES_NOT_EXIST'),
    );
  });

  it('is to process files: uploaded in the answer, ready on a later read', async () => {
    const { fileCreate } = await fixture.call(CREATE, {
      files: [
        { originalSource: 'https://example.com/a.png', contentType: 'IMAGE', alt: 'A' },
        { originalSource: 'https://example.com/b.pdf', contentType: 'FILE' },
      ],
    });
    const files = fileCreate!['files'] as Array<{ id: string }>;
    expect(files).toMatchObject([
      { fileStatus: 'UPLOADED', alt: 'A', image: null },
      { fileStatus: 'UPLOADED', url: null },
    ]);
    const { nodes } = await fixture.call(
      `query ($ids: [ID!]!) { nodes(ids: $ids) {
        ... on MediaImage { fileStatus status mimeType image { url altText } }
        ... on GenericFile { fileStatus mimeType url }
      } }`,
      { ids: files.map(({ id }) => id) },
    );
    expect(nodes).toEqual([
      {
        fileStatus: 'READY',
        status: 'READY',
        mimeType: 'image/png',
        image: { url: 'https://example.com/a.png', altText: 'A' },
      },
      { fileStatus: 'READY', mimeType: 'application/pdf', url: 'https://example.com/b.pdf' },
    ]);
  });

  it('is to refuse files, each for its first reason', async () => {
    const source = { originalSource: 'https://example.com/a.png?v=1' };
    const replace = { ...source, duplicateResolutionMode: 'REPLACE' };
    const refusals: ReadonlyArray<[object, string, string, string]> = [
      [
        { originalSource: 'a.png', alt: 'x'.repeat(513) },
        ...(['originalSource', 'File URL is invalid', 'INVALID_IMAGE_SOURCE_URL'] as const),
      ],
      [
        { ...source, filename: 'a.jpg' },
        'filename',
        'Provided filename extension must match original source.',
        'MISMATCHED_FILENAME_AND_ORIGINAL_SOURCE',
      ],
      [
        replace,
        'duplicateResolutionMode',
        "Duplicate resolution mode 'REPLACE' is not supported for 'MISSING' media type.",
        'INVALID_DUPLICATE_MODE_FOR_TYPE',
      ],
      [
        { ...replace, contentType: 'IMAGE' },
        'filename',
        'Missing filename argument when attempting to use REPLACE duplicate mode.',
        'MISSING_FILENAME_FOR_DUPLICATE_MODE_REPLACE',
      ],
      [
        { ...source, alt: 'x'.repeat(513) },
        'alt',
        'The alt value exceeds the maximum limit of 512 characters.',
        'ALT_VALUE_LIMIT_EXCEEDED',
      ],
    ];
    const { fileCreate } = await fixture.call(
      `mutation ($files: [FileCreateInput!]!) { fileCreate(files: $files) {
        files { id } userErrors { field message code }
      } }`,
      { files: refusals.map(([file]) => file) },
    );
    expect(fileCreate).toEqual({
      files: [],
      userErrors: refusals.map(([, field, message, code], index) => ({
        ...{ field: ['files', String(index), field], message, code },
      })),
    });
    for (const [originalSource, message] of [
      ['', 'originalSource is too short (minimum is 1)'],
      [`https://example.com/${'x'.repeat(2048)}`, 'originalSource is too long (maximum is 2048)'],
    ])
      expect(await fixture.answer(CREATE, { files: [{ originalSource }] })).toMatchObject({
        data: { fileCreate: null },
        errors: [{ message, extensions: { code: 'INVALID_FIELD_ARGUMENTS' } }],
      });
  });

  it('needs the scope of files', async () => {
    const without = fixture.shop.install('key', { scopes: ['write_products'] });
    const files = [{ originalSource: 'https://example.com/a.png' }];
    const created = await fixture.answer(CREATE, { files }, without);
    expect(created.errors![0]!.message).toContain('`write_files`');
    const read = await fixture.answer('{ files(first: 1) { nodes { id } } }', {}, without);
    expect(read.errors![0]!.message).toContain('`read_files`');
    for (const type of ['Video', 'GenericFile']) {
      const { id } = fixture.shop.nodes.create(type);
      const one = await fixture.answer(
        'query ($id: ID!) { node(id: $id) { id } }',
        { id },
        without,
      );
      expect(one.errors![0]!.extensions['code']).toBe('ACCESS_DENIED');
    }
  });

  it('is to end jobs, which are found by their ids', async () => {
    const token = fixture.shop.install('key', { scopes: ['write_products'] });
    const { product } = fixture.shop.createProduct({ title: 'Kite' });
    const { id } = fixture.shop.nodes.create('Collection', { title: 'All' });
    const { collectionRemoveProducts } = await fixture.call(
      `mutation ($id: ID!, $products: [ID!]!) {
        collectionRemoveProducts(id: $id, productIds: $products) { job { id done } }
      }`,
      { id, products: [`gid://shopify/Product/${product!.id}`] },
      token,
    );
    const job = collectionRemoveProducts!['job'] as { id: string };
    expect(job).toEqual({ id: expect.stringContaining('gid://shopify/Job/'), done: false });
    const data = await fixture.call(
      `query ($id: ID!) { job(id: $id) { id done } forgotten: job(id: "gid://shopify/Job/1") { id done query { __typename } } }`,
      { id: job.id },
      token,
    );
    expect(data).toEqual({
      job: { id: job.id, done: true },
      forgotten: { id: 'gid://shopify/Job/1', done: true, query: { __typename: 'QueryRoot' } },
    });
  });

  it('is nothing to definitions of metafields, of which each key is taken once', async () => {
    const token = fixture.shop.install('key', { scopes: ['write_products'] });
    const define = async (key: string): Promise<unknown> => {
      const { metafieldDefinitionCreate } = await fixture.call(
        `mutation ($definition: MetafieldDefinitionInput!) {
          metafieldDefinitionCreate(definition: $definition) {
            createdDefinition { key namespace ownerType type { name } }
            userErrors { field message code }
          }
        }`,
        {
          definition: {
            name: 'Fabric',
            namespace: 'custom',
            key,
            type: 'single_line_text_field',
            ownerType: 'PRODUCT',
          },
        },
        token,
      );
      return metafieldDefinitionCreate;
    };
    expect(await define('fabric')).toEqual({
      createdDefinition: {
        key: 'fabric',
        namespace: 'custom',
        ownerType: 'PRODUCT',
        type: { name: 'single_line_text_field' },
      },
      userErrors: [],
    });
    expect(await define('fabric')).toEqual({
      createdDefinition: null,
      userErrors: [
        {
          field: ['definition', 'key'],
          message: "Key is in use for Product metafields on the 'custom' namespace.",
          code: 'TAKEN',
        },
      ],
    });
    expect(await define('other')).toMatchObject({ userErrors: [] });
  });
});
