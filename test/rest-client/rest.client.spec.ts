import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inspect } from 'node:util';

import { resolveConfig } from '../../lib/core/config/config.schema.js';
import type { ConfigOptions } from '../../lib/core/config/config.options.js';
import { AppDistribution } from '../../lib/core/config/config.options.js';
import {
  AccessDeniedError,
  AuthenticationError,
  HttpInternalError,
  HttpMaxRetriesError,
  HttpResponseError,
  HttpThrottlingError,
} from '../../lib/core/http/http.errors.js';
import type { ApiCallerOptions } from '../../lib/core/http/api-caller.js';
import type { PaceRequest, Pacer } from '../../lib/core/pacing/pacer.js';
import { LogSeverity, PlatformLogger } from '../../lib/core/logger.js';
import { AdminRestClient } from '../../lib/rest-client/admin-rest.client.js';
import { parseWithTextIds } from '../../lib/rest-client/rest-json.js';
import type { RestClient } from '../../lib/rest-client/rest.client.js';
import { apiCaller } from '../support/api-caller.js';
import { ManualClock } from '../support/manual.clock.js';
import { ScriptedFetch, json } from '../support/scripted-fetch.js';
import type { Scripted } from '../support/scripted-fetch.js';

const SESSION = { shop: 'test-shop.myshopify.com', accessToken: 'session-token' };
const ORIGIN = 'https://test-shop.myshopify.com';
const CONFIG: ConfigOptions = {
  apiKey: 'key',
  apiSecretKey: 'secret',
  appUrl: 'https://app.example.com',
  apiVersion: '2026-07',
};

interface Bench {
  readonly admin: AdminRestClient;
  readonly client: RestClient;
  readonly script: ScriptedFetch;
  readonly lines: string[];
  readonly clock: ManualClock;
}

function bench(
  answers: Scripted[] = [],
  options: Partial<ConfigOptions> = {},
  calling: Partial<ApiCallerOptions> = {},
): Bench {
  const script = new ScriptedFetch(...answers);
  const clock = new ManualClock();
  const lines: string[] = [];
  const logger = new PlatformLogger(
    { level: LogSeverity.Debug, log: (_: LogSeverity, line: string) => lines.push(line) },
    clock,
  );
  const config = resolveConfig({ ...CONFIG, ...options }, { environment: {} });
  const admin = new AdminRestClient(
    config,
    apiCaller(script.fetch, clock, { random: () => 0.5, ...calling }),
    logger,
  );
  return { admin, client: admin.for(SESSION), script, lines, clock };
}

describe('a REST client of a session', () => {
  it('calls the shop with the token of the session', async () => {
    const { client, script } = bench([json({ products: [] })], { userAgentPrefix: 'My App' });
    const { body } = await client.get({
      path: 'products',
      query: { limit: 5, path: 'x' },
      extraHeaders: { 'X-Own': 1 },
    });
    expect(body).toEqual({ products: [] });
    expect(script.last).toMatchObject({
      method: 'GET',
      url: `${ORIGIN}/admin/api/2026-07/products.json?limit=5&path=x`,
      body: undefined,
    });
    expect(script.last.headers).toMatchObject({
      'x-shopify-access-token': 'session-token',
      'x-own': '1',
      'user-agent': expect.stringMatching(/^My App \| shopwright\/.+ \| Node v/),
    });
  });

  it.each(['post', 'put'] as const)(
    'sends data with %s as JSON, whatever the content type says',
    async (method) => {
      const { client, script } = bench([() => json({})]);
      await client[method]({
        path: 'products',
        data: { a: 1 },
        type: 'application/x-www-form-urlencoded',
      });
      expect(script.last).toMatchObject({ method: method.toUpperCase(), body: '{"a":1}' });
      expect(script.last.headers['content-type']).toBe('application/x-www-form-urlencoded');
      await client[method]({ path: 'products', data: 'raw' });
      expect(script.last).toMatchObject({
        body: 'raw',
        headers: { 'content-type': 'application/json' },
      });
    },
  );

  // `fetch` refuses a GET with a body, and each was tried three times.
  it.each(['get', 'delete'] as const)('sends no data with %s', async (method) => {
    const { client, script } = bench([() => json({})]);
    await client[method]({ path: 'products', data: { a: 1 } });
    expect(script.last).toMatchObject({ method: method.toUpperCase(), body: undefined });
    await client[method]({ path: 'products', data: 'raw' });
    expect(script.last).toMatchObject({ method: method.toUpperCase(), body: undefined });
  });

  // `rest.get` of the official Remix package answers a `Response`: moved apps read it as one.
  it('answers with what can be read like a response, more than once', async () => {
    const { client } = bench([json({ product: { id: 632910392 } }, { status: 201 })]);
    const response = await client.post({ path: 'products', data: {} });
    expect([response.ok, response.status]).toEqual([true, 201]);
    expect(await response.json()).toBe(response.body);
    expect(await response.text()).toBe('{"product":{"id":"632910392"}}');
    // By which React Router knows a response that a route returns: a reply is data.
    expect(response).not.toHaveProperty('statusText');
  });

  it('takes an empty reply for an empty object', async () => {
    const { client } = bench([
      new Response(null, { status: 204 }),
      new Response('', { status: 200 }),
      // Some replies to a DELETE are a single space, which was no JSON.
      new Response(' ', { status: 200 }),
    ]);
    expect((await client.delete({ path: 'products/1' })).body).toEqual({});
    expect((await client.post({ path: 'products', data: {} })).body).toEqual({});
    expect((await client.delete({ path: 'products/1' })).body).toEqual({});
  });

  it('uses the fixed token of a custom app, and of no other app', async () => {
    const custom = bench([json({})], {
      distribution: AppDistribution.PlatformAdmin,
      adminApiAccessToken: 'fixed-token',
    });
    await custom.admin.for({ shop: SESSION.shop }).get({ path: 'shop' });
    expect(custom.script.last.headers['x-shopify-access-token']).toBe('fixed-token');
    const other = bench([json({})], { adminApiAccessToken: 'fixed-token' });
    await other.client.get({ path: 'shop' });
    expect(other.script.last.headers['x-shopify-access-token']).toBe('session-token');
  });

  it('cannot be had without a shop or a token', () => {
    const { admin } = bench();
    expect(() => admin.for({ shop: SESSION.shop })).toThrow(
      expect.objectContaining({ code: 'ERR_ARGUMENT_MISSING' }),
    );
    expect(() => admin.for({ shop: SESSION.shop, accessToken: 'two\r\nlines' })).toThrow(
      expect.objectContaining({ code: 'ERR_ARGUMENT_MISSING' }),
    );
    expect(() => admin.for({ shop: 'evil.example.com', accessToken: 't' })).toThrow(
      expect.objectContaining({ code: 'ERR_SHOP_INVALID' }),
    );
    expect(() => admin.for(SESSION, { apiVersion: '../x' })).toThrow(
      expect.objectContaining({ code: 'ERR_REQUEST_INVALID' }),
    );
  });

  it('has another API version on demand, and says so at debug level', async () => {
    const { admin, script, lines } = bench([json({})]);
    await admin.for(SESSION, { apiVersion: 'unstable' }).get({ path: 'shop' });
    expect(script.last.url).toBe(`${ORIGIN}/admin/api/unstable/shop.json`);
    expect(lines).toEqual([
      expect.stringContaining('overriding default API version 2026-07 with unstable'),
    ]);
  });

  it('takes null among the options for none, as from untyped code', async () => {
    const { admin, script, lines } = bench([() => json({})]);
    const client = admin.for(SESSION, { apiVersion: null as unknown as undefined });
    const nothing = { query: null, extraHeaders: null, tries: null, type: null };
    await client.get({ path: 'shop' });
    await client.get({ path: 'shop', ...nothing } as object as { path: string });
    expect(script.sent).toEqual(Array(2).fill(script.sent[0]));
    expect(script.last.url).toBe(`${ORIGIN}/admin/api/2026-07/shop.json`);
    expect(lines).toEqual([]);
  });

  // A TypeError of JSON.stringify().
  it('refuses data that JSON has no form for, by name', async () => {
    const { client, script } = bench();
    const data = { name: 'secret', price: 12345n };
    for (const sent of [
      client.post({ path: 'products', data }),
      client.put({ path: 'products/1', data }),
    ])
      await expect(sent).rejects.toMatchObject({
        code: 'ERR_REQUEST_INVALID',
        message: expect.stringMatching(/JSON has no form for data\.price; (?!.*(secret|12345))/),
      });
    expect(script.sent).toEqual([]);
  });

  it('refuses a date that is none, by name', async () => {
    const { client } = bench();
    const query = { created_at_min: new Date('of no use') };
    await expect(client.get({ path: 'orders', query })).rejects.toMatchObject({
      code: 'ERR_REQUEST_INVALID',
      message: expect.stringContaining('created_at_min'),
    });
  });

  // The message was 2.5 MB long.
  it('names three of many that JSON has no form for', async () => {
    const { client } = bench();
    const data = Array.from({ length: 200_000 }, () => 5n) as never;
    await expect(client.post({ path: 'products', data })).rejects.toThrow(
      'no form for data.0, data.1, data.2 and others; see',
    );
  });

  it('goes where the app says that shops are', async () => {
    const { client, script } = bench([json({})], { shopOrigin: () => 'http://localhost:9/' });
    await client.get({ path: 'shop' });
    expect(script.last.url).toBe('http://localhost:9/admin/api/2026-07/shop.json');
  });

  it('shows no token when it is printed', () => {
    const { admin, client } = bench([], {
      distribution: AppDistribution.PlatformAdmin,
      adminApiAccessToken: 'fixed-token',
    });
    expect(
      inspect([admin, admin.for({ shop: SESSION.shop }), Reflect.get(client, 'sender')], {
        depth: 10,
      }),
    ).not.toMatch(/fixed-token|session-token/);
  });

  it('answers with all headers by name', async () => {
    const { client } = bench([
      json({}, { headers: { 'x-shopify-shop-api-call-limit': '1/40', link: 'bogus' } }),
    ]);
    expect((await client.get({ path: 'shop' })).headers).toEqual({
      'Content-Type': ['application/json'],
      'X-Shopify-Shop-Api-Call-Limit': ['1/40'],
      Link: ['bogus'],
    });
  });

  it('makes as many tries as it is told, 1 to 4', async () => {
    const { client, script, clock } = bench([
      new Response('', { status: 503 }),
      new Response('', { status: 500 }),
      json({ ok: 1 }),
    ]);
    expect((await client.get({ path: 'shop', tries: 3 })).body).toEqual({ ok: 1 });
    expect([script.sent.length, clock.slept]).toEqual([3, [500, 1000]]);
    for (const tries of [0, 5, 1.5]) {
      await expect(client.get({ path: 'shop', tries })).rejects.toMatchObject({
        code: 'ERR_REQUEST_INVALID',
      });
    }
  });
});

describe('a POST of a REST client', () => {
  it('is repeated after a failure only when it is marked idempotent', async () => {
    const once = bench([new Response('', { status: 503 }), json({})]);
    await expect(once.client.post({ path: 'products', data: {}, tries: 3 })).rejects.toMatchObject({
      status: 503,
      attempts: 1,
    });
    const twice = bench([new Response('', { status: 503 }), json({ ok: 1 })]);
    expect(
      (await twice.client.post({ path: 'products', data: {}, tries: 3, idempotent: true })).body,
    ).toEqual({ ok: 1 });
    const refused = bench([new Response('', { status: 429 }), json({ ok: 2 })]);
    expect((await refused.client.post({ path: 'products', data: {}, tries: 2 })).body).toEqual({
      ok: 2,
    });
  });
});

describe('a paced call of a REST client', () => {
  it('takes a place of its priority, and passes on what the reply tells of the bucket', async () => {
    const requests: PaceRequest[] = [];
    const settled: unknown[] = [];
    const pacer: Pacer = {
      reserveNow: () => undefined,
      reserve: async (request) => (
        requests.push(request),
        { settle: (told) => void settled.push(told) }
      ),
      close: async () => {},
    };
    const header = (value: string): Scripted =>
      json({}, { headers: { 'x-shopify-shop-api-call-limit': value } });
    const { client } = bench(
      [header('32/40'), header('41/40'), header('nonsense'), json({})],
      {},
      { pacer },
    );
    for (const priority of ['background', 'interactive', undefined, undefined] as const)
      await client.get({ path: 'shop', priority });
    expect(requests[0]).toMatchObject({
      shop: SESSION.shop,
      kind: 'rest',
      cost: 1,
      priority: 'background',
    });
    expect(settled).toEqual([
      { bucket: { available: 8, capacity: 40 }, throttled: false },
      { bucket: { available: 0, capacity: 40 }, throttled: false },
      { throttled: false },
      { throttled: false },
    ]);
  });
});

describe('the pages of a list', () => {
  const page = (info: string): string =>
    `<${ORIGIN}/admin/api/2026-07/products.json?limit=2&fields=id%2Ctitle&page_info=${info}>`;

  it('can be walked forwards and backwards', async () => {
    const { client, script } = bench([
      json(
        {},
        {
          headers: {
            link: `bogus, ${page('prev')}; rel="previous", ${page('next')}; rel="next", <not a url>; rel="next"`,
          },
        },
      ),
      json({}),
    ]);
    const { pageInfo } = await client.get({ path: 'products', query: { limit: 2 } });
    expect(pageInfo).toEqual({
      limit: '2',
      fields: ['id', 'title'],
      previousPageUrl: `${ORIGIN}/admin/api/2026-07/products.json?limit=2&fields=id%2Ctitle&page_info=prev`,
      nextPageUrl: `${ORIGIN}/admin/api/2026-07/products.json?limit=2&fields=id%2Ctitle&page_info=next`,
      prevPage: { path: 'products', query: { limit: '2', fields: 'id,title', page_info: 'prev' } },
      nextPage: { path: 'products', query: { limit: '2', fields: 'id,title', page_info: 'next' } },
    });
    const last = await client.get(pageInfo.nextPage!);
    expect(script.last.url).toBe(pageInfo.nextPageUrl);
    expect(last.pageInfo).toEqual({ limit: '2' });
  });

  it('are fifty long by default', async () => {
    expect((await bench([json({})]).client.get({ path: 'products' })).pageInfo).toEqual({
      limit: '50',
    });
  });
});

describe('the ids of a reply', () => {
  it('are texts, so that no digit is lost', async () => {
    const text =
      '{"id":9223372036854775807,"product_ID": 12,"admin_graphql_api_id":"gid://x/1","image_id":null,"variant_ids":[9007199254740993, null, 3],' +
      '"ids":[1],"price":9.5,"paid":1,"nested":[{"id" : -7}],"body":"say \\"id\\": 5, \\"x_ids\\": [1]"}';
    const { client } = bench([new Response(text)]);
    expect((await client.get({ path: 'x' })).body).toEqual({
      id: '9223372036854775807',
      product_ID: '12',
      admin_graphql_api_id: 'gid://x/1',
      image_id: null,
      variant_ids: ['9007199254740993', null, '3'],
      ids: [1],
      price: 9.5,
      paid: 1,
      nested: [{ id: '-7' }],
      body: 'say "id": 5, "x_ids": [1]',
    });
  });

  it('are all that changes in any JSON', () => {
    const asTexts = (value: unknown, key = ''): unknown => {
      if (Array.isArray(value)) {
        const simple = value.every((element) => element === null || typeof element === 'number');
        return value.map((element) =>
          simple && /_ids$/i.test(key) && Number.isInteger(element)
            ? String(element)
            : asTexts(element),
        );
      }
      if (typeof value === 'object' && value !== null) {
        return Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [name, asTexts(inner, name)]),
        );
      }
      return /(?:^|_)id$/i.test(key) && Number.isInteger(value) ? String(value) : value;
    };
    const key = fc.oneof(
      fc.string(),
      fc.constantFrom('id', 'ID', 'x_id', 'x_ids', '_id', '"id', '\\id', 'x"_id', 'idx'),
    );
    const leaf = fc.oneof(
      fc.integer(),
      fc.string(),
      fc.constantFrom('"id": 5', '\\"x_ids":[1]', '\\', ':1'),
      fc.constant(null),
      fc.boolean(),
    );
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie('tree')),
        fc.array(fc.integer()),
        fc.dictionary(key, tie('tree')),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(JSON.stringify(parseWithTextIds(JSON.stringify(value)))).toBe(
          JSON.stringify(asTexts(value)),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('are read from ten megabytes without trouble', () => {
    const html = 'a "quoted" _id text '.repeat(500_000);
    expect(parseWithTextIds(JSON.stringify({ id: 1, html, end_id: 2 }))).toEqual({
      id: '1',
      html,
      end_id: '2',
    });
  });
});

describe('a reply that is no success', () => {
  const failing =
    (status: number, body: string, headers: Record<string, string> = {}): Scripted =>
    () =>
      new Response(body, { status, headers: { 'x-request-id': 'req-1', ...headers } });
  const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => undefined,
      (error: unknown) => error,
    );

  it.each([
    [401, AuthenticationError, 'ERR_HTTP_AUTHENTICATION'],
    [403, AccessDeniedError, 'ERR_HTTP_ACCESS_DENIED'],
    [404, HttpResponseError, 'ERR_HTTP_RESPONSE'],
    [422, HttpResponseError, 'ERR_HTTP_RESPONSE'],
    [429, HttpThrottlingError, 'ERR_HTTP_THROTTLED'],
    [500, HttpInternalError, 'ERR_HTTP_INTERNAL'],
    [502, HttpInternalError, 'ERR_HTTP_INTERNAL'],
  ])(
    'with status %d throws the error for it, with all that is known',
    async (status, type, code) => {
      const { client } = bench([
        failing(status, '{"errors":{"title":["is too short"]}}', { 'retry-after': '2.5' }),
      ]);
      const error = await thrownBy(client.get({ path: 'products' }));
      expect(error).toBeInstanceOf(type);
      expect(error).toMatchObject({
        code,
        ...{
          requestId: 'req-1',
          status,
          shop: SESSION.shop,
          operation: 'GET products',
          attempts: 1,
        },
        response: {
          code: status,
          body: { errors: { title: ['is too short'] } },
          retryAfter: 2.5,
          headers: { 'X-Request-Id': ['req-1'] },
        },
        message: expect.stringMatching(new RegExp(`${status}[^]*is too short[^]*req-1`)),
      });
    },
  );

  it('keeps its status when its body is no JSON', async () => {
    const { client } = bench([failing(502, '<html>Bad gateway</html>')]);
    expect(await thrownBy(client.get({ path: 'x' }))).toMatchObject({
      code: 'ERR_HTTP_INTERNAL',
      response: { code: 502, body: '<html>Bad gateway</html>' },
    });
  });

  it('is no answer either when it claims success without JSON', async () => {
    const { client } = bench([new Response('<html>', { status: 200 })]);
    expect(await thrownBy(client.get({ path: 'x' }))).toMatchObject({
      code: 'ERR_HTTP_MALFORMED_REPLY',
      response: { code: 200, body: '<html>' },
      message: expect.stringContaining('not JSON'),
    });
  });

  it('names what remained after all tries as its cause', async () => {
    const { client } = bench([failing(503, 'busy')]);
    const error = await thrownBy(client.get({ path: 'x', tries: 2 }));
    expect(error).toBeInstanceOf(HttpMaxRetriesError);
    expect(error).toMatchObject({
      code: 'ERR_HTTP_MAX_RETRIES',
      status: 503,
      response: { body: 'busy' },
      attempts: 2,
      cause: { response: { code: 503, body: 'busy' } },
    });
  });

  // Apps catch HttpThrottlingError and HttpInternalError: who asks for no retries expects these.
  it.each([
    [429, 'ERR_HTTP_THROTTLED'],
    [503, 'ERR_HTTP_INTERNAL'],
  ])('is the error of a %i when the call asked for no retries', async (status, code) => {
    const { client } = bench([failing(status, '{}')], {}, { retries: 2 });
    expect(await thrownBy(client.get({ path: 'x' }))).toMatchObject({
      code,
      attempts: 3,
      response: { code: status },
    });
  });

  it('is the error of its own status when no retry would have helped', async () => {
    const { client, script } = bench([failing(404, '{}')]);
    expect(await thrownBy(client.get({ path: 'x', tries: 4 }))).toMatchObject({
      code: 'ERR_HTTP_RESPONSE',
    });
    expect(script.sent).toHaveLength(1);
  });
});

describe('a call that the platform calls deprecated', () => {
  it('is warned about once in five minutes, however many clients make it', async () => {
    const { admin, clock, lines } = bench([
      () => json({}, { headers: { 'x-shopify-api-deprecated-reason': 'gone soon' } }),
    ]);
    await admin.for(SESSION).get({ path: 'products' });
    await admin.for(SESSION).get({ path: 'products' });
    expect(lines).toEqual([
      expect.stringMatching(/WARNING\] API Deprecation Notice.*gone soon.*GET products/),
    ]);
    await admin.for(SESSION).post({ path: 'products', data: {} });
    expect(lines).toHaveLength(2);
    clock.time += 5 * 60 * 1000;
    await admin.for(SESSION).get({ path: 'products' });
    expect(lines).toHaveLength(3);
  });
});
