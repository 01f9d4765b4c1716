import { afterEach, describe, expect, it, jest } from '@jest/globals';

import {
  createAdminApiClient,
  createGraphQLClient,
  generateGetGQLClientParams,
  generateGetHeaders,
  generateHttpFetch,
  getCurrentApiVersion,
  getCurrentSupportedApiVersions,
  getErrorMessage,
  validateApiVersion,
  validateDomainAndGetStoreUrl,
  validateRetries,
} from '../../lib/graphql-client/index.js';
import type { LogContentTypes } from '../../lib/graphql-client/index.js';
import { HttpRedirectError } from '../../lib/core/http/http.errors.js';
import { createAdminRestApiClient } from '../../lib/rest-client/admin-rest-api-client.js';
import { collect } from '../support/collect.js';
import { ScriptedFetch, json } from '../support/scripted-fetch.js';
import type { Scripted } from '../support/scripted-fetch.js';

const URL_OF_API = 'https://shopify.com/1/account/customer/api/2026-07/graphql';
const QUERY = 'query Me { me { id } }';
const STORE = { storeDomain: 'test-shop.myshopify.com', apiVersion: '2026-07' };

function clientFor(answers: Scripted[], options = {}) {
  const script = new ScriptedFetch(...answers);
  const client = createGraphQLClient({
    url: URL_OF_API,
    headers: { Authorization: 'secret', 'X-List': ['a', 'b'] },
    customFetchApi: script.fetch,
    ...options,
  });
  return { script, client };
}

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('a client of any GraphQL interface', () => {
  it('sends a query with its headers to its URL', async () => {
    const { client, script } = clientFor([json({ data: { me: { id: 1 } } })]);
    const { data, errors } = await client.request(QUERY, { variables: { a: 1 } });
    expect([data, errors]).toEqual([{ me: { id: 1 } }, undefined]);
    expect(script.last).toEqual({
      url: URL_OF_API,
      method: 'POST',
      body: JSON.stringify({ query: QUERY, variables: { a: 1 } }),
      headers: {
        authorization: 'secret',
        'x-list': 'a, b',
        'content-type': 'application/json',
        accept: 'application/json',
        'x-sdk-variant': 'shopwright',
        'x-sdk-version': expect.any(String),
      },
    });
  });

  it('takes headers and the URL of a call before its own', async () => {
    const { client, script } = clientFor([json({ data: {} })]);
    await client.request(QUERY, {
      url: 'https://other.example/graphql',
      headers: { authorization: 'other', 'X-SDK-Variant': 'mine' },
    });
    expect(script.last.url).toBe('https://other.example/graphql');
    expect(script.last.headers).toMatchObject({
      authorization: 'other',
      'x-sdk-variant': 'mine',
      'x-list': 'a, b',
    });
    expect(script.last.headers).not.toHaveProperty('x-sdk-version');
  });

  it('answers errors, hands replies over and yields streams', async () => {
    const errors = [{ message: 'Bad', extensions: { code: 'BAD' } }];
    const failing = clientFor([json({ errors })]).client;
    expect((await failing.request(QUERY)).errors).toMatchObject({
      message: 'Bad',
      networkStatusCode: 200,
      graphQLErrors: errors,
    });
    expect((await clientFor([json({}, { status: 404 })]).client.fetch(QUERY)).status).toBe(404);
    const { client } = clientFor([json({ data: { me: null } })]);
    const stream = await client.requestStream('query Me { ...A @defer }');
    expect(await collect(stream)).toMatchObject([{ data: { me: null }, hasNext: false }]);
  });

  // As official clients do. Code that tells failures by their status had none for such a reply.
  it.each([
    [
      'breaks off',
      () => new ReadableStream({ pull: (stream) => stream.error(new Error('cut')) }),
      /failed/,
    ],
    ['is cut', () => '{"data":{"me"', /no GraphQL result/],
    ['is no JSON', () => '<html>Login</html>', /no GraphQL result/],
    ['is empty', () => '', /no GraphQL result/],
  ])('names the status of a reply whose body %s', async (_, body, message) => {
    const { client } = clientFor([
      new Response(body(), { headers: { 'content-type': 'application/json' } }),
    ]);
    const { errors } = await client.request(QUERY);
    expect(errors).toMatchObject({
      networkStatusCode: 200,
      message: expect.stringMatching(message),
    });
  });

  it('sends again as often as it is told, and says so', async () => {
    const logs: LogContentTypes[] = [];
    const busy = (): Response => json({}, { status: 503, headers: { 'retry-after': '0' } });
    const { client, script } = clientFor([busy, busy, json({ data: {} })], {
      retries: 1,
      logger: (log: LogContentTypes) => logs.push(log),
    });
    expect((await client.request(QUERY)).errors?.networkStatusCode).toBe(503);
    expect((await client.request(QUERY, { retries: 0 })).data).toEqual({});
    expect(script.sent).toHaveLength(3);
    expect(logs.map(({ type }) => type)).toEqual([
      'HTTP-Response',
      'HTTP-Retry',
      'HTTP-Response',
      'HTTP-Response',
    ]);
  });

  // `Authorization` was logged in clear.
  it.each(['Authorization', 'COOKIE'])('keeps %s out of the log', async (name) => {
    const logs: LogContentTypes[] = [];
    const { client, script } = clientFor([json({ data: {} })], {
      headers: { [name]: 'Bearer secret-of-a-buyer', 'X-Mine': 'shown' },
      logger: (log: LogContentTypes) => logs.push(log),
    });
    await client.request(QUERY);
    expect(script.last.headers[name.toLowerCase()]).toBe('Bearer secret-of-a-buyer');
    expect(JSON.stringify(logs)).not.toContain('secret-of-a-buyer');
    expect(logs).toMatchObject([
      {
        content: {
          requestParams: [
            URL_OF_API,
            { headers: { [name.toLowerCase()]: '[redacted]', 'x-mine': 'shown' } },
          ],
        },
      },
    ]);
  });

  it('says how it was made, and refuses retries out of range', () => {
    const { client } = clientFor([], { retries: 2 });
    expect(client.config).toMatchObject({ url: URL_OF_API, retries: 2 });
    expect(() => clientFor([], { retries: 4 })).toThrow(/"retries" value \(4\) is invalid/);
  });
});

describe('a redirect in a browser', () => {
  /** What `fetch` gives for `redirect: 'manual'`, by its standard. */
  const opaque = () =>
    ({
      type: 'opaqueredirect',
      ok: false,
      status: 0,
      statusText: '',
      headers: new Headers(),
      body: null,
      bodyUsed: false,
      text: async () => '',
    }) as Response;

  // The platform was said to have answered 0.
  it('is named as the cause, and the call is not sent again', async () => {
    const { client, script } = clientFor([opaque], { retries: 2 });
    const { errors } = await client.request(QUERY);
    expect(errors?.message).toMatch(/is a redirect, and a browser does not say where to/);
    const rest = createAdminRestApiClient({
      ...STORE,
      accessToken: 'token',
      isTesting: true,
      retries: 2,
      customFetchApi: script.fetch,
    });
    const error = await rest.get('shop').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HttpRedirectError);
    expect(error).toMatchObject({
      code: 'ERR_HTTP_REDIRECT',
      shop: STORE.storeDomain,
      operation: 'GET shop',
      attempts: 1,
    });
    expect(script.sent).toHaveLength(2);
  });
});

describe('keepalive', () => {
  const kept = async (
    call: (customFetchApi: (url: string, init?: object) => Promise<Response>) => Promise<unknown>,
  ) => {
    const inits: object[] = [];
    await call(async (_url, init = {}) => (inits.push(init), json({ data: {} })));
    return inits[0];
  };

  it.each([true, false])('is passed on as %p by every client', async (keepalive) => {
    const accessToken = 'token';
    expect(
      await kept((customFetchApi) =>
        createAdminApiClient({ ...STORE, accessToken, customFetchApi }).request(QUERY, {
          keepalive,
        }),
      ),
    ).toMatchObject({ keepalive });
    expect(
      await kept((customFetchApi) =>
        createAdminRestApiClient({ ...STORE, accessToken, customFetchApi }).get('shop', {
          keepalive,
        }),
      ),
    ).toMatchObject({ keepalive });
  });

  it('is left to fetch by a call that does not ask for it', async () => {
    const init = await kept((customFetchApi) =>
      createGraphQLClient({ url: URL_OF_API, headers: {}, customFetchApi }).request(QUERY),
    );
    expect(init).not.toHaveProperty('keepalive');
  });
});

describe('generateHttpFetch', () => {
  it('sends a request again until it succeeds or the retries are used up', async () => {
    const script = new ScriptedFetch(
      new Response(null, { status: 429, headers: { 'retry-after': '0' } }),
      new Response(null, { status: 503, headers: { 'retry-after': '0' } }),
      new Response('done', { headers: { 'x-shopify-api-deprecated-reason': 'old' } }),
    );
    const logs: string[] = [];
    const httpFetch = generateHttpFetch({
      clientLogger: ({ type }) => logs.push(type),
      customFetchApi: script.fetch,
    });
    const init = { method: 'PUT', headers: { a: 'b' }, body: 'text' };
    expect(await (await httpFetch([URL_OF_API, init], 1, 2)).text()).toBe('done');
    expect(script.last).toEqual({ url: URL_OF_API, ...init });
    expect(logs.filter((type) => type === 'HTTP-Retry')).toHaveLength(2);
    expect(logs.at(-1)).toBe('HTTP-Response-GraphQL-Deprecation-Notice');
  });

  it('logs a request as it was made: without headers where it has none', async () => {
    const logs: LogContentTypes[] = [];
    const httpFetch = generateHttpFetch({
      clientLogger: (log) => logs.push(log as LogContentTypes),
      customFetchApi: new ScriptedFetch(new Response('done'), new Response('done')).fetch,
    });
    const bare = { method: 'POST', body: 'text' };
    await httpFetch([URL_OF_API, bare], 1, 0);
    await httpFetch([URL_OF_API, { ...bare, headers: { a: 'b' } }], 1, 0);
    expect(
      logs.map(({ content }) => (content as { requestParams: unknown }).requestParams),
    ).toEqual([
      [URL_OF_API, bare],
      [URL_OF_API, { ...bare, headers: { a: 'b' } }],
    ]);
  });

  // The whole URL was in the message, in `shop` and in `operation`.
  it.each([
    [
      'https://api.example.com/graphql?access_token=hush#hush',
      'api.example.com',
      'https://api.example.com/graphql',
    ],
    ['/graphql?access_token=hush', '/graphql', '/graphql'],
  ])('keeps the query of %s out of errors', async (url, shop, address) => {
    const httpFetch = generateHttpFetch({
      clientLogger: () => {},
      customFetchApi: new ScriptedFetch(new Error('away')).fetch,
    });
    const error = await httpFetch([url], 1, 0).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({
      code: 'ERR_HTTP_REQUEST',
      message: `GET ${address} failed: away.`,
      shop,
      operation: `GET ${address}`,
    });
  });

  it('counts from the attempt it is given, and retries the statuses it is given', async () => {
    const failing = (status: number) => () =>
      new Response(null, { status, headers: { 'retry-after': '0' } });
    const sentFor = async (status: number, count: number) => {
      const script = new ScriptedFetch(failing(status));
      const httpFetch = generateHttpFetch({
        clientLogger: () => {},
        customFetchApi: script.fetch,
        retriableCodes: [418],
      });
      await httpFetch([URL_OF_API], count, 2);
      return script.sent.length;
    };
    expect([await sentFor(418, 1), await sentFor(418, 2), await sentFor(503, 1)]).toEqual([
      3, 2, 1,
    ]);
  });
});

describe('the utilities of clients', () => {
  // 2024-10-15 is the example of the platform's own package.
  it.each([
    [
      '2024-10-15T00:00:00Z',
      { year: 2024, quarter: 4, version: '2024-10' },
      ['2024-01', '2024-04', '2024-07', '2024-10', '2025-01', 'unstable'],
    ],
    [
      '2026-01-01T00:00:00Z',
      { year: 2026, quarter: 1, version: '2026-01' },
      ['2025-04', '2025-07', '2025-10', '2026-01', '2026-04', 'unstable'],
    ],
    [
      '2025-12-31T23:59:59Z',
      { year: 2025, quarter: 4, version: '2025-10' },
      ['2025-01', '2025-04', '2025-07', '2025-10', '2026-01', 'unstable'],
    ],
  ])('know the versions of %s', (now, current, supported) => {
    jest.useFakeTimers({ now: new Date(now) });
    expect(getCurrentApiVersion()).toEqual(current);
    expect(getCurrentSupportedApiVersions()).toEqual(supported);
  });

  it('check a version', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    const logger = jest.fn();
    const client = 'My Client';
    const currentSupportedApiVersions = ['2026-04', '2026-07'];
    const check = (apiVersion: unknown, extra = {}): void =>
      validateApiVersion({
        ...{ client, currentSupportedApiVersions, apiVersion: apiVersion as string },
        ...extra,
      });
    for (const invalid of [undefined, 7, '', '../x'])
      expect(() => check(invalid)).toThrow(/^My Client: .*invalid.*2026-04, 2026-07/);
    check(' 2026-07 ');
    expect(warn).not.toHaveBeenCalled();
    check('2019-01', { logger });
    expect(logger.mock.calls).toEqual([
      [
        {
          type: 'Unsupported_Api_Version',
          content: { apiVersion: '2019-01', supportedApiVersions: currentSupportedApiVersions },
        },
      ],
    ]);
    expect(warn).not.toHaveBeenCalled();
    check('2019-01');
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('check a domain and a number of retries', () => {
    const client = 'My Client';
    const origin = (storeDomain: string | undefined) =>
      validateDomainAndGetStoreUrl({ client, storeDomain });
    expect(origin(' http://Test-shop.myshopify.com/ ')).toBe('https://test-shop.myshopify.com');
    expect(() => origin(undefined)).toThrow(/^My Client: a valid store domain/);
    expect(() => origin('evil.example.com')).toThrow(/^My Client: a valid store domain/);
    for (const retries of [undefined, 0, 3])
      expect(() => validateRetries({ client, retries })).not.toThrow();
    for (const retries of [-1, 4, 1.5, NaN, '1'])
      expect(() => validateRetries({ client, retries: retries as number })).toThrow(/"retries"/);
  });

  it('read messages, join headers and make arguments', () => {
    expect([getErrorMessage(new Error('a')), getErrorMessage({ a: 1 })]).toEqual(['a', '{"a":1}']);
    const getHeaders = generateGetHeaders({ headers: { 'X-Token': 'own' } });
    expect(getHeaders({ 'x-token': 'theirs', 'X-More': ['1', '2'] })).toEqual({
      'X-Token': 'own',
      'X-More': '1, 2',
    });
    const paramsOf = generateGetGQLClientParams({
      getHeaders,
      getApiUrl: (version) => `https://x/${version}`,
    });
    expect(paramsOf(QUERY)).toEqual([QUERY, {}]);
    expect(
      paramsOf(QUERY, { variables: { a: 1 }, headers: {}, retries: 0, apiVersion: '2026-04' }),
    ).toEqual([
      QUERY,
      {
        variables: { a: 1 },
        headers: { 'X-Token': 'own' },
        retries: 0,
        url: 'https://x/2026-04',
      },
    ]);
  });
});
