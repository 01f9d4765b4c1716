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
    // 2 + ⌊2 ln 50⌋ × (node 1 + connection 2 + ⌊2 ln 5⌋ × node 1)
    const VARIANTS_COST = 44;

    it('charge what an answer holds, not what it might have held', async () => {
      await open({
        shops: [
          {
            domain: 'dev-shop.myshopify.com',
            products: [{ title: 'Anvil' }, { title: 'Bellows' }],
          },
        ],
      });
      // 2 + ⌊2 ln 2⌋ × (node 1 + connection 2 + node 1)
      expect((await graphql(VARIANTS)).extensions.cost).toEqual({
        requestedQueryCost: VARIANTS_COST,
        actualQueryCost: 6,
        throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 1994, restoreRate: 100 },
      });
      expect(
        (await graphql('{ product(id: "gid://shopify/Product/1") { id } }')).extensions.cost,
      ).toMatchObject({
        requestedQueryCost: 1,
        actualQueryCost: 1,
      });
    });

    it('throttle a call that asks for more than is left', async () => {
      await open({ limits: { graphql: { capacity: 52, restoreRate: 50 } } });
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
            throttleStatus: { maximumAvailable: 52, currentlyAvailable: 42, restoreRate: 50 },
          },
        },
      });
      pass(40);
      expect(await graphql(VARIANTS)).toHaveProperty('data.products');
    });

    const page = (inner: string): string => `variants(first: 250) { nodes { ${inner} } }`;
    // 2 + 11 × (1 + 2 + 11 × (1 + 1 + 2 + 11 × 1))
    const DEEP = `{ products(first: 250) { nodes { ${page(`product { ${page('id')} }`)} } } }`;
    const DEEP_COST = 1850;

    it('refuse a query that costs more than 1000, whatever is left', async () => {
      await open({ limits: { graphql: { capacity: 20_000, restoreRate: 1000 } } });
      const { errors, data, extensions } = await graphql(DEEP);
      expect([data, extensions]).toEqual([undefined, undefined]);
      expect(errors).toEqual([
        {
          message: expect.stringMatching(
            /^Query cost is 1850, which exceeds the single query max cost limit \(1000\)\.\n/,
          ),
          extensions: {
            code: 'MAX_COST_EXCEEDED',
            cost: DEEP_COST,
            maxCost: 1000,
            documentation: expect.any(String),
          },
        },
      ]);
    });

    it('let an app read all its webhook subscriptions in one page', async () => {
      await open();
      const endpoint = '__typename ... on WebhookHttpEndpoint { callbackUrl }';
      const query = `{ webhookSubscriptions(first: 250) {
        edges { node { id topic includeFields endpoint { ${endpoint} } } }
        pageInfo { endCursor hasNextPage }
      } }`;
      expect(await graphql(query)).toMatchObject({
        data: { webhookSubscriptions: { edges: [] } },
        extensions: { cost: { requestedQueryCost: 13, actualQueryCost: 2 } },
      });
    });

    it('refuse no query for its cost when they are off', async () => {
      await open({ limits: { graphql: 'off' } });
      expect(await graphql(DEEP)).toMatchObject({
        data: { products: { nodes: expect.any(Array) } },
        extensions: { cost: { requestedQueryCost: DEEP_COST } },
      });
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
        summary: `POST /admin/api/${VERSION}/graphql.json throttled: costs 6, 1 of 1 points left`,
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
