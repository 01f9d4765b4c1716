import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { inspect } from 'node:util';

import type { ClientLog } from '../../lib/core/http/client-reporter.js';
import { createAdminApiClient } from '../../lib/graphql-client/admin-api-client.js';
import type { AdminApiClientOptions } from '../../lib/graphql-client/admin-api-client.js';
import { createStorefrontApiClient } from '../../lib/graphql-client/storefront-api-client.js';
import type { StorefrontApiClientOptions } from '../../lib/graphql-client/storefront-api-client.js';
import { ScriptedFetch, json } from '../support/scripted-fetch.js';
import type { Scripted } from '../support/scripted-fetch.js';

const TOKEN = 'shpat_0123456789abcdef';
const STORE = { storeDomain: 'test-shop.myshopify.com', apiVersion: '2026-07' };
const ORIGIN = 'https://test-shop.myshopify.com';
const QUERY = 'query Shop { shop { name } }';

function admin(answers: Scripted[] = [], options: Partial<AdminApiClientOptions> = {}) {
  const script = new ScriptedFetch(...answers);
  return {
    script,
    client: createAdminApiClient({
      ...STORE,
      accessToken: TOKEN,
      customFetchApi: script.fetch,
      ...options,
    }),
  };
}

function storefront(
  options: object = { publicAccessToken: 'public-token' },
  answers: Scripted[] = [() => json({ data: {} })],
) {
  const script = new ScriptedFetch(...answers);
  return {
    script,
    client: createStorefrontApiClient({
      ...STORE,
      customFetchApi: script.fetch,
      ...options,
    } as object as StorefrontApiClientOptions),
  };
}

const asBrowser = (): void => void Object.assign(globalThis, { window: {} });

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'window');
});

describe('createAdminApiClient', () => {
  it('asks the Admin interface of the store', async () => {
    const { client, script } = admin([
      json({ data: { shop: { name: 'Test' } }, extensions: { a: 1 } }),
    ]);
    expect(await client.request(QUERY, { variables: { id: 1 } })).toMatchObject({
      data: { shop: { name: 'Test' } },
      extensions: { a: 1 },
    });
    expect(script.last).toEqual({
      url: `${ORIGIN}/admin/api/2026-07/graphql.json`,
      method: 'POST',
      body: JSON.stringify({ query: QUERY, variables: { id: 1 } }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'x-shopify-access-token': TOKEN,
        'user-agent': expect.stringMatching(/^shopwright\//),
      },
    });
  });

  it('answers with errors instead of throwing them', async () => {
    const errors = [{ message: 'Field is missing' }];
    const { data, errors: failure } = await admin([json({ data: null, errors })]).client.request(
      QUERY,
    );
    expect(data).toBeUndefined();
    expect(failure).toMatchObject({
      message: 'Field is missing',
      networkStatusCode: 200,
      graphQLErrors: errors,
    });
    const refused = await admin([
      json({ errors: '[API] Invalid API key' }, { status: 401 }),
    ]).client.request(QUERY);
    expect(refused.errors).toMatchObject({
      networkStatusCode: 401,
      cause: { code: 'ERR_HTTP_AUTHENTICATION' },
    });
    expect((await admin([new Error('lost')]).client.request(QUERY)).errors).toMatchObject({
      message: expect.stringContaining('lost'),
    });
  });

  it('throws them when that was asked for', async () => {
    const { client } = admin([json({ errors: [{ message: 'Bad' }] })], {});
    expect((await client.request(QUERY)).errors?.message).toBe('Bad');
    const script = new ScriptedFetch(json({ errors: [{ message: 'Bad' }] }));
    const throwing = createAdminApiClient({
      ...STORE,
      accessToken: TOKEN,
      customFetchApi: script.fetch,
      errorPolicy: 'throw',
    });
    await expect(throwing.request(QUERY)).rejects.toMatchObject({
      code: 'ERR_GRAPHQL_QUERY',
      message: 'Bad',
    });
  });

  it('sends a call once, or as often as it is told, by the client or by the call', async () => {
    const busy = (): Response => json({}, { status: 503, headers: { 'retry-after': '0' } });
    const once = admin([busy]);
    expect((await once.client.request(QUERY)).errors?.networkStatusCode).toBe(503);
    const thrice = admin([busy], { retries: 2 });
    expect((await thrice.client.request(QUERY)).errors).toMatchObject({
      cause: { code: 'ERR_HTTP_MAX_RETRIES', attempts: 3 },
    });
    await thrice.client.request(QUERY, { retries: 0 });
    expect([once.script.sent.length, thrice.script.sent.length]).toEqual([1, 4]);
  });

  it('shows what it is made of, but the token to nobody who prints it', () => {
    const { client } = admin([], { userAgentPrefix: 'My app' });
    expect({ ...client.config }).toEqual({
      storeDomain: ORIGIN,
      apiVersion: '2026-07',
      apiUrl: `${ORIGIN}/admin/api/2026-07/graphql.json`,
      userAgentPrefix: 'My app',
    });
    expect(client.config.accessToken).toBe(TOKEN);
    expect(client.config.headers).toEqual({
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'X-Shopify-Access-Token': TOKEN,
      'User-Agent': expect.stringMatching(/^My app \| shopwright\//),
    });
    expect(inspect(client, { depth: 10 }) + JSON.stringify(client)).not.toContain(TOKEN);
    expect(Object.isFrozen(client)).toBe(true);
  });

  it('merges headers without regard to case and lets nobody replace the token', async () => {
    const { client, script } = admin([json({ data: {} })]);
    const headers = client.getHeaders({
      'Content-Type': 'application/graphql',
      'X-SHOPIFY-ACCESS-TOKEN': 'other',
      'x-list': ['a', 'b'],
    });
    expect(headers).toMatchObject({
      'Content-Type': 'application/graphql',
      'X-Shopify-Access-Token': TOKEN,
      'x-list': 'a, b',
    });
    // Apps of the platform's own client look them up, and merge theirs, under these names.
    expect(client.getHeaders({ 'X-GraphQL-Cost-Include-Fields': '1' })).toEqual({
      'X-GraphQL-Cost-Include-Fields': '1',
      ...client.config.headers,
    });
    await client.fetch(QUERY, { headers: { 'X-Shopify-Access-Token': 'other' } });
    expect(script.last.headers['x-shopify-access-token']).toBe(TOKEN);
  });

  it('calls another version when it is told, and rejects what is none', async () => {
    const { client, script } = admin([() => json({ data: {} })]);
    expect(client.getApiUrl()).toBe(`${ORIGIN}/admin/api/2026-07/graphql.json`);
    expect(client.getApiUrl('2025-10')).toBe(`${ORIGIN}/admin/api/2025-10/graphql.json`);
    expect(() => client.getApiUrl('../x')).toThrow(/^Admin API Client: the provided apiVersion/);
    await client.request(QUERY, { apiVersion: 'unstable' });
    expect(script.last.url).toContain('/unstable/');
    await expect(client.fetch(QUERY, { apiVersion: '../x' })).rejects.toMatchObject({
      code: 'ERR_CLIENT_OPTIONS_INVALID',
    });
  });

  it('takes null among the options of a call for none, as from untyped code', async () => {
    const { client, script } = admin([() => json({ data: {} })], { retries: 1 });
    const nothing = { variables: null, headers: null, apiVersion: null, retries: null };
    await client.request(QUERY);
    await client.request(QUERY, { ...nothing, signal: null } as object);
    await client.request(QUERY, { apiVersion: '', headers: { 'x-a': null } } as object);
    await client.request(QUERY, null as unknown as undefined);
    await client.fetch(QUERY, null as unknown as undefined);
    expect(script.sent).toEqual(Array(5).fill(script.sent[0]));
    expect(script.last.body).toBe(JSON.stringify({ query: QUERY }));
  });

  it('tells its logger what happens, without the token', async () => {
    const logger = jest.fn<(log: ClientLog) => void>();
    const { client } = admin(
      [
        json({}, { status: 429, headers: { 'retry-after': '0' } }),
        json({ data: {} }, { headers: { 'x-shopify-api-deprecated-reason': 'old' } }),
      ],
      { logger, retries: 1 },
    );
    await client.request(QUERY);
    const logs = logger.mock.calls.map(([log]) => log);
    expect(logs.map(({ type }) => type)).toEqual([
      'HTTP-Response',
      'HTTP-Retry',
      'HTTP-Response',
      'HTTP-Response-GraphQL-Deprecation-Notice',
    ]);
    expect(logs[1]).toMatchObject({ content: { retryAttempt: 1, maxRetries: 1 } });
    expect(JSON.stringify(logs)).not.toContain(TOKEN);
    expect(JSON.stringify(logs)).toContain('[redacted]');
  });

  it('can be taken apart', async () => {
    const { request, getApiUrl } = admin([json({ data: { a: 1 } })]).client;
    expect((await request(QUERY)).data).toEqual({ a: 1 });
    expect(getApiUrl()).toContain('/graphql.json');
  });

  it.each([
    [
      { storeDomain: 'evil.example.com' },
      /^Admin API Client: a valid store domain .*evil\.example\.com/,
    ],
    [{ storeDomain: 'localhost:3000' }, /needs scheme "http"/],
    [{ scheme: 'http' as const, customFetchApi: undefined }, /clear text/],
    [{ apiVersion: '2026' }, /^Admin API Client: the provided apiVersion \("2026"\) is invalid/],
    [{ accessToken: '' }, /^Admin API Client: an access token must be provided/],
    [{ retries: 4 }, /"retries" value \(4\) is invalid/],
  ])('refuses %j', (options, message) => {
    expect(() => admin([], options)).toThrow(message);
  });

  it.each([
    [{ pacing: null }, /^Admin API Client: the pacing is invalid/],
    [{ pacing: true }, /^Admin API Client: the pacing is invalid/],
    [{ pacing: { redis: 'https://example.com' } }, /^Admin API Client: the pacing is invalid/],
    [
      { errorPolicy: 'ignore' },
      /^Admin API Client: the errorPolicy \("ignore"\) is invalid: it must be "all" or "throw"/,
    ],
    [{ errorPolicy: null }, /^Admin API Client: the errorPolicy \("null"\) is invalid/],
    [
      { userErrors: 'log' },
      /^Admin API Client: the userErrors \("log"\) is invalid: it must be "return" or "throw"/,
    ],
  ])('refuses %j, which the compiler would refuse as well', (options, message) => {
    const refused = expect.objectContaining({
      code: 'ERR_CLIENT_OPTIONS_INVALID',
      message: expect.stringMatching(message),
    });
    expect(() => admin([], options as Partial<AdminApiClientOptions>)).toThrow(
      refused as unknown as Error,
    );
  });

  it('is not for the browser', () => {
    asBrowser();
    expect(() => admin()).toThrow(/not be used in the browser/);
    expect(() => admin([], { isTesting: true })).not.toThrow();
  });

  it('reaches a store on this machine', () => {
    expect(admin([], { storeDomain: 'localhost:3000', scheme: 'http' }).client.getApiUrl()).toBe(
      'http://localhost:3000/admin/api/2026-07/graphql.json',
    );
  });
});

describe('createStorefrontApiClient', () => {
  it('asks the Storefront interface with a public token', async () => {
    const { client, script } = storefront({
      publicAccessToken: 'public-token',
      clientName: 'my theme',
    });
    await client.request(QUERY);
    expect(script.last.url).toBe(`${ORIGIN}/api/2026-07/graphql.json`);
    expect(script.last.headers).toEqual({
      'content-type': 'application/json',
      accept: 'application/json',
      'x-shopify-storefront-access-token': 'public-token',
      'x-sdk-variant': 'shopwright',
      'x-sdk-version': expect.stringMatching(/^\d+\.\d+\.\d+/),
      'x-sdk-variant-source': 'my theme',
    });
  });

  it('asks with a private token in the name of a buyer', async () => {
    const { client, script } = storefront({
      privateAccessToken: 'sf-secret',
      buyerIp: '203.0.113.7',
    });
    await client.request(QUERY, { headers: { 'Shopify-Storefront-Private-Token': 'other' } });
    expect(script.last.headers).toMatchObject({
      'shopify-storefront-private-token': 'sf-secret',
      'shopify-storefront-buyer-ip': '203.0.113.7',
    });
    expect(script.last.headers).not.toHaveProperty('x-shopify-storefront-access-token');
    await client.request(QUERY, { headers: { 'Shopify-Storefront-Buyer-IP': '2001:db8::1' } });
    expect(script.last.headers).toMatchObject({ 'shopify-storefront-buyer-ip': '2001:db8::1' });
  });

  it('shows what it is made of, but the token to nobody who prints it', () => {
    const { client } = storefront({ privateAccessToken: 'sf-secret', clientName: 'my theme' });
    expect({ ...client.config }).toEqual({
      storeDomain: ORIGIN,
      apiVersion: '2026-07',
      apiUrl: `${ORIGIN}/api/2026-07/graphql.json`,
      clientName: 'my theme',
    });
    expect(Object.keys(client.config.headers).sort()).toEqual([
      'Accept',
      'Content-Type',
      'Shopify-Storefront-Private-Token',
      'X-SDK-Variant',
      'X-SDK-Variant-Source',
      'X-SDK-Version',
    ]);
    expect(client.config).toMatchObject({ privateAccessToken: 'sf-secret' });
    expect(client.config.publicAccessToken).toBeUndefined();
    expect(inspect(client, { depth: 10 }) + JSON.stringify(client)).not.toContain('sf-secret');
  });

  it('keeps its token out of the log', async () => {
    const logs: ClientLog[] = [];
    const { client } = storefront({
      privateAccessToken: 'sf-secret',
      logger: (log: ClientLog) => logs.push(log),
    });
    await client.request(QUERY);
    expect(logs.map(({ type }) => type)).toEqual(['HTTP-Response']);
    expect(JSON.stringify(logs)).not.toContain('sf-secret');
  });

  it.each([
    [{}, /^Storefront API Client: a public or private access token must be provided/],
    [{ publicAccessToken: 'a', privateAccessToken: 'b' }, /only provide either/],
    [{ publicAccessToken: 'line\nbreak' }, /visible characters of ASCII/],
    [{ publicAccessToken: 'after ' }, /with no space at either end/],
    [{ publicAccessToken: 'a', buyerIp: 'x\r\ny' }, /is no IP address/],
    [
      { publicAccessToken: 'a', storeDomain: 'evil.example.com' },
      /^Storefront API Client: a valid store domain/,
    ],
    [
      { publicAccessToken: 'a', errorPolicy: 'ignore' },
      /^Storefront API Client: the errorPolicy \("ignore"\) is invalid/,
    ],
    [
      { publicAccessToken: 'a', userErrors: null },
      /^Storefront API Client: the userErrors \("null"\) is invalid/,
    ],
    [{ publicAccessToken: 'a', apiVersion: '' }, /^Storefront API Client: the provided apiVersion/],
  ])('refuses %j', (options, message) => {
    expect(() => storefront(options)).toThrow(message);
  });

  it('keeps a private token out of the browser', () => {
    asBrowser();
    expect(() => storefront({ privateAccessToken: 'b' })).toThrow(
      /server-to-server implementation/,
    );
    expect(() => storefront({ publicAccessToken: 'a' })).not.toThrow();
  });
});
