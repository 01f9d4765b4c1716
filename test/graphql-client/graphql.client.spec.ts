import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';

import { resolveConfig } from '../../lib/core/config/config.schema.js';
import type { ConfigOptions } from '../../lib/core/config/config.options.js';
import { AppDistribution } from '../../lib/core/config/config.options.js';
import { InvalidRequestError } from '../../lib/core/http/http.errors.js';
import { LogSeverity, PlatformLogger } from '../../lib/core/logger.js';
import { AdminGraphqlClient } from '../../lib/graphql-client/admin-graphql.client.js';
import { GraphqlQueryError } from '../../lib/graphql-client/graphql-client.errors.js';
import { apiCaller } from '../support/api-caller.js';
import { ManualClock } from '../support/manual.clock.js';
import { ScriptedFetch, json } from '../support/scripted-fetch.js';
import type { Scripted } from '../support/scripted-fetch.js';

const SESSION = { shop: 'test-shop.myshopify.com', accessToken: 'session-token' };
const URL = 'https://test-shop.myshopify.com/admin/api/2026-07/graphql.json';
const QUERY = 'query Shop { shop { name } }';
const MUTATION =
  'mutation Update($input: ProductInput!) { productUpdate(input: $input) { userErrors { message } } }';
const CONFIG: ConfigOptions = {
  apiKey: 'key',
  apiSecretKey: 'secret',
  appUrl: 'https://app.example.com',
  apiVersion: '2026-07',
};

function bench(answers: Scripted[], options: Partial<ConfigOptions> = {}) {
  const script = new ScriptedFetch(...answers);
  const clock = new ManualClock();
  const lines: string[] = [];
  const logger = new PlatformLogger(
    { level: LogSeverity.Debug, log: (_: LogSeverity, line: string) => lines.push(line) },
    clock,
  );
  const admin = new AdminGraphqlClient(
    resolveConfig({ ...CONFIG, ...options }, { environment: {} }),
    apiCaller(script.fetch, clock, { random: () => 0.5 }),
    logger,
  );
  return { admin, client: admin.for(SESSION), script, clock, lines };
}

const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a GraphQL request', () => {
  it('posts the query and answers with the data', async () => {
    const extensions = { cost: { requestedQueryCost: 1 } };
    const { client, script } = bench([
      json(
        { data: { shop: { name: 'Test' } }, extensions },
        { headers: { 'x-request-id': 'req-1' } },
      ),
    ]);
    const result = await client.request<{ shop: { name: string } }>(QUERY);
    expect(result.data.shop.name).toBe('Test');
    expect(result).toMatchObject({ extensions, requestId: 'req-1' });
    expect(result.headers.get('content-type')).toBe('application/json');
    expect(script.last).toMatchObject({
      url: URL,
      method: 'POST',
      body: JSON.stringify({ query: QUERY }),
    });
    expect(script.last.headers).toEqual({
      'content-type': 'application/json',
      accept: 'application/json',
      'x-shopify-access-token': 'session-token',
      'user-agent': expect.stringMatching(/^shopwright\/.+ \| Node v/),
    });
  });

  it('sends variables and headers, and no other token', async () => {
    const { client, script } = bench([json({ data: {} })]);
    await client.request(QUERY, {
      variables: { first: 10 },
      headers: { 'X-Own': ['a', 'b'], 'x-shopify-access-token': 'other' },
    });
    expect(JSON.parse(script.last.body!)).toEqual({ query: QUERY, variables: { first: 10 } });
    expect(script.last.headers).toMatchObject({
      'x-own': 'a, b',
      'x-shopify-access-token': 'session-token',
    });
  });

  it('goes to another API version, for a client or for a call', async () => {
    const { admin, client, script, lines } = bench([() => json({ data: {} })]);
    await client.request(QUERY, { apiVersion: '2025-10' });
    await admin.for(SESSION, { apiVersion: 'unstable' }).request(QUERY);
    expect(script.sent.map(({ url }) => url.split('/').at(-2))).toEqual(['2025-10', 'unstable']);
    expect(lines).toEqual([
      expect.stringContaining('overriding default API version 2026-07 with unstable'),
    ]);
    await expect(client.request(QUERY, { apiVersion: '../..' })).rejects.toMatchObject({
      code: 'ERR_REQUEST_INVALID',
    });
  });

  it('can be made in one step for a session', async () => {
    const { admin, script } = bench([json({ data: { a: 1 } })]);
    expect((await admin.request(SESSION, QUERY, { variables: {} })).data).toEqual({ a: 1 });
    expect(script.last.url).toBe(URL);
  });

  it('uses the fixed token of a custom app', async () => {
    const { admin, script } = bench([json({ data: {} })], {
      distribution: AppDistribution.PlatformAdmin,
      adminApiAccessToken: 'fixed-token',
    });
    await admin.request({ shop: SESSION.shop }, QUERY);
    expect(script.last.headers['x-shopify-access-token']).toBe('fixed-token');
  });

  it('needs a query, a shop and a token', async () => {
    const { admin, client, script } = bench([]);
    await expect(client.request('')).rejects.toMatchObject({ code: 'ERR_ARGUMENT_MISSING' });
    await expect(admin.request({ shop: SESSION.shop }, QUERY)).rejects.toMatchObject({
      code: 'ERR_ARGUMENT_MISSING',
    });
    await expect(
      admin.request({ shop: 'evil.example.com', accessToken: 't' }, QUERY),
    ).rejects.toMatchObject({ code: 'ERR_SHOP_INVALID' });
    expect(script.sent).toEqual([]);
  });

  // A TypeError of JSON.stringify(), also under the policy `all`.
  it('refuses variables that JSON has no form for, by name', async () => {
    const { client, script } = bench([]);
    const circle: Record<string, unknown> = {};
    circle['itself'] = circle;
    const variables = { id: 'gid://secret', price: { cents: 12345n }, circle };
    const error = await thrownBy(client.request(QUERY, { variables }));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({
      message: expect.stringContaining('JSON has no form for variables.price, variables.circle;'),
      cause: expect.any(TypeError),
    });
    expect(String(error)).not.toMatch(/12345|secret/);
    const { errors } = await client.request(QUERY, { variables, errorPolicy: 'all' });
    expect(errors?.cause).toBeInstanceOf(InvalidRequestError);
    await expect(client.fetch(QUERY, { variables })).rejects.toThrow(InvalidRequestError);
    expect(script.sent).toEqual([]);
  });

  // The error of the getter itself came; of the others it was said that JSON had no form for them.
  it('refuses variables that cannot be written for another reason, with that as its cause', async () => {
    const { client, script } = bench([]);
    const failure = new TypeError('secret');
    const broken = {
      get price(): never {
        throw failure;
      },
    };
    let nested: unknown[] = [];
    for (let depth = 0; depth < 100_000; depth++) nested = [nested];
    for (const [variables, name, cause] of [
      [broken, 'variables.price', failure],
      [{ broken }, 'variables.broken', failure],
      [{ first: 1, nested }, 'variables.nested', expect.any(RangeError)],
    ] as const) {
      const error = await thrownBy(client.request(QUERY, { variables }));
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(error).toMatchObject({
        message: `The call cannot be made: JSON has no form for ${name}; see "cause".`,
        cause,
      });
    }
    expect(script.sent).toEqual([]);
  });

  it('shows no token when the client is printed', () => {
    const { client, admin } = bench([]);
    expect(inspect([{ ...client, session: undefined }, admin], { depth: 10 })).not.toContain(
      'session-token',
    );
  });

  it('ends when it is aborted', async () => {
    const { client, script } = bench([json({ data: {} })]);
    await expect(
      client.request(QUERY, { signal: AbortSignal.abort(), retries: 3 }),
    ).rejects.toMatchObject({ code: 'ERR_HTTP_ABORTED' });
    expect(script.sent).toEqual([]);
  });

  it('keeps what a mutation refuses as data', async () => {
    const data = { productUpdate: { userErrors: [{ message: 'Title is blank' }] } };
    expect((await bench([json({ data })]).client.request(MUTATION)).data).toEqual(data);
  });
});

describe('a GraphQL reply with errors', () => {
  const errors = [
    {
      message: 'Field is missing',
      path: ['query', 'shop'],
      extensions: { code: 'undefinedField' },
    },
    { message: 'Second' },
  ];

  it('throws them, with what was answered all the same', async () => {
    const { client } = bench([
      json(
        { data: { shop: null }, errors, extensions: { cost: { requestedQueryCost: 2 } } },
        { headers: { 'x-own': '1' } },
      ),
    ]);
    const error = await thrownBy(client.request(QUERY));
    if (!(error instanceof GraphqlQueryError)) throw error;
    expect(error).toMatchObject({
      name: 'GraphqlQueryError',
      code: 'ERR_GRAPHQL_QUERY',
      message: 'Field is missing',
    });
    expect([...error.body.errors]).toEqual(errors);
    expect([...error.body.errors.graphQLErrors]).toEqual(errors);
    expect(error.body.errors.message).toBe(errors[0]!.message);
    expect(error.body.errors.networkStatusCode).toBe(200);
    expect(error.body.errors.response).toBe(error.response);
    expect(error.body.data).toEqual({ shop: null });
    expect(error.headers.get('x-own')).toBe('1');
    expect(error.response.status).toBe(200);
    expect(JSON.parse(JSON.stringify(error.body))).toEqual({
      data: { shop: null },
      errors,
      extensions: { cost: { requestedQueryCost: 2 } },
    });
  });

  it('throws a bare text too', async () => {
    const error = await thrownBy(
      bench([json({ errors: 'Query is not a text' })]).client.request(QUERY),
    );
    expect(error).toMatchObject({ code: 'ERR_GRAPHQL_QUERY', message: 'Query is not a text' });
  });

  it('is a success when the list is empty', async () => {
    expect(
      (await bench([json({ data: { a: 1 }, errors: [] })]).client.request(QUERY)).data,
    ).toEqual({ a: 1 });
  });
});

describe('a reply that answers no query', () => {
  it.each([
    [
      'an error page',
      new Response('<html>', { status: 200, headers: { 'content-type': 'text/html' } }),
      /no GraphQL result/,
    ],
    ['neither data nor errors', json({ extensions: {} }), /neither data nor errors/],
    ['data that is null', json({ data: null }), /neither data nor errors/],
    ['a list', json([1]), /no GraphQL result/],
    ['nothing', new Response(''), /no GraphQL result/],
  ])('%s is an error with its status', async (_, response, message) => {
    expect(await thrownBy(bench([response]).client.request(QUERY))).toMatchObject({
      code: 'ERR_HTTP_MALFORMED_REPLY',
      response: { code: 200 },
      message: expect.stringMatching(message),
    });
  });

  it.each([
    [401, 'ERR_HTTP_AUTHENTICATION'],
    [402, 'ERR_HTTP_RESPONSE'],
    [429, 'ERR_HTTP_THROTTLED'],
    [500, 'ERR_HTTP_INTERNAL'],
    [503, 'ERR_HTTP_INTERNAL'],
  ])('with status %d keeps what the platform said', async (status, code) => {
    const body = { errors: '[API] Invalid API key or access token' };
    const { client } = bench([json(body, { status, headers: { 'x-request-id': 'req-9' } })]);
    expect(await thrownBy(client.request(QUERY))).toMatchObject({
      code,
      requestId: 'req-9',
      response: { code: status, body },
    });
  });

  it('keeps its text when it is no JSON', async () => {
    const { client } = bench([new Response('Service unavailable', { status: 503 })]);
    expect(await thrownBy(client.request(QUERY))).toMatchObject({
      response: { code: 503, body: 'Service unavailable' },
    });
  });

  it('is an error with its cause when the network fails', async () => {
    const { client } = bench([new Error('socket hang up')]);
    expect(await thrownBy(client.request(QUERY))).toMatchObject({
      code: 'ERR_HTTP_REQUEST',
      message: expect.stringContaining('socket hang up'),
    });
  });
});

describe('retries of a GraphQL request', () => {
  it('are made for a query after what may pass', async () => {
    const { client, script, clock } = bench([
      new Error('lost'),
      json({}, { status: 503 }),
      json({}, { status: 429, headers: { 'retry-after': '2.5' } }),
      json({ data: {} }),
    ]);
    await client.request(QUERY, { retries: 3 });
    expect([script.sent.length, clock.slept]).toEqual([4, [500, 1000, 2500]]);
  });

  it('are made for a mutation only when it was not begun', async () => {
    const begun = bench([json({}, { status: 503 }), json({ data: {} })]);
    expect(await thrownBy(begun.client.request(MUTATION, { retries: 3 }))).toMatchObject({
      code: 'ERR_HTTP_INTERNAL',
    });
    expect(begun.script.sent).toHaveLength(1);
    const notBegun = bench([json({}, { status: 429 }), json({ data: {} })]);
    await notBegun.client.request(MUTATION, { retries: 3 });
    expect(notBegun.script.sent).toHaveLength(2);
  });

  it('that did not help are reported with the last reply as the cause', async () => {
    const { client } = bench([() => json({ errors: 'busy' }, { status: 429 })]);
    expect(await thrownBy(client.request(QUERY, { retries: 2 }))).toMatchObject({
      code: 'ERR_HTTP_MAX_RETRIES',
      cause: { code: 'ERR_HTTP_THROTTLED', response: { body: { errors: 'busy' } } },
    });
  });

  it('are none unless asked for, and at most three', async () => {
    const { client, script } = bench([() => json({}, { status: 503 })]);
    await thrownBy(client.request(QUERY));
    expect(script.sent).toHaveLength(1);
    await expect(client.request(QUERY, { retries: 4 })).rejects.toMatchObject({
      code: 'ERR_REQUEST_INVALID',
    });
  });
});

describe('a GraphQL request that the platform calls deprecated', () => {
  it('is warned about once, by its name', async () => {
    const { admin, lines } = bench([
      () =>
        json(
          { data: {} },
          { headers: { 'x-shopify-api-deprecated-reason': 'use something else' } },
        ),
    ]);
    await admin.request(SESSION, QUERY);
    await admin.request(SESSION, QUERY);
    expect(lines).toEqual([
      expect.stringMatching(/Deprecation Notice.*use something else.*query Shop/),
    ]);
  });
});
