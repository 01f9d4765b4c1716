import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { DevStore } from '../../../lib/dev-store/index.js';
import { platformApp as reactRouterApp } from '../../../lib/integrations/react-router/index.js';
import type { ReactRouterApp } from '../../../lib/integrations/react-router/index.js';
import { MemorySessionStorage, platformApp } from '../../../lib/integrations/remix/index.js';
import type { RemixApp, RemixAppOptions } from '../../../lib/integrations/remix/index.js';
import { API_KEY, API_SECRET, APP_URL, appOptions } from '../../support/app.js';

/** What the configuration file of the template defines. */
const CONFIGURATION = {
  product: { metafields: { app: { demo_info: { type: 'single_line_text_field' } } } },
  metaobjects: {
    app: {
      example: {
        name: 'Example',
        fields: {
          title: { name: 'Title', type: 'single_line_text_field' },
          description: { name: 'Description', type: 'multi_line_text_field' },
        },
      },
    },
  },
};

/** The action behind the button of the official templates. */
async function generateProduct(app: RemixApp | ReactRouterApp, request: Request) {
  const { admin } = await app.authenticate.admin(request);
  const response = await admin.graphql(
    `#graphql
      mutation populateProduct($product: ProductCreateInput!) {
        productCreate(product: $product) {
          product {
            id title handle status
            variants(first: 10) { edges { node { id price barcode createdAt } } }
            demoInfo: metafield(namespace: "$app", key: "demo_info") { jsonValue }
          }
        }
      }`,
    {
      variables: {
        product: {
          title: 'Red Snowboard',
          metafields: [{ namespace: '$app', key: 'demo_info', value: 'Made by the template' }],
        },
      },
    },
  );
  const responseJson = await response.json();
  const product = responseJson.data!.productCreate!.product!;
  const variantId = product.variants.edges[0]!.node!.id!;
  const variantResponse = await admin.graphql(
    `#graphql
      mutation updateVariant($productId: ID!, $variants: [ProductVariantsBulkInput!]!) {
        productVariantsBulkUpdate(productId: $productId, variants: $variants) {
          productVariants { id price barcode createdAt }
        }
      }`,
    { variables: { productId: product.id, variants: [{ id: variantId, price: '100.00' }] } },
  );
  const variantResponseJson = await variantResponse.json();
  const metaobjectResponse = await admin.graphql(
    `#graphql
      mutation upsertExample($handle: MetaobjectHandleInput!, $metaobject: MetaobjectUpsertInput!) {
        metaobjectUpsert(handle: $handle, metaobject: $metaobject) {
          metaobject {
            id handle
            title: field(key: "title") { jsonValue }
            description: field(key: "description") { jsonValue }
          }
          userErrors { field message }
        }
      }`,
    {
      variables: {
        handle: { type: '$app:example', handle: 'demo-entry' },
        metaobject: {
          fields: [
            { key: 'title', value: 'Demo Entry' },
            { key: 'description', value: 'Written by the action of the template' },
          ],
        },
      },
    },
  );
  const metaobjectResponseJson = await metaobjectResponse.json();
  return {
    metaobject: metaobjectResponseJson!.data!.metaobjectUpsert!.metaobject,
    product: responseJson!.data!.productCreate!.product,
    variant: variantResponseJson!.data!.productVariantsBulkUpdate!.productVariants,
  };
}

type Options = Omit<RemixAppOptions, 'isEmbeddedApp'>;
type Open = (options: Options) => RemixApp | ReactRouterApp;

describe.each<[string, Open]>([
  ['Remix', (options) => platformApp(options)],
  ['React Router', (options) => reactRouterApp(options)],
])('the demo action of the template for %s', (_host, open) => {
  let devStore: DevStore;
  let app: RemixApp | ReactRouterApp;

  beforeAll(async () => {
    devStore = await DevStore.open({
      apps: [
        { apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL, definitions: CONFIGURATION },
      ],
    });
    const { isEmbeddedApp: _, ...options } = appOptions();
    app = open({
      ...options,
      sessionStorage: new MemorySessionStorage(),
      shopOrigin: devStore.shopOrigin,
    });
  });
  afterEach(() => app.close());
  afterAll(() => devStore.close());

  it('creates a product with a metafield, prices its variant, and writes a metaobject', async () => {
    const shop = devStore.shop();
    shop.install(API_KEY, {
      scopes: 'write_products,write_metaobjects,write_metaobject_definitions',
    });
    const headers = { authorization: `Bearer ${shop.sessionToken(API_KEY)}` };
    const request = new Request(`${APP_URL}/app?index`, { method: 'POST', headers });
    const { product, variant, metaobject } = await generateProduct(app, request);
    const made = shop.products.at(-1)!;
    expect(product).toMatchObject({
      id: `gid://shopify/Product/${made.id}`,
      title: 'Red Snowboard',
      handle: 'red-snowboard',
      status: 'ACTIVE',
      demoInfo: { jsonValue: 'Made by the template' },
    });
    expect(metaobject).toMatchObject({
      handle: 'demo-entry',
      title: { jsonValue: 'Demo Entry' },
      description: { jsonValue: 'Written by the action of the template' },
    });
    expect(variant).toEqual([
      { ...product.variants.edges[0].node, price: '100.00', barcode: null },
    ]);
    expect(made.variants.map(({ price }) => price)).toEqual(['100.00']);
  });
});
