import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

const LONG = 'x'.repeat(256);
const TOO_LONG = 'is too long (maximum is 255 characters)';

describe('a product that is refused', () => {
  let store: NodeShopFixture;

  beforeAll(async () => {
    store = await openNodeShop(['products']);
  });
  afterAll(() => store.devStore.close());

  const mutate = async (name: string, type: string, product: object): Promise<Data> => {
    const arg = name === 'productSet' ? 'input' : 'product';
    const data = await store.call(
      `mutation ($value: ${type}!) { ${name}(${arg}: $value) {
        product { id title handle } userErrors { field message } } }`,
      { value: product },
    );
    return data[name]!;
  };
  const create = (fields: object) => mutate('productCreate', 'ProductCreateInput', fields);
  const update = (fields: object) => mutate('productUpdate', 'ProductUpdateInput', fields);
  const set = (fields: object) => mutate('productSet', 'ProductSetInput', fields);
  const made = async (fields: object): Promise<{ id: string; title: string; handle: string }> => {
    const { product, userErrors } = await create(fields);
    expect(userErrors).toEqual([]);
    return product as Awaited<ReturnType<typeof made>>;
  };

  it('is answered as it stays', async () => {
    const { handle: taken } = await made({ title: 'Owner of a handle' });
    const before = await made({ title: 'Lamp' });
    const { id } = before;
    expect(await update({ id, title: '' })).toEqual({
      product: before,
      userErrors: [{ field: ['title'], message: "Title can't be blank" }],
    });
    expect(await update({ id, handle: LONG })).toEqual({
      product: before,
      userErrors: [{ field: ['handle'], message: `Handle ${TOO_LONG}` }],
    });
    const message = `Handle '${taken}' already in use. Please provide a new handle.`;
    const inUse = { product: before, userErrors: [{ field: ['input', 'handle'], message }] };
    expect(await update({ id, handle: taken })).toEqual(inUse);
    expect(await set({ id, handle: taken })).toEqual(inUse);
    expect(await create({ title: 'Other', handle: taken })).toEqual({ ...inUse, product: null });
  });

  it('is told of its lengths by productSet in its own words', async () => {
    const errors = async (fields: object): Promise<unknown> =>
      (await set({ title: 'Rug', ...fields }))['userErrors'];
    expect(await errors({ title: LONG })).toEqual([
      { field: ['input', 'title'], message: TOO_LONG },
      { field: ['input'], message: `Handle ${TOO_LONG}` },
    ]);
    expect(await errors({ title: LONG, handle: 'rug' })).toEqual([
      { field: ['input', 'title'], message: TOO_LONG },
    ]);
    expect(await errors({ handle: LONG })).toEqual([
      { field: ['input'], message: `Handle ${TOO_LONG}` },
    ]);
    expect(await errors({ productType: LONG })).toEqual([
      { field: ['input'], message: `Product type ${TOO_LONG}` },
      { field: ['input'], message: `Custom product type ${TOO_LONG}` },
    ]);
  });

  it('has a name of an option with what stands between values', async () => {
    const productOptions = [{ name: 'Size / Fit', values: [{ name: 'S' }] }];
    expect(await create({ title: 'Coat', productOptions })).toEqual({
      product: null,
      userErrors: [
        { field: ['options'], message: 'Name cannot contain the character sequence " / "' },
      ],
    });
    const variants = [{ optionValues: [{ optionName: 'Size / Fit', name: 'S' }] }];
    const { userErrors } = await set({ title: 'Coat', productOptions, variants });
    expect(userErrors).toEqual([
      {
        field: ['input', 'productOptions', '0', 'name'],
        message: "The name contains unsupported sequence ' / '",
      },
    ]);
  });

  it('is none whose handle is blank or has nothing but signs', async () => {
    expect(await made({ title: 'Signs', handle: '%%%' })).toMatchObject({ handle: 'product' });
    const second = await made({ title: 'Other signs', handle: '%%%' });
    expect(second.handle).toBe('product-1');
    const { id } = await made({ title: 'Blue vase', handle: 'vase' });
    expect(await update({ id, handle: '   ' })).toMatchObject({
      product: { handle: 'blue-vase' },
      userErrors: [],
    });
    expect(await update({ id, handle: '!' })).toMatchObject({ product: { handle: 'product-2' } });
    expect(await set({ id, handle: ' ' })).toMatchObject({ product: { handle: 'blue-vase' } });
  });

  it('raises the number at the end of a handle, however long', async () => {
    const title = 'Batch 20260719114534';
    expect((await made({ title })).handle).toBe('batch-20260719114534');
    expect((await made({ title })).handle).toBe('batch-20260719114535');
  });
});

describe('a product that is deleted after the answer', () => {
  it('has an operation that tells when it is gone', async () => {
    const { devStore, call } = await openNodeShop(['products']);
    const { productCreate } = await call(
      'mutation { productCreate(product: { title: "Kite" }) { product { id } } }',
    );
    const { id } = productCreate!['product'] as { id: string };
    const { productDelete } = await call(
      `mutation ($id: ID!) { productDelete(input: { id: $id }, synchronous: false) {
        deletedProductId productDeleteOperation { id status deletedProductId }
        userErrors { message } } }`,
      { id },
    );
    expect(productDelete).toEqual({
      deletedProductId: null,
      productDeleteOperation: {
        id: expect.stringMatching(/^gid:\/\/shopify\/ProductDeleteOperation\/\d+$/),
        status: 'CREATED',
        deletedProductId: null,
      },
      userErrors: [],
    });
    const operation = productDelete!['productDeleteOperation'] as { id: string };
    const after = await call(
      `query ($id: ID!, $operation: ID!) { product(id: $id) { id }
        productOperation(id: $operation) { status
          ... on ProductDeleteOperation { deletedProductId } } }`,
      { id, operation: operation.id },
    );
    expect(after).toEqual({
      product: null,
      productOperation: { status: 'COMPLETE', deletedProductId: id },
    });
    await devStore.close();
  });
});
