import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

let fixture: NodeShopFixture;
beforeAll(async () => {
  fixture = await openNodeShop(['products']);
});
afterAll(() => fixture.devStore.close());

const UNKNOWN = 'gid://shopify/Product/999999999';

function product(title: string): { id: string; variant: string } {
  const { product: made } = fixture.shop.createProduct({ title });
  return {
    id: `gid://shopify/Product/${made!.id}`,
    variant: `gid://shopify/ProductVariant/${made!.variants[0]!.id}`,
  };
}

async function mutate(name: string, args: string, fields: string): Promise<Data> {
  const data = await fixture.call(
    `mutation { ${name}(${args}) { ${fields} userErrors { field message } } }`,
  );
  return data[name]!;
}

describe('bundles', () => {
  const FIELDS = 'productBundleOperation { id status product { title } }';

  it('are made of other products, after the answer', async () => {
    const { id } = product('Cup');
    const made = await mutate(
      'productBundleCreate',
      `input: { title: "Set", components: [
        { productId: "${id}", quantity: 2, optionSelections: [] }
      ] }`,
      FIELDS,
    );
    expect(made).toEqual({
      productBundleOperation: { id: expect.any(String), status: 'CREATED', product: null },
      userErrors: [],
    });
    const { node } = await fixture.call(
      `query ($id: ID!) { node(id: $id) { ... on ProductBundleOperation {
        status product {
          id title hasVariantsThatRequiresComponents
          bundleComponents(first: 5) { nodes { quantity componentProduct { title } } }
        }
      } } }`,
      { id: (made['productBundleOperation'] as { id: string }).id },
    );
    expect(node).toMatchObject({
      status: 'COMPLETE',
      product: {
        ...{ title: 'Set', hasVariantsThatRequiresComponents: true },
        bundleComponents: { nodes: [{ quantity: 2, componentProduct: { title: 'Cup' } }] },
      },
    });
    const bundle = (node!['product'] as { id: string }).id;
    await mutate('productBundleUpdate', `input: { productId: "${bundle}", title: "Pair" }`, FIELDS);
    expect(await fixture.call(`{ product(id: "${bundle}") { title } }`)).toEqual({
      product: { title: 'Pair' },
    });
  });

  it('are refused without components, and when they are not there', async () => {
    const refused = (message: string): object => ({
      productBundleOperation: null,
      userErrors: [{ field: null, message }],
    });
    const empty = 'input: { title: "Set", components: [] }';
    expect(await mutate('productBundleCreate', empty, FIELDS)).toEqual(
      refused('At least one component is required.'),
    );
    const unknown = `input: { productId: "${UNKNOWN}", title: "None" }`;
    expect(await mutate('productBundleUpdate', unknown, FIELDS)).toEqual(
      refused('Product does not exist'),
    );
  });
});

describe('variants that consist of others', () => {
  const FIELDS = `parentProductVariants {
    requiresComponents productVariantComponents(first: 5) { nodes { quantity productVariant { id } } }
  }`;
  const relate = (args: string): Promise<Data> =>
    mutate('productVariantRelationshipBulkUpdate', `input: [{ ${args} }]`, FIELDS);

  it('keep how many they need, until they need none', async () => {
    const [whole, part] = [product('Whole'), product('Part')];
    const parent = `parentProductVariantId: "${whole.variant}"`;
    const create = `productVariantRelationshipsToCreate: [{ id: "${part.variant}", quantity: 3 }]`;
    expect(await relate(`${parent}, ${create}`)).toEqual({
      parentProductVariants: [
        {
          requiresComponents: true,
          productVariantComponents: {
            nodes: [{ quantity: 3, productVariant: { id: part.variant } }],
          },
        },
      ],
      userErrors: [],
    });
    const remove = `productVariantRelationshipsToRemove: ["${part.variant}"]`;
    expect(await relate(`${parent}, ${remove}`)).toEqual({
      parentProductVariants: [
        { requiresComponents: false, productVariantComponents: { nodes: [] } },
      ],
      userErrors: [],
    });
  });

  it('are refused when they are not there', async () => {
    const [one, other] = [1, 2].map((number) => `gid://shopify/ProductVariant/99999999${number}`);
    const create = `productVariantRelationshipsToCreate: [{ id: "${other}", quantity: 1 }]`;
    expect(await relate(`parentProductVariantId: "${one}", ${create}`)).toEqual({
      parentProductVariants: null,
      userErrors: [
        {
          field: ['input'],
          message: `The product variants with ID(s) ["${one}", "${other}"] could not be found.`,
        },
      ],
    });
  });
});

describe('combined listings', () => {
  const update = async (args: string): Promise<Data> => {
    const { combinedListingUpdate } = await fixture.call(
      `mutation { combinedListingUpdate(${args}) {
        product { title combinedListingRole options { name optionValues { name } }
          combinedListing { combinedListingChildren(first: 5) {
            nodes { product { id combinedListingRole } parentVariant { title } }
          } } }
        userErrors { field message code }
      } }`,
    );
    return combinedListingUpdate!;
  };
  const listing = async (): Promise<string> => {
    const { productCreate } = await fixture.call(
      `mutation { productCreate(product: { title: "Shirt", combinedListingRole: PARENT }) {
        product { id }
      } }`,
    );
    return (productCreate!['product'] as { id: string }).id;
  };
  const child = (id: string, color: string): string =>
    `{ childProductId: "${id}", selectedParentOptionValues: [{ name: "Color", value: "${color}" }] }`;

  it('show several products as one', async () => {
    const [parent, red, blue] = [await listing(), product('Red shirt').id, product('Blue').id];
    const options = 'optionsAndValues: [{ name: "Color", values: ["Red", "Blue"] }]';
    const added = `productsAdded: [${child(red, 'Red')}, ${child(blue, 'Blue')}]`;
    expect(
      await update(`parentProductId: "${parent}", title: "Shirts", ${options}, ${added}`),
    ).toEqual({
      product: {
        ...{ title: 'Shirts', combinedListingRole: 'PARENT' },
        options: [{ name: 'Color', optionValues: [{ name: 'Red' }, { name: 'Blue' }] }],
        combinedListing: {
          combinedListingChildren: {
            nodes: [
              {
                product: { id: red, combinedListingRole: 'CHILD' },
                parentVariant: { title: 'Red' },
              },
              {
                product: { id: blue, combinedListingRole: 'CHILD' },
                parentVariant: { title: 'Blue' },
              },
            ],
          },
        },
      },
      userErrors: [],
    });
    expect(
      await update(`parentProductId: "${parent}", productsRemovedIds: ["${red}"]`),
    ).toMatchObject({
      product: {
        combinedListing: { combinedListingChildren: { nodes: [{ product: { id: blue } }] } },
      },
      userErrors: [],
    });
  });

  it('are refused as the platform refuses them', async () => {
    const [parent, plain] = [await listing(), product('Plain').id];
    const refusal = async (args: string): Promise<unknown> => {
      const { product: changed, userErrors } = await update(args);
      expect(changed).toBeNull();
      return (userErrors as unknown[])[0];
    };
    expect(await refusal(`parentProductId: "${UNKNOWN}"`)).toEqual({
      ...{ field: ['parentProductId'], message: 'Product does not exist' },
      code: 'PARENT_PRODUCT_NOT_FOUND',
    });
    expect(await refusal(`parentProductId: "${plain}"`)).toEqual({
      ...{ field: ['parentProductId'], message: 'The product must be a combined listing.' },
      code: 'PARENT_PRODUCT_MUST_BE_A_COMBINED_LISTING',
    });
    const added = `productsAdded: [${child(plain, 'Red')}]`;
    expect(await refusal(`parentProductId: "${parent}", ${added}`)).toEqual({
      field: ['optionsAndValues'],
      message: 'Options and values must be present when adding or editing products.',
      code: 'MISSING_OPTION_VALUES',
    });
    const options = 'optionsAndValues: [{ name: "Color", values: ["Red"] }]';
    const blank = `parentProductId: "${parent}", title: " ", ${options}, ${added}`;
    expect(await refusal(blank)).toEqual({
      ...{ field: ['title'], message: "Title can't be blank", code: 'UNEXPECTED_ERROR' },
    });
    expect(await update(`parentProductId: "${parent}", ${options}, ${added}`)).toMatchObject({
      userErrors: [],
    });
    const itself = `productsAdded: [${child(parent, 'Red')}]`;
    expect(await refusal(`parentProductId: "${parent}", ${itself}`)).toEqual({
      ...{ field: ['productsAdded'], message: 'A parent product cannot have itself as child.' },
      code: 'CANNOT_HAVE_PARENT_AS_CHILD',
    });
  });
});

describe('what a channel tells about products', () => {
  const GIVE = `mutation ($id: ID!) { bulkProductResourceFeedbackCreate(feedbackInput: [{
    productId: $id, state: REQUIRES_ACTION, messages: ["is too small"],
    feedbackGeneratedAt: "2026-07-01T00:00:00Z", productUpdatedAt: "2026-07-01T00:00:00Z"
  }]) { feedback { productId state messages } userErrors { field message code } } }`;

  it('needs a scope of its own', async () => {
    const { errors } = await fixture.answer(GIVE, { id: UNKNOWN });
    expect(errors).toEqual([
      expect.objectContaining({
        message: expect.stringContaining(
          '`write_resource_feedbacks` access scope. Also: App must be configured',
        ),
      }),
    ]);
  });

  it('is kept for each product', async () => {
    const { devStore, shop, call } = await openNodeShop(['products', 'resource_feedbacks']);
    const { product: made } = shop.createProduct({ title: 'Kite' });
    const id = `gid://shopify/Product/${made!.id}`;
    const told = { productId: id, state: 'REQUIRES_ACTION', messages: ['is too small'] };
    expect(await call(GIVE, { id })).toEqual({
      bulkProductResourceFeedbackCreate: { feedback: [told], userErrors: [] },
    });
    const READ = `{ productResourceFeedback(id: "${id}") { productId state messages } }`;
    expect(await call(READ)).toEqual({ productResourceFeedback: told });
    const { bulkProductResourceFeedbackCreate: refused } = await call(GIVE, { id: UNKNOWN });
    expect(refused).toMatchObject({ userErrors: [{ code: 'PRODUCT_NOT_FOUND' }] });
    const { shopResourceFeedbackCreate } = await call(
      `mutation { shopResourceFeedbackCreate(input: {
        state: REQUIRES_ACTION, messages: ["is not set up"],
        feedbackGeneratedAt: "2026-07-01T00:00:00Z"
      }) { feedback { state messages { message } } userErrors { message } } }`,
    );
    expect(shopResourceFeedbackCreate).toEqual({
      feedback: { state: 'REQUIRES_ACTION', messages: [{ message: 'is not set up' }] },
      userErrors: [],
    });
    await devStore.close();
  });

  it('is of one app, which needs a scope to read it', async () => {
    const { devStore, shop, call, answer } = await openNodeShop(['products', 'resource_feedbacks']);
    devStore.addApp({ apiKey: 'b', apiSecretKey: 'secret of b', appUrl: 'https://b.example' });
    const { product: made } = shop.createProduct({ title: 'Kite' });
    const id = `gid://shopify/Product/${made!.id}`;
    const READ = `{ productResourceFeedback(id: "${id}") { messages } }`;
    await call(GIVE, { id });
    const { errors } = await answer(READ, {}, shop.install('b', { scopes: ['write_products'] }));
    expect(errors![0]!.message).toContain('`read_resource_feedbacks` access scope. Also:');
    const other = shop.install('b', { scopes: ['write_resource_feedbacks'] });
    expect(await call(READ, {}, other)).toEqual({ productResourceFeedback: null });
    await call(GIVE.replace('is too small', 'is too large'), { id }, other);
    const messages = async (token?: string): Promise<unknown> =>
      (await call(READ, {}, token))['productResourceFeedback']!['messages'];
    expect(await messages(other)).toEqual(['is too large']);
    expect(await messages()).toEqual(['is too small']);
    await devStore.close();
  });

  it('names feeds that are there, with their scope', async () => {
    const { devStore, call, answer, shop } = await openNodeShop(['product_listings']);
    const { id } = shop.nodes.create('ProductFeed', { country: 'CA' });
    const remove = (one: string): string =>
      `mutation { productFeedDelete(id: "${one}") { deletedId userErrors { field message } } }`;
    expect(await call(remove('gid://shopify/ProductFeed/1'))).toEqual({
      productFeedDelete: {
        deletedId: null,
        userErrors: [{ field: ['id'], message: 'ProductFeed does not exist' }],
      },
    });
    const other = shop.install('key', { scopes: ['write_products'] });
    const { errors: refused } = await answer(remove(id), {}, other);
    expect(refused![0]!.message).toContain('`write_product_listings` access scope');
    const token = shop.install('key', { scopes: ['write_product_listings'] });
    expect(await call(remove(id), {}, token)).toEqual({
      productFeedDelete: { deletedId: id, userErrors: [] },
    });
    const sync = `mutation { productFullSync(id: "gid://shopify/ProductFeed/1") {
      id userErrors { field message } } }`;
    expect(await call(sync, {}, token)).toEqual({
      productFullSync: {
        id: null,
        userErrors: [{ field: ['id'], message: 'ProductFeed does not exist' }],
      },
    });
    await devStore.close();
  });
});

describe('what a product may be', () => {
  const create = async (fields: string): Promise<unknown> => {
    const { productCreate } = await fixture.call(
      `mutation { productCreate(product: { title: "Kite", ${fields} }) {
        product { handle tags } userErrors { field message }
      } }`,
    );
    const { product: made, userErrors } = productCreate!;
    return made ?? userErrors;
  };
  const long = 'x'.repeat(256);

  it('is told where it is too long', async () => {
    expect(await create(`vendor: "${long}"`)).toEqual([
      { field: ['vendor'], message: 'Vendor is too long (maximum is 255 characters)' },
    ]);
    expect(await create(`productType: "${long}"`)).toEqual([
      { field: ['productType'], message: 'Product type is too long (maximum is 255 characters)' },
      {
        field: ['customProductType'],
        message: 'Custom product type is too long (maximum is 255 characters)',
      },
    ]);
    expect(await create(`handle: "${long}"`)).toEqual([
      { field: ['handle'], message: 'Handle is too long (maximum is 255 characters)' },
    ]);
    expect(await create(`tags: ["${long}"]`)).toEqual([
      { field: ['tags'], message: 'Product tags is invalid' },
    ]);
  });

  it('has a handle of its own, and each tag once', async () => {
    expect(await create('handle: "red-kite-41", tags: ["Red", "red", "big"]')).toEqual({
      handle: 'red-kite-41',
      tags: ['big', 'Red'],
    });
    expect(await create('handle: "red-kite-41"')).toEqual([
      {
        field: ['input', 'handle'],
        message: "Handle 'red-kite-41' already in use. Please provide a new handle.",
      },
    ]);
    const { productCreate } = await fixture.call(
      'mutation { productCreate(product: { title: "Red kite 41" }) { product { handle } } }',
    );
    expect(productCreate).toEqual({ product: { handle: 'red-kite-42' } });
  });

  it('has a category that there is', async () => {
    const { errors } = await fixture.answer(
      `mutation { productCreate(product: {
        title: "Kite", category: "gid://shopify/TaxonomyCategory/zz-1"
      }) { product { id } } }`,
    );
    expect(errors).toEqual([
      expect.objectContaining({
        message: 'Invalid product_taxonomy_node_id',
        extensions: { code: 'INVALID_PRODUCT_TAXONOMY_NODE_ID' },
      }),
    ]);
  });

  it('is copied after the answer when that is asked for', async () => {
    const { id } = product('Original');
    const { productDuplicate } = await fixture.call(
      `mutation { productDuplicate(productId: "${id}", newTitle: "Copy", synchronous: false) {
        newProduct { id } productDuplicateOperation { id status newProduct { id } }
        userErrors { message }
      } }`,
    );
    const operation = productDuplicate!['productDuplicateOperation'] as { id: string };
    expect(productDuplicate).toEqual({
      newProduct: null,
      productDuplicateOperation: { id: operation.id, status: 'CREATED', newProduct: null },
      userErrors: [],
    });
    const READ = `{ productOperation(id: "${operation.id}") {
      status ... on ProductDuplicateOperation { newProduct { title } product { title } }
    } }`;
    expect(await fixture.call(READ)).toEqual({
      productOperation: {
        ...{ status: 'COMPLETE', newProduct: { title: 'Copy' }, product: { title: 'Original' } },
      },
    });
  });
});
