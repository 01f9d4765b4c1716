import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

const PUBLISHED = `publishedOnPublication(publicationId: $on) availablePublicationsCount { count precision }
  resourcePublicationsCount { count } resourcePublicationsV2(first: 5, onlyPublished: false) { nodes {
    isPublished publishDate publication { id } publishable { ... on Node { id } } } }
  unpublishedPublications(first: 5) { nodes { name } }`;

describe('publications', () => {
  let store: NodeShopFixture;
  let own: string;
  let id: string;

  beforeAll(async () => {
    store = await openNodeShop(['products', 'publications']);
    const { publicationCreate } = await store.call(
      'mutation { publicationCreate(input: {}) { publication { id autoPublish } userErrors { message } } }',
    );
    expect(publicationCreate).toMatchObject({ publication: { autoPublish: false } });
    own = (publicationCreate!['publication'] as { id: string }).id;
    id = `gid://shopify/Product/${store.shop.products[0]!.id}`;
  });
  afterAll(() => store.devStore.close());

  const read = async (): Promise<Data> => {
    const { product } = await store.call(
      `query ($id: ID!, $on: ID!) { product(id: $id) { publishedAt ${PUBLISHED} } }`,
      { id, on: own },
    );
    return product!;
  };
  const publish = async (name: string, input: object, of = id): Promise<Data> => {
    const data = await store.call(
      `mutation ($id: ID!, $input: [PublicationInput!]!) { ${name}(id: $id, input: $input) {
        publishable { ... on Product { id } ... on Collection { id } } shop { name } userErrors { field message } } }`,
      { id: of, input: [input] },
    );
    return data[name]!;
  };

  it('have the products that publish by themselves, and those that are published', async () => {
    expect(await read()).toMatchObject({
      publishedAt: expect.any(String),
      publishedOnPublication: false,
      availablePublicationsCount: { count: 1, precision: 'EXACT' },
    });
    expect(await publish('publishablePublish', { publicationId: own })).toEqual({
      publishable: { id },
      shop: { name: store.shop.name },
      userErrors: [],
    });
    const online = store.shop.nodes.all(['Publication'])[0]!.id;
    expect(await read()).toMatchObject({
      publishedOnPublication: true,
      availablePublicationsCount: { count: 2 },
      resourcePublicationsV2: {
        nodes: [online, own].map((publication) => ({
          isPublished: true,
          publication: { id: publication },
          publishable: { id },
        })),
      },
      unpublishedPublications: { nodes: [] },
    });
    const { publication } = await store.call(
      'query ($on: ID!) { publication(id: $on) { products(first: 5) { nodes { title } } } }',
      { on: own },
    );
    expect(publication).toEqual({
      products: { nodes: [{ title: store.shop.products[0]!.title }] },
    });
    await publish('publishableUnpublish', { publicationId: online });
    expect(await read()).toMatchObject({
      publishedAt: null,
      resourcePublicationsCount: { count: 1 },
      unpublishedPublications: { nodes: [{ name: 'Online Store' }] },
    });
  });

  it('have what is published later, but do not show it', async () => {
    await publish('publishableUnpublish', { publicationId: own });
    await publish('publishablePublish', {
      publicationId: own,
      publishDate: '2099-01-01T00:00:00Z',
    });
    expect(await read()).toMatchObject({
      publishedOnPublication: false,
      resourcePublicationsV2: {
        nodes: [{ isPublished: false, publishDate: '2099-01-01T00:00:00Z' }],
      },
    });
  });

  it('take collections, and several things at once', async () => {
    const { collectionCreate } = await store.call(
      'mutation { collectionCreate(input: { title: "Kitchen" }) { collection { id } } }',
    );
    const collection = (collectionCreate!['collection'] as { id: string }).id;
    const update = async (input: object): Promise<Data> => {
      const { publicationUpdate } = await store.call(
        `mutation ($id: ID!, $input: PublicationUpdateInput!) { publicationUpdate(id: $id, input: $input) {
          publication { autoPublish collections(first: 5) { nodes { title } } products(first: 5) { nodes { id } } }
          userErrors { field message code } } }`,
        { id: own, input },
      );
      return publicationUpdate!;
    };
    expect(await update({ publishablesToAdd: [collection, id] })).toEqual({
      publication: {
        autoPublish: false,
        collections: { nodes: [{ title: 'Kitchen' }] },
        products: { nodes: [{ id }] },
      },
      userErrors: [],
    });
    expect(await update({ publishablesToRemove: [collection, id] })).toMatchObject({
      publication: { collections: { nodes: [] }, products: { nodes: [] } },
    });
    expect(await update({ publishablesToAdd: ['gid://shopify/Product/9'] })).toEqual({
      publication: null,
      userErrors: [
        {
          field: ['input', 'publishablesToAdd', '0'],
          message: 'Publishable ID not found.',
          code: 'INVALID_PUBLISHABLE_ID',
        },
      ],
    });
    const many = Array.from({ length: 51 }, (_, index) => `gid://shopify/Product/${index + 1}`);
    expect(await update({ publishablesToAdd: many })).toMatchObject({
      userErrors: [
        {
          field: ['input', 'publishablesToAdd', '51'],
          message: 'The limit for simultaneous publication updates has been exceeded.',
          code: 'PUBLICATION_UPDATE_LIMIT_EXCEEDED',
        },
      ],
    });
  });

  it('refuse what is not there', async () => {
    const nowhere = { publicationId: 'gid://shopify/Publication/9' };
    expect(await publish('publishablePublish', nowhere)).toMatchObject({
      userErrors: [{ field: ['input', '0', 'publicationId'] }],
    });
    const gone = await publish(
      'publishablePublish',
      { publicationId: own },
      'gid://shopify/Product/9',
    );
    expect(gone).toMatchObject({ publishable: null, userErrors: [{ field: ['id'] }] });
  });

  it('refuse each of several publications that is wrong', async () => {
    const wrong = async (...input: object[]): Promise<unknown> => {
      const { publishablePublish } = await store.call(
        `mutation ($id: ID!, $input: [PublicationInput!]!) { publishablePublish(id: $id, input: $input) {
          userErrors { field message } } }`,
        { id, input },
      );
      return publishablePublish!['userErrors'];
    };
    const publicationId = own;
    expect(await wrong({ publicationId }, { publicationId })).toEqual([
      {
        field: ['input', '1', 'publicationId'],
        message: 'The same publication was specified more than once',
      },
    ]);
    expect(await wrong({ publicationId, publishDate: '1900-01-01T00:00:00Z' })).toEqual([
      {
        field: ['input', '0', 'publishDate'],
        message: 'Publish date must be a date after the year 1969',
      },
    ]);
    expect(await wrong({})).toEqual([
      { field: ['input', '0', 'publicationId'], message: 'PublicationId cannot be empty' },
    ]);
  });

  it('need no channel of the app to be refused', async () => {
    const before = store.shop.nodes.all(['Publication']).length;
    for (const name of ['publishablePublish', 'publishableUnpublish'])
      await store.call(`mutation { ${name}ToCurrentChannel(id: "gid://shopify/Product/999999") {
        userErrors { message } } }`);
    expect(store.shop.nodes.all(['Publication'])).toHaveLength(before);
  });

  it('go to the channel of the app that calls, and off it again', async () => {
    const move = async (name: string, publishable = id): Promise<unknown> => {
      const data = await store.call(
        `mutation ($id: ID!) { ${name}(id: $id) {
          publishable { publishedOnCurrentPublication } userErrors { field message } } }`,
        { id: publishable },
      );
      return data[name];
    };
    expect(await move('publishablePublishToCurrentChannel')).toEqual({
      publishable: { publishedOnCurrentPublication: true },
      userErrors: [],
    });
    expect(await move('publishableUnpublishToCurrentChannel')).toEqual({
      publishable: { publishedOnCurrentPublication: false },
      userErrors: [],
    });
    const unknown = 'gid://shopify/Product/999999';
    expect(await move('publishablePublishToCurrentChannel', unknown)).toEqual({
      publishable: null,
      userErrors: [{ field: ['id'], message: 'Resource does not exist' }],
    });
  });
});
