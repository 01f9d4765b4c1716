import { afterEach, describe, expect, it } from '@jest/globals';
import { DevStore, type DevStoreOptions } from '../../../lib/dev-store/index.js';

const VERSION = '2026-07';

interface GraphqlAnswer {
  data?: unknown;
  errors?: unknown;
  extensions: {
    cost: {
      requestedQueryCost: number;
      actualQueryCost: number | null;
      throttleStatus: Record<string, number>;
    };
  };
}

describe('The limits of a simulated shop', () => {
  let devStore: DevStore;
  let now: Date;

  const open = async (options: DevStoreOptions = {}): Promise<void> => {
    now = new Date('2026-08-01T12:00:00Z');
    const apps = ['key', 'other'].map((apiKey) => ({
      apiKey,
      apiSecretKey: 'hush',
      appUrl: 'http://localhost:3000',
    }));
    devStore = await DevStore.open({ apps, clock: { now: () => now }, ...options });
  };
  afterEach(() => devStore.close());

  const pass = (milliseconds: number): void => {
    now = new Date(now.getTime() + milliseconds);
  };
  const headersOf = (apiKey = 'key'): Record<string, string> => ({
    'X-Shopify-Access-Token': devStore.shop().install(apiKey, { scopes: ['write_products'] }),
    'Content-Type': 'application/json',
  });
  const rest = (apiKey?: string): Promise<Response> =>
    fetch(`${devStore.shop().origin}/admin/api/${VERSION}/shop.json`, {
      headers: headersOf(apiKey),
    });
  const restStatuses = async (count: number): Promise<number[]> => {
    const statuses: number[] = [];
    for (let call = 0; call < count; call++) statuses.push((await rest()).status);
    return statuses;
  };
  const graphql = async (query: string): Promise<GraphqlAnswer> => {
    const body = JSON.stringify({ query });
    const reply = await fetch(`${devStore.shop().origin}/admin/api/${VERSION}/graphql.json`, {
      method: 'POST',
      headers: headersOf(),
      body,
    });
    expect(reply.status).toBe(200);
    return (await reply.json()) as GraphqlAnswer;
  };

  describe('on REST calls', () => {
    it('are 40 calls, of which 2 come back each second', async () => {
      await open();
      expect(await restStatuses(40)).toEqual(Array<number>(40).fill(200));
      const refused = await rest();
      expect([
        refused.status,
        refused.headers.get('retry-after'),
        refused.headers.get('x-shopify-shop-api-call-limit'),
      ]).toEqual([429, '0.5', '40/40']);
      expect(await refused.json()).toEqual({
        errors: expect.stringMatching(/^Exceeded 2 calls per second for api client\./),
      });
      pass(499);
      expect((await rest()).status).toBe(429);
      pass(1);
      expect(await restStatuses(2)).toEqual([200, 429]);
      pass(60_000);
      expect((await rest()).headers.get('x-shopify-shop-api-call-limit')).toBe('1/40');
    });

    it('are told with every answer, also to a call that fails', async () => {
      await open();
      await rest();
      const reply = await fetch(`${devStore.shop().origin}/admin/api/${VERSION}/shop.json`, {
        method: 'DELETE',
        headers: headersOf(),
      });
      expect([reply.status, reply.headers.get('x-shopify-shop-api-call-limit')]).toEqual([
        405,
        '2/40',
      ]);
    });

    it('count for each app and each API by themselves', async () => {
      await open({ limits: { rest: { capacity: 1, restoreRate: 1 } } });
      expect(await restStatuses(2)).toEqual([200, 429]);
      expect((await rest('other')).status).toBe(200);
      expect((await graphql('{ shop { name } }')).data).toEqual({ shop: { name: 'Dev Shop' } });
    });

    it('change while calls go on, as with a change of plan', async () => {
      await open({
        shops: [
          { domain: 'dev-shop.myshopify.com', limits: { rest: { capacity: 2, restoreRate: 1 } } },
        ],
      });
      expect(await restStatuses(3)).toEqual([200, 200, 429]);
      devStore.shop().limits = { rest: { capacity: 4, restoreRate: 10 } };
      expect(devStore.shop().limits).toEqual({
        rest: { capacity: 4, restoreRate: 10 },
        graphql: { capacity: 2000, restoreRate: 100 },
      });
      expect(await restStatuses(3)).toEqual([200, 200, 429]);
      pass(100);
      expect(await restStatuses(2)).toEqual([200, 429]);
    });

    it('can be off', async () => {
      await open({ limits: { rest: 'off' } });
      expect(await restStatuses(41)).toEqual(Array<number>(41).fill(200));
      expect((await rest()).headers.get('x-shopify-shop-api-call-limit')).toBe('1/40');
    });
  });

  describe('on GraphQL cost', () => {
    const VARIANTS =
      '{ products(first: 50) { nodes { id variants(first: 5) { edges { node { id } } } } } }';
    // 2 + 50 × (node 1 + connection 2 + 5 × (edge 1 + node 1))
    const VARIANTS_COST = 652;

    it('charge what an answer holds, not what it might have held', async () => {
      await open({
        shops: [
          {
            domain: 'dev-shop.myshopify.com',
            products: [{ title: 'Anvil' }, { title: 'Bellows' }],
          },
        ],
      });
      // 2 + 2 × (node 1 + connection 2 + 1 × (edge 1 + node 1))
      expect((await graphql(VARIANTS)).extensions.cost).toEqual({
        requestedQueryCost: VARIANTS_COST,
        actualQueryCost: 12,
        throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 1988, restoreRate: 100 },
      });
      expect(
        (await graphql('{ product(id: "gid://shopify/Product/1") { id } }')).extensions.cost,
      ).toMatchObject({
        requestedQueryCost: 1,
        actualQueryCost: 0,
      });
    });

    it('throttle a call that asks for more than is left', async () => {
      await open({ limits: { graphql: { capacity: 660, restoreRate: 50 } } });
      await graphql(
        'mutation { a: productDelete(input: { id: "gid://shopify/Product/1" }) { deletedProductId } }',
      );
      const throttled = await graphql(VARIANTS);
      expect(throttled).toEqual({
        errors: [
          {
            message: 'Throttled',
            extensions: { code: 'THROTTLED', documentation: expect.any(String) },
          },
        ],
        extensions: {
          cost: {
            requestedQueryCost: VARIANTS_COST,
            actualQueryCost: null,
            throttleStatus: { maximumAvailable: 660, currentlyAvailable: 650, restoreRate: 50 },
          },
        },
      });
      pass(40);
      expect(await graphql(VARIANTS)).toHaveProperty('data.products');
    });

    it('refuse a query that costs more than 1000, whatever is left', async () => {
      await open({ limits: { graphql: 'off' } });
      const { errors, data } = await graphql(
        '{ products(first: 250) { nodes { id variants(first: 5) { nodes { id } } } } }',
      );
      // 2 + 250 × (node 1 + connection 2 + 5 × node 1)
      expect([data, errors]).toEqual([
        undefined,
        [
          {
            message: 'Query cost is 2002, which exceeds the single query max cost limit (1000).',
            extensions: {
              code: 'MAX_COST_EXCEEDED',
              cost: 2002,
              maxCost: 1000,
              documentation: expect.any(String),
            },
          },
        ],
      ]);
    });
  });

  it('show in the event log when they refuse', async () => {
    await open({
      limits: { rest: { capacity: 1, restoreRate: 2 }, graphql: { capacity: 1, restoreRate: 2 } },
    });
    await restStatuses(2);
    await graphql('{ products(first: 9) { nodes { id } } }');
    expect(devStore.shop().events.filter(({ kind }) => kind === 'throttled')).toMatchObject([
      {
        status: 429,
        summary: `GET /admin/api/${VERSION}/shop.json throttled: 1 calls used up, retry after 0.5 s`,
      },
      {
        status: 200,
        summary: `POST /admin/api/${VERSION}/graphql.json throttled: costs 11, 1 of 1 points left`,
      },
    ]);
    const page = await (await fetch(`${devStore.shop().origin}/admin/events`)).text();
    expect(page).toContain('<span class="badge">Throttled</span>');
  });
});

it.each([{ rest: { capacity: 0, restoreRate: 1 } }, { graphql: { capacity: 10, restoreRate: 0 } }])(
  'The limits of a simulated shop cannot be %j',
  async (limits) => {
    await expect(DevStore.open({ limits })).rejects.toThrow(/^limits\.(rest|graphql) is/);
  },
);
