import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, isObjectType } from 'graphql';
import { DevStore } from '../../../lib/dev-store/index.js';
import { platformSchema } from '../../../lib/dev-store/graphql/schemas/platform-schema.js';

interface Answer {
  data: Record<string, { [name: string]: ReadonlyArray<Record<string, unknown>> }>;
  errors?: Array<{ message: string; extensions: { code: string } }>;
}

const app = { apiKey: 'key', apiSecretKey: 'secret', appUrl: 'http://localhost:3000' };

describe('platformSchema', () => {
  it.each([
    ['2026-07', '2026-07'],
    ['unstable', 'unstable'],
    ['2024-01', '2025-10'],
    ['2026-05', '2026-07'],
    ['2031-01', '2026-10'],
  ])('has for %s what the platform serves: %s', async (wanted, served) => {
    expect(await platformSchema('storefront', wanted)).toBe(
      await platformSchema('storefront', served),
    );
  });

  it('tells the versions and the interfaces apart', async () => {
    const texts = await Promise.all([
      platformSchema('admin', '2025-10'),
      platformSchema('admin', '2026-10'),
      platformSchema('storefront', '2025-10'),
      platformSchema('storefront', '2026-10'),
    ]);
    expect(new Set(texts).size).toBe(4);
    const [first, last] = texts.map((text) => buildSchema(text).getType('WebhookSubscription'));
    expect(isObjectType(first) && 'name' in first.getFields()).toBe(false);
    expect(isObjectType(last) && 'name' in last.getFields()).toBe(true);
  });
});

describe('the schemas of a DevStore', () => {
  let store: DevStore;
  let accessToken: string;
  beforeAll(async () => {
    store = await DevStore.open({ apps: [app], limits: { graphql: 'off' } });
    accessToken = store.shop().install('key', { scopes: ['write_products'] });
  });
  afterAll(() => store.close());

  const call = async (query: string, version = '2026-07'): Promise<Answer> => {
    const url = `${store.shopOrigin(store.shop().domain)}/admin/api/${version}/graphql.json`;
    const response = await store.fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Shopify-Access-Token': accessToken },
      body: JSON.stringify({ query }),
    });
    return (await response.json()) as Answer;
  };

  it('answer every field of an object, with null or the plainest value of its type', async () => {
    const { data, errors } = await call(
      `{ products(first: 1) { nodes {
        title options { name } media(first: 5) { nodes { id } pageInfo { hasNextPage } }
        priceRangeV2 { minVariantPrice { amount currencyCode } } seo { title } templateSuffix
        isGiftCard requiresSellingPlan featuredMedia { id }
      } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data['products']!['nodes']).toEqual([
      {
        title: store.shop().products[0]!.title,
        options: [{ name: 'Title' }],
        media: { nodes: [], pageInfo: { hasNextPage: false } },
        priceRangeV2: { minVariantPrice: { amount: '24.0', currencyCode: 'EUR' } },
        seo: { title: null },
        templateSuffix: null,
        isGiftCard: false,
        requiresSellingPlan: false,
        featuredMedia: null,
      },
    ]);
  });

  it('refuse a field that only a later version has', async () => {
    const query = '{ webhookSubscriptions(first: 1) { nodes { name } } }';
    const [before, since] = [await call(query, '2025-10'), await call(query, '2026-04')];
    expect(before.errors![0]!.extensions.code).toBe('undefinedField');
    expect(since.errors).toBeUndefined();
  });

  it('show deprecations and directives to introspection', async () => {
    const { data } = await call(`{
      __type(name: "QueryRoot") { fields(includeDeprecated: true) { name deprecationReason } }
      __schema { directives { name } }
    }`);
    const deprecated = data['__type']!['fields']!.filter((field) => field['deprecationReason']);
    expect(deprecated.map(({ name }) => name)).toContain('currentBulkOperation');
    const directives = data['__schema']!['directives']!.map(({ name }) => name);
    expect(directives).toEqual(expect.arrayContaining(['idempotent']));
  });
});
