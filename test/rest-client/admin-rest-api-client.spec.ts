import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { ApiVersion } from '../../lib/core/api-version.js';
import type { ClientLog } from '../../lib/core/http/client-reporter.js';
import { createAdminRestApiClient } from '../../lib/rest-client/admin-rest-api-client.js';
import type {
  AdminRestApiClient,
  AdminRestApiClientOptions,
} from '../../lib/rest-client/admin-rest-api-client.js';
import type { SearchParams } from '../../lib/rest-client/search-params.js';
import { ScriptedFetch, json } from '../support/scripted-fetch.js';
import type { Scripted } from '../support/scripted-fetch.js';

const TOKEN = 'shpat_0123456789abcdef';
const OPTIONS = {
  storeDomain: 'test-shop.myshopify.com',
  apiVersion: ApiVersion.July26,
  accessToken: TOKEN,
};
const ORIGIN = 'https://test-shop.myshopify.com';

function clientFor(
  answers: Scripted[] = [],
  options: Partial<AdminRestApiClientOptions> = {},
): { client: AdminRestApiClient; script: ScriptedFetch } {
  const script = new ScriptedFetch(...answers);
  return {
    script,
    client: createAdminRestApiClient({
      ...OPTIONS,
      customFetchApi: script.fetch,
      defaultRetryTime: 1,
      ...options,
    }),
  };
}

afterEach(() => void jest.useRealTimers());

describe('the options of a REST client', () => {
  it.each([
    ['test-shop.myshopify.com', ORIGIN],
    [' Test-Shop.myshopify.com/ ', ORIGIN],
    ['https://test-shop.myshopify.com', ORIGIN],
    ['HTTPS://test-shop.myshopify.com', ORIGIN],
    ['http://test-shop.myshopify.com', ORIGIN],
    ['https://admin.shopify.com/store/test-shop', ORIGIN],
  ])('take %p for the store', async (storeDomain, origin) => {
    const { client, script } = clientFor([], { storeDomain });
    await client.get('shop');
    expect(script.last.url).toBe(`${origin}/admin/api/2026-07/shop.json`);
  });

  it('count as not given for a call when they are null, as from untyped code', async () => {
    const { client, script } = clientFor([() => json({})]);
    const nothing = { apiVersion: null, headers: null, retries: null, searchParams: null };
    await client.get('shop', nothing as object);
    await client.get('shop', { apiVersion: '', headers: { 'x-a': null } } as object);
    await client.get('shop', null as unknown as undefined);
    expect(script.sent).toEqual(Array(3).fill(script.sent[0]));
    expect(script.last.url).toBe(`${ORIGIN}/admin/api/2026-07/shop.json`);
    expect(script.last.headers).not.toHaveProperty('x-a');
  });

  it('give a fetch of the app a body that is a text, or none', async () => {
    const bodies: unknown[] = [];
    const client = createAdminRestApiClient({
      ...OPTIONS,
      customFetchApi: async (_url, init = {}) => {
        bodies.push('body' in init ? init.body : 'none');
        return json({});
      },
    });
    await client.get('shop');
    await client.post('products', { data: { title: 'A' } });
    expect(bodies).toEqual(['none', '{"title":"A"}']);
  });

  it.each([
    '',
    ' ',
    'evil.com',
    'shop.example.com',
    'test-shop.myshopify.com.evil.com',
    'ftp://x',
    'localhost:3000',
    'javascript:alert(1)',
    '//x',
    null,
    5,
  ])('refuse %p as a store and name it', (storeDomain) => {
    const create = (): unknown =>
      createAdminRestApiClient({ ...OPTIONS, storeDomain: storeDomain as string });
    expect(create).toThrow(expect.objectContaining({ code: 'ERR_CLIENT_OPTIONS_INVALID' }));
    expect(create).toThrow(/^Admin API Client: a valid store domain/);
    expect(create).toThrow(`("${String(storeDomain)}"`);
  });

  it('refuse to send the token in clear text to a store', () => {
    expect(() => createAdminRestApiClient({ ...OPTIONS, scheme: 'http' })).toThrow(/clear text/);
    expect(() => createAdminRestApiClient({ ...OPTIONS, scheme: 'ftp' as 'http' })).toThrow(
      /scheme/,
    );
  });

  it('take scheme http with a fetch of the caller', async () => {
    const { client, script } = clientFor([], { scheme: 'http' });
    await client.get('shop');
    expect(script.last.url).toBe('http://test-shop.myshopify.com/admin/api/2026-07/shop.json');
  });

  it.each([undefined, '', 5, '2026', '2026-13', '2026-07/../x', ' '])(
    'refuse %p as a version and list the known ones',
    (apiVersion) => {
      const create = (): unknown =>
        createAdminRestApiClient({ ...OPTIONS, apiVersion: apiVersion as string });
      expect(create).toThrow(
        /^Admin API Client: the provided apiVersion .* is invalid.*2026-07.*unstable/,
      );
    },
  );

  it.each([undefined, '', '  ', ' before', 'after ', 'line\nbreak', 'tab\ttab', 'ümlaut'])(
    'refuse %p as a token without repeating it',
    (accessToken) => {
      const create = (): unknown =>
        createAdminRestApiClient({ ...OPTIONS, accessToken: accessToken as string });
      expect(create).toThrow(
        'Admin API Client: an access token must be provided: visible characters of ASCII, with no space at either end.',
      );
    },
  );

  // A space was refused, which the platform's own clients send.
  it.each(['with space', 'x', '!"#$%&()*+,-./:;<=>?@[]^_`{|}~'])(
    'send %p as a token',
    async (accessToken) => {
      const script = new ScriptedFetch(json({}));
      await createAdminRestApiClient({
        ...OPTIONS,
        accessToken,
        customFetchApi: script.fetch,
      }).get('shop');
      expect(script.last.headers['x-shopify-access-token']).toBe(accessToken);
    },
  );

  it('refuse a pacing that is none', () => {
    expect(() => createAdminRestApiClient({ ...OPTIONS, pacing: 'redis' as 'memory' })).toThrow(
      /^Admin API Client: the pacing is invalid/,
    );
    expect(() => createAdminRestApiClient({ ...OPTIONS, pacing: 'memory' })).not.toThrow();
  });

  it.each([-1, 4, 0.5, Number.NaN, '1' as unknown as number])(
    'refuse %p retries, for the client and for a call',
    async (retries) => {
      expect(() => createAdminRestApiClient({ ...OPTIONS, retries })).toThrow(
        /"retries" value .* is invalid.*0 to 3/,
      );
      const { client, script } = clientFor();
      await expect(client.get('shop', { retries })).rejects.toThrow(/"retries"/);
      expect(script.sent).toEqual([]);
    },
  );

  describe('in a browser', () => {
    beforeAll(() => void Object.assign(globalThis, { window: {} }));
    afterAll(() => void Reflect.deleteProperty(globalThis, 'window'));

    it('are refused, unless it is a test', () => {
      expect(() => createAdminRestApiClient(OPTIONS)).toThrow(/should not be used in the browser/);
      expect(() => createAdminRestApiClient({ ...OPTIONS, isTesting: true })).not.toThrow();
    });
  });
});

describe('the path of a request', () => {
  it.each([
    ['products', '/admin/api/2026-07/products.json'],
    ['/products', '/admin/api/2026-07/products.json'],
    ['///products/1', '/admin/api/2026-07/products/1.json'],
    ['products.json', '/admin/api/2026-07/products.json'],
    ['products?limit=5', '/admin/api/2026-07/products.json?limit=5'],
    ['products.json?limit=5', '/admin/api/2026-07/products.json?limit=5'],
    ['administrators', '/admin/api/2026-07/administrators.json'],
    ['/admin/api/2024-01/shop.json', '/admin/api/2024-01/shop.json'],
    ['admin/oauth/access_scopes', '/admin/oauth/access_scopes.json'],
    ['//evil.com/x', '/admin/api/2026-07/evil.com/x.json'],
  ])('%p becomes %p', async (path, expected) => {
    const { client, script } = clientFor();
    await client.get(path);
    expect(script.last.url).toBe(ORIGIN + expected);
  });

  it('is sent as given when paths are not formatted', async () => {
    const { client, script } = clientFor([], { formatPaths: false });
    for (const path of ['/admin/api/2020-01/x.json', 'admin/y', '/graphql?a=1'])
      await client.get(path);
    expect(script.sent.map(({ url }) => url)).toEqual([
      `${ORIGIN}/admin/api/2020-01/x.json`,
      `${ORIGIN}/admin/y`,
      `${ORIGIN}/graphql?a=1`,
    ]);
  });

  it('has the version of the call, if it names one', async () => {
    const { client, script } = clientFor();
    await client.delete('products/1', { apiVersion: '2025-01' });
    expect(script.last).toMatchObject({
      method: 'DELETE',
      url: `${ORIGIN}/admin/api/2025-01/products/1.json`,
    });
    await expect(client.get('products', { apiVersion: '../x' })).rejects.toThrow(/apiVersion/);
  });

  it.each<[SearchParams, string]>([
    [
      { limit: 10, title: 'a b&c', published: true, empty: '' },
      'limit=10&title=a+b%26c&published=true&empty=',
    ],
    [{ ids: [1, 2], none: [] }, 'ids%5B%5D=1&ids%5B%5D=2'],
    [
      { filter: { status: 'any', tags: ['x', 'y'], deep: { a: 1 } } },
      'filter%5Bstatus%5D=any&filter%5Btags%5D%5B%5D=x&filter%5Btags%5D%5B%5D=y&filter%5Bdeep%5D%5Ba%5D=1',
    ],
    [{ list: [{ a: 1 }, { b: 2 }] }, 'list%5B%5D%5Ba%5D=1&list%5B%5D%5Bb%5D=2'],
    [
      {
        since: new Date('2026-01-02T03:04:05.678Z'),
        a: null,
        b: undefined,
        c: [null, 1],
        d: { e: undefined },
      },
      'since=2026-01-02T03%3A04%3A05.678Z&c%5B%5D=1',
    ],
  ])('carries the search parameters %p', async (searchParams, expected) => {
    const { client, script } = clientFor();
    await client.get('products', { searchParams });
    expect(script.last.url).toBe(`${ORIGIN}/admin/api/2026-07/products.json?${expected}`);
  });

  it('adds search parameters to a query that is in the path already', async () => {
    const { client, script } = clientFor();
    await client.get('products?limit=5', { searchParams: { page: 2 } });
    await client.get('products', { searchParams: {} });
    expect(script.sent.map(({ url }) => url.slice(ORIGIN.length))).toEqual([
      '/admin/api/2026-07/products.json?limit=5&page=2',
      '/admin/api/2026-07/products.json',
    ]);
  });
});

describe('what a request carries', () => {
  it('is the token, the agent and JSON', async () => {
    const { client, script } = clientFor([], { userAgentPrefix: 'My App' });
    await client.post('products', { data: { product: { title: 'Hat' } } });
    expect(script.last).toMatchObject({ method: 'POST', body: '{"product":{"title":"Hat"}}' });
    expect(script.last.headers).toEqual({
      'content-type': 'application/json',
      accept: 'application/json',
      'x-shopify-access-token': TOKEN,
      'user-agent': expect.stringMatching(/^My App \| shopwright\/\d+\.\d+\.\d+ \| Node v\d+/),
    });
  });

  it('may have another content type and further agents, but not another token', async () => {
    const { client, script } = clientFor();
    const headers = {
      'Content-Type': 'application/graphql',
      'USER-AGENT': 'Caller',
      Accept: 'text/html',
      'X-Shopify-Access-Token': 'other',
      'X-List': ['a', 'b'],
      'X-Number': 5,
    };
    await client.put('x', { data: '{ shop { name } }', headers });
    expect(script.last).toMatchObject({ method: 'PUT', body: '{ shop { name } }' });
    expect(script.last.headers).toEqual({
      'content-type': 'application/graphql',
      'user-agent': expect.stringMatching(/^Caller \| shopwright\//),
      accept: 'application/json',
      'x-shopify-access-token': TOKEN,
      'x-list': 'a, b',
      'x-number': '5',
    });
  });

  it('is no body at all without data', async () => {
    const { client, script } = clientFor();
    await client.post('products/1/touch', { data: '' });
    await client.get('products');
    expect(script.sent.map(({ body }) => body)).toEqual([undefined, undefined]);
    await client.post('empty', { data: {} });
    expect(script.last.body).toBe('{}');
  });
});

describe('the reply', () => {
  it('is handed over as it came, whatever its status', async () => {
    const reply = new Response('<h1>Not here</h1>', {
      status: 404,
      headers: { 'content-type': 'text/html' },
    });
    const { client } = clientFor([reply]);
    const response = await client.get('nothing');
    expect(response).toBe(reply);
    expect([response.ok, response.status, await response.text()]).toEqual([
      false,
      404,
      '<h1>Not here</h1>',
    ]);
  });

  it('is waited for again as often as the client or the call says', async () => {
    const failing = (): Response => json({ errors: 'busy' }, { status: 503 });
    const { client, script } = clientFor([failing], { retries: 2 });
    expect((await client.get('products')).status).toBe(503);
    expect(script.sent).toHaveLength(3);
    await client.get('products', { retries: 0 });
    expect(script.sent).toHaveLength(4);
  });

  it('to a POST is waited for again only when the platform was too busy to begin', async () => {
    const { client, script } = clientFor(
      [json({}, { status: 429 }), json({}, { status: 500 }), json({})],
      { retries: 3 },
    );
    expect((await client.post('products', { data: {} })).status).toBe(500);
    expect(script.sent).toHaveLength(2);
  });

  it('to a POST is waited for again after a failure too when the call is marked idempotent', async () => {
    const { client, script } = clientFor([json({}, { status: 500 }), json({}, { status: 201 })], {
      retries: 1,
    });
    expect((await client.post('products', { data: {}, idempotent: true })).status).toBe(201);
    expect(script.sent).toHaveLength(2);
  });

  it('is handed over when the next attempt would pass the deadline of the call', async () => {
    const { client, script } = clientFor(
      [() => json({}, { status: 503, headers: { 'retry-after': '30' } })],
      { retries: 3 },
    );
    expect((await client.get('products', { deadline: 10_000 })).status).toBe(503);
    expect(script.sent).toHaveLength(1);
  });

  it('is not waited for longer than the call says', async () => {
    const client = createAdminRestApiClient({
      ...OPTIONS,
      customFetchApi: (_url, init) =>
        new Promise((_, reject) =>
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
        ),
    });
    await expect(client.get('products', { timeout: 1 })).rejects.toMatchObject({
      code: 'ERR_HTTP_TIMEOUT',
      operation: 'GET products',
    });
    await expect(client.get('products', { signal: AbortSignal.timeout(1) })).rejects.toMatchObject({
      code: 'ERR_HTTP_ABORTED',
    });
  });

  it('that never comes is an error with its cause', async () => {
    const { client } = clientFor([
      new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') }),
    ]);
    await expect(client.get('products')).rejects.toMatchObject({
      code: 'ERR_HTTP_REQUEST',
      message: expect.stringContaining('ENOTFOUND'),
      cause: expect.any(TypeError),
    });
  });
});

describe('the logger of a REST client', () => {
  it('hears of replies and retries in order, and never sees the token', async () => {
    const logs: ClientLog[] = [];
    const retried = json({}, { status: 429, headers: { 'retry-after': '0.001' } });
    const final = json(
      {},
      { headers: { 'x-shopify-api-deprecated-reason': 'https://example.com/gone' } },
    );
    const { client } = clientFor([retried, final], { retries: 1, logger: (log) => logs.push(log) });
    await client.put('products/1', { data: { a: 1 } });
    expect(logs.map(({ type }) => type)).toEqual([
      'HTTP-Response',
      'HTTP-Retry',
      'HTTP-Response',
      'HTTP-Response-GraphQL-Deprecation-Notice',
    ]);
    expect(logs[0]?.content).toMatchObject({
      requestParams: [
        `${ORIGIN}/admin/api/2026-07/products/1.json`,
        { method: 'PUT', body: '{"a":1}' },
      ],
      response: retried,
    });
    expect(logs[1]?.content).toMatchObject({
      retryAttempt: 1,
      maxRetries: 1,
      lastResponse: retried,
    });
    expect(logs[3]?.content).toMatchObject({ deprecationNotice: 'https://example.com/gone' });
    expect(JSON.stringify(logs)).not.toContain(TOKEN);
    expect(JSON.stringify(logs)).toContain('"x-shopify-access-token":"[redacted]"');
  });

  // What is supported follows from the date: a list of the release would call the next version
  // deprecated, and keep silent about one that the platform has dropped meanwhile.
  it('hears once of a version that the platform does not support at present', async () => {
    jest.useFakeTimers({ now: new Date('2027-02-01T00:00:00Z') });
    const supportedApiVersions = ['2026-04', '2026-07', '2026-10', '2027-01', '2027-04'];
    const logs: ClientLog[] = [];
    const { client } = clientFor([() => json({})], {
      apiVersion: '2026-01',
      logger: (log) => logs.push(log),
    });
    await client.get('shop');
    for (const apiVersion of [...supportedApiVersions, 'unstable', '2027-07', '2027-07'])
      await client.get('shop', { apiVersion });
    const versions = logs
      .filter(({ type }) => type === 'Unsupported_Api_Version')
      .map(({ content }) => content);
    expect(versions).toEqual(
      ['2026-01', '2027-07'].map((apiVersion) => ({
        apiVersion,
        supportedApiVersions: [...supportedApiVersions, 'unstable'],
      })),
    );
  });

  it('may throw without harm to the reply', async () => {
    const { client } = clientFor([json({ ok: true })], {
      logger: () => {
        throw new Error('the disk is full');
      },
    });
    expect(await (await client.get('shop')).json()).toEqual({ ok: true });
  });
});

describe('a client without a logger', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('warns on the console about a version that is not supported', () => {
    jest.useFakeTimers({ now: new Date('2026-11-28T00:00:00Z') });
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    createAdminRestApiClient({ ...OPTIONS, apiVersion: '2031-01' });
    createAdminRestApiClient(OPTIONS);
    expect(warn.mock.calls.flat()).toEqual([expect.stringMatching(/2031-01.*not supported/)]);
  });
});

describe('a store on this machine', () => {
  let server: Server;
  let host: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          method: request.method,
          url: request.url,
          token: request.headers['x-shopify-access-token'],
        }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('is reached with the global fetch over scheme http', async () => {
    const client = createAdminRestApiClient({ ...OPTIONS, storeDomain: host, scheme: 'http' });
    const response = await client.get('products', { searchParams: { limit: 1 } });
    expect(await response.json()).toEqual({
      method: 'GET',
      url: '/admin/api/2026-07/products.json?limit=1',
      token: TOKEN,
    });
  });

  it('needs scheme http', () => {
    expect(() => createAdminRestApiClient({ ...OPTIONS, storeDomain: host })).toThrow(
      /needs scheme "http"/,
    );
  });
});
