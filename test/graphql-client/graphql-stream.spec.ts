import { describe, expect, it } from '@jest/globals';

import { createStorefrontApiClient } from '../../lib/graphql-client/storefront-api-client.js';
import { collect } from '../support/collect.js';
import { ScriptedFetch, json } from '../support/scripted-fetch.js';
import type { Scripted } from '../support/scripted-fetch.js';

const QUERY = 'query Product { product { id ...Price @defer ...Stock @defer } }';
const OPTIONS = {
  storeDomain: 'test-shop.myshopify.com',
  apiVersion: '2026-07',
  publicAccessToken: 'public-token',
};

function clientFor(...answers: Scripted[]) {
  const script = new ScriptedFetch(...answers);
  const options = { ...OPTIONS, customFetchApi: script.fetch };
  return {
    script,
    all: createStorefrontApiClient(options),
    throwing: createStorefrontApiClient({ ...options, errorPolicy: 'throw' }),
  };
}

/** A multipart reply; each chunk arrives by itself, and an error breaks the connection. */
function multipart(
  chunks: readonly (string | Error)[],
  contentType = 'multipart/mixed; boundary="-"; deferSpec=20220824',
): Response {
  const source = ['---', ...chunks].values();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = source.next();
      if (done) controller.close();
      else if (value instanceof Error) controller.error(value);
      else controller.enqueue(new TextEncoder().encode(value));
    },
  });
  return new Response(body, { headers: { 'content-type': contentType, 'x-request-id': 'req-7' } });
}

/** A part and the delimiter behind it. */
const part = (payload: unknown): string =>
  `\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(payload)}\r\n---`;
const END = '--\r\n';

const FIRST = part({
  data: { product: { id: 1 } },
  hasNext: true,
  extensions: { cost: { requestedQueryCost: 3 } },
});
const PRICE = part({
  incremental: [{ data: { price: '9.00' }, path: ['product'], label: 'price' }],
  hasNext: true,
});
const STOCK = part({ incremental: [{ data: { stock: 5 }, path: ['product'] }], hasNext: false });

describe('requestStream', () => {
  // Such a part was passed on as an item with nothing in it.
  it.each([
    ['first', [part({ hasNext: true }) + PRICE + STOCK + END]],
    ['only', [part({ hasNext: false, extensions: { a: 1 } }) + END]],
    ['first, with null for data,', [part({ data: null, hasNext: true }) + STOCK + END]],
  ])('takes a %s part with neither data nor errors for an error', async (_which, chunks) => {
    const items = await collect(await clientFor(multipart(chunks)).all.requestStream(QUERY));
    expect(items).toHaveLength(1);
    expect(items.at(-1)).toMatchObject({
      hasNext: false,
      errors: { message: expect.stringContaining('neither data nor errors') },
    });
  });

  it('ends with a part that says no more than that', async () => {
    const chunks = [FIRST + part({ hasNext: false }) + END];
    const items = await collect(await clientFor(multipart(chunks)).all.requestStream(QUERY));
    expect(items.map(({ data, errors, hasNext }) => [data, errors, hasNext])).toEqual([
      [{ product: { id: 1 } }, undefined, true],
      [{ product: { id: 1 } }, undefined, false],
    ]);
  });

  it('gives one item per part, each with all the data so far', async () => {
    const { all, script } = clientFor(multipart([FIRST + PRICE, STOCK + END]));
    const items = await collect(await all.requestStream(QUERY));
    expect(items.map(({ data, hasNext }) => [data, hasNext])).toEqual([
      [{ product: { id: 1 } }, true],
      [{ product: { id: 1, price: '9.00' } }, true],
      [{ product: { id: 1, price: '9.00', stock: 5 } }, false],
    ]);
    expect(items[2]).toMatchObject({ extensions: { cost: { requestedQueryCost: 3 } } });
    expect(items[2]?.headers?.get('x-request-id')).toBe('req-7');
    expect(items.some(({ errors }) => errors)).toBe(false);
    expect(JSON.parse(script.last.body!)).toEqual({ query: QUERY });
  });

  it('gives the same items however the reply is cut', async () => {
    const whole = FIRST + PRICE + STOCK + END;
    const expected = await collect(await clientFor(multipart([whole])).all.requestStream(QUERY));
    const single = await collect(await clientFor(multipart([...whole])).all.requestStream(QUERY));
    expect(single.map(({ headers: _, ...item }) => item)).toEqual(
      expected.map(({ headers: _, ...item }) => item),
    );
  });

  it('sends nothing before the first item is asked for, and ends the reply with the loop', async () => {
    const reply = multipart([FIRST, PRICE, STOCK, END]);
    const { all, script } = clientFor(reply);
    const stream = await all.requestStream(QUERY);
    expect(script.sent).toEqual([]);
    for await (const { hasNext } of stream) if (hasNext) break;
    expect(script.sent).toHaveLength(1);
    expect(reply.body?.locked).toBe(false);
    expect(await reply.body!.getReader().read()).toEqual({ done: true, value: undefined });
  });

  it('takes a first part without data of its own, and pieces of a list', async () => {
    const reply = multipart([
      part({ data: {}, hasNext: true }),
      part({ incremental: [{ data: { list: [{ id: 1 }] }, path: [] }], hasNext: true }),
      part({ incremental: [{ items: [{ id: 2 }, { id: 3 }], path: ['list', 1] }], hasNext: true }),
      part({ hasNext: false }) + END,
    ]);
    const items = await collect(await clientFor(reply).all.requestStream(QUERY));
    expect(items.map(({ data }) => data)).toEqual([
      {},
      { list: [{ id: 1 }] },
      { list: [{ id: 1 }, { id: 2 }, { id: 3 }] },
      { list: [{ id: 1 }, { id: 2 }, { id: 3 }] },
    ]);
  });

  it('takes pieces that come one at a time, as older servers send them', async () => {
    const reply = multipart([
      FIRST,
      part({ data: { price: '9.00' }, path: ['product'], hasNext: false }) + END,
    ]);
    const items = await collect(await clientFor(reply).all.requestStream(QUERY));
    expect(items.at(-1)).toMatchObject({
      data: { product: { id: 1, price: '9.00' } },
      hasNext: false,
    });
  });

  it('goes on after the errors of a fragment, under both policies', async () => {
    const failed = part({
      incremental: [
        {
          data: null,
          path: ['product'],
          errors: [{ message: 'No price', path: ['product', 'price'] }],
        },
      ],
      hasNext: true,
    });
    for (const policy of ['all', 'throwing'] as const) {
      const items = await collect(
        await clientFor(multipart([FIRST, failed, STOCK + END]))[policy].requestStream(QUERY),
      );
      expect(items).toHaveLength(3);
      expect(items[1]).toMatchObject({
        data: { product: { id: 1 } },
        hasNext: true,
        errors: { message: 'No price', networkStatusCode: 200 },
      });
      expect([...items[1]!.errors!]).toEqual([{ message: 'No price', path: ['product', 'price'] }]);
      expect(items[2]).toMatchObject({ data: { product: { id: 1, stock: 5 } }, hasNext: false });
      expect(items[2]?.errors).toBeUndefined();
    }
  });

  it('answers in one item when the platform defers nothing', async () => {
    const { all } = clientFor(json({ data: { product: { id: 1 } } }));
    expect(await collect(await all.requestStream(QUERY))).toMatchObject([
      { data: { product: { id: 1 } }, hasNext: false },
    ]);
  });

  it('is for queries that defer something, and request() for the others', async () => {
    const { all, script } = clientFor();
    await expect(all.requestStream('query Q { a }')).rejects.toMatchObject({
      code: 'ERR_REQUEST_INVALID',
      message: expect.stringContaining('request()'),
    });
    await expect(all.request(QUERY)).rejects.toMatchObject({
      code: 'ERR_REQUEST_INVALID',
      message: expect.stringContaining('requestStream()'),
    });
    expect(script.sent).toEqual([]);
  });
});

describe('a stream that fails', () => {
  const broken = (): Response => multipart([FIRST, new Error('connection reset')]);
  const cases: [string, () => Scripted, string, object][] = [
    [
      'no reply',
      () => new Error('socket hang up'),
      'ERR_HTTP_REQUEST',
      { message: expect.stringContaining('socket hang up') },
    ],
    [
      'a status that is no success',
      () => json({ errors: 'no' }, { status: 403 }),
      'ERR_HTTP_ACCESS_DENIED',
      { networkStatusCode: 403 },
    ],
    [
      'errors at once',
      () => json({ errors: [{ message: 'Bad' }] }),
      'ERR_GRAPHQL_QUERY',
      { graphQLErrors: [{ message: 'Bad' }] },
    ],
    [
      'a reply that is no result',
      () => new Response('<html>'),
      'ERR_HTTP_MALFORMED_REPLY',
      { networkStatusCode: 200 },
    ],
    [
      'an early end',
      () => multipart([FIRST, PRICE]),
      'ERR_HTTP_MALFORMED_REPLY',
      { message: expect.stringContaining('ended before its last') },
    ],
    [
      'an end before all parts',
      () => multipart([FIRST + END]),
      'ERR_HTTP_MALFORMED_REPLY',
      { networkStatusCode: 200 },
    ],
    ['no part', () => multipart([]), 'ERR_HTTP_MALFORMED_REPLY', { networkStatusCode: 200 }],
    [
      'a part that is no JSON',
      () => multipart(['\r\n\r\n{"data"\r\n---', END]),
      'ERR_HTTP_MALFORMED_REPLY',
      { networkStatusCode: 200 },
    ],
    [
      'a broken connection',
      broken,
      'ERR_HTTP_REQUEST',
      { networkStatusCode: 200, message: expect.stringContaining('broke off') },
    ],
  ];

  it.each(cases)(
    'with %s says so in its last item under the policy "all"',
    async (_, answer, code, members) => {
      const last = (await collect(await clientFor(answer()).all.requestStream(QUERY))).at(-1);
      expect(last).toMatchObject({
        hasNext: false,
        errors: { ...members, cause: { code, operation: 'query Product' } },
      });
    },
  );

  it.each(cases)('with %s throws under the policy "throw"', async (_, answer, code) => {
    await expect(
      clientFor(answer()).throwing.requestStream(QUERY).then(collect),
    ).rejects.toMatchObject({ code });
  });

  it('keeps the data it had', async () => {
    const items = await collect(await clientFor(broken()).all.requestStream(QUERY));
    expect(items).toHaveLength(2);
    expect(items[1]).toMatchObject({
      data: { product: { id: 1 } },
      extensions: { cost: { requestedQueryCost: 3 } },
    });
  });

  it('says when it was aborted', async () => {
    const stop = new AbortController();
    const reply = multipart([FIRST, new Error('aborted')]);
    const stream = await clientFor(reply).throwing.requestStream(QUERY, { signal: stop.signal });
    expect((await stream.next()).value).toMatchObject({ hasNext: true });
    stop.abort();
    await expect(stream.next()).rejects.toMatchObject({
      code: 'ERR_HTTP_ABORTED',
      shop: 'test-shop.myshopify.com',
    });
  });

  it('throws the errors of its first part under the policy "throw"', async () => {
    const reply = multipart([
      part({ data: { product: null }, errors: [{ message: 'No product' }], hasNext: true }),
    ]);
    await expect(
      clientFor(reply).throwing.requestStream(QUERY).then(collect),
    ).rejects.toMatchObject({
      code: 'ERR_GRAPHQL_QUERY',
      body: { data: { product: null } },
    });
  });

  it('is sent again like any call when it was asked for', async () => {
    const { all, script } = clientFor(
      json({}, { status: 503, headers: { 'retry-after': '0' } }),
      multipart([FIRST + PRICE + STOCK + END]),
    );
    expect(await collect(await all.requestStream(QUERY, { retries: 1 }))).toHaveLength(3);
    expect(script.sent).toHaveLength(2);
  });
});
