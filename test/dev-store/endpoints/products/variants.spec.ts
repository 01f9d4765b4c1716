import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAdminApiClient } from '../../../../lib/graphql-client/index.js';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';
import { openReceiver } from '../../app-receiver.js';

const CREATE = `mutation ($product: ProductCreateInput!) {
  productCreate(product: $product) {
    product { id title handle status variants(first: 10) { edges { node { id price barcode createdAt } } } }
  }
}`;
const UPDATE = `mutation ($productId: ID!, $variants: [ProductVariantsBulkInput!]!, $partial: Boolean) {
  productVariantsBulkUpdate(productId: $productId, variants: $variants, allowPartialUpdates: $partial) {
    product { id }
    productVariants { id price barcode sku createdAt }
    userErrors { code field message }
  }
}`;

interface Variant {
  id: string;
  price: string;
  barcode: string | null;
  createdAt: string;
}

interface Created {
  productCreate: { product: { id: string; variants: { edges: Array<{ node: Variant }> } } };
}

interface Updated {
  productVariantsBulkUpdate: {
    product: { id: string } | null;
    productVariants: Variant[] | null;
    userErrors: Array<{ code: string; field: string[]; message: string }>;
  };
}

describe('variants of a simulated shop', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let app: Awaited<ReturnType<typeof openReceiver>>;
  let token: string;

  beforeAll(async () => {
    app = await openReceiver();
    const apps = [{ apiKey: 'key', apiSecretKey: 'hush', appUrl: app.url }];
    devStore = await DevStore.open({ apps, limits: { graphql: 'off' } });
    shop = devStore.shop();
    token = shop.install('key', { scopes: ['write_products'] });
  });
  afterAll(async () => {
    await devStore.close();
    await app.close();
  });

  const run = async <T>(query: string, variables: object, accessToken = token): Promise<T> => {
    const client = createAdminApiClient({
      storeDomain: shop.domain,
      apiVersion: '2026-07',
      accessToken,
      customFetchApi: devStore.fetch,
    });
    const { data, errors } = await client.request<T>(query, {
      variables: variables as Record<string, unknown>,
    });
    if (!data || errors) throw new Error(JSON.stringify(errors));
    return data;
  };
  const newProduct = async (): Promise<{ productId: string; variant: Variant }> => {
    const { productCreate } = await run<Created>(CREATE, { product: { title: 'Snowboard' } });
    const { id, variants } = productCreate.product;
    return { productId: id, variant: variants.edges[0]!.node };
  };
  const update = async (variables: object): Promise<Updated['productVariantsBulkUpdate']> =>
    (await run<Updated>(UPDATE, variables)).productVariantsBulkUpdate;

  it('are in the answer that creates their product, and get a price in the next call', async () => {
    const { productId, variant } = await newProduct();
    expect(variant).toEqual({
      id: expect.stringMatching(/^gid:\/\/shopify\/ProductVariant\/\d+$/),
      price: '0.00',
      barcode: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    const variants = [{ id: variant.id, price: '100.00' }];
    expect(await update({ productId, variants })).toEqual({
      product: { id: productId },
      productVariants: [{ ...variant, price: '100.00', sku: null }],
      userErrors: [],
    });
  });

  it('take a number as a price, and keep what a change does not name', async () => {
    const { productId, variant } = await newProduct();
    const first = [{ id: variant.id, barcode: '4006381333931', inventoryItem: { sku: 'SB-1' } }];
    await update({ productId, variants: first });
    const { productVariants } = await update({
      productId,
      variants: [{ id: variant.id, price: 12.5 }],
    });
    expect(productVariants).toMatchObject([
      { price: '12.50', barcode: '4006381333931', sku: 'SB-1' },
    ]);
  });

  it('are told to the apps in one webhook, with price and barcode', async () => {
    const { productId, variant } = await newProduct();
    await run(
      'mutation ($to: URL!) { webhookSubscriptionCreate(topic: PRODUCTS_UPDATE, webhookSubscription: { callbackUrl: $to }) { userErrors { message } } }',
      { to: `${app.url}/hooks` },
    );
    await update({ productId, variants: [{ id: variant.id, price: '7', barcode: '12345670' }] });
    await devStore.settled();
    expect(app.received.map(({ body }) => JSON.parse(body.toString()) as object)).toMatchObject([
      { variants: [{ price: '7.00', barcode: '12345670' }] },
    ]);
  });

  it.each([
    [{ price: '1.00' }, 'id', 'PRODUCT_VARIANT_ID_MISSING'],
    [
      { id: 'gid://shopify/ProductVariant/1', price: '1.00' },
      'id',
      'PRODUCT_VARIANT_DOES_NOT_EXIST',
    ],
    [{ price: '-1.00' }, 'price', 'GREATER_THAN_OR_EQUAL_TO'],
    [{ price: 'free' }, 'price', 'INVALID_VALUE'],
  ])('change all or none: %j beside a good one is refused', async (wrong, field, code) => {
    const { productId, variant } = await newProduct();
    const bad = field === 'price' ? { id: variant.id, ...wrong } : wrong;
    const variants = [{ id: variant.id, price: '5.00' }, bad];
    const refused = await update({ productId, variants });
    expect(refused).toMatchObject({
      productVariants: null,
      userErrors: [{ code, field: ['variants', '1', field] }],
    });
    expect(await run('query ($id: ID!) { productVariant(id: $id) { price } }', variant)).toEqual({
      productVariant: { price: '0.00' },
    });
    const partly = await update({ productId, variants, partial: true });
    expect(partly).toMatchObject({
      productVariants: [{ id: variant.id, price: '5.00' }],
      userErrors: [{ code }],
    });
  });

  it('refuse a product that does not exist, and an app that may not write', async () => {
    expect(await update({ productId: 'gid://shopify/Product/1', variants: [] })).toMatchObject({
      product: null,
      userErrors: [{ code: 'PRODUCT_DOES_NOT_EXIST', field: ['productId'] }],
    });
    devStore.addApp({ apiKey: 'reader', apiSecretKey: 'hush', appUrl: app.url });
    const reader = shop.install('reader', { scopes: ['read_products'] });
    await expect(
      run(UPDATE, { productId: 'gid://shopify/Product/1', variants: [] }, reader),
    ).rejects.toThrow('ACCESS_DENIED');
  });

  it('are created beside others, in place of the first, and deleted but for the last', async () => {
    const { productId } = await newProduct();
    const create = `mutation ($productId: ID!, $variants: [ProductVariantsBulkInput!]!) {
      productVariantsBulkCreate(productId: $productId, variants: $variants) {
        productVariants { id title price sku position } userErrors { code field message }
      }
    }`;
    interface Creation {
      productVariantsBulkCreate: { productVariants: Variant[]; userErrors: object[] };
    }
    const bulkCreate = (...prices: string[]): Promise<Creation> =>
      run(create, {
        productId,
        variants: prices.map((price, index) => ({
          price,
          inventoryItem: { sku: `SKU-${index}` },
          optionValues: [{ name: `No. ${index}`, optionName: 'Title' }],
        })),
      });
    const refused = (await bulkCreate('5', 'free')).productVariantsBulkCreate;
    expect(refused).toMatchObject({
      productVariants: [],
      userErrors: [{ code: 'INVALID', field: ['variants', '1', 'price'] }],
    });
    const { productVariants } = (await bulkCreate('5', '6.5')).productVariantsBulkCreate;
    expect(productVariants).toMatchObject([
      { title: 'No. 0', price: '5.00', sku: 'SKU-0', position: 1 },
      { title: 'No. 1', price: '6.50', sku: 'SKU-1', position: 2 },
    ]);
    const remove = `mutation ($productId: ID!, $variantsIds: [ID!]!) {
      productVariantsBulkDelete(productId: $productId, variantsIds: $variantsIds) {
        product { variants(first: 5) { nodes { title position } } } userErrors { code }
      }
    }`;
    const [first, second] = productVariants.map(({ id }) => id);
    const deletion = (...variantsIds: unknown[]): Promise<object> =>
      run(remove, { productId, variantsIds });
    expect(await deletion(first, second)).toMatchObject({
      productVariantsBulkDelete: { userErrors: [{ code: 'CANNOT_DELETE_LAST_VARIANT' }] },
    });
    expect(await deletion(first)).toEqual({
      productVariantsBulkDelete: {
        product: { variants: { nodes: [{ title: 'No. 1', position: 1 }] } },
        userErrors: [],
      },
    });
    expect(await deletion(first)).toMatchObject({
      productVariantsBulkDelete: {
        userErrors: [{ code: 'AT_LEAST_ONE_VARIANT_DOES_NOT_BELONG_TO_THE_PRODUCT' }],
      },
    });
  });

  it('come with what else their product was created with', async () => {
    const created = await run<{ productCreate: { product: object } }>(
      `mutation {
        productCreate(product: {
          title: "Scarf", seo: { title: "Warm" }, templateSuffix: "wool"
          productOptions: [{ name: "Color", values: [{ name: "Red" }, { name: "Blue" }] }]
        }) {
          product { seo { title description } templateSuffix
            options { id name position values optionValues { name } } }
        }
      }`,
      {},
    );
    expect(created.productCreate.product).toEqual({
      seo: { title: 'Warm', description: null },
      templateSuffix: 'wool',
      options: [
        {
          id: expect.stringMatching(/^gid:\/\/shopify\/ProductOption\/\d+$/),
          name: 'Color',
          position: 1,
          values: ['Red'],
          optionValues: [{ name: 'Red' }, { name: 'Blue' }],
        },
      ],
    });
  });

  it('are nodes', async () => {
    const { variant } = await newProduct();
    const query =
      'query ($id: ID!) { node(id: $id) { __typename ... on ProductVariant { barcode } } }';
    expect(await run(query, { id: variant.id })).toEqual({
      node: { __typename: 'ProductVariant', barcode: null },
    });
  });
});
