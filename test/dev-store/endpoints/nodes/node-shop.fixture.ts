import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';

/** What a test of nodes asks. */
export interface NodeShopFixture {
  readonly devStore: DevStore;
  readonly shop: DevShop;
  /** The data of a call that must succeed. */
  call(query: string, variables?: object, accessToken?: string): Promise<Record<string, Data>>;
  /** The whole answer. */
  answer(query: string, variables?: object, accessToken?: string): Promise<Answer>;
}

/** A field of the root. */
export type Data = Record<string, unknown>;

/** An answer of the GraphQL API. */
export interface Answer {
  readonly data: Record<string, Data> | null;
  readonly errors?: ReadonlyArray<{ message: string; extensions: Record<string, string> }>;
}

/** Has the stock of the first variant counted. @returns its id */
export async function trackedVariant({ shop, call }: NodeShopFixture): Promise<string> {
  const product = shop.products[0]!;
  const variantId = `gid://shopify/ProductVariant/${product.variants[0]!.id}`;
  await call(
    `mutation ($id: ID!, $variants: [ProductVariantsBulkInput!]!) {
      productVariantsBulkUpdate(productId: $id, variants: $variants) { userErrors { message } } }`,
    {
      id: `gid://shopify/Product/${product.id}`,
      variants: [{ id: variantId, inventoryItem: { tracked: true } }],
    },
  );
  return variantId;
}

/**
 * A shop with an app that has scopes, e.g. `orders` for `write_orders`; it calls one version. The
 * app `other` is there to be installed.
 */
export async function openNodeShop(
  scopes: readonly string[],
  version = '2026-07',
): Promise<NodeShopFixture> {
  const apps = ['key', 'other'].map((apiKey) => ({
    ...{
      apiKey,
      apiSecretKey: `secret of ${apiKey}`,
      appUrl: `https://${apiKey === 'key' ? 'app' : apiKey}.example`,
    },
  }));
  const devStore = await DevStore.open({ apps, limits: { graphql: 'off' } });
  const shop = devStore.shop();
  const token = shop.install('key', { scopes: scopes.map((scope) => `write_${scope}`) });
  const answer: NodeShopFixture['answer'] = async (query, variables = {}, own = token) => {
    const url = `https://${shop.domain}/admin/api/${version}/graphql.json`;
    const response = await devStore.fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Shopify-Access-Token': own },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as Answer;
  };
  const call: NodeShopFixture['call'] = async (...args) => {
    const { data, errors } = await answer(...args);
    if (errors || !data) throw new Error(`The call failed: ${JSON.stringify(errors)}`);
    return data;
  };
  return { devStore, shop, call, answer };
}
