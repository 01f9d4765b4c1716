import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('staged uploads', () => {
  let store: NodeShopFixture;

  beforeAll(async () => {
    store = await openNodeShop(['files', 'products']);
  });
  afterAll(() => store.devStore.close());

  const stage = async (...input: object[]): Promise<unknown> => {
    const { stagedUploadsCreate } = await store.call(
      `mutation ($input: [StagedUploadInput!]!) { stagedUploadsCreate(input: $input) {
        stagedTargets { url resourceUrl parameters { name } } userErrors { field message } } }`,
      { input },
    );
    return stagedUploadsCreate;
  };
  const NOTHING = { url: null, resourceUrl: null, parameters: [] };

  it.each([
    ['VIDEO', 'clip.mp4', 'video/mp4', 'fileSize', 'file size is required for video resources'],
    [
      'MODEL_3D',
      'chair.glb',
      'model/gltf-binary',
      'fileSize',
      'file size is required for 3D model resources',
    ],
    [
      'IMAGE',
      'a.exe',
      'application/x-msdownload',
      'mimeType',
      'a.exe: (application/x-msdownload) is not a recognized format',
    ],
  ])('of %s are refused: %s as %s', async (resource, filename, mimeType, field, message) => {
    expect(await stage({ resource, filename, mimeType })).toEqual({
      stagedTargets: [NOTHING],
      userErrors: [{ field: ['input', '0', field], message }],
    });
  });

  it('have a target for each file that is fit', async () => {
    const image = { resource: 'IMAGE', filename: 'a.png', mimeType: 'image/png' };
    const video = { resource: 'VIDEO', filename: 'clip.mp4', mimeType: 'video/mp4' };
    expect(await stage(image, video, { ...video, fileSize: '10' })).toMatchObject({
      stagedTargets: [{ url: expect.any(String) }, NOTHING, { url: expect.any(String) }],
      userErrors: [{ field: ['input', '1', 'fileSize'] }],
    });
  });
});
