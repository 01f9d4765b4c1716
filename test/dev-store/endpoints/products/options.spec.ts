import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

const PRODUCT = `id hasOnlyDefaultVariant
  options { id name position values optionValues { id name hasVariants } }
  variants(first: 20) { nodes { id title selectedOptions { name value } } }`;

interface Product {
  readonly id: string;
  readonly options: ReadonlyArray<{
    readonly id: string;
    readonly name: string;
    readonly values: readonly string[];
    readonly optionValues: ReadonlyArray<{ readonly id: string; readonly name: string }>;
  }>;
  readonly variants: { readonly nodes: ReadonlyArray<{ readonly title: string }> };
}

describe('options of products', () => {
  let store: NodeShopFixture;

  beforeAll(async () => {
    store = await openNodeShop(['products']);
  });
  afterAll(() => store.devStore.close());

  const created = async (options: object[] = []): Promise<Product> => {
    const { productCreate } = await store.call(
      `mutation ($product: ProductCreateInput!) {
        productCreate(product: $product) { product { ${PRODUCT} } userErrors { message } } }`,
      { product: { title: 'Scarf', productOptions: options } },
    );
    expect(productCreate!['userErrors']).toEqual([]);
    return productCreate!['product'] as Product;
  };
  const run = async (name: string, types: string, variables: object): Promise<Data> => {
    const args = types.replace(/\$(\w+): [^,]+/g, '$1: $$$1');
    const more = name === 'productOptionsDelete' ? 'deletedOptionsIds' : '';
    const data = await store.call(
      `mutation (${types}) { ${name}(${args}) {
        ${more} product { ${PRODUCT} } userErrors { field message code } } }`,
      variables,
    );
    return data[name]!;
  };
  const create = (productId: string, options: object[], variantStrategy?: string): Promise<Data> =>
    run(
      'productOptionsCreate',
      '$productId: ID!, $options: [OptionCreateInput!]!, $variantStrategy: ProductOptionCreateVariantStrategy',
      { productId, options, variantStrategy },
    );
  const titles = (product: unknown): string[] =>
    (product as Product).variants.nodes.map(({ title }) => title);

  const COLOR = { name: 'Color', values: [{ name: 'Red' }, { name: 'Green' }] };
  const SIZE = { name: 'Size', values: [{ name: 'Small' }] };

  it('name the first variant of a new product, and only show values that variants have', async () => {
    const { options, variants } = await created([COLOR, SIZE]);
    expect(variants.nodes).toMatchObject([
      {
        title: 'Red / Small',
        selectedOptions: [
          { name: 'Color', value: 'Red' },
          { name: 'Size', value: 'Small' },
        ],
      },
    ]);
    expect(options).toMatchObject([
      {
        name: 'Color',
        position: 1,
        values: ['Red'],
        optionValues: [
          { name: 'Red', hasVariants: true },
          { name: 'Green', hasVariants: false },
        ],
      },
      { name: 'Size', position: 2, values: ['Small'] },
    ]);
  });

  it('are one called Title for a product without, which keeps its variant', async () => {
    const before = await created();
    expect(before).toMatchObject({
      hasOnlyDefaultVariant: true,
      options: [{ name: 'Title', values: ['Default Title'] }],
      variants: { nodes: [{ selectedOptions: [{ name: 'Title', value: 'Default Title' }] }] },
    });
    const { product, userErrors } = await create(before.id, [COLOR], 'CREATE');
    expect(userErrors).toEqual([]);
    expect(titles(product)).toEqual(['Red', 'Green']);
    expect(product).toMatchObject({
      hasOnlyDefaultVariant: false,
      options: [{ name: 'Color', values: ['Red', 'Green'] }],
      variants: { nodes: [{ id: (before.variants.nodes[0] as { id?: string }).id }, {}] },
    });
    const { product: sized } = await create(before.id, [SIZE]);
    expect(titles(sized)).toEqual(['Red / Small', 'Green / Small']);
  });

  it.each([
    [[COLOR, COLOR], ['options', '1'], 'Duplicated option name.', 'DUPLICATED_OPTION_NAME'],
    [
      [{ name: 'Color', values: [] }],
      ['options', '0'],
      "Option 'Color' must specify at least one option value.",
      'OPTION_VALUES_MISSING',
    ],
    [
      [{ name: 'N'.repeat(256), values: [{ name: 'Red' }] }],
      ['options', '0'],
      'Option name is too long.',
      'OPTION_NAME_TOO_LONG',
    ],
    [[SIZE], ['options', '0'], "Option 'Size' already exists.", 'OPTION_ALREADY_EXISTS'],
    [
      [{ name: 'A / B', values: [{ name: 'x' }] }],
      ['options', '0', 'name'],
      "The name contains unsupported sequence ' / '",
      'INVALID_NAME',
    ],
    [
      ['A', 'B', 'C'].map((name) => ({ name, values: [{ name: 'x' }] })),
      ['options'],
      'Can only specify a maximum of 3 options',
      'OPTIONS_OVER_LIMIT',
    ],
  ])('are refused: %j', async (options, field, message, code) => {
    const before = await created([SIZE]);
    const { product, userErrors } = await create(before.id, options);
    expect(userErrors).toEqual([{ field, message, code }]);
    expect(product).toEqual(before);
  });

  it('are renamed, moved and given other values', async () => {
    const { id: productId, options } = await created([COLOR, SIZE]);
    const [color] = options;
    const types = `$productId: ID!, $option: OptionUpdateInput!, $optionValuesToAdd: [OptionValueCreateInput!],
      $optionValuesToUpdate: [OptionValueUpdateInput!], $optionValuesToDelete: [ID!]`;
    const { product, userErrors } = await run('productOptionUpdate', types, {
      productId,
      option: { id: color!.id, name: 'Shade', position: 2 },
      optionValuesToAdd: [{ name: 'Blue' }],
      optionValuesToUpdate: [{ id: color!.optionValues[0]!.id, name: 'Crimson' }],
      optionValuesToDelete: [color!.optionValues[1]!.id],
    });
    expect(userErrors).toEqual([]);
    expect(titles(product)).toEqual(['Small / Crimson']);
    expect(product).toMatchObject({
      options: [
        { name: 'Size', position: 1 },
        {
          id: color!.id,
          name: 'Shade',
          position: 2,
          values: ['Crimson'],
          optionValues: [{ name: 'Crimson' }, { name: 'Blue', hasVariants: false }],
        },
      ],
    });
    const unknown = { productId, option: { id: 'gid://shopify/ProductOption/1', name: 'X' } };
    expect((await run('productOptionUpdate', types, unknown))['userErrors']).toEqual([
      { field: ['option'], message: 'Option does not exist', code: 'OPTION_DOES_NOT_EXIST' },
    ]);
  });

  it('are deleted, the last of them with the names of variants', async () => {
    const { id: productId, options } = await created([COLOR, SIZE]);
    const types = '$productId: ID!, $options: [ID!]!, $strategy: ProductOptionDeleteStrategy';
    const ids = options.map(({ id }) => id);
    const gone = await run('productOptionsDelete', types, { productId, options: ids });
    expect(gone).toMatchObject({
      deletedOptionsIds: ids,
      product: { options: [{ name: 'Title', values: ['Default Title'] }] },
      userErrors: [],
    });
    expect(titles(gone['product'])).toEqual(['Default Title']);
    const again = await run('productOptionsDelete', types, { productId, options: [ids[0]] });
    expect(again).toMatchObject({
      deletedOptionsIds: [],
      userErrors: [{ field: ['options', '0'], message: 'Option does not exist' }],
    });

    const { product } = await create(productId, [COLOR], 'CREATE');
    const [color] = (product as Product).options;
    const refused = await run('productOptionsDelete', types, { productId, options: [color!.id] });
    expect(refused['userErrors']).toMatchObject([
      { code: 'CANNOT_DELETE_OPTION_WITH_MULTIPLE_VALUES' },
    ]);
    const first = await run('productOptionsDelete', types, {
      productId,
      options: [color!.id],
      strategy: 'POSITION',
    });
    expect(titles(first['product'])).toEqual(['Default Title']);
  });

  it('are not named with what stands between values in titles', async () => {
    const before = await created([SIZE]);
    const { product, userErrors } = await run(
      'productOptionUpdate',
      '$productId: ID!, $option: OptionUpdateInput!',
      { productId: before.id, option: { id: before.options[0]!.id, name: 'A / B' } },
    );
    expect(product).toEqual(before);
    expect(userErrors).toEqual([
      {
        field: ['option', 'name'],
        message: "The name contains unsupported sequence ' / '",
        code: 'INVALID_NAME',
      },
    ]);
  });

  it('are put in another order, and the variants with them', async () => {
    const { id: productId } = await created([COLOR, SIZE]);
    await create(
      productId,
      [{ name: 'Fit', values: [{ name: 'Slim' }, { name: 'Wide' }] }],
      'CREATE',
    );
    const { product, userErrors } = await run(
      'productOptionsReorder',
      '$productId: ID!, $options: [OptionReorderInput!]!',
      {
        productId,
        options: [
          { name: 'Fit', values: [{ name: 'Wide' }, { name: 'Slim' }] },
          { name: 'Size' },
          { name: 'Color' },
        ],
      },
    );
    expect(userErrors).toEqual([]);
    expect(titles(product)).toEqual([
      'Wide / Small / Red',
      'Wide / Small / Green',
      'Slim / Small / Red',
      'Slim / Small / Green',
    ]);
  });

  it('get no value twice, and leave a product at least one variant', async () => {
    const { id, options } = await created([COLOR, SIZE]);
    const [color] = options;
    const update = (more: object): Promise<Data> =>
      run(
        'productOptionUpdate',
        '$productId: ID!, $option: OptionUpdateInput!, $optionValuesToAdd: [OptionValueCreateInput!], $optionValuesToDelete: [ID!], $variantStrategy: ProductOptionUpdateVariantStrategy',
        { productId: id, option: { id: color!.id }, variantStrategy: 'MANAGE', ...more },
      );
    const [red] = color!.optionValues;
    expect(await update({ optionValuesToAdd: [{ name: 'Q' }, { name: 'Q' }] })).toMatchObject({
      product: { variants: { nodes: [{ title: 'Red / Small' }] } },
      userErrors: [{ field: ['optionValuesToAdd', '1'], code: 'DUPLICATED_OPTION_VALUE' }],
    });
    expect(await update({ optionValuesToDelete: [red!.id] })).toMatchObject({
      product: { variants: { nodes: [{ title: 'Red / Small' }] } },
      userErrors: [
        { field: ['optionValuesToDelete'], code: 'CANNOT_LEAVE_OPTIONS_WITHOUT_VARIANTS' },
      ],
    });
    const replaced = await update({
      optionValuesToDelete: [red!.id],
      optionValuesToAdd: [{ name: 'Blue' }],
    });
    expect(replaced['userErrors']).toEqual([]);
    expect(titles(replaced['product'])).toEqual(['Green / Small', 'Blue / Small']);
  });
});
