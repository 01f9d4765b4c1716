import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DevStore } from '../../../lib/dev-store/index.js';

interface Reply {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: ReadonlyArray<{
    readonly message: string;
    readonly extensions?: { code: string };
  }>;
}

/** Every query that takes an id, and mutations whose payloads have nodes of several types. */
const FIELDS = `{ __schema { queryType { fields { name args { name type { kind } } type { kind ofType { kind } } } } } }`;

describe('the id of another type than a field has', () => {
  let devStore: DevStore;
  let post: (query: string, variables?: object) => Promise<Reply>;
  const scopes =
    'write_customers write_locations write_products write_publications write_orders write_files';
  beforeAll(async () => {
    devStore = await DevStore.open({
      apps: [{ apiKey: 'key', apiSecretKey: 'hush', appUrl: 'http://localhost:3000' }],
      limits: { graphql: 'off' },
    });
    const shop = devStore.shop();
    const token = shop.install('key', { scopes: scopes.replaceAll(' ', ',') });
    post = async (query, variables = {}) => {
      const response = await fetch(`${shop.origin}/admin/api/2026-07/graphql.json`, {
        method: 'POST',
        headers: { 'X-Shopify-Access-Token': token, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      });
      expect(response.status).toBe(200);
      return (await response.json()) as Reply;
    };
  });
  afterAll(() => devStore.close());

  it('is an error with a code, whatever the field', async () => {
    const { data } = await post(FIELDS);
    const { queryType } = data!['__schema'] as {
      queryType: {
        fields: Array<{ name: string; args: Array<{ name: string }>; type: { kind: string } }>;
      };
    };
    const fields = queryType.fields.filter(
      ({ args, type }) =>
        args.some(({ name }) => name === 'id') && ['INTERFACE', 'UNION'].includes(type.kind),
    );
    expect(fields.length).toBeGreaterThan(2);
    const id = devStore.shop().nodes.create('Customer', { email: 'ada@a.test' }).id;
    for (const { name } of fields.filter((field) => field.name !== 'node')) {
      const query = `query ($id: ID!) { found: ${name}(id: $id) { __typename } }`;
      const { errors = [], ...reply } = await post(query, { id });
      expect([name, reply.data]).toEqual([name, { found: null }]);
      expect([name, errors]).toMatchObject([
        name,
        [{ message: `Invalid id: ${id}`, extensions: { code: 'RESOURCE_NOT_FOUND' } }],
      ]);
    }
  });

  it('is one in the payload of a mutation, too', async () => {
    const { id } = devStore.shop().nodes.first('Location')!;
    const { errors } = await post(
      'mutation ($id: ID!) { publishablePublish(id: $id, input: []) { publishable { __typename } } }',
      { id },
    );
    expect(errors).toMatchObject([{ extensions: { code: 'RESOURCE_NOT_FOUND' } }]);
  });
});
