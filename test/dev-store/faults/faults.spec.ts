import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop, type Fault } from '../../../lib/dev-store/index.js';

const SHOP = 'dev-shop.myshopify.com';
const APPS = [
  { apiKey: 'key', apiSecretKey: 'hush', appUrl: 'http://localhost:3000' },
  { apiKey: 'other', apiSecretKey: 'hush', appUrl: 'http://localhost:3001' },
];

describe('Faults of a simulated store', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let token: string;

  beforeEach(async () => {
    devStore = await DevStore.open({ apps: APPS, deliveryRetries: [] });
    shop = devStore.shop();
    token = shop.install('key', { scopes: 'write_products' });
  });
  afterEach(() => devStore.close());

  const rest = (path = 'shop.json', as = token): Promise<Response> =>
    fetch(`${shop.origin}/admin/api/2026-07/${path}`, {
      headers: { 'X-Shopify-Access-Token': as },
    });
  const graphql = (query: string, operationName?: string): Promise<Response> =>
    fetch(`${shop.origin}/admin/api/2026-07/graphql.json`, {
      method: 'POST',
      headers: { 'X-Shopify-Access-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, operationName }),
    });
  const statuses = async (requests: ReadonlyArray<Promise<Response>>): Promise<number[]> =>
    (await Promise.all(requests)).map(({ status }) => status);
  const createProduct =
    'mutation Add { productCreate(product: { title: "Sent" }) { product { id } } }';

  it('answer with a status as often as they say, and then no more', async () => {
    devStore.faults.add({ on: { path: '/admin/api/*' }, times: 2, status: 502 });
    const answers = [];
    for (let call = 0; call < 3; call++) answers.push((await rest()).status);
    expect(answers).toEqual([502, 502, 200]);
    expect(devStore.faults.active).toEqual([]);
  });

  it('answer with headers and a body of their own', async () => {
    const headers = { 'Retry-After': '7' };
    devStore.faults.add({ on: {}, status: 503, headers, body: 'closed' });
    const response = await rest();
    expect([response.headers.get('retry-after'), await response.text()]).toEqual(['7', 'closed']);
    expect(Date.parse(response.headers.get('date') ?? '')).not.toBeNaN();
  });

  it.each<[string, Fault['on'], number[]]>([
    ['a method', { method: 'post' }, [200, 200, 502]],
    ['a path', { path: '/admin/api/*/shop.json' }, [502, 200, 200]],
    ['the name of an operation', { operation: 'Shop' }, [200, 200, 502]],
    ['a field of an operation', { operation: 'sh*p' }, [200, 200, 502]],
    ['an app', { apiKey: 'key' }, [502, 502, 502]],
    ['another app', { apiKey: 'other' }, [200, 200, 200]],
    ['a shop', { shop: SHOP }, [502, 502, 502]],
    ['another shop', { shop: 'two.myshopify.com' }, [200, 200, 200]],
    ['all of them', { method: 'GET', path: '*products.json', apiKey: 'key' }, [200, 502, 200]],
  ])('meet requests of %s alone', async (_what, on, expected) => {
    devStore.faults.add({ on, status: 502 } as Fault);
    const calls = [rest(), rest('products.json'), graphql('query Shop { shop { name } }')];
    expect(await statuses(calls)).toEqual(expected);
  });

  it.each([
    ['{ first: shop { name } }', 'shop', true],
    ['query ($id: ID!) { node(id: $id) { ... on Shop { name } } }', 'node', true],
    ['query Q { node(id: "shop { shop }") { id } } # shop', 'shop', false],
    ['query Q { ...Part } fragment Part on QueryRoot { shop { name } }', 'shop', false],
    ['{ node(id: "1") { id } }', 'id', false],
    ['{ not a document', 'a', true],
  ])('find the operation of %j', async (document, operation, expected) => {
    devStore.faults.add({ on: { operation }, status: 502 });
    expect((await graphql(document)).status === 502).toBe(expected);
  });

  it('happen with their probability, and the same again after clear', async () => {
    const run = async (): Promise<number[]> => {
      devStore.faults.add({ on: {}, probability: 0.5, status: 502 });
      const answers = [];
      for (let call = 0; call < 40; call++) answers.push((await rest('x')).status);
      devStore.faults.clear();
      return answers;
    };
    const first = await run();
    const failed = first.filter((status) => status === 502).length;
    expect(failed).toBeGreaterThan(8);
    expect(failed).toBeLessThan(32);
    expect(await run()).toEqual(first);
    expect((await rest()).status).toBe(200);
  });

  it('delay answers by the store’s clock', async () => {
    devStore.faults.add({ on: {}, latency: 3_600_000 });
    let answered = false;
    const call = rest().finally(() => (answered = true));
    while (devStore.faults.active[0]?.hits !== 1) await new Promise((done) => setImmediate(done));
    expect(answered).toBe(false);
    devStore.advance(3_600_000);
    expect((await call).status).toBe(200);
  });

  it('reset the connection, before or after the request was carried out', async () => {
    devStore.faults.add({ on: { operation: 'Add' }, times: 1, reset: true });
    devStore.faults.add({ on: { operation: 'Add' }, times: 1, reset: true, executed: true });
    const before = shop.products.length;
    for (const added of [0, 1]) {
      await expect(graphql(createProduct)).rejects.toThrow('fetch failed');
      expect(shop.products).toHaveLength(before + added);
    }
  });

  it('end the connection in the middle of a body', async () => {
    devStore.faults.add({ on: {}, truncated: true });
    const response = await rest();
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it('answer with HTML in the place of JSON', async () => {
    devStore.faults.add({ on: {}, times: 1, html: true });
    devStore.faults.add({ on: {}, html: true, status: 503 });
    const [first, second] = [await graphql('{ shop { name } }'), await rest()];
    expect([first.status, second.status]).toEqual([200, 503]);
    expect(first.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await second.text()).toMatch(/^<!doctype html>/);
  });

  it('throttle with the limits of the shop, whatever its plan', async () => {
    shop.limits = {
      rest: { capacity: 80, restoreRate: 4 },
      graphql: { capacity: 10_000, restoreRate: 500 },
    };
    devStore.faults.add({ on: {}, throttled: true });
    const call = await rest();
    expect(call.status).toBe(429);
    expect(call.headers.get('x-shopify-shop-api-call-limit')).toBe('80/80');
    expect(call.headers.get('retry-after')).toBe('0.3');
    expect(await call.json()).toEqual({
      errors: expect.stringContaining('Exceeded 4 calls per second for api client.'),
    });
    const { extensions } = (await (await graphql('{ shop { name } }')).json()) as {
      extensions: { cost: { throttleStatus: object } };
    };
    expect(extensions.cost.throttleStatus).toEqual({
      maximumAvailable: 10_000,
      currentlyAvailable: 0,
      restoreRate: 500,
    });
  });

  it('answer as beyond the limits of either API', async () => {
    devStore.faults.add({ on: {}, throttled: true });
    const call = await graphql('{ shop { name } }');
    expect([call.status, await call.json()]).toMatchObject([
      200,
      { errors: [{ extensions: { code: 'THROTTLED' } }], extensions: { cost: {} } },
    ]);
    const { status, headers } = await rest();
    expect([status, headers.get('retry-after')]).toEqual([429, '0.5']);
  });

  it('revoke the tokens of the app that asks, and of no other', async () => {
    const other = shop.install('other', { scopes: 'write_products' });
    devStore.faults.add({ on: { apiKey: 'key' }, times: 1, revokesTokens: true });
    expect(await statuses([rest()])).toEqual([401]);
    expect(await statuses([rest(), rest('shop.json', other)])).toEqual([401, 200]);
  });

  it('set the platform’s clock apart from that of the app', async () => {
    const ahead = (date: string | null): number =>
      Math.round((Date.parse(date ?? '') - devStore.clock.now().getTime()) / 60_000) || 0;
    devStore.faults.clockSkew = -600_000;
    expect(ahead((await rest()).headers.get('date'))).toBe(-10);
    const [, claims = ''] = shop.sessionToken('key').split('.');
    const { iat } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iat: number };
    expect(ahead(new Date(iat * 1000).toUTCString())).toBe(-10);
    devStore.faults.clear();
    expect(ahead((await rest()).headers.get('date'))).toBe(0);
  });

  it('are told apart, counted and removed', async () => {
    const first = devStore.faults.add({ on: { path: '*shop.json' }, status: 500 });
    devStore.faults.add({ on: {}, status: 501 });
    expect(await statuses([rest()])).toEqual([500]);
    expect(devStore.faults.active.map(({ hits }) => hits)).toEqual([1, 0]);
    expect([devStore.faults.remove(first), devStore.faults.remove(first)]).toEqual([true, false]);
    expect(await statuses([rest()])).toEqual([501]);
  });

  it('are in the event log', async () => {
    devStore.faults.add({ on: {}, times: 1, latency: 1, status: 502 });
    await rest();
    const [event] = shop.events.filter(({ kind }) => kind === 'fault');
    expect(event).toMatchObject({
      summary: 'GET /admin/api/2026-07/shop.json: latency 1, status 502, not executed',
      status: 502,
    });
  });

  it.each<[unknown, RegExp]>([
    [{ status: 502 }, /says in "on" where it happens/],
    [{ on: {} }, /needs one of latency, status/],
    [{ on: {}, executed: true }, /needs one of latency, status/],
    [{ on: { topics: 'x' }, status: 502 }, /"on" of a fault has no topics/],
    [{ on: {}, late: 5 }, /fault of requests has no late/],
    [{ on: { topic: 'products/*' }, status: 502 }, /fault of deliveries has no status/],
    [{ on: { topic: 'products/creates' }, late: 5 }, /no webhook topic "products\/creates"/],
    [{ on: {}, status: 502, times: 0 }, /"times" of a fault is a whole number from 1, got 0/],
    [{ on: {}, status: 502, probability: 2 }, /"probability" of a fault is above 0/],
    [{ on: {}, status: 99 }, /"status" of a fault is a status from 200 to 599, got 99/],
    [{ on: {}, latency: -1 }, /"latency" of a fault is milliseconds/],
    [{ on: {}, reset: true, html: true }, /in one way, not in several: reset, status or html/],
    [{ on: { topic: '*' }, copies: 101 }, /"copies" of a fault is a number/],
    [{ on: { topic: '*' }, signature: 'odd' }, /'wrong' or 'missing', got odd/],
  ])('that are described as %j are refused', (fault, message) => {
    expect(() => devStore.faults.add(fault as Fault)).toThrow(message);
    expect(devStore.faults.active).toEqual([]);
  });
});
