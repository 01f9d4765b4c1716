import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

const COLLECTION = `collection { id title handle sortOrder productsCount { count }
    ruleSet { appliedDisjunctively rules { column relation condition } }
    products(first: 10) { nodes { title } } }
  userErrors { field message }`;

describe('collections', () => {
  let store: NodeShopFixture;
  beforeAll(async () => {
    store = await openNodeShop(['products', 'publications']);
  });
  afterAll(() => store.devStore.close());

  const product = async (title: string, fields: object = {}): Promise<string> => {
    const { productCreate } = await store.call(
      `mutation ($product: ProductCreateInput!) { productCreate(product: $product) {
        product { id } } }`,
      { product: { title, ...fields } },
    );
    return (productCreate!['product'] as Data)['id'] as string;
  };
  const write = async (mutation: 'Create' | 'Update', input: object): Promise<Data> => {
    const job = mutation === 'Update' ? 'job { done }' : '';
    const data = await store.call(
      `mutation ($input: CollectionInput!) { collection${mutation}(input: $input) {
        ${COLLECTION} ${job} } }`,
      { input },
    );
    return data[`collection${mutation}`]!;
  };
  const created = async (input: object): Promise<string> =>
    ((await write('Create', input))['collection'] as Data)['id'] as string;
  const titles = async (id: string, sortKey = 'COLLECTION_DEFAULT'): Promise<unknown[]> => {
    const { collection } = await store.call(
      `query ($id: ID!) { collection(id: $id) { products(first: 9, sortKey: ${sortKey}) {
        nodes { title } } } }`,
      { id },
    );
    return (collection!['products'] as { nodes: Data[] }).nodes.map(({ title }) => title);
  };
  const rules = (...list: ReadonlyArray<readonly [string, string, string]>): object[] =>
    list.map(([column, relation, condition]) => ({ column, relation, condition }));

  it('of rules have what fits, as products change', async () => {
    const id = await created({
      title: 'Cheap shirts',
      ruleSet: {
        appliedDisjunctively: false,
        rules: rules(
          ['TITLE', 'CONTAINS', 'shirt'],
          ['TAG', 'EQUALS', 'Summer'],
          ['TYPE', 'NOT_EQUALS', 'Kids'],
          ['VARIANT_PRICE', 'LESS_THAN', '10'],
        ),
      },
    });
    expect(await titles(id)).toEqual([]);
    const fitting = await product('Blue Shirt', { tags: ['summer'] });
    await product('Small shirt', { tags: ['summer'], productType: 'Kids' });
    await product('Blue Trousers', { tags: ['summer'] });
    expect(await titles(id)).toEqual(['Blue Shirt']);
    const { collection, product: seen } = await store.call(
      `query ($id: ID!, $product: ID!) {
        collection(id: $id) { hasProduct(id: $product) productsCount { count } }
        product(id: $product) { inCollection(id: $id) collections(first: 5) { nodes { id } } } }`,
      { id, product: fitting },
    );
    expect(collection).toEqual({ hasProduct: true, productsCount: { count: 1 } });
    expect(seen).toEqual({ inCollection: true, collections: { nodes: [{ id }] } });
    await store.call(
      `mutation ($id: ID!) { tagsRemove(id: $id, tags: ["summer"]) { userErrors { message } } }`,
      { id: fitting },
    );
    expect(await titles(id)).toEqual([]);
    const any = { appliedDisjunctively: true, rules: rules(['TITLE', 'STARTS_WITH', 'blue']) };
    expect(await write('Update', { id, ruleSet: any })).toMatchObject({
      collection: { ruleSet: any, productsCount: { count: 2 } },
      job: { done: false },
      userErrors: [],
    });
  });

  it('of rules cannot be filled by hand, and others get no rules', async () => {
    const ruleSet = { appliedDisjunctively: false, rules: rules(['TITLE', 'CONTAINS', 'x']) };
    const smart = await created({ title: 'Smart', ruleSet });
    const custom = await created({ title: 'Custom', sortOrder: 'MANUAL' });
    const one = await product('One');
    const run = async (name: string, id: string): Promise<Data> => {
      const data = await store.call(
        `mutation ($id: ID!, $ids: [ID!]!) { ${name}(id: $id, productIds: $ids) {
          job { done } userErrors { field message } } }`,
        { id, ids: [one, 'gid://shopify/Product/99999999'] },
      );
      return data[name]!;
    };
    expect(await run('collectionAddProductsV2', smart)).toEqual({
      job: null,
      userErrors: [{ field: ['id'], message: "Can't manually add products to a smart collection" }],
    });
    expect(await run('collectionRemoveProducts', smart)).toEqual({
      job: null,
      userErrors: [
        { field: ['id'], message: "Can't manually remove products from a smart collection" },
      ],
    });
    expect(await run('collectionAddProductsV2', custom)).toEqual({
      job: { done: false },
      userErrors: [],
    });
    expect(await titles(custom)).toEqual(['One']);
    const refused = { collection: null, job: null };
    expect(await write('Update', { id: custom, ruleSet })).toEqual({
      ...refused,
      userErrors: [{ field: ['id'], message: 'Cannot update rule set of a custom collection' }],
    });
    const none = { appliedDisjunctively: false, rules: [] };
    const empty = { field: ['ruleSet', 'rules'], message: 'Rules cannot be an empty set' };
    expect(await write('Update', { id: smart, ruleSet: none })).toEqual({
      ...refused,
      userErrors: [empty],
    });
    expect(await write('Create', { title: 'None', ruleSet: none })).toMatchObject({
      collection: { ruleSet: null },
      userErrors: [],
    });
    expect(
      await write('Create', { title: 'Missing', ruleSet: { appliedDisjunctively: false } }),
    ).toEqual({ collection: null, userErrors: [empty] });
  });

  it('are refused with what is wrong about them', async () => {
    expect(await write('Create', { id: 'gid://shopify/Collection/1', title: 'Own id' })).toEqual({
      collection: null,
      userErrors: [{ field: ['id'], message: 'id cannot be specified on collection creation' }],
    });
    const products = ['gid://shopify/Product/99999999'];
    expect(await write('Create', { title: 'Unknown', products })).toEqual({
      collection: null,
      userErrors: [{ field: ['products', '0'], message: 'Product does not exist' }],
    });
    const { data, errors } = await store.answer(
      'mutation { collectionUpdate(input: { title: "None" }) { userErrors { message } } }',
    );
    expect(data).toEqual({ collectionUpdate: null });
    expect(errors).toMatchObject([
      {
        message: 'id must be specified on collectionUpdate',
        path: ['collectionUpdate'],
        extensions: { code: 'BAD_REQUEST' },
      },
    ]);
    const unknown = { id: 'gid://shopify/Collection/99999999', title: 'Unknown' };
    expect((await write('Update', unknown))['userErrors']).toEqual([
      { field: null, message: 'Collection does not exist' },
    ]);
  });

  it('are put in order by hand when they are sorted so, or by what is asked for', async () => {
    const products = [await product('Bee'), await product('Ant'), await product('Cat')];
    const manual = await created({ title: 'By hand', sortOrder: 'MANUAL', products });
    const sold = await created({ title: 'By sales', products });
    const reorder = async (id: string): Promise<Data> => {
      const { collectionReorderProducts } = await store.call(
        `mutation ($id: ID!, $moves: [MoveInput!]!) { collectionReorderProducts(id: $id, moves: $moves) {
          job { done } userErrors { field message code } } }`,
        { id, moves: [{ id: products[2], newPosition: '0' }] },
      );
      return collectionReorderProducts!;
    };
    expect(await reorder(manual)).toEqual({ job: { done: false }, userErrors: [] });
    expect(await titles(manual)).toEqual(['Cat', 'Bee', 'Ant']);
    expect(await titles(manual, 'TITLE')).toEqual(['Ant', 'Bee', 'Cat']);
    expect(await reorder(sold)).toEqual({
      job: null,
      userErrors: [
        {
          field: ['id'],
          message: "Can't reorder products unless collection is manually sorted",
          code: 'MANUALLY_SORTED_COLLECTION',
        },
      ],
    });
  });

  it('are copied with their products', async () => {
    const id = await created({ title: 'Original', products: [await product('Part')] });
    const { collectionDuplicate } = await store.call(
      `mutation ($id: ID!) { collectionDuplicate(input: { collectionId: $id, newTitle: "Copy" }) {
        ${COLLECTION} } }`,
      { id },
    );
    expect(collectionDuplicate).toMatchObject({
      collection: { title: 'Copy', handle: 'copy', products: { nodes: [{ title: 'Part' }] } },
      userErrors: [],
    });
  });

  it('have an order of their own when they are copied', async () => {
    const products = [await product('Left'), await product('Right')];
    const id = await created({ title: 'First', sortOrder: 'MANUAL', products });
    const { collectionDuplicate } = await store.call(
      `mutation ($id: ID!) { collectionDuplicate(input: { collectionId: $id, newTitle: "Second" }) {
        collection { id } } }`,
      { id },
    );
    const copy = (collectionDuplicate as { collection: { id: string } }).collection.id;
    await store.call(
      `mutation ($id: ID!, $moves: [MoveInput!]!) {
        collectionReorderProducts(id: $id, moves: $moves) { userErrors { message } } }`,
      { id: copy, moves: [{ id: products[1], newPosition: '0' }] },
    );
    expect(await titles(id)).toEqual(['Left', 'Right']);
    expect(await titles(copy)).toEqual(['Right', 'Left']);
  });

  it('have a product once', async () => {
    const [one, other] = [await product('Once'), await product('Other')];
    const id = await created({ title: 'Set', products: [one, one] });
    await store.call(
      `mutation ($id: ID!, $ids: [ID!]!) { collectionAddProducts(id: $id, productIds: $ids) {
        userErrors { message } } }`,
      { id, ids: [other, other] },
    );
    expect(await titles(id)).toEqual(['Once', 'Other']);
  });
});
