import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

interface Medium {
  readonly id: string;
  readonly status: string;
}

describe('the media of products', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(['products', 'files']);
  });
  afterAll(() => fixture.devStore.close());

  const IMAGE = {
    mediaContentType: 'IMAGE',
    originalSource: 'https://example.com/a.png',
    alt: 'A',
  };
  const VIDEO = {
    mediaContentType: 'EXTERNAL_VIDEO',
    originalSource: 'https://www.youtube.com/watch?v=1',
  };
  const MEDIUM = `id alt mediaContentType status preview { image { url } }
    ... on MediaImage { image { url altText } }`;
  const ERRORS = 'mediaUserErrors { field message code } userErrors { field message }';

  const createProduct = async (args: object = {}): Promise<Data> => {
    const { productCreate } = await fixture.call(
      `mutation ($product: ProductCreateInput!, $media: [CreateMediaInput!]) {
        productCreate(product: $product, media: $media) {
          product { id variants(first: 5) { nodes { id } } media(first: 5) { nodes { ${MEDIUM} } } }
          userErrors { field message }
        }
      }`,
      { product: { title: 'Kite' }, ...args },
    );
    return productCreate!;
  };
  const product = async (): Promise<{ id: string; variant: string }> => {
    const made = (await createProduct())['product'] as {
      id: string;
      variants: { nodes: [{ id: string }] };
    };
    return { id: made.id, variant: made.variants.nodes[0].id };
  };
  const create = async (id: string, ...media: object[]): Promise<Data> => {
    const { productCreateMedia } = await fixture.call(
      `mutation ($id: ID!, $media: [CreateMediaInput!]!) {
        productCreateMedia(productId: $id, media: $media) {
          media { ${MEDIUM} } product { id media(first: 9) { nodes { id status } } } ${ERRORS}
        }
      }`,
      { id, media },
    );
    return productCreateMedia!;
  };
  const made = async (id: string, ...media: object[]): Promise<string[]> =>
    ((await create(id, ...media))['media'] as Medium[]).map((one) => one.id);
  const read = async (id: string): Promise<Data> => {
    const data = await fixture.call(
      `query ($id: ID!) { product(id: $id) {
        mediaCount { count } media(first: 9) { nodes { ${MEDIUM} } }
        images(first: 9) { nodes { id url altText } }
        featuredImage { url } featuredMedia { id mediaContentType }
      } }`,
      { id },
    );
    return data['product']!;
  };

  it('are uploaded in the answer, and ready on a later read', async () => {
    const { id } = await product();
    const uploaded = {
      alt: 'A',
      mediaContentType: 'IMAGE',
      status: 'UPLOADED',
      preview: { image: null },
      image: null,
    };
    const answer = await create(id, IMAGE, VIDEO);
    expect(answer).toMatchObject({
      media: [uploaded, { mediaContentType: 'EXTERNAL_VIDEO', status: 'UPLOADED' }],
      product: { id, media: { nodes: [{ status: 'UPLOADED' }, { status: 'UPLOADED' }] } },
      mediaUserErrors: [],
      userErrors: [],
    });
    const [{ id: image }] = answer['media'] as [Medium];
    expect(image).toMatch(/^gid:\/\/shopify\/MediaImage\/\d+$/);
    const url = IMAGE.originalSource;
    expect(await read(id)).toMatchObject({
      mediaCount: { count: 2 },
      media: {
        nodes: [
          { id: image, status: 'READY', preview: { image: { url } }, image: { url, altText: 'A' } },
          { status: 'READY' },
        ],
      },
      images: { nodes: [{ id: image.replace('MediaImage', 'ProductImage'), url, altText: 'A' }] },
      featuredImage: { url },
      featuredMedia: { id: image, mediaContentType: 'IMAGE' },
    });
  });

  it('are created as far as their sources are addresses', async () => {
    const { id } = await product();
    const wrong = { ...IMAGE, originalSource: 'not-a-url' };
    const problem = { field: ['media', '1', 'originalSource'], message: 'Image URL is invalid' };
    expect(await create(id, IMAGE, wrong)).toMatchObject({
      media: [{ status: 'UPLOADED' }],
      mediaUserErrors: [{ ...problem, code: 'INVALID' }],
      userErrors: [problem],
    });
    const none = { field: ['productId'], message: 'Product does not exist' };
    expect(await create('gid://shopify/Product/1', IMAGE)).toEqual({
      media: null,
      product: null,
      mediaUserErrors: [{ ...none, code: 'PRODUCT_DOES_NOT_EXIST' }],
      userErrors: [none],
    });
  });

  it('are changed, put in order and deleted, or none of them is', async () => {
    const { id, variant } = await product();
    const [first = '', second = ''] = await made(id, IMAGE, { ...IMAGE, alt: 'B' });
    const update = async (...media: object[]): Promise<unknown> =>
      (
        await fixture.call(
          `mutation ($id: ID!, $media: [UpdateMediaInput!]!) {
            productUpdateMedia(productId: $id, media: $media) { media { id alt } ${ERRORS} }
          }`,
          { id, media },
        )
      )['productUpdateMedia'];
    const gone = ['gid://shopify/MediaImage/1', 'gid://shopify/MediaImage/2'];
    const message = `Media ids ${gone.join(',')} do not exist`;
    expect(await update({ id: first, alt: 'C' }, ...gone.map((one) => ({ id: one })))).toEqual({
      media: null,
      mediaUserErrors: [{ field: ['media'], message, code: 'MEDIA_DOES_NOT_EXIST' }],
      userErrors: [{ field: ['media'], message }],
    });
    expect(await update({ id: second, alt: 'C' })).toMatchObject({
      media: [{ id: second, alt: 'C' }],
      userErrors: [],
    });

    const { productReorderMedia } = await fixture.call(
      `mutation ($id: ID!, $moves: [MoveInput!]!) {
        productReorderMedia(id: $id, moves: $moves) { job { done } ${ERRORS} }
      }`,
      {
        id,
        moves: [
          { id: second, newPosition: '0' },
          { id: gone[0], newPosition: '9' },
        ],
      },
    );
    expect(productReorderMedia).toMatchObject({ job: { done: false }, mediaUserErrors: [] });
    expect(await read(id)).toMatchObject({
      images: { nodes: [{ altText: 'C' }, { altText: 'A' }] },
    });

    await attach('Append', id, { variantId: variant, mediaIds: [second] });
    const drop = async (...mediaIds: string[]): Promise<unknown> =>
      (
        await fixture.call(
          `mutation ($id: ID!, $ids: [ID!]!) { productDeleteMedia(productId: $id, mediaIds: $ids) {
            deletedMediaIds deletedProductImageIds product { media(first: 9) { nodes { id } } } ${ERRORS}
          } }`,
          { id, ids: mediaIds },
        )
      )['productDeleteMedia'];
    expect(await drop(second, gone[0]!)).toMatchObject({
      deletedMediaIds: null,
      deletedProductImageIds: null,
      userErrors: [{ field: ['mediaIds'], message: `Media id ${gone[0]} does not exist` }],
    });
    expect(await drop(second)).toMatchObject({
      deletedMediaIds: [second],
      deletedProductImageIds: [second.replace('MediaImage', 'ProductImage')],
      product: { media: { nodes: [{ id: first }] } },
      userErrors: [],
    });
    const { productVariant } = await fixture.call(
      'query ($id: ID!) { productVariant(id: $id) { image { url } media(first: 1) { nodes { id } } } }',
      { id: variant },
    );
    expect(productVariant).toEqual({ image: null, media: { nodes: [] } });
  });

  const attach = async (name: string, id: string, ...variantMedia: object[]): Promise<Data> => {
    const { payload } = await fixture.call(
      `mutation ($id: ID!, $pairs: [ProductVariant${name}MediaInput!]!) {
        payload: productVariant${name}Media(productId: $id, variantMedia: $pairs) {
          productVariants { id image { url } media(first: 9) { nodes { id } } }
          userErrors { field message code }
        }
      }`,
      { id, pairs: variantMedia },
    );
    return payload!;
  };

  it('are given to variants, one image to each', async () => {
    const { id, variant } = await product();
    const [image = '', video = ''] = await made(id, IMAGE, VIDEO);
    await read(id);
    const pair = (...mediaIds: string[]): object => ({ variantId: variant, mediaIds });
    const codes = async (name: string, ...pairs: object[]): Promise<unknown> => {
      const { productVariants, userErrors } = await attach(name, id, ...pairs);
      expect(productVariants).toBeNull();
      return (userErrors as Array<{ code: string }>).map(({ code }) => code);
    };
    expect(await codes('Append', pair(image, video))).toEqual(['TOO_MANY_MEDIA_PER_INPUT_PAIR']);
    expect(await codes('Append', pair(image), pair(image))).toEqual([
      'PRODUCT_VARIANT_SPECIFIED_MULTIPLE_TIMES',
    ]);
    expect(await codes('Append', pair(video))).toEqual(['INVALID_MEDIA_TYPE']);
    expect(await codes('Detach', pair(image))).toEqual(['MEDIA_IS_NOT_ATTACHED_TO_VARIANT']);
    expect(
      await codes('Append', { variantId: (await product()).variant, mediaIds: [image] }),
    ).toEqual(['PRODUCT_VARIANT_DOES_NOT_EXIST_ON_PRODUCT']);
    const [other = ''] = await made((await product()).id, IMAGE);
    expect(await codes('Append', pair(other))).toEqual(['MEDIA_DOES_NOT_EXIST_ON_PRODUCT']);
    expect(await codes('Append', ...Array.from({ length: 101 }, () => pair(image)))).toEqual([
      'MAXIMUM_VARIANT_MEDIA_PAIRS_EXCEEDED',
    ]);
    const [fresh = ''] = await made(id, IMAGE);
    await read(id);
    fixture.shop.nodes.update(fresh, { status: 'PROCESSING' });
    expect(await codes('Append', pair(fresh))).toEqual(['NON_READY_MEDIA']);

    expect(await attach('Append', id, pair(image))).toEqual({
      productVariants: [
        { id: variant, image: { url: IMAGE.originalSource }, media: { nodes: [{ id: image }] } },
      ],
      userErrors: [],
    });
    expect(await codes('Append', pair(image))).toEqual(['PRODUCT_VARIANT_ALREADY_HAS_MEDIA']);
    expect(await attach('Detach', id, pair(image))).toMatchObject({
      productVariants: [{ image: null, media: { nodes: [] } }],
      userErrors: [],
    });
  });

  it('are files, which are changed and refer to products', async () => {
    const { id } = await product();
    const [image = '', video = ''] = await made(id, IMAGE, VIDEO);
    await read(id);
    const change = async (...files: object[]): Promise<Data> => {
      const { fileUpdate } = await fixture.call(
        `mutation ($files: [FileUpdateInput!]!) { fileUpdate(files: $files) {
          files { id alt fileStatus ... on MediaImage { image { altText } } }
          userErrors { field message code }
        } }`,
        { files },
      );
      return fileUpdate!;
    };
    expect(await change({ id: image, alt: 'New' })).toEqual({
      files: [{ id: image, alt: 'New', fileStatus: 'READY', image: { altText: 'New' } }],
      userErrors: [],
    });
    const wrong = image.replace('MediaImage', 'Video');
    expect(await change({ id: wrong, alt: 'None' })).toEqual({
      files: [],
      userErrors: [
        {
          field: ['files'],
          message: `File id ["${wrong}"] does not exist.`,
          code: 'FILE_DOES_NOT_EXIST',
        },
      ],
    });
    const codes = async (file: object): Promise<unknown> =>
      ((await change(file))['userErrors'] as Array<{ code: string }>).map(({ code }) => code);
    expect(await codes({ id: image, filename: 'a.jpg' })).toEqual(['INVALID_FILENAME_EXTENSION']);
    expect(await codes({ id: video, filename: 'a.mp4' })).toEqual([
      'UNSUPPORTED_MEDIA_TYPE_FOR_FILENAME_UPDATE',
    ]);
    expect(await codes({ id: video, originalSource: 'https://example.com/v.mp4' })).toEqual([
      'INVALID',
    ]);
    expect(await codes({ id: image, referencesToAdd: ['gid://shopify/Product/1'] })).toEqual([
      'REFERENCE_TARGET_DOES_NOT_EXIST',
    ]);
    const { id: other } = await product();
    expect(await change({ id: image, referencesToAdd: [other] })).toMatchObject({ userErrors: [] });
    expect(await read(other)).toMatchObject({ media: { nodes: [{ id: image }] } });
    await change({ id: image, referencesToRemove: [id, other] });
    expect(await read(other)).toMatchObject({ media: { nodes: [] } });
    expect(await read(id)).toMatchObject({ media: { nodes: [{ id: video }] } });
  });

  it('come with the product, with productSet and with variants', async () => {
    const { product: withMedia, userErrors } = await createProduct({
      media: [IMAGE, { ...IMAGE, originalSource: '' }],
    });
    expect(withMedia).toMatchObject({ media: { nodes: [{ alt: 'A' }] } });
    expect(userErrors).toEqual([
      { field: ['media', '1', 'originalSource'], message: 'Image URL is invalid' },
    ]);
    const file = { originalSource: 'https://example.com/s.png', contentType: 'IMAGE' };
    const { productSet } = await fixture.call(
      `mutation ($input: ProductSetInput!) { productSet(input: $input) {
        product { id media(first: 9) { nodes { id } } variants(first: 2) { nodes { media(first: 2) { nodes { id } } } } }
        userErrors { message }
      } }`,
      {
        input: {
          title: 'Set',
          files: [IMAGE].map(({ originalSource }) => ({ originalSource })),
          productOptions: [{ name: 'Size', values: [{ name: 'S' }] }],
          variants: [{ optionValues: [{ optionName: 'Size', name: 'S' }], file }],
        },
      },
    );
    const set = productSet!['product'] as {
      id: string;
      media: { nodes: Medium[] };
      variants: { nodes: [{ media: { nodes: Medium[] } }] };
    };
    expect(set.media.nodes).toHaveLength(2);
    expect(set.variants.nodes[0].media.nodes).toEqual([{ id: set.media.nodes[1]!.id }]);

    const { productVariantsBulkCreate } = await fixture.call(
      `mutation ($id: ID!, $variants: [ProductVariantsBulkInput!]!, $media: [CreateMediaInput!]) {
        productVariantsBulkCreate(productId: $id, variants: $variants, media: $media) {
          product { media(first: 9) { nodes { id } } }
          productVariants { media(first: 2) { nodes { alt } } } userErrors { message }
        }
      }`,
      {
        id: set.id,
        media: [{ ...IMAGE, originalSource: 'https://example.com/m.png', alt: 'M' }],
        variants: ['M', 'L'].map((name) => ({
          optionValues: [{ optionName: 'Size', name }],
          mediaSrc: ['https://example.com/m.png'],
        })),
      },
    );
    expect(productVariantsBulkCreate).toMatchObject({
      product: { media: { nodes: [{}, {}, {}] } },
      productVariants: [{ media: { nodes: [{ alt: 'M' }] } }, { media: { nodes: [{ alt: 'M' }] } }],
      userErrors: [],
    });
  });
});
