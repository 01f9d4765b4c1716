import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';

import type { ConfigOptions } from '../../lib/core/config/config.options.js';
import { resolveConfig } from '../../lib/core/config/config.schema.js';
import { PlatformLogger } from '../../lib/core/logger.js';
import { AdminGraphqlClient } from '../../lib/graphql-client/admin-graphql.client.js';
import { UserErrorsError } from '../../lib/graphql-client/graphql-client.errors.js';
import { GraphqlErrors } from '../../lib/graphql-client/graphql-errors.js';
import { apiCaller } from '../support/api-caller.js';
import { ManualClock } from '../support/manual.clock.js';
import { ScriptedFetch, json } from '../support/scripted-fetch.js';
import type { Scripted } from '../support/scripted-fetch.js';
import { plainConfig } from './config.fixture.js';

const SESSION = { shop: 'test-shop.myshopify.com', accessToken: 'shpat_0123456789abcdef' };
const QUERY = 'query Shop { shop { name } }';
const MUTATION =
  'mutation Update { productUpdate { userErrors { message } } customerCreate { customerUserErrors { message } } }';

function bench(answers: Scripted[], options: Partial<ConfigOptions> = {}) {
  const script = new ScriptedFetch(...answers);
  const clock = new ManualClock();
  const config = resolveConfig(
    {
      apiKey: 'key',
      apiSecretKey: 'secret',
      appUrl: 'https://app.example.com',
      apiVersion: '2026-07',
      ...options,
    },
    { environment: {} },
  );
  const admin = new AdminGraphqlClient(
    config,
    apiCaller(script.fetch, clock),
    new PlatformLogger({ log: () => undefined }, clock),
  );
  return { client: admin.for(SESSION), script };
}

describe('errorPolicy "all"', () => {
  const errors = [
    { message: 'First', extensions: { code: 'undefinedField' } },
    { message: 'Second' },
  ];

  it('hands the errors over beside what was answered all the same', async () => {
    const { client } = bench([
      json(
        { data: { shop: null }, errors, extensions: { a: 1 } },
        { headers: { 'x-request-id': 'req-1' } },
      ),
    ]);
    const result = await client.request(QUERY, { errorPolicy: 'all' });
    expect(result).toMatchObject({
      data: { shop: null },
      extensions: { a: 1 },
      requestId: 'req-1',
    });
    expect(result.headers?.get('x-request-id')).toBe('req-1');
    expect(result.errors).toMatchObject({
      message: 'First',
      networkStatusCode: 200,
      graphQLErrors: errors,
    });
    expect(result.errors?.response?.status).toBe(200);
    expect([...result.errors!]).toEqual(errors);
    expect(result.errors?.cause).toMatchObject({
      code: 'ERR_GRAPHQL_QUERY',
      shop: SESSION.shop,
      attempts: 1,
    });
  });

  it('has no errors when there are none', async () => {
    const result = await bench([json({ data: { a: 1 } })]).client.request(QUERY, {
      errorPolicy: 'all',
    });
    expect([result.data, result.errors]).toEqual([{ a: 1 }, undefined]);
  });

  it('hands over a reply that is no success, body included', async () => {
    const { client } = bench([
      json({ errors: 'Not Found' }, { status: 404, statusText: 'Not Found' }),
    ]);
    const { data, errors: failure } = await client.request(QUERY, { errorPolicy: 'all' });
    expect(data).toBeUndefined();
    expect(failure).toMatchObject({ networkStatusCode: 404, cause: { code: 'ERR_HTTP_RESPONSE' } });
    expect(failure?.graphQLErrors).toBeUndefined();
    expect([...failure!]).toEqual([{ message: failure!.message }]);
    expect(await failure?.response?.json()).toEqual({ errors: 'Not Found' });
    expect(failure?.response).toMatchObject({ status: 404, statusText: 'Not Found' });
  });

  it.each([
    [[null], [{ message: 'null' }]],
    [
      ['Bad', 5, ['x']],
      [{ message: 'Bad' }, { message: '5' }, { message: '["x"]' }],
    ],
    [
      [null, { message: 'Late', extensions: null }],
      [{ message: 'null' }, { message: 'Late', extensions: null }],
    ],
  ])('makes errors of what the list %j holds', async (list, expected) => {
    const reply = (): Response => json({ data: null, errors: list });
    const { errors: failure } = await bench([reply]).client.request(QUERY, { errorPolicy: 'all' });
    expect([...failure!]).toEqual(expected);
    await expect(bench([reply]).client.request(QUERY)).rejects.toMatchObject({
      code: 'ERR_GRAPHQL_QUERY',
      message: expected[0]!.message,
      body: { errors: expected },
    });
  });

  it('hands over that no reply came', async () => {
    const result = await bench([new Error('socket hang up')]).client.request(QUERY, {
      errorPolicy: 'all',
    });
    expect(result.headers).toBeUndefined();
    expect(Object.keys(result.errors!)).toEqual(['message']);
    expect(result.errors).toBeInstanceOf(GraphqlErrors);
    expect(result.errors).toMatchObject({
      message: expect.stringContaining('socket hang up'),
      cause: { code: 'ERR_HTTP_REQUEST' },
    });
  });

  it('hands over that a call could not be made, but not that there was nothing to ask', async () => {
    const { client, script } = bench([]);
    const { errors: failure } = await client.request(QUERY, { errorPolicy: 'all', retries: 9 });
    expect(failure).toMatchObject({ message: expect.stringContaining('"retries"') });
    await expect(client.request('', { errorPolicy: 'all' })).rejects.toMatchObject({
      code: 'ERR_ARGUMENT_MISSING',
    });
    expect(script.sent).toEqual([]);
  });
});

describe('a policy that is none', () => {
  it.each([
    [{ errorPolicy: 'ignore' }, /errorPolicy \("ignore"\) is invalid: it must be "all" or "throw"/],
    [{ errorPolicy: null }, /errorPolicy \("null"\) is invalid/],
    [{ userErrors: 'log' }, /userErrors \("log"\) is invalid: it must be "return" or "throw"/],
  ])('such as %j is refused, and nothing is sent', async (options, message) => {
    const { client, script } = bench([json({ data: {} })]);
    const refused = { code: 'ERR_REQUEST_INVALID', message: expect.stringMatching(message) };
    await expect(client.request(QUERY, options as { userErrors: 'throw' })).rejects.toMatchObject(
      refused,
    );
    expect(script.sent).toEqual([]);
  });

  it('is refused for a stream as well', async () => {
    const { client } = bench([]);
    const options = { errorPolicy: 'ignore' as 'all' };
    const deferred = 'query Shop { shop { name ... @defer { id } } }';
    await expect(client.requestStream(deferred, options)).rejects.toMatchObject({
      code: 'ERR_REQUEST_INVALID',
    });
  });
});

describe('typed errors of a query', () => {
  it.each([
    ['ACCESS_DENIED', 'ERR_GRAPHQL_ACCESS_DENIED'],
    ['THROTTLED', 'ERR_GRAPHQL_THROTTLED'],
    ['MAX_COST_EXCEEDED', 'ERR_GRAPHQL_QUERY'],
  ])('%s is %s, with the facts of the call', async (code, errorCode) => {
    const body = {
      errors: [{ message: 'No', extensions: { code } }],
      extensions: { cost: { requestedQueryCost: 11 } },
    };
    await expect(
      bench([json(body, { headers: { 'x-request-id': 'req-2' } })]).client.request(QUERY),
    ).rejects.toMatchObject({
      code: errorCode,
      message: 'No',
      shop: SESSION.shop,
      operation: 'query Shop',
      status: 200,
      requestId: 'req-2',
      cost: 11,
      attempts: 1,
    });
  });
});

describe('what a mutation refuses', () => {
  const refused = { field: ['title'], message: 'Title is blank' };
  const data = {
    productUpdate: { userErrors: [refused] },
    customerCreate: { customerUserErrors: [{ message: 'No email' }] },
  };

  it('is thrown when that was asked for, under either error policy', async () => {
    const calls = [
      bench([json({ data })]).client.request(MUTATION, { userErrors: 'throw' }),
      bench([json({ data })]).client.request(MUTATION, { userErrors: 'throw', errorPolicy: 'all' }),
    ];
    for (const call of calls) {
      const error = await call.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof UserErrorsError)) throw error;
      expect(error).toMatchObject({
        code: 'ERR_USER_ERRORS',
        message: 'Title is blank; No email',
        operation: 'mutation Update',
        data,
      });
      expect(error.userErrors).toEqual([refused, { message: 'No email' }]);
    }
  });

  it('is thrown in a whole app when its options say so, unless a call says otherwise', async () => {
    const { client } = bench([() => json({ data })], { userErrors: 'throw' });
    await expect(client.request(MUTATION)).rejects.toMatchObject({ code: 'ERR_USER_ERRORS' });
    expect((await client.request(MUTATION, { userErrors: 'return' })).data).toEqual(data);
  });

  it('is an empty list when nothing is refused', async () => {
    const fine = { productUpdate: { userErrors: [] }, other: null, count: 1 };
    expect(
      (await bench([json({ data: fine })]).client.request(MUTATION, { userErrors: 'throw' })).data,
    ).toEqual(fine);
  });

  // A reply that broke its own schema came out as a TypeError.
  it.each([
    [[null], 'null'],
    [['Taken', 5], '"Taken"; 5'],
  ])('is thrown although the list %j holds what is no error', async (userErrors, message) => {
    const { client } = bench([json({ data: { productUpdate: { userErrors } } })]);
    await expect(client.request(MUTATION, { userErrors: 'throw' })).rejects.toMatchObject({
      code: 'ERR_USER_ERRORS',
      message,
    });
  });

  it('is a field like any other in a query', async () => {
    expect(
      (await bench([json({ data })]).client.request(QUERY, { userErrors: 'throw' })).data,
    ).toEqual(data);
  });

  it('is one of two words in the options of an app', () => {
    expect(() => bench([], { userErrors: 'log' as 'throw' })).toThrow(
      /userErrors: must be "return" or "throw"/,
    );
  });
});

describe('a GraphQL call', () => {
  it('takes a parsed document and sends its text', async () => {
    const { client, script } = bench([json({ data: { shop: { name: 'Test' } } })]);
    await client.request(parse('query Shop($id: ID!) { node(id: $id) { id } }'), {
      variables: { id: 'gid' },
    });
    expect(JSON.parse(script.last.body!)).toEqual({
      query: 'query Shop($id: ID!) {\n  node(id: $id) {\n    id\n  }\n}',
      variables: { id: 'gid' },
    });
  });

  it('takes an answer of the newer content type', async () => {
    const { client } = bench([
      json(
        { data: { a: 1 } },
        { headers: { 'content-type': 'application/graphql-response+json; charset=utf-8' } },
      ),
    ]);
    expect((await client.request(QUERY)).data).toEqual({ a: 1 });
  });

  it('hands the reply over unread with fetch(), whatever its status', async () => {
    const { client, script } = bench([json({ errors: 'no' }, { status: 402 })]);
    const response = await client.fetch(QUERY, { variables: { a: 1 }, headers: { 'X-Own': '1' } });
    expect([response.status, await response.json()]).toEqual([402, { errors: 'no' }]);
    expect(script.last).toMatchObject({
      body: JSON.stringify({ query: QUERY, variables: { a: 1 } }),
      headers: { 'x-own': '1' },
    });
  });

  it('repeats a mutation after a failure only when it is marked idempotent', async () => {
    const answers = (): Scripted[] => [
      json({}, { status: 502, headers: { 'retry-after': '1' } }),
      json({ data: {} }),
    ];
    await expect(bench(answers()).client.request(MUTATION, { retries: 1 })).rejects.toMatchObject({
      code: 'ERR_HTTP_INTERNAL',
      attempts: 1,
    });
    expect(
      (await bench(answers()).client.request(MUTATION, { retries: 1, idempotent: true })).data,
    ).toEqual({});
  });

  it('is tried as often as it says, in the words of the platform’s own libraries', async () => {
    const busy = (): Response => json({}, { status: 503, headers: { 'retry-after': '0' } });
    const { client, script } = bench([busy]);
    await expect(client.request(QUERY, { tries: 3 })).rejects.toMatchObject({
      code: 'ERR_HTTP_MAX_RETRIES',
      attempts: 3,
    });
    await expect(client.request(QUERY, { tries: 1 })).rejects.toMatchObject({ attempts: 1 });
    await expect(client.request(QUERY, { tries: 0 })).rejects.toMatchObject({
      code: 'ERR_REQUEST_INVALID',
    });
    await expect(client.request(QUERY, { tries: 2, retries: 1 })).rejects.toMatchObject({
      code: 'ERR_REQUEST_INVALID',
    });
    expect(script.sent).toHaveLength(4);
  });

  it('ends when its time is over', async () => {
    const never: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) =>
        init?.signal?.addEventListener('abort', () => reject(init.signal!.reason as Error)),
      );
    const clock = new ManualClock();
    const config = plainConfig();
    const client = new AdminGraphqlClient(
      config,
      apiCaller(never, clock),
      new PlatformLogger({ log: () => undefined }, clock),
    ).for(SESSION);
    await expect(client.request(QUERY, { timeout: 50 })).rejects.toMatchObject({
      code: 'ERR_HTTP_TIMEOUT',
      operation: 'query Shop',
    });
    await expect(client.request(QUERY, { deadline: 50, retries: 3 })).rejects.toMatchObject({
      code: 'ERR_HTTP_TIMEOUT',
    });
  });
});
