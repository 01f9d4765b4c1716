import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

const PRODUCT = `id title handle status totalInventory tracksInventory
  options { id name values }
  metafields(first: 5) { nodes { key value } }
  variants(first: 10) { nodes { id title sku price compareAtPrice taxable inventoryPolicy
    inventoryQuantity selectedOptions { name value }
    metafields(first: 5) { nodes { key value } }
    inventoryItem { id tracked unitCost { amount } measurement { weight { unit value } }
      inventoryLevels(first: 5) { nodes { id location { name }
        quantities(names: ["available", "on_hand", "incoming"]) { name quantity } } } } } }`;

describe('products as they are set, and their variants', () => {
  let store: NodeShopFixture;
  let locations: string[];

  beforeAll(async () => {
    store = await openNodeShop(['products', 'inventory', 'locations']);
    const { locationAdd } = await store.call(
      'mutation { locationAdd(input: { name: "Warehouse", address: { countryCode: IE } }) { location { id } } }',
    );
    const first = store.shop.nodes.all(['Location'])[0]!.id;
    locations = [first, (locationAdd!['location'] as { id: string }).id];
  });
  afterAll(() => store.devStore.close());

  const set = async (input: object, identifier?: object, more = {}): Promise<Data> => {
    const { productSet } = await store.call(
      `mutation ($input: ProductSetInput!, $identifier: ProductSetIdentifiers, $synchronous: Boolean) {
        productSet(input: $input, identifier: $identifier, synchronous: $synchronous) {
          product { ${PRODUCT} } productSetOperation { id status } userErrors { field message code } } }`,
      { input, identifier, ...more },
    );
    return productSet!;
  };
  const variant = (name: string, more = {}): object => ({
    optionValues: [{ optionName: 'Color', name }],
    ...more,
  });
  const options = [{ name: 'Color', values: [{ name: 'Blue' }, { name: 'Black' }] }];

  it('have the variants, quantities and metafields of the input', async () => {
    const { product, userErrors } = await set({
      title: 'Graph',
      status: 'DRAFT',
      productOptions: options,
      metafields: [
        { namespace: 'custom', key: 'stuff', type: 'single_line_text_field', value: 'canvas' },
      ],
      variants: [
        variant('Blue', {
          sku: 'BLUE',
          price: '79.99',
          compareAtPrice: '99',
          taxable: false,
          inventoryPolicy: 'CONTINUE',
          inventoryItem: {
            tracked: true,
            cost: '20.5',
            measurement: { weight: { value: 2, unit: 'POUNDS' } },
          },
          inventoryQuantities: [
            { quantity: 2, locationId: locations[1], name: 'available' },
            { quantity: 5, locationId: locations[0], name: 'available' },
          ],
        }),
        variant('Black', {
          metafields: [
            { namespace: 'custom', key: 'finish', type: 'single_line_text_field', value: 'matte' },
          ],
          inventoryQuantities: [{ quantity: 3, locationId: locations[1], name: 'available' }],
        }),
      ],
    });
    expect(userErrors).toEqual([]);
    const level = (name: string, quantity: number): object => ({
      location: { name },
      quantities: [
        { name: 'available', quantity },
        { name: 'on_hand', quantity },
        { name: 'incoming', quantity: 0 },
      ],
    });
    expect(product).toMatchObject({
      handle: 'graph',
      status: 'DRAFT',
      totalInventory: 7,
      tracksInventory: true,
      options: [{ name: 'Color', values: ['Blue', 'Black'] }],
      metafields: { nodes: [{ key: 'stuff', value: 'canvas' }] },
      variants: {
        nodes: [
          {
            title: 'Blue',
            sku: 'BLUE',
            price: '79.99',
            compareAtPrice: '99.00',
            taxable: false,
            inventoryPolicy: 'CONTINUE',
            inventoryQuantity: 7,
            selectedOptions: [{ name: 'Color', value: 'Blue' }],
            inventoryItem: {
              tracked: true,
              unitCost: { amount: '20.5' },
              measurement: { weight: { unit: 'POUNDS', value: 2 } },
              inventoryLevels: {
                nodes: expect.arrayContaining([
                  expect.objectContaining(level('Shop location', 5)),
                  expect.objectContaining(level('Warehouse', 2)),
                ]),
              },
            },
          },
          {
            title: 'Black',
            price: '0.00',
            metafields: { nodes: [{ key: 'finish', value: 'matte' }] },
            compareAtPrice: null,
            taxable: true,
            inventoryPolicy: 'DENY',
            inventoryQuantity: 3,
            inventoryItem: {
              tracked: false,
              unitCost: null,
              measurement: { weight: { unit: 'KILOGRAMS', value: 0 } },
              inventoryLevels: { nodes: [level('Warehouse', 3)] },
            },
          },
        ],
      },
    });
  });

  it('keep the ids of what stays, and lose what the input does not have', async () => {
    const made = await set({
      title: 'Kept',
      productOptions: options,
      variants: [variant('Blue'), variant('Black')],
    });
    const before = made['product'] as {
      id: string;
      options: object[];
      variants: { nodes: Array<{ id: string }> };
    };
    const { product, userErrors } = await set(
      {
        productOptions: [{ name: 'Color', values: [{ name: 'Black' }, { name: 'White' }] }],
        variants: [variant('White', { price: '5' }), variant('Black', { price: '6' })],
      },
      { handle: 'kept' },
    );
    expect(userErrors).toEqual([]);
    expect(product).toMatchObject({
      id: before.id,
      title: 'Kept',
      options: [{ ...before.options[0], values: ['Black', 'White'] }],
      variants: {
        nodes: [
          { title: 'White', price: '5.00' },
          { title: 'Black', price: '6.00', id: before.variants.nodes[1]!.id },
        ],
      },
    });
    expect((await set({ title: 'Renamed' }, { id: before.id }))['product']).toMatchObject({
      title: 'Renamed',
      variants: { nodes: [{ title: 'White' }, { title: 'Black' }] },
    });
  });

  it('are made under a handle that nothing has, and later when it need not be at once', async () => {
    const made = await set({ title: 'By handle' }, { handle: 'own-handle' });
    expect(made['product']).toMatchObject({ handle: 'own-handle' });
    const late = await set({ title: 'Later' }, undefined, { synchronous: false });
    const { id } = late['productSetOperation'] as { id: string };
    expect(late).toMatchObject({ product: null, productSetOperation: { status: 'CREATED' } });
    const { productOperation } = await store.call(
      'query ($id: ID!) { productOperation(id: $id) { status product { title } } }',
      { id },
    );
    expect(productOperation).toEqual({ status: 'COMPLETE', product: { title: 'Later' } });
  });

  it.each([
    [{ productOptions: options }, ['input', 'variants'], 'VARIANTS_INPUT_MISSING'],
    [{ variants: [variant('Blue')] }, ['input', 'productOptions'], 'PRODUCT_OPTIONS_INPUT_MISSING'],
    [
      { productOptions: options, variants: [variant('Blue'), variant('Blue')] },
      ['input', 'variants', '1'],
      'INVALID_VARIANT',
    ],
    [
      { productOptions: options, variants: [variant('Blue', { price: '-1' })] },
      ['input', 'variants', '0', 'price'],
      'INVALID_VARIANT',
    ],
  ])('are refused: %j', async (input, field, code) => {
    const { product, userErrors } = await set({ title: 'Refused', ...input });
    expect({ product, userErrors }).toMatchObject({ product: null, userErrors: [{ field, code }] });
    expect(store.shop.products.some(({ title }) => title === 'Refused')).toBe(false);
  });

  it('refuse the id of no product', async () => {
    const { userErrors } = await set({ title: 'None' }, { id: 'gid://shopify/Product/1' });
    expect(userErrors).toEqual([
      {
        field: ['identifier', 'id'],
        message: 'Product does not exist',
        code: 'PRODUCT_DOES_NOT_EXIST',
      },
    ]);
  });

  it('keep what is written of several variants at once', async () => {
    const { product } = await set({ title: 'Bulk' });
    const { id } = product as { id: string };
    const fields = `productVariants { title price inventoryQuantity barcode metafields(first: 2) { nodes { value } }
      inventoryItem { sku tracked requiresShipping } } product { options { id values } } userErrors { field message code }`;
    const metafields = [
      { namespace: 'custom', key: 'note', type: 'single_line_text_field', value: 'soft' },
    ];
    const { productVariantsBulkCreate: bulk } = await store.call(
      `mutation ($id: ID!, $variants: [ProductVariantsBulkInput!]!) {
        productVariantsBulkCreate(productId: $id, variants: $variants) { ${fields} } }`,
      {
        id,
        variants: [
          {
            optionValues: [{ optionName: 'Title', name: 'Default Blue' }],
            price: '25.00',
            metafields,
            inventoryItem: { sku: 'BULK', tracked: true, requiresShipping: false },
            inventoryQuantities: [{ locationId: locations[0], availableQuantity: 4 }],
          },
        ],
      },
    );
    expect(bulk).toMatchObject({
      productVariants: [
        {
          title: 'Default Blue',
          price: '25.00',
          inventoryQuantity: 4,
          barcode: null,
          metafields: { nodes: [{ value: 'soft' }] },
          inventoryItem: { sku: 'BULK', tracked: true, requiresShipping: false },
        },
      ],
      product: {
        options: [
          {
            id: (product as { options: Array<{ id: string }> }).options[0]!.id,
            values: ['Default Blue'],
          },
        ],
      },
      userErrors: [],
    });
    const variantId = `gid://shopify/ProductVariant/${store.shop.products.at(-1)!.variants[0]!.id}`;
    const { productVariantsBulkUpdate } = await store.call(
      `mutation ($id: ID!, $variants: [ProductVariantsBulkInput!]!) {
        productVariantsBulkUpdate(productId: $id, variants: $variants) { ${fields} } }`,
      {
        id,
        variants: [
          {
            id: variantId,
            barcode: '42',
            optionValues: [{ optionName: 'Title', name: 'Green' }],
            metafields: [{ ...metafields[0], value: 'hard' }],
          },
        ],
      },
    );
    expect(productVariantsBulkUpdate).toMatchObject({
      productVariants: [
        {
          title: 'Green',
          price: '25.00',
          barcode: '42',
          inventoryItem: { tracked: true },
          metafields: { nodes: [{ value: 'hard' }] },
        },
      ],
      userErrors: [],
    });
  });

  it('are copied with their options and variants, and change their status', async () => {
    const { product } = await set({
      title: 'Original',
      productOptions: options,
      variants: [variant('Blue', { price: '7', sku: 'ORIGINAL' }), variant('Black')],
    });
    const { id: productId } = product as { id: string };
    const { productDuplicate, productChangeStatus } = await store.call(
      `mutation ($productId: ID!) {
        productDuplicate(productId: $productId, newTitle: "Copy", newStatus: DRAFT) {
          newProduct { id title handle status options { name values }
            variants(first: 5) { nodes { id title price sku inventoryQuantity } } } userErrors { message } }
        productChangeStatus(productId: $productId, status: ARCHIVED) {
          product { id status } userErrors { message } } }`,
      { productId },
    );
    expect(productDuplicate).toMatchObject({
      newProduct: {
        title: 'Copy',
        handle: 'copy',
        status: 'DRAFT',
        options: [{ name: 'Color', values: ['Blue', 'Black'] }],
        variants: {
          nodes: [
            { title: 'Blue', price: '7.00', sku: 'ORIGINAL', inventoryQuantity: 0 },
            { title: 'Black', price: '0.00' },
          ],
        },
      },
      userErrors: [],
    });
    const ids = store.shop.products.flatMap(({ variants }) => variants.map((one) => one.id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(productChangeStatus).toEqual({
      product: { id: productId, status: 'ARCHIVED' },
      userErrors: [],
    });
    const unknown = await store.call(
      `mutation { productChangeStatus(productId: "gid://shopify/Product/1", status: DRAFT) {
        product { id } userErrors { field message code } } }`,
    );
    expect(unknown['productChangeStatus']).toEqual({
      product: null,
      userErrors: [
        { field: ['productId'], message: 'Product does not exist', code: 'PRODUCT_NOT_FOUND' },
      ],
    });
  });

  it('refuse variants that are there already, or lack the value of an option', async () => {
    const { product } = await set({
      title: 'Twice',
      productOptions: options,
      variants: [variant('Blue')],
    });
    const { id } = product as { id: string };
    const { productVariantsBulkCreate } = await store.call(
      `mutation ($id: ID!, $variants: [ProductVariantsBulkInput!]!) {
        productVariantsBulkCreate(productId: $id, variants: $variants) { userErrors { field message code } } }`,
      { id, variants: [variant('Blue'), { price: '1' }] },
    );
    expect(productVariantsBulkCreate!['userErrors']).toEqual([
      {
        field: ['variants', '0'],
        message: "The variant 'Blue' already exists. Please change at least one option value.",
        code: 'VARIANT_ALREADY_EXISTS_CHANGE_OPTION_VALUE',
      },
      {
        field: ['variants', '1'],
        message: 'You need to add option values for Color',
        code: 'NEED_TO_ADD_OPTION_VALUES',
      },
    ]);
  });

  it('refuses to leave a product without variants', async () => {
    const { devStore, call } = await openNodeShop(['products']);
    const { productSet } = await call(
      `mutation { productSet(synchronous: true, input: { title: "Nil", variants: [],
        productOptions: [{ name: "A", values: [{ name: "1" }] }] }) {
          product { id } userErrors { field code } } }`,
    );
    await devStore.close();
    expect(productSet).toEqual({
      product: null,
      userErrors: [{ field: ['input', 'variants'], code: 'VARIANTS_INPUT_MISSING' }],
    });
  });
});
